#include "core/sub_core/wait_dispatch.h"

namespace warpsim {

void WaitDispatch::dispatch(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now) {
  if (warp.stream.next->active == 0 && info.kind != OpKind::kAsyncCommit) {
    return;  // predicated off
  }
  const std::uint32_t number = sub_core_ * kMaxWarpsPerSubCore + slot;  // of the warp in the SM
  switch (info.kind) {
    case OpKind::kBarrier:
      arrive_at_barrier(slot, warp, info, now);
      break;
    case OpKind::kClusterArrive:
      parts_.async.cluster_arrive(warp.start.block_slot, number, now);
      break;
    case OpKind::kClusterWait:
      warp.hold = StallReason::kBarrier;
      warp.expect();
      parts_.async.cluster_wait(warp.start.block_slot, number, now);
      break;
    case OpKind::kMembar:
      parts_.fences.begin(slot, warp, info, now);
      break;
    case OpKind::kSleep:
      parts_.events.hold(slot, warp, StallReason::kSleeping, 0, now + info.latency_cycles);
      break;
    case OpKind::kGridTrigger:
      parts_.grids.trigger(warp.start.block_slot);
      break;
    case OpKind::kGridWait:
      wait_for_grids(slot, warp, now);
      break;
    case OpKind::kAsyncCommit:
      parts_.completion.commit_copies(warp, now);
      break;
    default:
      break;
  }
}

void WaitDispatch::wait_for_grids(std::uint32_t slot, ResidentWarp& warp, Cycle now) {
  if (parts_.grids.wait(warp.start.seat, {sub_core_, static_cast<std::uint8_t>(slot)}, now)) {
    warp.hold = StallReason::kMisc;
    warp.awaits_grids = true;
    warp.expect();
  }
}

void WaitDispatch::arrive_at_barrier(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now) {
  const bool waits = !info.arrive_only;
  if (waits) {
    warp.expect();
    if (info.defers_blocking && parts_.barriers.deferred_blocking()) {
      warp.at_barrier = true;
    } else {
      warp.hold = StallReason::kBarrier;
    }
  }
  std::uint32_t barrier = info.immediate < 0 ? 0 : static_cast<std::uint32_t>(info.immediate);
  std::uint32_t warps = info.barrier_warps;
  if (const WarpInstruction& record = *warp.stream.next; record.operation != 0) {
    const AsyncOperation& known = *warp.start.source->operations(record);
    barrier = known.barrier;
    warps = static_cast<std::uint32_t>(known.arrivals);
  }
  parts_.barriers.arrive(warp.start.block_slot, barrier, warps, {sub_core_, static_cast<std::uint8_t>(slot)}, waits,
                         now);
}

}  // namespace warpsim
