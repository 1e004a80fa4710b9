#include "cuda/simulated_device.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>

#include "base/error.h"
#include "config/gpu_files.h"
#include "core/occupancy.h"
#include "emulator/fault.h"
#include "emulator/grid_execution.h"
#include "ptx/liveness.h"
#include "ptx/parser.h"

namespace warpsim::cuda {

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;
constexpr std::uint64_t kDefaultHeapBytes = 8 * kMebibyte;  // cudaLimitMallocHeapSize as CUDA sets it

Failure failure_of(FaultKind kind) {
  switch (kind) {
    case FaultKind::kIllegalAddress:
      return Failure::kIllegalAddress;
    case FaultKind::kMisalignedAddress:
      return Failure::kMisalignedAddress;
    case FaultKind::kIllegalInstruction:
      return Failure::kIllegalInstruction;
    case FaultKind::kAssert:
      return Failure::kAssert;
    case FaultKind::kTrap:
      return Failure::kTrap;
    case FaultKind::kDeadlock:
      return Failure::kTimeout;
    case FaultKind::kStackOverflow:
      return Failure::kIllegalAddress;
  }
  return Failure::kIllegalInstruction;
}

std::string text_of(const Dim3& size) {
  return fmt::format("({}, {}, {})", size.x, size.y, size.z);
}

// What a register allocator needs beside the live values: an address or two, and results under way.
constexpr std::uint32_t kRegistersOfAllocator = 4;

}  // namespace

SimulatedDevice::SimulatedDevice(const std::string& gpu, const DeviceOptions& options)
    : options_(options),
      tree_(ConfigTree::load(find_gpu_file(gpu), options.overrides)),
      config_(tree_.read<GpuConfig>()),
      memory_(config_.device_memory_mib * kMebibyte),
      heap_(memory_, kDefaultHeapBytes),
      topology_(config_.topology) {
  if (!options_.functional_only) {
    throw UsageError("programs are executed without time so far: expected --functional-only");
  }
  if (!options_.results.empty()) {
    throw UsageError("nothing is timed, so that there are no statistics to store: leave out --out " + options_.results);
  }
}

SimulatedDevice::~SimulatedDevice() = default;

// --- modules ---

Outcome SimulatedDevice::load_module(std::string_view ptx, const std::string& file, ModuleId& module) {
  try {
    std::unique_ptr<const ptx::Module> text = ptx::parse_module(ptx, file);
    const std::uint32_t capability = architecture_of(config_.compute_capability);
    const bool fits = text->architecture_specific ? text->target == capability : text->target <= capability;
    if (!fits && !options_.force_target) {
      return {Failure::kNoBinaryForGpu,
              fmt::format("{}: PTX for sm_{}{} does not run on compute capability {}", file, text->target,
                          text->architecture_specific ? "a" : "", config_.compute_capability)};
    }
    modules_.push_back(std::make_unique<ModuleImage>(std::move(text), memory_));
  } catch (const ptx::PtxError& error) {
    return {Failure::kInvalidPtx, error.what()};
  } catch (const std::bad_alloc&) {
    return {Failure::kOutOfMemory, file + ": the module's variables do not fit into the device's memory"};
  }
  module = static_cast<ModuleId>(modules_.size());
  return {};
}

void SimulatedDevice::unload_module(ModuleId module) {
  for (Kernel& kernel : kernels_) {
    if (kernel.module == module) {
      kernel.image.reset();
    }
  }
  std::erase_if(kernel_ids_, [module](const auto& entry) { return entry.first.first == module; });
  modules_[module - 1].reset();
}

KernelInfo SimulatedDevice::describe(const KernelImage& image) const {
  KernelInfo info;
  info.name = image.name();
  for (const KernelImage::Parameter& parameter : image.parameters()) {
    info.parameters.push_back({parameter.offset, parameter.bytes});
  }
  info.parameter_bytes = image.parameter_bytes();
  const ptx::Module& module = image.module().module();
  std::uint32_t live = 0;
  for (std::uint32_t i = 0; i < module.functions.size(); ++i) {
    live = std::max(live, image.function(i) == nullptr ? 0 : ptx::most_live_words(module.functions[i]));
  }
  const ptx::LaunchBounds& bounds = image.source().bounds;
  const auto product = [](const std::uint32_t(&size)[3]) {
    return size[0] * std::max(1U, size[1]) * std::max(1U, size[2]);
  };
  info.registers = std::clamp(live + kRegistersOfAllocator, config_.occupancy.least_registers_per_thread,
                              config_.occupancy.registers_per_thread);
  if (bounds.most_registers != 0) {
    info.registers = std::min(info.registers, bounds.most_registers);
  }
  info.static_shared_bytes = image.static_shared_bytes();
  info.local_bytes = image.local_bytes();
  for (const ptx::Variable& variable : module.variables) {
    info.constant_bytes +=
        variable.space == ptx::StateSpace::kConstant ? static_cast<std::uint32_t>(variable.bytes()) : 0;
  }
  info.most_threads_per_block = config_.occupancy.threads_per_block;
  for (const std::uint32_t asked : {product(bounds.most_threads), product(bounds.required_threads)}) {
    info.most_threads_per_block =
        asked == 0 ? info.most_threads_per_block : std::min(info.most_threads_per_block, asked);
  }
  info.required_cluster = {bounds.cluster_blocks[0], bounds.cluster_blocks[1], bounds.cluster_blocks[2]};
  info.ptx_version = module.version;
  info.target = module.target;
  return info;
}

Outcome SimulatedDevice::find_kernel(ModuleId module, std::string_view name, KernelId& kernel) {
  const auto key = std::make_pair(module, std::string(name));
  if (const auto known = kernel_ids_.find(key); known != kernel_ids_.end()) {
    kernel = known->second;
    return {};
  }
  const ModuleImage& image = *modules_[module - 1];
  const std::vector<ptx::Function>& functions = image.module().functions;
  const auto found = std::ranges::find_if(
      functions, [name](const ptx::Function& function) { return function.is_entry && function.name == name; });
  if (found == functions.end()) {
    return {Failure::kNotFound, fmt::format("{}: there is no kernel {}", image.module().file, name)};
  }
  try {
    auto decoded = std::make_unique<KernelImage>(image, static_cast<std::uint32_t>(found - functions.begin()));
    KernelInfo info = describe(*decoded);
    kernels_.push_back({module, std::move(decoded), std::move(info)});
  } catch (const ptx::PtxError& error) {
    return {Failure::kInvalidPtx, error.what()};
  }
  kernel = static_cast<KernelId>(kernels_.size());
  kernel_ids_[key] = kernel;
  return {};
}

Outcome SimulatedDevice::find_variable(ModuleId module, std::string_view name, VariableInfo& variable) {
  const ModuleImage& image = *modules_[module - 1];
  const std::vector<ptx::Variable>& variables = image.module().variables;
  for (std::uint32_t i = 0; i < variables.size(); ++i) {
    if (variables[i].name == name && image.address_of(i) != 0) {
      variable = {image.address_of(i), variables[i].bytes(), variables[i].managed};
      return {};
    }
  }
  return {Failure::kNotFound, fmt::format("{}: there is no variable {}", image.module().file, name)};
}

const KernelInfo& SimulatedDevice::info(KernelId kernel) const {
  return kernels_[kernel - 1].info;
}

// --- launches ---

Outcome SimulatedDevice::check(const Kernel& kernel, const Launch& launch, std::uint32_t& resident_blocks) const {
  const auto wrong = [&](Failure failure, const std::string& what) {
    return Outcome{failure, fmt::format("kernel {}: {}", kernel.info.name, what)};
  };
  const SpecificationsConfig& limits = config_.specifications;
  const auto fits = [](const Dim3& size, const auto& most) {
    return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= most[0] && size.y <= most[1] && size.z <= most[2];
  };
  if (!fits(launch.grid, limits.grid_size)) {
    return wrong(Failure::kInvalidConfiguration, "the GPU has no grid of " + text_of(launch.grid) + " blocks");
  }
  if (!fits(launch.block, limits.block_size) || launch.block.count() > kernel.info.most_threads_per_block) {
    return wrong(Failure::kInvalidConfiguration,
                 fmt::format("a block of {} threads; at most {} are possible", text_of(launch.block),
                             kernel.info.most_threads_per_block));
  }
  const Dim3& cluster = launch.cluster;
  if (cluster.count() == 0 || launch.grid.x % cluster.x != 0 || launch.grid.y % cluster.y != 0 ||
      launch.grid.z % cluster.z != 0) {
    return wrong(Failure::kInvalidConfiguration, "the grid is no multiple of clusters of " + text_of(cluster));
  }
  const Occupancy occupancy = compute_occupancy(
      config_.occupancy, {.threads = static_cast<std::uint32_t>(launch.block.count()),
                          .registers_per_thread = kernel.info.registers,
                          .shared_bytes = kernel.info.static_shared_bytes + launch.dynamic_shared_bytes});
  if (occupancy.blocks_per_sm == 0) {
    return wrong(Failure::kOutOfResources, occupancy.reason);
  }
  resident_blocks = occupancy.blocks_per_sm * topology_.sm_count();
  if (launch.cooperative && launch.grid.count() > resident_blocks) {
    return wrong(Failure::kCooperativeTooLarge, fmt::format("a cooperative grid of {} blocks; {} are resident at once",
                                                            launch.grid.count(), resident_blocks));
  }
  return {};
}

LaunchContext SimulatedDevice::context_of(const Kernel& kernel, const Launch& launch) {
  LaunchContext context;
  context.kernel = kernel.image.get();
  context.memory = &memory_;
  context.heap = &heap_;
  context.parameters.assign(launch.parameters.begin(), launch.parameters.end());
  context.grid = launch.grid;
  context.block = launch.block;
  context.cluster = launch.cluster;
  context.dynamic_shared_bytes = launch.dynamic_shared_bytes;
  context.grid_id = ++launches_;
  context.sm_count = topology_.sm_count();
  context.capability = architecture_of(config_.compute_capability);
  context.clock_mhz = config_.clocks.core_mhz;
  constexpr std::uint32_t kFirstIndependent = 70;
  context.independent_threads = context.capability >= kFirstIndependent;
  context.print = [this](const std::string& text) { printed_ += text; };
  context.warn = [this, name = kernel.info.name](std::uint32_t line, const std::string& text) {
    if (warned_.emplace(name, line).second) {
      findings_.push_back(text);
    }
  };
  return context;
}

Outcome SimulatedDevice::launch(KernelId number, const Launch& launch) {
  const Kernel& kernel = kernels_[number - 1];
  std::uint32_t resident_blocks = 0;
  if (Outcome outcome = check(kernel, launch, resident_blocks); !outcome) {
    return outcome;
  }
  const LaunchContext context = context_of(kernel, launch);
  const std::uint32_t stack = kernel.image->is_recursive() ? std::max(stack_bytes_, kernel.info.local_bytes) : 0;
  try {
    execute_grid(context, {.resident_blocks = resident_blocks, .local_bytes = kernel.info.local_bytes + stack});
  } catch (const KernelFault& fault) {
    return {failure_of(fault.kind()), fault.what()};
  }
  return {};
}

std::string SimulatedDevice::take_printed() {
  return std::exchange(printed_, {});
}

std::vector<std::string> SimulatedDevice::take_findings() {
  return std::exchange(findings_, {});
}

// Textures are not there: a program gets CUDA's error for it.
std::uint64_t SimulatedDevice::create_texture(const TextureDescription& /*texture*/) {
  return 0;
}

void SimulatedDevice::destroy_texture(std::uint64_t /*object*/) {}

// Without time nothing takes any.
void SimulatedDevice::account_copy(std::uint64_t /*bytes*/) {}

std::unique_ptr<Device> make_device(const std::string& gpu, const DeviceOptions& options) {
  return std::make_unique<SimulatedDevice>(gpu, options);
}

}  // namespace warpsim::cuda
