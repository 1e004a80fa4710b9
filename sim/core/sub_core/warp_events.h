// The events that the sub-core posts for its own warps, and the holds that such events end.
//
// Modelled: nothing of its own. Evidence: none of its own. State: none but that of the warps and of the SM's events,
// which it uses.
// Invariant: each posted event is counted as outstanding of its warp until it is received.
#pragma once

#include <cstdint>

#include "core/sm/sm_event.h"
#include "core/sub_core/resident_warp.h"

namespace warpsim {

class WarpEvents {
 public:
  // The SM's events must outlive this.
  WarpEvents(std::uint32_t sub_core, SmEvents& events)
      : sub_core_(static_cast<std::uint8_t>(sub_core)), events_(&events) {}

  void result_written(std::uint32_t slot, ResidentWarp& warp, std::uint32_t instruction, Cycle at) {
    post(slot, warp, SmEvent::Kind::kResultWritten, instruction, at);
  }
  void sources_read(std::uint32_t slot, ResidentWarp& warp, std::uint32_t instruction, Cycle at) {
    post(slot, warp, SmEvent::Kind::kSourcesRead, instruction, at);
  }
  // The warp issues nothing until it receives this event, which carries `payload`.
  void hold(std::uint32_t slot, ResidentWarp& warp, StallReason reason, std::uint32_t payload, Cycle until) {
    warp.hold = reason;
    post(slot, warp, SmEvent::Kind::kWarpReady, payload, until);
  }
  // An event that could not take effect comes again.
  void put_off(const SmEvent& event, Cycle until) { events_->add(until, event); }

 private:
  void post(std::uint32_t slot, ResidentWarp& warp, SmEvent::Kind kind, std::uint32_t payload, Cycle at) {
    warp.expect();
    events_->add(at, {kind, sub_core_, static_cast<std::uint8_t>(slot), 0, payload});
  }

  std::uint8_t sub_core_;
  SmEvents* events_;
};

}  // namespace warpsim
