#include "core/sub_core/dependence_tracker.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace warpsim {

namespace {

// Calls `visit(place)` for the registers and predicates that an instruction reads, or writes.
template <typename Visit>
void for_each_bit(std::uint64_t bits, std::uint32_t first, Visit&& visit) {
  for (; bits != 0; bits &= bits - 1) {
    visit(first + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }
}

template <std::size_t N, typename Visit>
void for_each_register(const std::array<RegisterRange, N>& ranges, Visit&& visit) {
  for (const RegisterRange& range : ranges) {
    for (std::uint32_t i = 0; i < range.count; ++i) {
      const std::uint32_t reg = range.first + i;
      if (reg < kZeroRegister) {
        visit(reg);
      }
    }
  }
}

}  // namespace

void DependenceTracker::reset(bool scoreboard) {
  counters_.fill(0);
  long_counters_ = 0;
  if (scoreboard) {
    places_.assign(kPlaces, Place{});
  }
}

DependenceVerdict DependenceTracker::check_scoreboard(const IssueInfo& info, const StaticInstruction& instruction,
                                                      Cycle now) const {
  const DependenceVerdict counters = check_counters(info);  // groups of asynchronous copies
  if (!counters.ready) {
    return counters;
  }
  Place latest;
  const auto look = [&](std::uint32_t place) {
    if (places_[place].ready > latest.ready) {
      latest = places_[place];
    }
  };
  for_each_register(instruction.sources, look);
  for_each_register(instruction.destinations, look);
  std::uint32_t predicates = instruction.predicate_sources | instruction.predicate_destinations;
  for_each_bit(predicates, kPredicates, look);
  for_each_bit(instruction.uniform_sources | instruction.uniform_destinations, kUniforms, look);
  const std::uint32_t uniform_predicates =
      instruction.uniform_predicate_sources | instruction.uniform_predicate_destinations;
  for_each_bit(uniform_predicates, kUniformPredicates, look);
  if (instruction.guard != kNoPredicate) {
    look(kGuards + instruction.guard);
  }
  if (latest.ready <= now) {
    return {};
  }
  // A fixed latency that has not elapsed counts as stall reason `wait`, like a stall count.
  const StallReason pending = latest.long_latency ? StallReason::kLongScoreboard : StallReason::kShortScoreboard;
  return {false, latest.ready, latest.ready == kNever ? pending : StallReason::kWait};
}

void DependenceTracker::set_ready(const StaticInstruction& instruction, Cycle ready, Cycle guards_ready,
                                  bool long_latency) {
  const auto set = [&](std::uint32_t place) { places_[place] = {ready, long_latency}; };
  for_each_register(instruction.destinations, set);
  for_each_bit(instruction.predicate_destinations, kPredicates, set);
  for_each_bit(instruction.predicate_destinations, kGuards, [&](std::uint32_t place) {
    places_[place] = {guards_ready, long_latency};
  });
  for_each_bit(instruction.uniform_destinations, kUniforms, set);
  for_each_bit(instruction.uniform_predicate_destinations, kUniformPredicates, set);
}

// Accumulators of warpgroup operations are managed by the engine; the program waits for their groups.
void DependenceTracker::reserve(const IssueInfo& info, const StaticInstruction& instruction, Cycle now) {
  if (info.warpgroup != WarpgroupRole::kOperation) {
    set_ready(instruction, info.variable_latency ? kNever : now + info.latency_cycles,
              info.variable_latency ? kNever : now + info.guard_latency_cycles, info.long_latency);
  }
}

void DependenceTracker::decrement(std::uint8_t counter) {
  SIM_CHECK(counters_[counter] != 0, "dependence counter released more often than taken");
  if (--counters_[counter] == 0) {
    long_counters_ = static_cast<std::uint8_t>(long_counters_ & ~(1U << counter));
  }
}

void DependenceTracker::result_written(const IssueInfo& info, const StaticInstruction& instruction, Cycle now) {
  if (info.scoreboard) {
    set_ready(instruction, now, now, false);
  }
  if (info.write_barrier != kNoBarrier) {
    decrement(info.write_barrier);
  }
}

void DependenceTracker::sources_read(const IssueInfo& info) {
  if (info.read_barrier != kNoBarrier) {
    decrement(info.read_barrier);
  }
}

}  // namespace warpsim
