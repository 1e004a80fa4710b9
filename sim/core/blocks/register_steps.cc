#include "core/blocks/register_steps.h"

#include <algorithm>

#include "base/types.h"
#include "core/blocks/occupancy.h"

namespace warpsim {

std::vector<std::uint32_t> register_steps(const OccupancyConfig& config) {
  const auto blocks_with = [&](std::uint32_t registers) {
    const Occupancy occupancy =
        compute_occupancy(config, {.threads = kWarpSize * config.sub_partitions, .registers_per_thread = registers});
    return std::min(occupancy.limit_registers, occupancy.limit_warps);
  };
  std::vector<std::uint32_t> steps;
  std::uint32_t blocks = blocks_with(1);
  for (std::uint32_t registers = 2; registers <= config.registers_per_thread; ++registers) {
    const std::uint32_t now = blocks_with(registers);
    if (now < blocks) {
      steps.push_back(registers - 1);
      blocks = now;
    }
  }
  steps.push_back(config.registers_per_thread);
  return steps;
}

}  // namespace warpsim
