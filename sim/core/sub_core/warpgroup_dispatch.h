// Operations of warpgroups, on the side of one of their warps.
//
// Modelled: the questions to the SM's engine, whether the warp may issue, and the notice of its issue. Not modelled:
// see WarpgroupEngine. Evidence: its own. State: none. Uses the engine, the warps' states and WarpEvents. Invariant: a
// warp that the engine lets wait without a time is released by an event.
#pragma once

#include <cstdint>

#include "core/sm/warpgroup_engine.h"
#include "core/sub_core/resident_warp.h"
#include "core/sub_core/warp_events.h"
#include "core/sub_core/warp_states.h"

namespace warpsim {

class WarpgroupDispatch {
 public:
  // The other parts must outlive this one.
  WarpgroupDispatch(std::uint32_t sub_core, std::uint32_t operand_read_cycles, WarpgroupEngine& engine,
                    WarpStates& states, WarpEvents& events)
      : sub_core_(static_cast<std::uint8_t>(sub_core)),
        operand_read_cycles_(operand_read_cycles),
        engine_(&engine),
        states_(&states),
        events_(&events) {}

  // Whether the engine prevents issue; if so, the warp waits for it.
  bool blocked(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now);
  void dispatch(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now);

 private:
  std::uint8_t sub_core_;
  std::uint32_t operand_read_cycles_;
  WarpgroupEngine* engine_;
  WarpStates* states_;
  WarpEvents* events_;
};

}  // namespace warpsim
