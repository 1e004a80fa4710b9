// Convergence barriers of machine code from 7.0 on: BSSY, BSYNC, BREAK.
//
// A barrier is a mask of lanes. Lanes of the mask that reach BSYNC wait until all others of the mask have reached a
// BSYNC of the barrier or ended, or have left the mask by BREAK; lanes outside of the mask pass.
#include <algorithm>
#include <bit>

#include "emulator/execution/warp.h"

namespace warpsim {

void Warp::converge(const Operation& operation, LaneMask lanes) {
  Split& split = splits_[current_];
  if (operation.variant == kLeavesBarrier) {
    ++split.at;
    if (lanes != 0) {
      operation.run(context_, operation, lanes);
      release_converged(static_cast<std::uint32_t>(operation.d));
    }
    return;
  }
  const LaneMask waits = lanes & context_.predicate(operation.a);
  if (waits == 0) {
    go_to(split.at + 1);
    return;
  }
  if (waits != split.lanes) {
    part({{split.at + 1, split.lanes & ~waits}, {split.at, waits}}, split.at);
    return;
  }
  if ((context_.predicate(operation.a) & ~exited_ & ~waits) == 0) {  // the usual case: none is missing
    if (operation.variant == kConvergesAgain) {
      context_.set_predicate(operation.a, kAllLanes, kAllLanes);
    }
    ++split.at;
    return;
  }
  split.state = State::kAtConvergence;
  split.barrier = static_cast<std::uint32_t>(operation.a);
  release_converged(split.barrier);
}

// Lets the lanes that wait at a barrier continue, if none is missing; those at one place as one split.
bool Warp::release_converged(std::uint32_t place) {
  const LaneMask mask = context_.predicate(static_cast<OperandPlace>(place));
  LaneMask waiting = 0;
  for (const Split& split : splits_) {
    const bool waits = split.state == State::kAtConvergence && split.barrier == place;
    waiting |= waits && (split.lanes & ~mask) == 0 ? split.lanes : 0;
  }
  if (waiting == 0 || (mask & ~exited_ & ~waiting) != 0) {
    return false;
  }
  const LaneMask running = splits_[current_].lanes;
  for (Split& split : splits_) {
    if (split.state == State::kAtConvergence && split.barrier == place && (split.lanes & ~waiting) == 0) {
      if (split.frame->code->operations[split.at].variant == kConvergesAgain) {
        context_.set_predicate(static_cast<OperandPlace>(place), kAllLanes, kAllLanes);
      }
      split.state = State::kReady;
      ++split.at;
    }
  }
  join(waiting);
  back_to(running);
  return true;
}

// Lanes that wait at convergence barriers continue without the others, which may wait for them; with `of_whole_warp`
// also those that wait for the whole warp (WARPSYNC.ALL), which only YIELD lets continue.
void Warp::pass_convergence_barriers(bool of_whole_warp) {
  for (Split& split : splits_) {
    if (split.state == State::kAtConvergence &&
        (of_whole_warp || split.frame->code->operations[split.at].variant != kConvergesAgain)) {
      context_.set_predicate(static_cast<OperandPlace>(split.barrier), split.lanes, 0);
      split.state = State::kReady;
      ++split.at;
    }
  }
}

// No split can continue. Lanes that wait for their warp go on without those that wait at a barrier of the block or for
// reconvergence, which the mask should not name. Measured on an H200 (tests/hardware/waiting_threads): shuffles, votes,
// reductions and __syncwarp are executed by the lanes that are there; but if the missing ones wait for the warp at
// another kind of operation, all wait forever.
bool Warp::let_present_lanes_go_on() {
  const auto operation_of = [](const Split& split) -> const Operation& {
    return split.frame->code->operations[split.at];
  };
  const auto waits_for_warp = [&](const Split& split) {
    return split.state == State::kAtWarpSync ||
           (split.state == State::kAtConvergence && operation_of(split).variant == kConvergesAgain);
  };
  const auto first = std::ranges::find_if(splits_, waits_for_warp);
  if (first == splits_.end() || std::ranges::any_of(splits_, [&](const Split& split) {
        return waits_for_warp(split) &&
               (split.state != first->state || operation_of(split).run != operation_of(*first).run);
      })) {
    return false;
  }
  context_.note_tolerated(operation_of(*first), static_cast<std::uint32_t>(std::countr_zero(first->lanes)),
                          "waits for threads of its warp that wait elsewhere, and is executed without them");
  if (first->state == State::kAtWarpSync) {
    return try_to_synchronise(static_cast<std::uint32_t>(first - splits_.begin()), Missing::kTolerated);
  }
  LaneMask released = 0;
  for (Split& split : splits_) {
    if (waits_for_warp(split)) {
      released |= split.lanes;
      split.state = State::kReady;
      ++split.at;
    }
  }
  const LaneMask running = splits_[current_].lanes;
  join(released);
  back_to(running);
  return true;
}

}  // namespace warpsim
