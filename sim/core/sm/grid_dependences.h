// The SM's part in programmatic dependent launch: the blocks that let dependent kernels begin, and the warps that wait
// for the kernels before their own.
//
// Modelled: the first warp of a block that executes griddepcontrol.launch_dependents (PREEXIT) counts for its block; a
// warp at griddepcontrol.wait (ACQBULK) of a launch that began before the end of others waits until the device says
// that these are over. Not modelled: what the instructions cost beyond their issue. Evidence: PTX ISA, griddepcontrol.
// State: by block slot, whether the block has triggered; by seat, since when nothing has to wait; the waiting warps.
// Invariant: a waiting warp gets exactly one kWarpReady event.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "core/sm/sm_event.h"
#include "stats/launch_stats.h"

namespace warpsim {

class GridDependences {
 public:
  GridDependences(std::uint32_t block_slots, SmEvents& events) : events_(&events), triggered_(block_slots, 0) {}

  struct WarpId {
    std::uint8_t sub_core;
    std::uint8_t warp;  // slot in the sub-core
  };

  // --- launches, between runs of the system ---

  void begin_launch(LaunchSeat seat, bool waits) {
    if (passes_at_.size() <= seat) {
      passes_at_.resize(seat + std::size_t{1}, 0);
    }
    passes_at_[seat] = waits ? kNever : 0;
  }
  // The kernels before the launch are over at `at`, later than everything that the SM has executed.
  void end_waits(LaunchSeat seat, Cycle at) {
    passes_at_[seat] = at;
    for (const Waiting& waiting : waiting_) {
      if (waiting.seat == seat) {
        post(waiting.warp, at);
      }
    }
    std::erase_if(waiting_, [seat](const Waiting& waiting) { return waiting.seat == seat; });
  }

  // --- blocks and warps ---

  void start_block(std::uint32_t block_slot, bool has_triggered = false) {
    triggered_[block_slot] = has_triggered ? 1 : 0;
  }
  void trigger(std::uint32_t block_slot) {
    if (triggered_[block_slot] == 0) {
      triggered_[block_slot] = 1;
      triggers_.push_back(block_slot);
    }
  }
  bool has_triggered(std::uint32_t block_slot) const { return triggered_[block_slot] != 0; }
  // Blocks that have triggered since the last call of clear_triggers().
  const std::vector<std::uint32_t>& triggers() const { return triggers_; }
  void clear_triggers() { triggers_.clear(); }

  // Whether the warp has to wait. It then gets a kWarpReady event.
  bool wait(LaunchSeat seat, WarpId warp, Cycle now) {
    const Cycle passes = seat < passes_at_.size() ? passes_at_[seat] : 0;
    if (passes <= now) {
      return false;
    }
    if (passes == kNever) {
      waiting_.push_back({seat, warp});
    } else {
      post(warp, passes);
    }
    return true;
  }

 private:
  struct Waiting {
    LaunchSeat seat;
    WarpId warp;
  };
  void post(WarpId warp, Cycle at) { events_->add(at, {SmEvent::Kind::kWarpReady, warp.sub_core, warp.warp, 0, 0}); }

  SmEvents* events_;
  std::vector<std::uint8_t> triggered_;
  std::vector<std::uint32_t> triggers_;
  std::vector<Cycle> passes_at_;
  std::vector<Waiting> waiting_;
};

}  // namespace warpsim
