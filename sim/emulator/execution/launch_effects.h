// The exchange of effects between the SMs that execute a launch.
//
// At every multiple of an interval all SMs stop, and what they have recorded takes effect in a defined order: by cycle,
// then SM, then as recorded. Effects in memory of another GPU or of the host do so when they have arrived there, by the
// cycle of their arrival. So the result depends neither on the order in which SMs are executed nor on the number of
// threads. The interval is no longer than the machine's shortest way from one SM to another: hardware could not have
// shown the effect earlier.
#pragma once

#include <cstdint>
#include <deque>
#include <utility>
#include <vector>

#include "base/types.h"
#include "emulator/execution/sm_effects.h"

namespace warpsim {

class LaunchEffects {
 public:
  // Not while another thread calls it.
  SmEffects& of(std::uint32_t sm);
  // In core cycles; before the first effect.
  void set_interval(Cycle cycles) { interval_ = cycles; }
  // The way to memory that is far away, where effects arrive later. Before the first effect.
  void set_delay(SmEffects::Delay delay) { delay_ = std::move(delay); }
  // The exchange that makes effects of `now` visible.
  Cycle visible_at(Cycle now) const { return (now / interval_ + 1) * interval_; }

  // All SMs have stopped. `now`: effects in memory that is far away take part if they have arrived before; kNever: all.
  // Returns the number of warp instructions executed since the last exchange. Throws KernelFault.
  std::uint64_t exchange(Cycle now = kNever);

 private:
  struct Entry {
    Cycle cycle;
    std::uint32_t sm;
    bool near;             // not in memory that is far away
    std::uint32_t record;  // or queue of those that have arrived
  };
  std::deque<SmEffects> sms_;  // references stay valid
  Cycle interval_ = 1;
  SmEffects::Delay delay_;
  std::vector<Entry> entries_;
};

}  // namespace warpsim
