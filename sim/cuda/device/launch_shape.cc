#include "cuda/device/launch_shape.h"

#include <fmt/format.h>

#include <string>

#include "base/demangle.h"
#include "core/blocks/occupancy.h"

namespace warpsim::cuda {

namespace {

std::string text_of(const Dim3& size) {
  return fmt::format("({}, {}, {})", size.x, size.y, size.z);
}

}  // namespace

Outcome check_shape(const GpuConfig& config, std::uint32_t sms, const KernelInfo& kernel, const Launch& launch,
                    std::uint32_t& resident_blocks) {
  const auto wrong = [&](Failure failure, const std::string& what) {
    return Outcome{failure, fmt::format("kernel {}: {}", name_for_message(kernel.name), what)};
  };
  const SpecificationsConfig& limits = config.specifications;
  const auto fits = [](const Dim3& size, const auto& most) {
    return size.x >= 1 && size.y >= 1 && size.z >= 1 && size.x <= most[0] && size.y <= most[1] && size.z <= most[2];
  };
  if (!fits(launch.grid, limits.grid_size)) {
    return wrong(Failure::kInvalidConfiguration, "the GPU has no grid of " + text_of(launch.grid) + " blocks");
  }
  if (!fits(launch.block, limits.block_size) || launch.block.count() > kernel.most_threads_per_block) {
    return wrong(Failure::kInvalidConfiguration, fmt::format("a block of {} threads; at most {} are possible",
                                                             text_of(launch.block), kernel.most_threads_per_block));
  }
  const Dim3& cluster = launch.cluster;
  if (cluster.count() == 0 || launch.grid.x % cluster.x != 0 || launch.grid.y % cluster.y != 0 ||
      launch.grid.z % cluster.z != 0) {
    return wrong(Failure::kInvalidConfiguration, "the grid is not a multiple of clusters of " + text_of(cluster));
  }
  const Occupancy occupancy =
      compute_occupancy(config.occupancy, {.threads = static_cast<std::uint32_t>(launch.block.count()),
                                           .registers_per_thread = kernel.registers,
                                           .shared_bytes = kernel.static_shared_bytes + launch.dynamic_shared_bytes});
  if (occupancy.blocks_per_sm == 0) {
    return wrong(Failure::kOutOfResources, occupancy.reason);
  }
  resident_blocks = occupancy.blocks_per_sm * sms;
  if (launch.cooperative && launch.grid.count() > resident_blocks) {
    return wrong(Failure::kCooperativeTooLarge, fmt::format("a cooperative grid of {} blocks; {} are resident at once",
                                                            launch.grid.count(), resident_blocks));
  }
  return {};
}

}  // namespace warpsim::cuda
