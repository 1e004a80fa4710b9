#include "cuda/context.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "core/gpu/gpu_config.h"
#include "cuda/environment.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/module_code.h"

namespace warpsim::cuda {

namespace {

constexpr int kExitUserError = 2;

void print_error(const std::string& text) {
  const std::string line = "warpsim: " + text + "\n";
  std::fflush(stdout);
  std::fwrite(line.data(), 1, line.size(), stderr);
}

// Streams without an object: the default one, the legacy one and the per-thread one.
constexpr std::uintptr_t kLegacyStream = 1;
constexpr std::uintptr_t kThreadStream = 2;
constexpr unsigned kNonBlocking = 1;

std::uint64_t this_thread() {
  static std::uint64_t threads = 0;  // calls are serialised
  thread_local std::uint64_t number = 0;
  number = number == 0 ? ++threads : number;
  return number;
}

}  // namespace

Context& process_context() {
  // Never destroyed: programs call CUDA from destructors of their own static objects.
  static Context* const context = new Context();
  return *context;
}

Context::Context()
    : graphs_(std::make_shared<GraphState>()),
      idle_runner_(mutex_, {.needed = [this] { return device_is_watched(); },
                            .drift = [this](double ns) { device_->queue().drift(ns); }}) {}

Device& Context::device() {
  if (device_ == nullptr) {
    if (finished_) {
      throw CallError(kUnloading);
    }
    try {
      const Environment environment = read_environment();
      device_ = make_device(environment.gpu, environment.options);
      host_faults_.watch(device_->memory());
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
  return *device_;
}

void Context::end_process(const UserError& error) {
  print_error(std::string("error: ") + error.what());
  std::fflush(nullptr);
  _exit(kExitUserError);  // the program's own handlers would call CUDA again
}

void Context::use_device(std::unique_ptr<Device> device) {
  graphs_ = std::make_shared<GraphState>();
  modules_.clear();
  kernels_of_stubs_.clear();
  kernel_handles_.clear();
  symbols_.clear();
  arrays_.clear();
  events_.clear();
  streams_.clear();
  thread_streams_.clear();
  host_memory_.clear();
  managed_memory_.clear();
  limits_.clear();
  texture_references_.clear();
  links_.clear();
  host_functions_ = 0;
  said_.clear();
  sticky_error_ = kSuccess;
  device_ = std::move(device);
}

void Context::finish() {
  if (getpid() == process_) {
    idle_runner_.stop();
  }
  if (device_ != nullptr && getpid() == process_) {
    device().finish_work();  // streams that wait for values are left as they are
    note_failure();
  }
  flush_printed();
  host_faults_.stop();
  if (device_ != nullptr) {
    if (getpid() == process_) {
      say_once(device_->check_summary());
      checks_failed_ = device_->races() != 0;
    }
    try {
      device_->store_results();
    } catch (const DatabaseError& error) {
      end_process(error);
    }
  }
  device_.reset();
  finished_ = true;
}

std::uint32_t Context::capability() {
  return architecture_of(device().config().compute_capability);
}

CodeTarget Context::code_target() {
  return {.capability = capability(), .choice = code_, .force_target = force_target_, .ptx_first = ptx_first_};
}

void Context::check(const Outcome& outcome) {
  if (outcome) {
    return;
  }
  const int code = code_of(outcome.failure);
  if (is_sticky(code)) {
    sticky_error_ = code;
  }
  throw CallError(code, outcome.message);
}

void Context::say_once(const std::string& text) {
  if (!text.empty() && said_.insert(text).second) {
    print_error(text);
  }
}

void Context::flush_printed() {
  if (device_ == nullptr) {
    return;
  }
  const std::string text = device_->take_printed();
  std::fwrite(text.data(), 1, text.size(), stdout);
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
  if (device_ != nullptr && module.id != 0) {
    device_->unload_module(module.id);
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

void Context::load(Module& module) {
  if (module.id != 0) {
    return;
  }
  if (module.texts.empty() && module.image.empty() && module.embedded == nullptr && module.container.empty()) {
    throw CallError(kInvalidImage, module.file + " registers no code");
  }
  const ModuleCode code = code_for(module, code_target());
  if (code.machine && load_machine_code(module, code)) {
    return;
  }
  check(code.ptx.size() == 1 ? device().load_module(code.ptx.front(), module.file, module.id)
                             : device().load_linked(code.ptx, module.file, module.id));
}

// Returns false, with a note, if the PTX must be executed instead.
bool Context::load_machine_code(Module& module, const ModuleCode& code) {
  if (!code.of_other.empty()) {
    say_once(fmt::format("{}: machine code for {} is executed on compute capability {}, where a GPU refuses it",
                         module.file, code.of_other, device().config().compute_capability));
  }
  const Outcome loaded = device().load_module(*code.machine, module.file, module.id);
  if (code.ptx.empty()) {
    check(loaded);
    return true;
  }
  const std::string refusal = loaded ? device().refusal(module.id) : loaded.message;
  if (refusal.empty()) {
    return true;
  }
  if (module.id != 0) {
    device().unload_module(module.id);
    module.id = 0;
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

const KernelInfo& Context::info(Kernel& kernel) {
  if (kernel.id == 0) {
    load(*kernel.module);
    check(device().find_kernel(kernel.module->id, kernel.name, kernel.id));
    const KernelInfo& found = device().info(kernel.id);
    const std::uint32_t limit = device().config().occupancy.shared_bytes_per_block_default;
    kernel.required_cluster = found.required_cluster;
    kernel.dynamic_shared_limit = limit > found.static_shared_bytes ? limit - found.static_shared_bytes : 0;
  }
  return device().info(kernel.id);
}

const VariableInfo& Context::variable(Module& module, const std::string& name) {
  const auto known = module.variables.find(name);
  if (known != module.variables.end()) {
    return known->second;
  }
  load(module);
  VariableInfo found;
  check(device().find_variable(module.id, name, found));
  if (found.managed) {
    add_managed(found.address);
  }
  return module.variables.emplace(name, found).first->second;
}

KernelId Context::info_id(Kernel& kernel) {
  info(kernel);
  return kernel.id;
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

StreamHandle Context::create_stream(unsigned flags, int priority) {
  auto made = std::make_unique<Stream>(Stream{flags, priority, next_stream_++});
  const StreamHandle handle = made.get();
  device().queue().open_stream(made->number, {(flags & kNonBlocking) == 0, priority});
  streams_[handle] = std::move(made);
  return handle;
}

void Context::destroy_stream(StreamHandle stream) {
  const auto found = streams_.find(stream);
  if (found == streams_.end()) {
    throw CallError(kInvalidHandle);
  }
  device().queue().close_stream(found->second->number);
  streams_.erase(found);
}

Stream& Context::stream(StreamHandle stream) {
  const auto value = reinterpret_cast<std::uintptr_t>(stream);
  if (value <= kLegacyStream) {
    return default_stream_;
  }
  if (value == kThreadStream) {
    std::unique_ptr<Stream>& own = thread_streams_[this_thread()];
    if (own == nullptr) {
      own = std::make_unique<Stream>(Stream{0, 0, next_stream_++});
    }
    return *own;
  }
  const auto found = streams_.find(stream);
  if (found == streams_.end()) {
    throw CallError(kInvalidHandle);
  }
  return *found->second;
}

EventHandle Context::create_event(unsigned flags) {
  auto made = std::make_unique<Event>();
  made->flags = flags;
  const EventHandle handle = made.get();
  events_[handle] = std::move(made);
  return handle;
}

void Context::destroy_event(EventHandle event) {
  if (events_.erase(event) == 0) {
    throw CallError(kInvalidHandle);
  }
}

Event& Context::event(EventHandle event) {
  const auto found = events_.find(event);
  if (found == events_.end()) {
    throw CallError(kInvalidHandle);
  }
  return *found->second;
}

ArrayHandle Context::add_array(const Array& array) {
  auto made = std::make_unique<Array>(array);
  const ArrayHandle handle = made.get();
  arrays_[handle] = std::move(made);
  return handle;
}

void Context::free_array(ArrayHandle handle) {
  finish_work();
  if (!array(handle).is_level) {
    device().memory().release(array(handle).data);
  }
  arrays_.erase(handle);
}

Array& Context::array(ArrayHandle array) {
  const auto found = arrays_.find(array);
  if (found == arrays_.end()) {
    throw CallError(kInvalidHandle);
  }
  return *found->second;
}

}  // namespace warpsim::cuda
