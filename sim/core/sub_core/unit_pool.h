// Execution units of one kind: several instances, each of which is occupied by an instruction for its initiation
// interval.
//
// Modelled: lanes narrower than a warp (initiation interval), several instances for any instruction, and operations
// that only some of the instances can execute: those use the first ones, other operations use the last free one.
// Invariant: an instance accepts no instruction before the interval of its last one has ended.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/types.h"

namespace warpsim {

class UnitPool {
 public:
  static constexpr std::uint32_t kMostUnits = 8;

  explicit UnitPool(std::uint32_t count = 1) : count_(count) {}

  // First cycle at which one of the first `able` instances (0: of all) can accept an instruction.
  Cycle free_at(std::uint32_t able) const {
    Cycle at = free_at_[0];
    if (count_ == 1) {
      return at;
    }
    for (std::uint32_t unit = 1; unit < among(able); ++unit) {
      at = std::min(at, free_at_[unit]);
    }
    return at;
  }
  // Occupies one of them; returns its number. If none is free, the first stays occupied for longer.
  std::uint32_t take(std::uint32_t able, std::uint32_t initiation_cycles, Cycle now) {
    std::uint32_t unit = among(able) - 1;
    while (unit > 0 && free_at_[unit] > now) {
      --unit;
    }
    free_at_[unit] = now + initiation_cycles;
    return unit;
  }

 private:
  std::uint32_t among(std::uint32_t able) const { return able == 0 ? count_ : able; }

  std::uint32_t count_;
  std::array<Cycle, kMostUnits> free_at_{};
};

}  // namespace warpsim
