// Up to how many registers per thread the number of resident warps stays the same.
#pragma once

#include <cstdint>
#include <vector>

#include "core/blocks/occupancy_config.h"

namespace warpsim {

// Ascending: with one register more than a step, fewer blocks with a warp in each sub-partition fit on an SM. The last
// step is the maximum of a thread. 8.0: 32, 40, 48, 56, 64, 72, 80, 96, 128, 168, 255.
std::vector<std::uint32_t> register_steps(const OccupancyConfig& config);

}  // namespace warpsim
