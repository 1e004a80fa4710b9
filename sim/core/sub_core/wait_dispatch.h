// Instructions after which their warp waits for others: barriers of blocks and clusters, fences, sleeps, waits for the
// kernels before, and commits of asynchronous copies; and the instruction that lets dependent kernels begin.
//
// Modelled: what each tells the unit that releases the warp, and what holds the warp meanwhile. Not modelled: see
// BlockBarriers, AsyncUnit, GridDependences and Fences. Evidence: theirs.
// State: none but that of the warps. Uses those units, Completion and WarpEvents.
// Invariant: a warp that is held here is expected to receive an event.
#pragma once

#include <cstdint>

#include "core/async/async_unit.h"
#include "core/sm/block_barriers.h"
#include "core/sm/grid_dependences.h"
#include "core/sub_core/completion.h"
#include "core/sub_core/fences.h"
#include "core/sub_core/resident_warp.h"
#include "core/sub_core/warp_events.h"

namespace warpsim {

class WaitDispatch {
 public:
  struct Parts {
    BlockBarriers& barriers;
    AsyncUnit& async;
    GridDependences& grids;
    Fences& fences;
    Completion& completion;
    WarpEvents& events;
  };
  // The other parts must outlive this one.
  WaitDispatch(std::uint32_t sub_core, const Parts& parts)
      : sub_core_(static_cast<std::uint8_t>(sub_core)), parts_(parts) {}

  // The warp has issued an instruction, perhaps one of these.
  void dispatch(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now);

 private:
  void wait_for_grids(std::uint32_t slot, ResidentWarp& warp, Cycle now);
  void arrive_at_barrier(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now);

  std::uint8_t sub_core_;
  Parts parts_;
};

}  // namespace warpsim
