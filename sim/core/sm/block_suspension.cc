#include "core/sm/block_suspension.h"

#include <utility>

namespace warpsim {

bool BlockSuspension::can_leave(const ResidentBlock& block, std::uint32_t slot, const Launch& launch) const {
  return block.cluster_blocks == 1 && !launch.table.has_warpgroup &&
         std::ranges::all_of(parts_.sub_cores, [slot](const auto& sub_core) { return sub_core->only_waits(slot); });
}

void BlockSuspension::leave(ResidentBlock& block, std::uint32_t slot, const Launch& launch, Cycle now) {
  constexpr std::uint64_t kRegisterBytes = 4;
  block.to_resume.clear();
  for (const auto& sub_core : parts_.sub_cores) {
    sub_core->suspend_warps(slot, block.to_resume, now);
  }
  block.warps_to_start = static_cast<std::uint32_t>(block.to_resume.size());
  const KernelLaunch& kernel = launch.source->launch();
  SuspendedBlocks::State state;
  state.barriers = parts_.barriers.suspend_block(slot);
  state.bytes = kernel.shared_bytes + kernel.registers_per_thread * kRegisterBytes * kWarpSize * block.warps_to_start;
  state.has_triggered = parts_.grids.has_triggered(slot);
  parts_.waits.forget(slot);
  parts_.async.end_block(slot, now);
  block.resident = false;
  suspended_.put(std::move(block), slot, state, now);
}

Cycle BlockSuspension::come_back(ResidentBlock& block, const BlockAssignment& assignment) {
  SuspendedBlocks::State state;
  block = suspended_.take(assignment.seat, assignment.linear_index, state);
  parts_.grids.start_block(assignment.slot, state.has_triggered);
  parts_.barriers.resume_block(assignment.slot, block.warps_left, block.seat, state.barriers);
  return suspended_.restore_cycles(state);
}

}  // namespace warpsim
