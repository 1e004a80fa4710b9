// Data dependences of one warp, behind one interface with two mechanisms:
//  - control bits (Volta and later): six counters; an instruction names the counters it waits for, the one its result
//    decrements and the one its operand read decrements. Fixed latencies are stall counts, checked by the sub-core.
//  - scoreboard (programs without control bits, and GPUs that have one): a ready time per register and predicate.
//    Read-after-write and write-after-write; sources are read early enough that write-after-read never waits.
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/sub_core/issue_info.h"
#include "core/sub_core/stall_reason.h"

namespace warpsim {

// Whether an instruction may issue. `until` is kNever if it depends on an event.
struct DependenceVerdict {
  bool ready = true;
  Cycle until = 0;
  StallReason reason = StallReason::kShortScoreboard;
};

class DependenceTracker {
 public:
  static constexpr std::uint32_t kCounters = 6;

  void reset(bool scoreboard);

  DependenceVerdict check(const IssueInfo& info, const StaticInstruction& instruction, Cycle now) const {
    return info.scoreboard ? check_scoreboard(info, instruction, now) : check_counters(info);
  }
  void issued(const IssueInfo& info, const StaticInstruction& instruction, Cycle now) {
    if (info.scoreboard) {
      reserve(info, instruction, now);
    }
    take(info.write_barrier, info.long_latency);
    take(info.read_barrier, info.long_latency);
  }
  // A variable-latency instruction has written its result, or read its sources.
  void result_written(const IssueInfo& info, const StaticInstruction& instruction, Cycle now);
  void sources_read(const IssueInfo& info);

  std::uint8_t counter(std::uint32_t index) const { return counters_[index]; }

 private:
  DependenceVerdict check_counters(const IssueInfo& info) const {
    for (std::uint32_t mask = info.wait_mask; mask != 0; mask &= mask - 1) {
      const auto i = static_cast<std::uint32_t>(std::countr_zero(mask));
      if (counters_[i] != 0) {
        const bool is_long = (long_counters_ >> i & 1U) != 0;
        return {false, kNever, is_long ? StallReason::kLongScoreboard : StallReason::kShortScoreboard};
      }
    }
    if (info.kind == OpKind::kDependBarrier && counters_[info.depbar_counter] > info.immediate) {
      return {false, kNever, StallReason::kLongScoreboard};
    }
    return {};
  }
  void take(std::uint8_t counter, bool long_latency) {
    if (counter != kNoBarrier) {
      ++counters_[counter];
      long_counters_ = static_cast<std::uint8_t>(long_counters_ | (long_latency ? 1U << counter : 0U));
    }
  }
  DependenceVerdict check_scoreboard(const IssueInfo& info, const StaticInstruction& instruction, Cycle now) const;
  void reserve(const IssueInfo& info, const StaticInstruction& instruction, Cycle now);
  void set_ready(const StaticInstruction& instruction, Cycle ready, Cycle guards_ready, bool long_latency);
  void decrement(std::uint8_t counter);

  // Scoreboard places: 256 general registers, 8 predicates, 64 uniform registers, 8 uniform predicates,
  // and the 8 predicates again as guards, which are read earlier than operands.
  static constexpr std::uint32_t kPredicates = 256;
  static constexpr std::uint32_t kUniforms = kPredicates + 8;
  static constexpr std::uint32_t kUniformPredicates = kUniforms + 64;
  static constexpr std::uint32_t kGuards = kUniformPredicates + 8;
  static constexpr std::uint32_t kPlaces = kGuards + 8;
  struct Place {
    Cycle ready = 0;
    bool long_latency = false;
  };

  std::array<std::uint8_t, kCounters> counters_{};
  std::uint8_t long_counters_ = 0;  // bit i: counter i awaits a load from memory
  std::vector<Place> places_;       // empty while control bits are used
};

}  // namespace warpsim
