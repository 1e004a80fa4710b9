// Barriers of the block, of its cluster and of a warpgroup: threads wait, and go on when the block releases them.
#include "emulator/execution/barriers.h"
#include "emulator/execution/warp.h"

namespace warpsim {

void Warp::wait_in_warpgroup(const Operation& operation, LaneMask lanes) {
  Split& split = splits_[current_];
  if (lanes != 0 && operation.variant == kWarpgroupArrive) {
    barriers_.arrive_in_warpgroup(context_);
  } else if (lanes != 0 && !barriers_.passes_warpgroup(context_)) {
    split.state = State::kAtBarrier;
    split.barrier = kWarpgroupBarrier;
    return;
  }
  go_to(splits_[current_].at + 1);
}

void Warp::wait_at_barrier(const Operation& operation, LaneMask lanes) {
  Split& split = splits_[current_];
  if (lanes == 0) {
    go_to(split.at + 1);
    return;
  }
  if (lanes != split.lanes) {
    part({{split.at + 1, split.lanes & ~lanes}, {split.at, lanes}}, split.at + 1);
    return;
  }
  const bool only_arrives = operation.control == Control::kClusterBarrier
                                ? operation.variant == kClusterArrive
                                : static_cast<BarrierMode>(operation.variant) == BarrierMode::kArrive;
  if (!only_arrives) {
    // Waits first: if it is the last to arrive, it is released like the others.
    split.state = State::kAtBarrier;
    split.barrier = barriers_.number_of(operation, lanes, context_);
  }
  if (!barriers_.arrive(operation, lanes, context_)) {
    return;
  }
  splits_[current_].state = State::kReady;
  go_to(splits_[current_].at + 1);
}

LaneMask Warp::lanes_in(State state, std::uint32_t barrier) const {
  LaneMask lanes = 0;
  for (const Split& split : splits_) {
    lanes |= split.state == state && split.barrier == barrier ? split.lanes : 0;
  }
  return lanes;
}

void Warp::release(std::uint32_t barrier) {
  if (splits_.size() == 1) {  // the usual case: no other to join, or to go on with
    if (splits_[0].state == State::kAtBarrier && splits_[0].barrier == barrier) {
      splits_[0].state = State::kReady;
      go_to(splits_[0].at + 1);
    }
    return;
  }
  const LaneMask lanes = splits_.empty() ? 0 : splits_[current_].lanes;
  join(waiting_at(barrier));
  for (std::size_t i = splits_.size(); i-- > 0;) {
    if (i < splits_.size() && splits_[i].state == State::kAtBarrier && splits_[i].barrier == barrier) {
      splits_[i].state = State::kReady;
      current_ = i;
      go_to(splits_[i].at + 1);
    }
  }
  back_to(lanes);
}

}  // namespace warpsim
