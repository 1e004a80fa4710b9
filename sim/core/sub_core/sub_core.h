// One sub-core (SM sub-partition): fetch, issue, dispatch and completion of its warps.
//
// Modelled: one issue per slot from the warps whose next instruction is decoded, whose stall count has expired, whose
// dependences are met and whose unit or queue has space, and a second one of the same warp if the rules allow pairs;
// register-port conflicts that delay dispatch; immediate constant misses; barriers, fences and branches; every
// cycle of every warp in exactly one stall reason. Evidence: Huerta et al., MICRO 2025; Nsight Compute's stall reasons.
// Invariant: state changes at event times only (warp_states.h), so that skipped cycles change nothing.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "core/async/async_unit.h"
#include "core/launch/instruction_source.h"
#include "core/launch/timeline_request.h"
#include "core/load_store/load_store_unit.h"
#include "core/sm/block_barriers.h"
#include "core/sm/constant_caches.h"
#include "core/sm/warpgroup_engine.h"
#include "core/sub_core/async_copies.h"
#include "core/sub_core/dependence_tracker.h"
#include "core/sub_core/execution_units.h"
#include "core/sub_core/instruction_fetch.h"
#include "core/sub_core/issue_info.h"
#include "core/sub_core/issue_rules.h"
#include "core/sub_core/operand_collectors.h"
#include "core/sub_core/register_file.h"
#include "core/sub_core/result_bus.h"
#include "core/sub_core/shared_pipe.h"
#include "core/sub_core/stall_reason.h"
#include "core/sub_core/sub_core_config.h"
#include "core/sub_core/sub_core_stats.h"
#include "core/sub_core/warp_line.h"
#include "core/sub_core/warp_scheduler.h"
#include "core/sub_core/warp_states.h"
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
  SharedPipe& adu;
  SharedUnits& units;
  IssueSlots& issue_slots;
  std::array<Cycle, kMaxSubCores>& wakes;  // by sub-core: the cycle at which tick() has to run
};

class SubCore {
 public:
  SubCore(std::uint32_t index, const SubCoreConfig& config, const ExecutionConfig& execution,
          SubCoreNeighbours neighbours, LaunchStatsNode& parent);

  struct WarpStart {
    BlockSource* source = nullptr;
    const IssueTable* table = nullptr;
    const StaticProgram* program = nullptr;
    InstructionFetch::Code code;
    AddressWindows windows;
    HotSpotTable* hot_spots = nullptr;  // null: not recorded
    std::uint32_t warp_in_block = 0;
    std::uint32_t block_slot = 0;
    LaunchSeat seat = 0;  // of its launch
  };
  std::uint32_t free_slots() const;
  // Takes a free slot; returns its number.
  std::uint32_t start_warp(const WarpStart& start, Cycle now);
  // Slot that start_warp would take next.
  std::uint32_t next_slot() const { return static_cast<std::uint32_t>(std::countr_one(states_.resident())); }

  // To be called at the cycle of the sub-core's wake, which the events below bring forward.
  void tick(Cycle now);

  void handle(const SmEvent& event, Cycle now);
  void queue_freed(Cycle now);
  void writes_acknowledged(std::uint32_t slot, Cycle now);

  // Block slots of warps that have left since the last call of clear_exited().
  const std::vector<std::uint32_t>& exited() const { return exited_; }
  void clear_exited() { exited_.clear(); }

  // Attributes all time up to `now`: for statistics taken in the middle of a launch.
  void close_accounts(Cycle now);
  // Records warp states on tracks below `parent`, one for each of these warp slots.
  void show(TimelinePart& timeline, TimelinePart::Track parent, const NumberSelection& slots);
  // Of the launch with this seat.
  std::uint64_t instructions_executed(LaunchSeat seat) const { return stats_[seat].inst_executed.value(); }
  std::string describe_stall() const;

 private:
  // The first cache line holds what each issue examines and changes.
  struct alignas(64) Warp {
    WarpStream stream;
    const IssueInfo* infos = nullptr;  // of the program's instructions
    Cycle stall_until = 0;
    SubCoreStats* stats = nullptr;              // of its launch
    StallReason hold = StallReason::kSelected;  // barrier, membar, sleeping, drain; kSelected: none
    bool at_barrier : 1 = false;                // deferred: blocks only instructions that do not pass barriers
    bool suspended : 1 = false;                 // its source knows the continuation only after a barrier
    bool redirected : 1 = false;                // the next instruction is fetched after a taken branch
    bool watched : 1 = false;                   // hot spots are recorded
    std::uint16_t in_flight = 0;                // outstanding events
    LaneMask active_lanes = 0;                  // of the latest instruction without guard
    DependenceTracker dependences;              // begins with its counters

    const StaticInstruction* statics = nullptr;  // the program's instructions
    WarpStart start;
    AsyncCopies copies;
    Cycle writes_acknowledged_at = 0;    // when the last one was acknowledged
    std::uint32_t suspended_behind = 0;  // instruction
  };

  // Payload of a kWarpReady event of a fence that waits for its writes.
  static constexpr std::uint32_t kUntilWritesAcknowledged = 1;
  // A source that cannot continue a warp although its barrier has released it is asked again after this time.
  static constexpr Cycle kAskAgainCycles = 64;

  static constexpr WarpMask bit(std::uint32_t slot) { return WarpStates::bit(slot); }
  static const IssueInfo& info_of(const Warp& warp) { return warp.infos[warp.stream.next->index]; }
  static const StaticInstruction& instruction_of(const Warp& warp) { return warp.statics[warp.stream.next->index]; }

  void examine(std::uint32_t slot, Cycle now);
  void examine_all(WarpMask& slots, Cycle now);
  void examine_later(std::uint32_t slot, Cycle now);
  // The first issue slot at or after `at`.
  Cycle next_slot(Cycle at) const {
    const Cycle free = std::max(at, dispatch_free_at_);
    if (every_cycle_) {
      return free;
    }
    const IssueSlots& slots = neighbours_.issue_slots;
    return slots.slot_at(std::max(free, slots.blocked_until()));
  }
  void issue_one(Cycle now);
  void issue_second(std::uint32_t slot, const IssueInfo& first, Cycle now);
  bool may_follow(std::uint32_t slot, const IssueInfo& first, const IssueInfo& second, Cycle now);
  bool slot_blocked(std::uint32_t slot, const IssueInfo& info, Cycle now);
  bool blocked(std::uint32_t slot, const IssueInfo& info, Cycle now);
  bool memory_queue_open(std::uint32_t slot) const {
    return !neighbours_.lsu.queue_full(index_) && memory_line_.lets_through(slot);
  }
  bool memory_queue_blocked(std::uint32_t slot, const IssueInfo& info, Cycle now);
  bool line_blocked(std::uint32_t slot, const IssueInfo& info, Cycle now);
  bool warpgroup_blocked(std::uint32_t slot, const IssueInfo& info, Cycle now);
  bool constant_missing(std::uint32_t slot, const IssueInfo& info, Cycle now);
  void issue(std::uint32_t slot, const IssueInfo& info, Cycle now);
  void dispatch(std::uint32_t slot, const IssueInfo& info, Cycle now);
  void dispatch_to_pipe(std::uint32_t slot, const IssueInfo& info, Cycle now);
  void dispatch_to_lsu(std::uint32_t slot, const IssueInfo& info, Cycle now);
  void dispatch_to_warpgroup(std::uint32_t slot, const IssueInfo& info, Cycle now);
  void next_in_memory_line(Cycle now);
  void next_in_pipe_line(UnitChoice unit, Cycle now);
  void hold_back_dispatch(std::uint32_t slot, std::uint32_t cycles, Cycle now);
  void arrive_at_barrier(std::uint32_t slot, const IssueInfo& info, Cycle now);
  bool fence_goes_on(std::uint32_t slot, Cycle now);
  void hold(std::uint32_t slot, StallReason reason, std::uint32_t payload, Cycle until);
  void post(std::uint32_t slot, SmEvent event, Cycle at);
  Cycle redirect_cycles(const IssueInfo& info) const;
  void advance(std::uint32_t slot, const IssueInfo& info, Cycle now);
  void suspend(std::uint32_t slot, std::uint32_t behind, Cycle now);
  void hold_until_known(std::uint32_t slot, Cycle now);
  void resume(std::uint32_t slot, Cycle now);
  void leave(std::uint32_t slot, Cycle now);
  void result_written(Warp& warp, const SmEvent& event, Cycle now);
  void finish_copies(Warp& warp, Cycle now);
  static void end_hold(Warp& warp);
  void went_on(std::uint32_t slot, std::uint32_t behind, Cycle until, Cycle now);
  void note_issue(std::uint32_t slot, std::uint32_t instruction);
  void note_next(std::uint32_t slot, std::uint32_t behind);
  void fetch_one(Cycle now);
  void compute_wake(Cycle now);

  std::uint32_t index_;
  SubCoreConfig config_;
  SubCoreNeighbours neighbours_;
  LaunchStats<SubCoreStats> stats_;
  WarpScheduler scheduler_;
  InstructionFetch fetch_;
  RegisterFile registers_;
  ResultBus results_;
  OperandCollectors collectors_;
  ExecutionUnits units_;
  bool every_cycle_;         // an issue slot in each cycle, independent of other schedulers
  bool rules_beyond_units_;  // other rules than units can prevent issue
  WarpStates states_;
  std::vector<Warp> warps_;
  // Of the waiting warps:
  WarpMask wait_queue_ = 0;     // for space in the memory queue
  WarpMask wait_constant_ = 0;  // for an immediate constant
  WarpMask wait_fetch_ = 0;     // for an instruction
  WarpMask wait_writes_ = 0;    // at a fence past its latency, with writes not acknowledged
  WarpLine memory_line_;
  std::array<WarpLine, kUnitCount> pipe_lines_;  // by unit
  Cycle dispatch_free_at_ = 0;
  bool dispatch_held_back_ = false;  // by register-port conflicts
  Cycle& wake_;
  // The warps of one launch.
  struct Presence {
    std::uint32_t warps = 0;
    Cycle since = 0;  // there is at least one; accounted for up to then
  };
  std::vector<Presence> presences_;  // by seat
  std::vector<std::uint32_t> exited_;
};

}  // namespace warpsim
