#include "core/machine/launch_record.h"

#include <algorithm>

namespace warpsim {

LaunchRecord make_launch_record(const KernelLaunch& launch, const LaunchResult& result, const GpuConfig& config) {
  LaunchRecord record;
  record.launch_index = launch.launch_index;
  record.kernel = launch.kernel;
  record.limited = result.status == LaunchResult::Status::kCycleLimit;
  record.grid = launch.grid;
  record.block = launch.block;
  record.cluster = launch.cluster;
  record.registers_per_thread = launch.registers_per_thread;
  record.shared_bytes = launch.shared_bytes;
  record.local_bytes_per_thread = launch.local_bytes_per_thread;
  record.device = launch.gpu;
  record.stream = launch.stream;
  record.start_cycle = result.start_cycle;
  record.elapsed_cycles = result.elapsed_cycles;
  record.duration_ns = result.duration_ns;
  record.component_cycles = result.component_cycles;
  record.component_cycles_ticked = result.component_ticks;

  const Occupancy& occupancy = result.occupancy;
  // For a resource that a block does not use, the block slots are the limit.
  const auto limit = [&occupancy](std::uint32_t blocks) {
    return double{1} * (blocks == Occupancy::kNoLimit ? occupancy.limit_blocks : blocks);
  };
  record.attributes = {
      {"code", launch.code},
      {"blocks_per_sm", double{1} * occupancy.blocks_per_sm},
      {"occupancy_limit_blocks", double{1} * occupancy.limit_blocks},
      {"occupancy_limit_registers", limit(occupancy.limit_registers)},
      {"occupancy_limit_shared_mem", std::min(limit(occupancy.limit_shared), double{1} * occupancy.limit_blocks)},
      {"occupancy_limit_warps", double{1} * occupancy.limit_warps},
      {"occupancy_limiter", occupancy.limiters.empty() ? std::string("none") : to_string(occupancy.limiters.front())},
      {"theoretical_occupancy_pct", 100 * occupancy.theoretical(config.occupancy)},
      {"allocated_registers_per_thread", double{1} * occupancy.registers_per_thread},
      {"max_warps_per_sm", double{1} * config.occupancy.warps_per_sm},
      {"shared_driver_bytes", double{1} * config.occupancy.shared_reserved_per_block_bytes},
      {"carveout_bytes", static_cast<double>(result.carveout_bytes)},
      {"l1_bytes", static_cast<double>(result.l1_bytes)},
      {"l2_clock_mhz", config.clocks.l2_mhz},
      {"dram_clock_mhz", config.clocks.dram_mhz},
  };
  return record;
}

}  // namespace warpsim
