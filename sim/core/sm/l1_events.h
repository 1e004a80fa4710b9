// Tells the warp schedulers of an SM what happens in its L1: each those of its own warps.
//
// State: the schedulers that want to hear of it. Invariant: a number of a warp in the SM is its sub-core times
// kMaxWarpsPerSubCore plus its slot.
#pragma once

#include <array>
#include <cstdint>

#include "core/sm/sm_event.h"
#include "core/sub_core/warp_scheduler.h"
#include "memory/caches/l1_listener.h"

namespace warpsim {

class L1Events final : public L1Listener {
 public:
  // The scheduler must outlive this.
  void add(std::uint32_t sub_core, WarpScheduler& scheduler) {
    schedulers_[sub_core] = &scheduler;
    any_ = true;
  }
  bool any() const { return any_; }

  void looked_up(const Lookup& lookup, Cycle now) override {
    if (WarpScheduler* const scheduler = of(lookup.warp); scheduler != nullptr) {
      scheduler->looked_up({slot_of(lookup.warp), lookup.line, lookup.hit, now, lookup.pc}, lookup.seat);
    }
  }
  void replaced(std::uint32_t warp, Address line, LaunchSeat seat) override {
    if (WarpScheduler* const scheduler = of(warp); scheduler != nullptr) {
      scheduler->lost({slot_of(warp), line}, seat);
    }
  }

 private:
  WarpScheduler* of(std::uint32_t warp) const { return schedulers_[warp / kMaxWarpsPerSubCore]; }
  static std::uint32_t slot_of(std::uint32_t warp) { return warp % kMaxWarpsPerSubCore; }

  std::array<WarpScheduler*, kMaxSubCores> schedulers_{};
  bool any_ = false;
};

}  // namespace warpsim
