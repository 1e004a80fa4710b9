// Whether a warp may issue its next instruction, as far as the warp itself is concerned.
//
// Modelled, in the order in which they are found: what holds the warp, a deferred barrier, the stall count of the
// instruction before, the fetch of the next one, its dependences. Not modelled: an instruction that is decoded while an
// older one waits. Evidence: Huerta et al., MICRO 2025 (issue stage).
// State: which warps wait for an instruction. Uses instruction fetch and the warps' states.
// Invariant: an examined warp is ready, or something is known that will make it be examined again.
#pragma once

#include <cstdint>

#include "core/sub_core/instruction_fetch.h"
#include "core/sub_core/resident_warp.h"
#include "core/sub_core/warp_states.h"

namespace warpsim {

class WarpReadiness {
 public:
  // Both must outlive this.
  WarpReadiness(InstructionFetch& fetch, WarpStates& states) : fetch_(&fetch), states_(&states) {}

  // Finds the first reason that prevents the warp, which has not ended, from issuing, or makes it ready.
  void examine(std::uint32_t slot, ResidentWarp& warp, Cycle now);
  // Whether the warp, which has just issued, could issue its next instruction in the same slot.
  bool goes_on_at_once(std::uint32_t slot, const ResidentWarp& warp, Cycle now) const {
    return !warp.redirected && warp.has_next() && !warp.held() && !warp.at_barrier &&
           fetch_->head_ready_at(slot) <= now;
  }
  // The warp got an instruction into its buffer.
  void fetched(std::uint32_t slot, Cycle now) {
    if ((wait_fetch_ & WarpStates::bit(slot)) != 0) {
      wait_fetch_ &= ~WarpStates::bit(slot);
      states_->wait_until(slot, states_->reason(slot), fetch_->head_ready_at(slot), now);
    }
  }

 private:
  InstructionFetch* fetch_;
  WarpStates* states_;
  WarpMask wait_fetch_ = 0;
};

}  // namespace warpsim
