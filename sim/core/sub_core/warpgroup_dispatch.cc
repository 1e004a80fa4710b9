#include "core/sub_core/warpgroup_dispatch.h"

namespace warpsim {

bool WarpgroupDispatch::blocked(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now) {
  if (warp.stream.next->active == 0) {
    return false;  // predicated off
  }
  const WarpgroupEngine::Answer answer = engine_->ask(
      {warp.start.block_slot, warp.start.warp_in_block, sub_core_, static_cast<std::uint8_t>(slot)}, info, now);
  if (answer.at <= now) {
    return false;
  }
  if (answer.at == kNever) {
    warp.expect();
    states_->wait(slot, answer.reason, now);
  } else {
    states_->wait_until(slot, answer.reason, answer.at, now);
  }
  return true;
}

void WarpgroupDispatch::dispatch(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now) {
  const WarpInstruction& record = *warp.stream.next;
  warp.stats->count_dispatch(info, record.active, false);
  if (info.write_barrier != kNoBarrier) {
    events_->result_written(slot, warp, record.index, now + info.latency_cycles);
  }
  if (info.read_barrier != kNoBarrier) {
    events_->sources_read(slot, warp, record.index, now + operand_read_cycles_);
  }
  if (record.active != 0) {
    engine_->issue({warp.start.block_slot, warp.start.warp_in_block, sub_core_, static_cast<std::uint8_t>(slot)}, info,
                   now);
  }
}

}  // namespace warpsim
