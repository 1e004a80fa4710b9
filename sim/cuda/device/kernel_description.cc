#include "cuda/device/kernel_description.h"

#include <algorithm>

namespace warpsim::cuda {

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
  info.target = module.target;
  info.launches_graphs = image.launches_graphs();
  return info;
}

}  // namespace warpsim::cuda
