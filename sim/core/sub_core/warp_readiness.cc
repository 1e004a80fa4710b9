#include "core/sub_core/warp_readiness.h"

namespace warpsim {

void WarpReadiness::examine(std::uint32_t slot, ResidentWarp& warp, Cycle now) {
  if (warp.held()) {
    states_->wait(slot, warp.hold, now);
    return;
  }
  if (warp.at_barrier && !warp.info().passes_barriers) {
    states_->wait(slot, StallReason::kBarrier, now);
    return;
  }
  if (warp.stall_until > now) {
    states_->wait_until(slot, StallReason::kWait, warp.stall_until, now);
    return;
  }
  const Cycle decoded = fetch_->head_ready_at(slot);
  if (decoded > now) {
    const StallReason reason = warp.redirected ? StallReason::kBranchResolving : StallReason::kNoInstruction;
    if (decoded == kNever) {
      wait_fetch_ |= WarpStates::bit(slot);
      states_->wait_elsewhere(slot, reason, now);
    } else {
      states_->wait_until(slot, reason, decoded, now);
    }
    return;
  }
  const DependenceVerdict verdict = warp.dependences.check(warp.info(), warp.instruction(), now);
  if (verdict.ready) {
    states_->make_ready(slot, now);
  } else if (verdict.until == kNever) {
    states_->wait(slot, verdict.reason, now);
  } else {
    states_->wait_until(slot, verdict.reason, verdict.until, now);
  }
}

}  // namespace warpsim
