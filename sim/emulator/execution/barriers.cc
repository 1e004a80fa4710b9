#include "emulator/execution/barriers.h"

#include <bit>

namespace warpsim {

void ThreadBarriers::start(std::uint32_t threads) {
  for (; used_ != 0; used_ &= used_ - 1) {
    reset(barriers_[static_cast<std::size_t>(std::countr_zero(used_))]);
  }
  threads_ = threads;
}

void ThreadBarriers::reset(Barrier& barrier) {
  barrier.arrived = 0;
  barrier.expected = 0;
  barrier.population = 0;
  barrier.voters = 0;
  barrier.reductions.clear();
}

bool ThreadBarriers::arrive(std::uint32_t number, std::uint32_t expected, const Operation& operation, LaneMask lanes,
                            WarpContext& warp) {
  Barrier& barrier = barriers_[number];
  used_ |= 1U << number;
  const auto count = static_cast<std::uint32_t>(std::popcount(lanes));
  barrier.arrived += count;
  barrier.expected = expected;
  const auto mode = static_cast<BarrierMode>(operation.variant);
  if (mode != BarrierMode::kSync && mode != BarrierMode::kArrive) {
    LaneMask votes = warp.predicate(operation.c);
    votes = operation.count != 0 ? ~votes : votes;  // a negated predicate
    barrier.population += static_cast<std::uint32_t>(std::popcount(votes & lanes));
    barrier.voters += count;
    barrier.reductions.push_back({warp, &operation, lanes});
  }
  return complete(barrier);
}

bool ThreadBarriers::complete(Barrier& barrier) {
  const std::uint32_t wanted = barrier.expected == 0 ? threads_ : barrier.expected;
  if (barrier.arrived == 0 || barrier.arrived < wanted) {
    return false;
  }
  for (Reduction& reduction : barrier.reductions) {
    const Operation& operation = *reduction.operation;
    switch (static_cast<BarrierMode>(operation.variant)) {
      case BarrierMode::kPopulation:
        for_lanes(reduction.lanes, [&](std::uint32_t lane) {
          reduction.warp.write<std::uint32_t>(operation.d)[lane] = barrier.population;
        });
        break;
      case BarrierMode::kAnd:
        reduction.warp.set_predicate(operation.d, reduction.lanes,
                                     barrier.population == barrier.voters ? kAllLanes : 0);
        break;
      default:
        reduction.warp.set_predicate(operation.d, reduction.lanes, barrier.population != 0 ? kAllLanes : 0);
        break;
    }
  }
  reset(barrier);
  return true;
}

std::uint32_t ThreadBarriers::exited(std::uint32_t threads) {
  threads_ -= threads;
  std::uint32_t completed = 0;
  for (std::uint32_t rest = used_; rest != 0; rest &= rest - 1) {
    const auto i = static_cast<std::uint32_t>(std::countr_zero(rest));
    if (barriers_[i].expected == 0 && complete(barriers_[i])) {
      completed |= 1U << i;
    }
  }
  return completed;
}

}  // namespace warpsim
