// A warp scheduler: warps take turns of several instructions.
//
// The warp that issued last continues until its turn of `length` instructions ends or until it is not ready. Then the
// next ready warp in the order of the slots begins its turn.
#pragma once

#include <bit>
#include <cstdint>

#include "warpsim/warp_scheduler.h"

namespace mine {

using namespace warpsim::mechanism;

class Turns final : public WarpScheduler {
 public:
  struct Settings {
    std::uint32_t length = 4;
    void describe(Keys& keys) { keys.integer("length", length, 1, 1000, "instructions of a turn"); }
  };

  Turns(const Settings& settings, const WarpSchedulerSite& /*site*/, Counters& counters)
      : length_(settings.length),
        issued_(settings.length),
        turns_(counters.add("turns", CounterUnit::kEvents, "turns that warps began")) {}

  void warp_arrived(std::uint32_t /*slot*/, std::uint64_t /*block*/, Cycle /*now*/) override {}
  void warp_left(std::uint32_t slot) override {
    if (slot == slot_) {
      issued_ = length_;  // the next warp of this slot begins a turn of its own
    }
  }
  std::uint32_t pick(WarpMask candidates, Cycle /*now*/) const override {
    if (issued_ < length_ && (candidates >> slot_ & 1U) != 0) {
      return slot_;
    }
    const WarpMask up_to_slot = (WarpMask{2} << slot_) - 1;  // slot 63: all
    const WarpMask after = candidates & ~up_to_slot;
    return static_cast<std::uint32_t>(std::countr_zero(after != 0 ? after : candidates));
  }
  void issued(const IssuedInstruction& instruction) override {
    if (instruction.slot == slot_ && issued_ < length_) {
      ++issued_;
      return;
    }
    slot_ = instruction.slot;
    issued_ = 1;
    ++turns_;
  }

 private:
  std::uint32_t length_;
  std::uint32_t slot_ = kMaxWarpSlots - 1;  // of the turn; slot 0 is next
  std::uint32_t issued_;                    // instructions of the turn
  Counter turns_;
};

}  // namespace mine
