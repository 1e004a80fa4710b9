// Instructions that go to the memory pipeline through the sub-core's memory queue.
//
// Modelled: warps that find the queue full wait in line, with a stall reason for each kind of instruction.
// Not modelled: see MemoryQueues, which has the queue. Evidence: tests/hardware/queue_depth; WarpLine's.
// State: the line. Uses the memory pipeline, the sub-core's address unit, the warps' states, and the block barriers,
// which note accesses to shared memory.
// Invariant: an instruction is dispatched only when the queue has space and no other warp is first in line.
#pragma once

#include <cstdint>

#include "core/load_store/load_store_unit.h"
#include "core/sm/block_barriers.h"
#include "core/sub_core/resident_warp.h"
#include "core/sub_core/shared_pipe.h"
#include "core/sub_core/warp_line.h"
#include "core/sub_core/warp_states.h"

namespace warpsim {

class MemoryDispatch {
 public:
  // The other parts must outlive this one.
  MemoryDispatch(std::uint32_t sub_core, LoadStoreUnit& lsu, BlockBarriers& barriers, SharedPipe& address_unit,
                 WarpStates& states)
      : sub_core_(sub_core), lsu_(&lsu), barriers_(&barriers), address_unit_(&address_unit), states_(&states) {}

  bool accepts(std::uint32_t slot) const { return !lsu_->queue_full(sub_core_) && line_.lets_through(slot); }
  // Whether the queue does not accept the instruction; if so, the warp waits for it.
  bool blocked(std::uint32_t slot, const IssueInfo& info, Cycle now) {
    return !accepts(slot) && wait_in_line(slot, info, now);
  }
  void dispatch(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now);
  // A warp that may not issue now, although it could, lets those behind it go first.
  void give_way(std::uint32_t slot, Cycle now) {
    if (!line_.empty() && line_.head() == slot) {
      line_.served(slot);
      if (!lsu_->queue_full(sub_core_)) {
        queue_freed(now);
      }
    }
  }
  // An instruction has left the queue: the first warp that waits is examined again.
  void queue_freed(Cycle now) {
    if (!line_.empty()) {
      states_->examine_later(line_.head(), now);
    }
  }

 private:
  bool wait_in_line(std::uint32_t slot, const IssueInfo& info, Cycle now);

  std::uint32_t sub_core_;
  LoadStoreUnit* lsu_;
  BlockBarriers* barriers_;
  SharedPipe* address_unit_;
  WarpStates* states_;
  WarpLine line_;
};

}  // namespace warpsim
