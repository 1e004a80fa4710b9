// Completion of instructions: what an event that arrives for a warp releases.
//
// Modelled: results written, through the register file's write ports; sources read; the ends of waits at barriers,
// fences and sleeps; asynchronous copies, which complete in groups. Not modelled: values.
// Evidence: Huerta et al., MICRO 2025 (dependence counters); the parts that it uses name theirs.
// State: none but that of the warps. Uses the result bus, Fences, WarpStreams, WarpEvents, the warps' states, and the
// SM's asynchronous unit, to which groups of copies report.
// Invariant: each event reduces the number of the warp's outstanding ones by one, unless it is put off.
#pragma once

#include <cstdint>

#include "core/async/async_unit.h"
#include "core/sm/sm_event.h"
#include "core/sub_core/fences.h"
#include "core/sub_core/resident_warp.h"
#include "core/sub_core/result_bus.h"
#include "core/sub_core/warp_events.h"
#include "core/sub_core/warp_states.h"
#include "core/sub_core/warp_streams.h"

namespace warpsim {

class Completion {
 public:
  struct Parts {
    ResultBus& results;
    Fences& fences;
    WarpStreams& streams;
    WarpEvents& events;
    WarpStates& states;
    AsyncUnit& async;
  };
  // The other parts must outlive this one.
  explicit Completion(const Parts& parts) : parts_(parts) {}

  // An event of the warp in event.warp.
  void handle(const SmEvent& event, ResidentWarp& warp, Cycle now);
  // The warp has issued a commit, which closes the group of its latest copies.
  void commit_copies(ResidentWarp& warp, Cycle now);

 private:
  void result_written(ResidentWarp& warp, const SmEvent& event, Cycle now);
  void finish_copies(ResidentWarp& warp, Cycle now);

  Parts parts_;
};

}  // namespace warpsim
