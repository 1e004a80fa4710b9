#include "cuda/device/kernel_description.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/demangle.h"

namespace warpsim::cuda {

std::uint32_t registers_that_fit(const OccupancyConfig& limits, std::uint32_t threads, std::uint32_t blocks,
                                 std::uint32_t most) {
  const auto fit = [&](std::uint32_t registers) {
    return compute_occupancy(limits, {.threads = threads, .registers_per_thread = registers}).blocks_per_sm >= blocks;
  };
  std::uint32_t registers = most;
  while (registers > 0 && !fit(registers)) {
    --registers;
  }
  return registers;
}

KernelInfo describe_kernel(const ptx::Module& module, const KernelImage& image, const MachineCode& code,
                           const OccupancyConfig& limits) {
  KernelInfo info;
  info.name = image.name();
  for (const KernelImage::Parameter& parameter : image.parameters()) {
    info.parameters.push_back({parameter.offset, parameter.bytes});
  }
  info.parameter_bytes = image.parameter_bytes();
  const ptx::LaunchBounds& bounds = image.source().bounds;
  const auto product = [](const std::uint32_t(&size)[3]) {
    return size[0] * std::max(1U, size[1]) * std::max(1U, size[2]);
  };
  info.registers =
      std::clamp(code.registers_per_thread, limits.least_registers_per_thread, limits.registers_per_thread);
  if (bounds.most_registers != 0) {
    info.registers = std::min(info.registers, bounds.most_registers);
  }
  info.is_estimated = !module.is_machine_code;
  for (const std::uint32_t asked : {product(bounds.most_threads), product(bounds.required_threads)}) {
    const std::uint32_t fitting =
        asked == 0 || !info.is_estimated
            ? 0
            : registers_that_fit(limits, asked, std::max(1U, bounds.least_blocks), info.registers);
    info.registers = fitting == 0 ? info.registers : fitting;
  }
  info.static_shared_bytes = image.static_shared_bytes();
  info.local_bytes = image.local_bytes();
  for (const ptx::Variable& variable : module.variables) {
    info.constant_bytes +=
        variable.space == ptx::StateSpace::kConstant ? static_cast<std::uint32_t>(variable.bytes()) : 0;
  }
  info.most_threads_per_block = limits.threads_per_block;
  for (const std::uint32_t asked : {product(bounds.most_threads), product(bounds.required_threads)}) {
    info.most_threads_per_block =
        asked == 0 ? info.most_threads_per_block : std::min(info.most_threads_per_block, asked);
  }
  info.required_cluster = {bounds.cluster_blocks[0], bounds.cluster_blocks[1], bounds.cluster_blocks[2]};
  info.ptx_version = module.version;
  info.target = module.compiled_from == 0 ? module.target : module.compiled_from;
  info.launches_graphs = image.launches_graphs();
  return info;
}

std::string fit_registers(KernelInfo& kernel, const OccupancyConfig& limits, std::uint64_t threads) {
  if (!kernel.is_estimated || threads > kernel.most_threads_per_block) {
    return {};
  }
  const std::uint32_t estimated = kernel.registers;
  const std::uint32_t fitting = registers_that_fit(limits, static_cast<std::uint32_t>(threads), 1, estimated);
  if (fitting == 0 || fitting == estimated) {
    return {};
  }
  kernel.registers = fitting;
  return fmt::format(
      "kernel {}: its code has an estimated {} registers, a block of {} threads has room for {}: they are "
      "assumed to be enough",
      name_for_message(kernel.name), estimated, threads, fitting);
}

}  // namespace warpsim::cuda
