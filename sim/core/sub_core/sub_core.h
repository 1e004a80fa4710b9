// One sub-core (SM sub-partition): fetch, issue, dispatch and completion of its warps. This class connects its parts,
// starts and ends warps, and says when there is work.
//
//   IssueStage        which warp issues; state: when the next issue slot is (IssueTimes)
//     -> WarpScheduler    the order of warps, which fetch also follows; state: ages, the latest one
//     -> WarpReadiness    the first reason inside a warp not to issue; state: warps that wait for an instruction
//     -> ConstantOperands operands of the constant bank; state: warps that wait for one
//     -> Dispatch         to pipe, memory pipeline, warpgroup engine, or a wait; state: lines of warps (dispatch.h)
//   Completion        events that arrive for warps; no state
//     -> Fences           memory fences; state: warps that wait for acknowledgements
//       -> WarpStreams      from instruction to instruction; no state
//         -> InstructionFetch  instruction buffers, L0 cache; state: those
//         -> WarpEvents        posts events for the warps; no state
//     -> ResultBus        write ports of the register file, which Dispatch also uses
//   WarpTable         the warps (resident_warp.h) and the times of their launches
//   WarpStates        which warps are ready, timed or waiting, the stall reason of each cycle
//     -> WarpRecorder     hot spots and timelines
//
// Dispatch also uses Completion, IssueStage also WarpStreams. A part calls parts below it, also past the next one, and
// never one above. The last two are below all others.
//
// Modelled: see the parts; every cycle of every warp in exactly one stall reason. Not modelled: see the parts.
// Evidence: Huerta et al., MICRO 2025; Nsight Compute's stall reasons.
// Invariant: state changes at event times only (warp_states.h), so that skipped cycles change nothing.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <string>
#include <vector>

#include "core/async/async_unit.h"
#include "core/launch/timeline_request.h"
#include "core/load_store/load_store_unit.h"
#include "core/sm/block_barriers.h"
#include "core/sm/constant_caches.h"
#include "core/sm/grid_dependences.h"
#include "core/sm/l1_events.h"
#include "core/sm/launch_waits.h"
#include "core/sm/warpgroup_engine.h"
#include "core/sub_core/completion.h"
#include "core/sub_core/constant_operands.h"
#include "core/sub_core/dispatch.h"
#include "core/sub_core/execution_units.h"
#include "core/sub_core/fences.h"
#include "core/sub_core/instruction_fetch.h"
#include "core/sub_core/issue_rules.h"
#include "core/sub_core/issue_stage.h"
#include "core/sub_core/resident_warp.h"
#include "core/sub_core/result_bus.h"
#include "core/sub_core/shared_pipe.h"
#include "core/sub_core/sub_core_config.h"
#include "core/sub_core/sub_core_stats.h"
#include "core/sub_core/suspended_warp.h"
#include "core/sub_core/warp_events.h"
#include "core/sub_core/warp_readiness.h"
#include "core/sub_core/warp_scheduler.h"
#include "core/sub_core/warp_states.h"
#include "core/sub_core/warp_streams.h"
#include "core/sub_core/warp_table.h"
#include "stats/launch_stats.h"

namespace warpsim {

// The SM's parts that a sub-core uses.
struct SubCoreNeighbours {
  SmEvents& events;
  LoadStoreUnit& lsu;
  ConstantCaches& constants;
  SmInstructionCache& instructions;
  BlockBarriers& barriers;
  WarpgroupEngine& warpgroups;
  AsyncUnit& async;
  GridDependences& grids;
  LaunchWaits& launches;
  SharedPipe& adu;
  SharedUnits& units;
  IssueSlots& issue_slots;
  L1Events& l1_events;
  std::array<Cycle, kMaxSubCores>& wakes;  // by sub-core: the cycle at which tick() has to run
};

class SubCore {
 public:
  SubCore(std::uint32_t index, const SubCoreConfig& config, const ExecutionConfig& execution,
          SubCoreNeighbours neighbours, LaunchStatsNode& parent);
  SubCore(const SubCore&) = delete;
  SubCore& operator=(const SubCore&) = delete;

  std::uint32_t free_slots() const {
    return warps_.size() - static_cast<std::uint32_t>(std::popcount(states_.resident()));
  }
  // Takes a free slot; returns its number.
  std::uint32_t start_warp(const WarpStart& start, Cycle now);
  // Slot that start_warp would take next.
  std::uint32_t next_slot() const { return static_cast<std::uint32_t>(std::countr_one(states_.resident())); }

  // --- blocks that leave the SM and come back ---

  // Whether the warps of a block do nothing but wait at barriers or for grids that it has launched.
  bool only_waits(std::uint32_t block_slot) const;
  // These warps leave; they are added to `warps`.
  void suspend_warps(std::uint32_t block_slot, std::vector<SuspendedWarp>& warps, Cycle now);
  // As start_warp(), for one that comes back.
  void resume_warp(const WarpStart& start, const SuspendedWarp& from, Cycle now);

  // To be called at the cycle of the sub-core's wake, which the events below bring forward.
  void tick(Cycle now);

  void handle(const SmEvent& event, Cycle now);
  void queue_freed(Cycle now) { dispatch_.queue_freed(now); }
  void writes_acknowledged(std::uint32_t slot, Cycle now) { fences_.writes_acknowledged(slot, warps_[slot], now); }
  void writes_arrived(std::uint32_t slot, Cycle now) { fences_.writes_arrived(slot, warps_[slot], now); }

  // Block slots of warps that have left since the last call of clear_exited().
  const std::vector<std::uint32_t>& exited() const { return warps_.exited(); }
  void clear_exited() { warps_.clear_exited(); }

  // Attributes all time up to `now`: for statistics taken in the middle of a launch.
  void close_accounts(Cycle now);
  // Records warp states on tracks below `parent`, one for each of these warp slots.
  void show(TimelinePart& timeline, TimelinePart::Track parent, const NumberSelection& slots) {
    states_.recorder().show(timeline, parent, index_, slots);
  }
  // Of the launch with this seat.
  std::uint64_t instructions_executed(LaunchSeat seat) const { return stats_[seat].inst_executed.value(); }
  std::string describe_stall() const;

 private:
  void leave(std::uint32_t slot, Cycle now);
  bool only_waits(std::uint32_t slot, const ResidentWarp& warp) const;
  template <class Do>
  void for_warps_of(std::uint32_t block_slot, const Do& todo) const;
  BlockBarriers::WarpId warp_id(std::uint32_t slot) const {
    return {static_cast<std::uint8_t>(index_), static_cast<std::uint8_t>(slot)};
  }
  void wake_at(Cycle at) { wake_ = std::min(wake_, at); }
  void compute_wake(Cycle now);

  std::uint32_t index_;
  std::uint32_t fetches_per_cycle_;
  BlockBarriers& barriers_;
  AsyncUnit& async_;
  const LaunchWaits& launches_;
  const PendingWrites& writes_;
  Cycle& wake_;
  LaunchStats<SubCoreStats> stats_;
  WarpScheduler scheduler_;
  WarpTable warps_;
  WarpStates states_;
  InstructionFetch fetch_;
  ResultBus results_;
  WarpEvents events_;
  WarpStreams streams_;
  WarpReadiness readiness_;
  Fences fences_;
  Completion completion_;
  Dispatch dispatch_;
  ConstantOperands constants_;
  IssueStage issue_;
};

}  // namespace warpsim
