// The sub-core's side of warpgroup operations: it queries the SM's engine and notifies it of issues.
#include "core/sub_core/sub_core.h"

namespace warpsim {

bool SubCore::warpgroup_blocked(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  Warp& warp = warps_[slot];
  if (warp.stream.next->active == 0) {
    return false;  // predicated off
  }
  const WarpgroupEngine::Answer answer =
      neighbours_.warpgroups.ask({warp.start.block_slot, warp.start.warp_in_block, static_cast<std::uint8_t>(index_),
                                  static_cast<std::uint8_t>(slot)},
                                 info, now);
  if (answer.at <= now) {
    return false;
  }
  if (answer.at == kNever) {
    ++warp.in_flight;
    states_.wait(slot, answer.reason, now);
  } else {
    states_.wait_until(slot, answer.reason, answer.at, now);
  }
  return true;
}

void SubCore::dispatch_to_warpgroup(std::uint32_t slot, const IssueInfo& info, Cycle now) {
  const Warp& warp = warps_[slot];
  const WarpInstruction& record = *warp.stream.next;
  warp.stats->count_dispatch(info, record.active, false);
  if (info.write_barrier != kNoBarrier) {
    post(slot, {SmEvent::Kind::kResultWritten, {}, {}, 0, record.index}, now + info.latency_cycles);
  }
  if (info.read_barrier != kNoBarrier) {
    post(slot, {SmEvent::Kind::kSourcesRead, {}, {}, 0, record.index}, now + config_.operand_read_cycles);
  }
  if (record.active != 0) {
    neighbours_.warpgroups.issue({warp.start.block_slot, warp.start.warp_in_block, static_cast<std::uint8_t>(index_),
                                  static_cast<std::uint8_t>(slot)},
                                 info, now);
  }
}

}  // namespace warpsim
