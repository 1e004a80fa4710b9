// Where an issued instruction goes. This class chooses the path by the kind of the instruction.
//
//   MemoryDispatch     to the memory pipeline; state: the warps in line for its queue
//   WarpgroupDispatch  to the SM's warpgroup engine; no state
//   PipeDispatch       to a pipe; state: register ports, collectors, units, the warps in line for them
//   WaitDispatch       from there to the unit that releases the warp, if the warp waits; no state
//
// The paths do not know each other; two of them lead to the sub-core's address unit, which is here.
// Not modelled: see the paths.
// Evidence: theirs, and tests/hardware/block_lifetimes: LDC and S2UR of a sub-core follow one another, S2R and stores
// pass beside them.
// State: the address unit.
// Invariant: what is dispatched was not blocked before.
#pragma once

#include <cstdint>

#include "core/async/async_unit.h"
#include "core/load_store/load_store_unit.h"
#include "core/sm/block_barriers.h"
#include "core/sm/grid_dependences.h"
#include "core/sm/warpgroup_engine.h"
#include "core/sub_core/completion.h"
#include "core/sub_core/fences.h"
#include "core/sub_core/memory_dispatch.h"
#include "core/sub_core/pipe_dispatch.h"
#include "core/sub_core/resident_warp.h"
#include "core/sub_core/shared_pipe.h"
#include "core/sub_core/wait_dispatch.h"
#include "core/sub_core/warpgroup_dispatch.h"

namespace warpsim {

class Dispatch {
 public:
  // The parts of the SM that serve instructions.
  struct Servers {
    LoadStoreUnit& lsu;
    WarpgroupEngine& warpgroups;
    BlockBarriers& barriers;
    AsyncUnit& async;
    GridDependences& grids;
  };
  // All of them, and the sub-core's other parts, must outlive this.
  Dispatch(std::uint32_t sub_core, const SubCoreConfig& config, const ExecutionConfig& execution,
           const Servers& servers, const PipeDispatch::Parts& pipes, Fences& fences, Completion& completion)
      : memory_(sub_core, servers.lsu, servers.barriers, address_unit_, pipes.states),
        pipes_(config, execution, pipes, address_unit_),
        warpgroups_(sub_core, config.operand_read_cycles, servers.warpgroups, pipes.states, pipes.events),
        waits_(sub_core, {servers.barriers, servers.async, servers.grids, fences, completion, pipes.events}) {}

  // Whether something outside the warp prevents its instruction from issuing; if so, the warp waits for it.
  bool blocked(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now) {
    if (info.memory_queue) {
      return memory_.blocked(slot, info, now);
    }
    if (info.warpgroup != WarpgroupRole::kNone) {
      return warpgroups_.blocked(slot, warp, info, now);
    }
    return pipes_.blocked(slot, info, now);
  }
  // The same question for the second instruction of a slot, which is no warpgroup operation: the warp does not wait.
  bool accepts(std::uint32_t slot, const IssueInfo& info, Cycle now) const {
    return info.memory_queue ? memory_.accepts(slot) : pipes_.accepts(slot, info, now);
  }
  // Collects the operands, if there are collectors. Returns the cycles by which conflicts delay the execution.
  Cycle collect(std::uint32_t slot, const IssueInfo& info, Cycle now) {
    return info.memory_queue ? 0 : pipes_.collect(slot, info, now);
  }
  // Returns the cycles by which conflicts of register ports hold the next dispatch back.
  std::uint32_t dispatch(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now) {
    if (info.memory_queue) {
      memory_.dispatch(slot, warp, info, now);
      return 0;
    }
    if (info.warpgroup != WarpgroupRole::kNone) {
      warpgroups_.dispatch(slot, warp, info, now);
      return 0;
    }
    const std::uint32_t held_back = pipes_.dispatch(slot, warp, info, now);
    waits_.dispatch(slot, warp, info, now);
    return held_back;
  }
  // A warp whose load is withheld gives up its place at the memory queue.
  void give_way(std::uint32_t slot, Cycle now) { memory_.give_way(slot, now); }
  // An instruction has left the memory queue.
  void queue_freed(Cycle now) { memory_.queue_freed(now); }

 private:
  SharedPipe address_unit_;  // constants with an index, uniform special registers
  MemoryDispatch memory_;
  PipeDispatch pipes_;
  WarpgroupDispatch warpgroups_;
  WaitDispatch waits_;
};

}  // namespace warpsim
