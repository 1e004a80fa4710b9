#include "cuda/device/simulated_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "base/demangle.h"
#include "base/error.h"
#include "codegen/code_generator.h"
#include "cuda/device/kernel_description.h"
#include "cuda/device/kernel_failure.h"
#include "cuda/device/launch_shape.h"
#include "emulator/execution/fault.h"
#include "emulator/execution/launch_watch.h"
#include "frontend/machine/cubin_code.h"
#include "ptx/ptx_error.h"

namespace warpsim::cuda {

namespace {

constexpr std::uint64_t kDefaultHeapBytes = std::uint64_t{8} << 20U;  // cudaLimitMallocHeapSize as CUDA sets it

constexpr std::uint64_t kFirstLook = std::uint64_t{1} << 20U;          // warp instructions
constexpr std::uint64_t kFirstLookWithTime = std::uint64_t{1} << 17U;  // which are slower

// Flushed at once, because the following launch may never end.
void show_on_standard_error(const std::string& text) {
  std::fwrite(text.data(), 1, text.size(), stderr);
}

}  // namespace

SimulatedDevice::SimulatedDevice(std::shared_ptr<SimulatedSystem> system, std::uint32_t number,
                                 const DeviceOptions& options)
    : system_(std::move(system)),
      number_(number),
      options_(options),
      config_(system_->gpu(number).config),
      memory_(system_->memory(number)),
      heap_(memory_, kDefaultHeapBytes),
      loader_(config_, options, memory_),
      breakpoints_(options.breakpoints, show_on_standard_error),
      topology_(config_.topology) {
  if (options.checks.races) {
    races_ = std::make_unique<RaceCheck>();
  }
  if (machine() != nullptr) {
    timed_.emplace(*machine(), number);
    const auto time_of = [this](Cycle cycle) { return machine()->time_of(cycle, number_); };
    runtime_.use_time(config_.device_queues, config_.clocks.core_mhz, time_of);
    system_calls_.emplace(config_.system_calls, config_.clocks.core_mhz, time_of);
  } else {
    untimed_.emplace(*system_->untimed(), number);
  }
}

SimulatedDevice::SimulatedDevice(const std::string& gpu, const DeviceOptions& options)
    : SimulatedDevice(std::make_shared<SimulatedSystem>(std::vector{gpu}, options), 0, options) {}

SimulatedDevice::~SimulatedDevice() {
  system_->end();  // kernels refer to this
  for (const std::string& breakpoint : breakpoints_.not_reached()) {
    show_on_standard_error("breakpoint " + breakpoint + " was not reached\n");
  }
}

// --- modules ---

Outcome SimulatedDevice::load_module(std::string_view ptx, const std::string& file, ModuleId& module,
                                     const Managed& managed) {
  std::unique_ptr<ModuleImage> image;
  Outcome loaded = loader_.load(ptx, file, managed, image);
  module = loaded ? modules_.add(std::move(image)) : module;
  return loaded;
}

Outcome SimulatedDevice::load_linked(std::span<const std::string> texts, const std::string& file, ModuleId& module,
                                     const Managed& managed) {
  std::unique_ptr<ModuleImage> image;
  Outcome loaded = loader_.link(texts, file, managed, image);
  module = loaded ? modules_.add(std::move(image)) : module;
  return loaded;
}

void SimulatedDevice::unload_module(ModuleId module) {
  finish_work();
  for (Kernel& kernel : kernels_) {
    if (kernel.module == module) {
      kernel.image.reset();
    }
  }
  std::erase_if(kernel_ids_, [module](const auto& entry) { return entry.first.first == module; });
  modules_.remove(module);
}

Outcome SimulatedDevice::find_kernel(ModuleId module, std::string_view name, KernelId& kernel) {
  const auto key = std::make_pair(module, std::string(name));
  if (const auto known = kernel_ids_.find(key); known != kernel_ids_.end()) {
    kernel = known->second;
    return {};
  }
  ModuleImage& image = modules_.image(module);
  const std::vector<ptx::Function>& functions = image.module().functions;
  const auto found = std::ranges::find_if(
      functions, [name](const ptx::Function& function) { return function.is_entry && function.name == name; });
  if (found == functions.end()) {
    return {Failure::kNotFound, fmt::format("{}: there is no kernel {}", image.module().file, name)};
  }
  try {
    const auto number = static_cast<std::uint32_t>(found - functions.begin());
    loader_.optimise(image, number);
    auto decoded = std::make_unique<KernelImage>(image, number);
    MachineCode code = image.module().is_machine_code ? machine_code_of(*decoded)
                                                      : generate_code(image.module(), number, loader_.target());
    KernelInfo info = describe_kernel(image.module(), *decoded, code, config_.occupancy);
    code.registers_per_thread = info.registers;
    kernels_.push_back({module, std::move(decoded), std::move(code), std::move(info)});
  } catch (const ptx::PtxError& error) {
    return {Failure::kInvalidPtx, error.what()};
  }
  kernel = static_cast<KernelId>(kernels_.size());
  kernel_ids_[key] = kernel;
  return {};
}

Outcome SimulatedDevice::find_variable(ModuleId module, std::string_view name, VariableInfo& variable) {
  return modules_.find_variable(module, name, variable);
}

const KernelInfo& SimulatedDevice::info(KernelId kernel) const {
  return kernels_[kernel - 1].info;
}

// --- launches ---

Outcome SimulatedDevice::check(const Kernel& kernel, const Launch& launch, std::uint32_t& resident_blocks) const {
  return check_shape(config_, topology_.sm_count(), kernel.info, launch, resident_blocks);
}

LaunchContext SimulatedDevice::context_of(const Kernel& kernel, const Launch& launch) {
  LaunchContext context;
  context.kernel = kernel.image.get();
  context.memory = &memory_;
  context.heap = &heap_;
  context.launches = &runtime_;
  context.system_calls = system_calls_ ? &*system_calls_ : nullptr;
  context.textures = &textures_;
  context.breakpoints = breakpoints_.prepare(*kernel.image) ? &breakpoints_ : nullptr;
  context.parameters.assign(launch.parameters.begin(), launch.parameters.end());
  context.grid = launch.grid;
  context.block = launch.block;
  context.cluster = launch.cluster;
  context.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  context.grid_id = ++launches_;
  context.graph_exec = launch.graph;
  runtime_.begin(context.grid_id, kernel.module, launch.graph_launch);
  context.sm_count = topology_.sm_count();
  context.capability = architecture_of(config_.compute_capability);
  context.clock_mhz = config_.clocks.core_mhz;
  constexpr std::uint32_t kFirstIndependent = 70;
  context.independent_threads = context.capability >= kFirstIndependent;
  if (launch.cooperative) {
    barrier_.give_to(context);
  }
  reports_.connect(context, kernel.info.name, options_.checks.uninitialised, options_.tolerant);
  return context;
}

// Reported, since its results are missing.
bool SimulatedDevice::is_skipped(const Kernel& kernel) {
  const bool skipped = std::ranges::any_of(options_.skipped_kernels,
                                           [&](const std::string& name) { return is_called(kernel.info.name, name); });
  if (skipped) {
    reports_.add_skipped(kernel.info.name);
  }
  return skipped;
}

Outcome SimulatedDevice::launch(KernelId number, const Launch& launch, WorkHandle* work) {
  Kernel& kernel = kernels_[number - 1];
  if (const std::string found = fit_registers(kernel.info, config_.occupancy, launch.block.count()); !found.empty()) {
    kernel.code.registers_per_thread = kernel.info.registers;
    reports_.add(found);
  }
  std::uint32_t resident_blocks = 0;
  if (Outcome outcome = check(kernel, launch, resident_blocks); !outcome) {
    return outcome;
  }
  if (is_skipped(kernel)) {
    return {};
  }
  try {
    const std::shared_ptr<PendingLaunch> pending = prepare(kernel, launch, is_profiled(kernel));
    if (pending->is_profiled && !options_.results.empty()) {
      pending->ranges = system_->selection().open_ranges();
    }
    WorkHandle launched = execute(pending, launch.place, resident_blocks);
    if (work != nullptr) {
      *work = std::move(launched);
    }
  } catch (const KernelFault& fault) {
    abandon();
    return {failure_of(fault.kind()), fault.what()};
  } catch (const ConfigError& error) {
    abandon();
    return {Failure::kInvalidConfiguration, error.what()};
  }
  return races_ != nullptr || machine() == nullptr ? take_failure() : Outcome{};
}

// Returns what a message about a launch that cannot end adds.
std::string SimulatedDevice::abandon() {
  std::string waiting = runtime_.waiting_work();
  runtime_.abandon();
  return waiting;
}

// Without time and trace there is nothing to select. Kernels that launch others need the device's queues.
bool SimulatedDevice::is_profiled(const Kernel& kernel) {
  LaunchSelection& selection = system_->selection();
  if ((machine() == nullptr && system_->recorder() == nullptr) || selection.takes()) {
    return true;
  }
  if (machine() != nullptr && kernel.image->launches_work()) {
    selection.note_taken_anyway();
    return true;
  }
  selection.note_left_out();
  return false;
}

std::shared_ptr<PendingLaunch> SimulatedDevice::prepare(const Kernel& kernel, const Launch& launch, bool profiled) {
  const bool timed = machine() != nullptr && profiled;
  const bool open_end = kernel.image->is_recursive() || kernel.image->takes_stack();
  const std::uint32_t stack = open_end ? std::max(stack_bytes_, kernel.info.local_bytes) : 0;
  auto pending = std::make_shared<PendingLaunch>();
  PendingLaunch* const self = pending.get();
  pending->work = {context_of(kernel, launch), &kernel.code, kernel.info.local_bytes + stack, kernel.info.name, number_,
                   launch.place.stream,        launch.window};
  LaunchWatch::Options options;
  options.most_instructions = options_.max_instructions.value_or(LaunchWatch::kNoLimit);
  options.first_look = timed ? kFirstLookWithTime : kFirstLook;
  options.by_machine = timed;
  options.note = [self](const KernelProgress& progress) {
    show_on_standard_error(self->notes->note(LaunchNotes::Clock::now(), progress));
  };
  if (timed) {
    options.is_alone = [this] { return machine()->is_alone(); };
  }
  const std::uint64_t grid = pending->work.context.grid_id;
  if (machine() != nullptr) {
    pending->state = std::make_shared<WorkState>();
    pending->launches = kernel.image->launches_work();
    pending->work.context.clock_zero_ns = timed ? &self->clock_zero_ns : nullptr;
    pending->ends = [this, grid] { runtime_.ended(grid); };
    runtime_.placed(grid, pending->state);
  } else {
    pending->is_whole = races_ != nullptr;
    pending->ends = [this, self, grid] {
      self->races.reset();
      runtime_.complete(grid);
    };
    pending->abandon = [this] { return abandon(); };
  }
  pending->watch = std::make_unique<LaunchWatch>(*kernel.image, launch.grid.count(), std::move(options));
  pending->work.context.watch = pending->watch.get();
  pending->is_profiled = profiled;
  pending->cooperative = launch.cooperative;
  pending->programmatic = launch.programmatic;
  pending->begins = [this, self] {
    if (self->cooperative) {
      barrier_.clear();
    }
    if (machine() == nullptr) {
      self->races = std::make_unique<RaceSearch>(races_.get(), self->work.context, reports_.findings());
    }
  };
  return pending;
}

WorkHandle SimulatedDevice::execute(const std::shared_ptr<PendingLaunch>& launch, const WorkPlace& place,
                                    std::uint32_t resident_blocks) {
  if (machine() == nullptr) {
    return system_->untimed()->launch(launch, place, resident_blocks);
  }
  const RaceSearch search(races_.get(), launch->work.context, reports_.findings());
  WorkHandle work = launch->is_profiled ? machine()->launch(launch, place)
                                        : machine()->submit(work_without_time(launch, place, resident_blocks));
  if (races_ != nullptr) {
    machine()->finish();  // one launch at a time
  }
  return work;
}

Work SimulatedDevice::work_without_time(const std::shared_ptr<PendingLaunch>& launch, const WorkPlace& place,
                                        std::uint32_t resident_blocks) {
  Work work;
  work.kind = WorkKind::kInstant;
  work.place = place;
  work.place.gpu = number_;
  work.state = launch->state;
  work.effect = [this, launch, resident_blocks] {
    const GridBarrier::State barrier = launch->cooperative ? barrier_.state() : GridBarrier::State();
    launch->notes.emplace(LaunchNotes::Clock::now());
    launch->begins();
    system_->executor().execute(launch->work, resident_blocks);
    launch->ends();
    if (launch->cooperative) {
      barrier_.restore(barrier);  // of a grid that runs
    }
  };
  return work;
}

DeviceQueue& SimulatedDevice::queue() {
  if (timed_) {
    return *timed_;
  }
  return *untimed_;
}

Outcome SimulatedDevice::take_failure() {
  if (machine() == nullptr) {
    return system_->untimed()->take_failure();
  }
  Outcome failure = machine()->take_failure();
  if (!failure) {
    const std::string waiting = abandon();
    failure.message += failure.failure == Failure::kTimeout ? waiting : "";
  }
  return failure;
}

void SimulatedDevice::finish_work() {
  if (machine() != nullptr) {
    machine()->finish();
  } else {
    system_->untimed()->finish();
  }
}

void SimulatedDevice::store_results() {
  if (machine() != nullptr) {
    machine()->store_results();
  }
}

std::uint64_t SimulatedDevice::create_texture(const TextureDescription& texture) {
  return textures_.create(texture);
}

void SimulatedDevice::destroy_texture(std::uint64_t object) {
  finish_work();
  textures_.destroy(object);
}

void SimulatedDevice::note_written(Address address, std::uint64_t bytes) {
  if (machine() != nullptr) {
    const DeviceMemory::Allocation* const allocation = memory_.find(address);
    machine()->written(address, bytes, allocation == nullptr ? number_ : allocation->gpu);
  } else if (system_->recorder() != nullptr) {
    system_->recorder()->written(address, bytes);
  }
}

void SimulatedDevice::note_touched(Address address, std::uint64_t bytes) {
  const DeviceMemory::Allocation* const found = memory_.find(address);
  if (machine() != nullptr && found != nullptr && !found->managed) {
    machine()->written(address, bytes, found->gpu);
  }
}

void SimulatedDevice::interrupt_for(const std::function<bool()>& time_stops) {
  if (machine() != nullptr) {
    machine()->interrupt_for(time_stops);
  }
}

std::unique_ptr<Device> make_device(const std::string& gpu, const DeviceOptions& options) {
  return std::make_unique<SimulatedDevice>(gpu, options);
}

std::vector<std::unique_ptr<Device>> make_devices(const std::vector<std::string>& gpus, const DeviceOptions& options) {
  const auto system = std::make_shared<SimulatedSystem>(gpus, options);
  std::vector<std::unique_ptr<Device>> devices;
  for (std::uint32_t number = 0; number < system->size(); ++number) {
    devices.push_back(std::make_unique<SimulatedDevice>(system, number, options));
  }
  return devices;
}

}  // namespace warpsim::cuda
