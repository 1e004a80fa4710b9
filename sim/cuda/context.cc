#include "cuda/context.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/gpu/gpu_config.h"
#include "cuda/environment.h"
#include "cuda/graphs/graph_launches.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/ipc/ipc_memory.h"
#include "cuda/memory/memory_pools.h"
#include "cuda/memory/virtual_memory.h"
#include "cuda/modules/module_code.h"

namespace warpsim::cuda {

namespace {

constexpr int kExitUserError = 2;

}  // namespace

Context& process_context() {
  // Never destroyed: programs call CUDA from destructors of their own static objects.
  static Context* const context = new Context();
  return *context;
}

Context::Context()
    : graphs_(std::make_shared<GraphState>(*this)),
      ipc_memory_(std::make_shared<IpcMemory>()),
      pools_(std::make_shared<MemoryPools>()),
      virtual_memory_(std::make_shared<VirtualMemory>()),
      idle_runner_(mutex_, {.needed = [this] { return device_is_watched(); },
                            .drift = [this](double ns) { devices_.front()->queue().work_on(ns); }}) {}

Device& Context::device() {
  return device(current_device());
}

Device& Context::device(std::uint32_t gpu) {
  if (devices_.empty()) {
    open_devices();
  }
  if (gpu >= devices_.size()) {
    throw CallError(kInvalidDevice);
  }
  return *devices_[gpu];
}

std::uint32_t Context::device_count() {
  device(0);
  return static_cast<std::uint32_t>(devices_.size());
}

bool Context::devices_are_idle() const {
  return std::ranges::all_of(devices_, [](const auto& device) { return device->queue().idle(); });
}

void Context::open_devices() {
  if (finished_) {
    throw CallError(kUnloading);
  }
  try {
    const Environment environment = read_environment();
    if (environment.gpus.empty()) {
      throw CallError(kNoDeviceFound, std::string(kVisibleVariable) + " selects none of the GPUs");
    }
    devices_ = make_devices(environment.gpus, environment.options);
    connect_devices();
    host_faults_.watch(devices_.front()->memory());
    process_ = getpid();
    on_exit([](int status, void* self) { static_cast<Context*>(self)->set_program_status(status); }, this);
    force_target_ = environment.options.force_target;
    code_ = environment.options.code;
    ptxas_ = Ptxas(environment.options.ptxas);
    // Breakpoints are lines of PTX, and races are best explained by its lines and those of the source.
    ptx_first_ = !environment.options.breakpoints.empty() || environment.options.checks.races;
  } catch (const UserError& error) {
    end_process(error);
  }
}

void Context::end_process(const UserError& error) {
  UserMessages::say(std::string("error: ") + error.what());
  std::fflush(nullptr);
  _exit(kExitUserError);  // the program's own handlers would call CUDA again
}

void Context::call_begins() {
  if (has_device()) {
    devices_.front()->call_begins();
  }
}

void Context::call_made() {
  idle_runner_.call_made();
  if (has_device()) {
    devices_.front()->call_ends();
  }
}

void Context::note_other_processes() {
  has_other_processes_ = true;
  device().memory().note_shared();
}

void Context::use_device(std::unique_ptr<Device> device) {
  std::vector<std::unique_ptr<Device>> devices;
  if (device != nullptr) {
    devices.push_back(std::move(device));
  }
  use_devices(std::move(devices));
}

void Context::use_devices(std::vector<std::unique_ptr<Device>> devices) {
  forget_devices();
  graphs_ = std::make_shared<GraphState>(*this);
  ipc_memory_ = std::make_shared<IpcMemory>();
  has_other_processes_ = false;
  pools_ = std::make_shared<MemoryPools>();
  virtual_memory_ = std::make_shared<VirtualMemory>();
  modules_.clear();
  kernels_of_stubs_.clear();
  kernel_handles_.clear();
  symbols_.clear();
  objects_ = {};
  host_memory_.clear();
  managed_memory_.clear();
  limits_.clear();
  texture_references_.clear();
  links_.clear();
  host_functions_ = 0;
  messages_.forget();
  sticky_error_ = kSuccess;
  devices_ = std::move(devices);
  connect_devices();
}

void Context::connect_devices() {
  for (const auto& device : devices_) {
    device->use_graphs(*graphs_->launches);
    device->use_ranges(ranges_);
    device->interrupt_for([this] { return threads_.has_time_to_stop(); });
  }
}

void Context::finish() {
  const bool is_own = getpid() == process_;
  if (is_own) {
    idle_runner_.stop();
  }
  if (has_device() && is_own) {
    for (const auto& one : devices_) {
      one->finish_work();  // streams that wait for values are left as they are
    }
    note_failure();
  }
  flush_printed();
  host_faults_.stop();
  if (is_own && kernel_error_ != kSuccess && program_status_ == 0) {
    UserMessages::say("a kernel has failed, although the program ended with exit code 0");
  }
  for (const auto& one : devices_) {
    if (is_own) {
      std::ranges::for_each(one->closing_notes(), [this](const std::string& note) { say_once(note); });
      say_once(one->check_summary());
      checks_failed_ = checks_failed_ || one->races() != 0;
    }
    try {
      one->store_results();
    } catch (const DatabaseError& error) {
      end_process(error);
    }
  }
  devices_.clear();
  finished_ = true;
}

std::uint32_t Context::capability() {
  return architecture_of(device().config().compute_capability);
}

CodeTarget Context::code_target(const Device& device) const {
  return {.capability = architecture_of(device.config().compute_capability),
          .choice = code_,
          .force_target = force_target_,
          .ptx_first = ptx_first_};
}

void Context::check(const Outcome& outcome) {
  if (outcome) {
    return;
  }
  const int code = code_of(outcome.failure);
  if (is_sticky(code)) {
    sticky_error_ = kernel_error_ = code;
  }
  throw CallError(code, outcome.message);
}

void Context::flush_printed() {
  for (const auto& one : devices_) {
    const std::string text = one->take_printed();
    std::fwrite(text.data(), 1, text.size(), stdout);
  }
}

Module& Context::add_module(std::unique_ptr<Module> module) {
  Module& added = *module;
  modules_[&added] = std::move(module);
  return added;
}

bool Context::is_module(const Module* module) const {
  return modules_.contains(module);
}

void Context::remove_module(Module& module) {
  for (const auto& [gpu, loaded] : module.on) {
    if (gpu < devices_.size() && loaded.id != 0) {
      devices_[gpu]->unload_module(loaded.id);
    }
  }
  for (const auto& [name, kernel] : module.kernels) {
    const auto* const gone = kernel.get();
    kernel_handles_.erase(kernel.get());
    std::erase_if(kernels_of_stubs_, [gone](const auto& entry) { return entry.second == gone; });
  }
  std::erase_if(texture_references_, [&](const auto& entry) { return entry.second->module == &module; });
  std::erase_if(symbols_, [&](const auto& entry) { return entry.second.module == &module; });
  modules_.erase(&module);
}

void Context::load(Module& module, Device& device) {
  ModuleId& id = module.on[device.number()].id;
  if (id != 0) {
    return;
  }
  if (module.texts.empty() && module.image.empty() && module.embedded == nullptr && module.container.empty()) {
    throw CallError(kInvalidImage, module.file + " registers no code");
  }
  std::shared_ptr<ManagedVariables> managed = module.managed.lock();
  if (managed == nullptr) {
    managed = std::make_shared<ManagedVariables>();
    module.managed = managed;
  }
  const ModuleCode code = code_for(module, code_target(device));
  if (code.machine && load_machine_code(module, code, device, managed)) {
    return;
  }
  check(code.ptx.size() == 1 ? device.load_module(code.ptx.front(), module.file, id, managed)
                             : device.load_linked(code.ptx, module.file, id, managed));
}

// Returns false, with a note, if the PTX must be executed instead.
bool Context::load_machine_code(Module& module, const ModuleCode& code, Device& device,
                                const Device::Managed& managed) {
  ModuleId& id = module.on[device.number()].id;
  if (!code.of_other.empty()) {
    say_once(fmt::format("{}: machine code for {} is executed on compute capability {}, where a GPU refuses it",
                         module.file, code.of_other, device.config().compute_capability));
  }
  const Outcome loaded = device.load_module(*code.machine, module.file, id, managed);
  if (code.ptx.empty()) {
    check(loaded);
    return true;
  }
  const std::string refusal = loaded ? device.refusal(id) : loaded.message;
  if (refusal.empty()) {
    return true;
  }
  if (id != 0) {
    device.unload_module(id);
    id = 0;
  }
  say_once(fmt::format("{}: the PTX is executed instead of the machine code, of which a part is not supported: {}",
                       module.file, refusal));
  return false;
}

Kernel& Context::kernel(Module& module, const std::string& name) {
  std::unique_ptr<Kernel>& kernel = module.kernels[name];
  if (kernel == nullptr) {
    kernel = std::make_unique<Kernel>();
    kernel->module = &module;
    kernel->name = name;
    kernel_handles_.insert(kernel.get());
  }
  return *kernel;
}

std::vector<Kernel*> Context::kernels(Module& module) {
  load(module);
  std::vector<Kernel*> all;
  for (const std::string& name : device().kernel_names(module.on[current_device()].id)) {
    all.push_back(&kernel(module, name));
  }
  return all;
}

Kernel::OnGpu& Context::loaded(Kernel& kernel, std::uint32_t gpu) {
  Device& on = device(gpu);
  Kernel::OnGpu& loaded = kernel.on[gpu];
  if (loaded.id == 0) {
    load(*kernel.module, on);
    check(on.find_kernel(kernel.module->on[gpu].id, kernel.name, loaded.id));
    const KernelInfo& found = on.info(loaded.id);
    const std::uint32_t limit = on.config().occupancy.shared_bytes_per_block_default;
    loaded.required_cluster = found.required_cluster;
    loaded.dynamic_shared_limit = limit > found.static_shared_bytes ? limit - found.static_shared_bytes : 0;
  }
  return loaded;
}

const KernelInfo& Context::info(Kernel& kernel) {
  return device().info(loaded(kernel).id);
}

const VariableInfo& Context::variable(Module& module, const std::string& name) {
  load(module);
  Module::OnGpu& loaded = module.on[current_device()];
  const auto known = loaded.variables.find(name);
  if (known != loaded.variables.end()) {
    return known->second;
  }
  VariableInfo found;
  check(device().find_variable(loaded.id, name, found));
  if (found.managed) {
    add_managed(found.address);
  }
  return loaded.variables.emplace(name, found).first->second;
}

Kernel& Context::kernel_of(const void* stub_or_handle) {
  const auto stub = kernels_of_stubs_.find(stub_or_handle);
  if (stub != kernels_of_stubs_.end()) {
    return *stub->second;
  }
  if (!kernel_handles_.contains(stub_or_handle)) {
    throw CallError(kInvalidDeviceFunction);
  }
  return *static_cast<Kernel*>(const_cast<void*>(stub_or_handle));
}

const void* Context::stub_of(const Kernel& kernel) const {
  const auto found =
      std::ranges::find_if(kernels_of_stubs_, [&](const auto& entry) { return entry.second == &kernel; });
  return found == kernels_of_stubs_.end() ? &kernel : found->first;
}

const VariableInfo& Context::symbol(const void* host) {
  const auto found = symbols_.find(host);
  if (found == symbols_.end()) {
    throw CallError(kInvalidSymbol);
  }
  return variable(*found->second.module, found->second.name);
}

void Context::add_managed(Address begin) {
  managed_memory_.insert(begin);
  host_faults_.watch(device().memory());  // its addresses were unknown before
}

void Context::bind_managed(Module& module) {
  for (const auto& [host, symbol] : symbols_) {
    if (symbol.module != &module || symbol.managed == nullptr) {
      continue;
    }
    const VariableInfo& variable_info = variable(module, symbol.name);
    if (!device().memory().has_managed()) {
      throw CallError(kNotSupported, "managed variables need address space that is already used in this process");
    }
    // NOLINTNEXTLINE(performance-no-int-to-ptr): addresses of the device are the host's
    *symbol.managed = reinterpret_cast<void*>(variable_info.address);
  }
}

void Context::free_array(ArrayHandle handle) {
  finish_work();
  if (!objects_.array(handle).is_level) {
    device().memory().release(objects_.array(handle).data);
  }
  objects_.remove_array(handle);
}

}  // namespace warpsim::cuda
