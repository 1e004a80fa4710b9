// A streaming multiprocessor: its sub-cores, what they share, and the thread blocks resident on it.
//
// Modelled: block start (set-up, then warp after warp), block end, blocks that leave to wait for grids that they have
// launched (block_suspension.h), and the order in which the shared parts work within a cycle: arrivals, completions,
// memory stage, sub-cores.
// Not modelled: the load that other blocks of a cluster put on an SM's shared memory.
// Evidence: launch measurements named in the H200 config.
// Invariant: a block's completion is reported after its last warp has left.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "core/async/async_unit.h"
#include "core/blocks/block_scheduler.h"
#include "core/launch/launch.h"
#include "core/launch/timeline_request.h"
#include "core/load_store/load_store_unit.h"
#include "core/sm/block_barriers.h"
#include "core/sm/block_suspension.h"
#include "core/sm/constant_caches.h"
#include "core/sm/grid_dependences.h"
#include "core/sm/l1_events.h"
#include "core/sm/launch_waits.h"
#include "core/sm/resident_block.h"
#include "core/sm/sm_config.h"
#include "core/sm/sm_event.h"
#include "core/sm/sm_instruction_cache.h"
#include "core/sm/sm_timeline.h"
#include "core/sm/warpgroup_engine.h"
#include "core/sub_core/sub_core.h"
#include "engine/component.h"
#include "engine/link.h"
#include "stats/active_times.h"
#include "stats/launch_stats.h"

namespace warpsim {

// What an SM needs besides its own parameters.
struct SmSetting {
  std::uint32_t block_slots = 1;
  bool skip = true;  // false: sub-cores are ticked whenever the SM is (reference semantics)
  // At which blocks that leave the SM and come back save and restore their state; 0: at once.
  double save_bytes_per_cycle = 0;
};

struct SmStats : StatGroup {
  using StatGroup::StatGroup;
  Counter blocks_launched{*this, "blocks_launched", Unit::kBlocks, "thread blocks started"};
  Counter blocks_suspended{*this, "blocks_suspended", Unit::kBlocks,
                           "times that a thread block left the SM to wait for grids that it had launched"};
  Counter cycles_active{*this, "cycles_active", Unit::kCycles, "cycles with at least one resident block"};
};

class Sm final : public Component {
 public:
  struct Links {
    Link<BlockAssignment>* assignments;
    Link<BlockDone>* completions;
    Link<MemRequest>* requests;
    Link<MemResponse>* responses;
    Link<GpcRequest>* gpc_requests;
    Link<GpcResponse>* gpc_responses;
    Link<ClusterMessage>* to_cluster;
    Link<ClusterMessage>* from_cluster;
  };
  Sm(std::uint32_t number, const SmConfig& config, const SmSetting& setting, LaunchTable& launches, const Links& links,
     LaunchStatsNode& parent);

  Cycle tick(Cycle now) override;
  bool idle() const override;
  std::string describe_stall() const override;

  void connect(WakeHandle self);
  // Between runs of the system: a launch takes this seat.
  // `waits`: its warps may have to wait for kernels before it (griddepcontrol.wait), until end_grid_waits().
  void begin_launch(LaunchSeat seat, bool waits) {
    grids_.begin_launch(seat, waits);
    constant_caches_.invalidate(seat);
    lsu_.begin_launch(seat);
    async_.begin_launch(seat);
  }
  // Requests to write that the launch has sent to memory or will send; and whether replaced lines wait to be written,
  // which do not belong to it yet.
  std::uint64_t writes_for_memory(LaunchSeat seat) const {
    return lsu_.writes_for_memory(seat) + async_.writes_for_memory(seat);
  }
  bool has_stored(LaunchSeat seat) const { return lsu_.has_stored(seat) || async_.writes_for_memory(seat) != 0; }
  bool has_replaced_lines() const { return lsu_.has_replaced_lines(); }
  std::uint64_t instructions_executed(LaunchSeat seat) const;
  // Releases warps of a launch at barriers in shared memory that nothing can complete any more. Returns how many there
  // were.
  std::uint32_t give_up_waits(LaunchSeat seat, Cycle now) { return async_.give_up_waits(seat, now); }
  // The kernels before a launch are over at `at`, which is later than what the SM has executed.
  void end_grid_waits(LaunchSeat seat, Cycle at) { grids_.end_waits(seat, at); }
  // What a warp of a block waits for, grids that the block has launched, is over at `at`, which is later than what the
  // SM has executed. Returns when the SM has something to do; kNever: the block is not here.
  Cycle end_launch_wait(LaunchSeat seat, std::uint64_t block, std::uint32_t warp, Cycle at);
  // Whether warps of the launch wait for that here.
  bool awaits_launches(LaunchSeat seat) const;
  // Attributes all time up to `now`: for statistics taken in the middle of a launch.
  void close_accounts(Cycle now);
  // From now on blocks and the states of each warp are recorded on tracks of their own.
  void show(const ShownSm& shown) { timeline_.show(shown); }
  bool shows_warps() const { return timeline_.shows_warps(); }

 private:
  // Bits of mail_.
  static constexpr std::uint32_t kAssignmentMail = 0;
  static constexpr std::uint32_t kResponseMail = 1;
  static constexpr std::uint32_t kGpcMail = 2;
  static constexpr std::uint32_t kClusterMail = 3;

  static constexpr std::array<Cycle, kMaxSubCores> no_wakes() {
    std::array<Cycle, kMaxSubCores> wakes{};
    wakes.fill(kNever);
    return wakes;
  }
  void take_mail(Cycle now);
  void take_assignments(Cycle now);
  void begin_block(ResidentBlock& block, const BlockAssignment& assignment, const Launch& launch, Cycle now);
  void suspend_blocks(Cycle now);
  void leave(LaunchSeat seat, Cycle now);
  void take_responses(Cycle now);
  void take_gpc_responses(Cycle now);
  void set_up_l1(const Launch& launch);
  void start_warps(Cycle now);
  void start_warp(ResidentBlock& block, std::uint32_t slot, Cycle now);
  void work_lsu(Cycle now);
  void work_sub_cores(Cycle now);
  void report_triggers(Cycle now);
  void work(SubCore& sub_core, Cycle now);
  void retire(SubCore& sub_core, Cycle now);
  Cycle next_wake(Cycle now);

  std::uint32_t number_;
  bool skip_;
  bool sub_cores_take_turns_;  // one after another has precedence, since they compete for units or issue slots
  SmConfig config_;
  LaunchTable* launches_;
  Links links_;
  std::uint64_t mail_ = 0;    // bit i: something was sent over that link
  Cycle next_mail_ = kNever;  // earliest future arrival, as of the latest tick
  LaunchStats<SmStats> stats_;
  SmEvents events_;
  SmInstructionCache instruction_cache_;
  ConstantCaches constant_caches_;
  BlockBarriers barriers_;
  WarpgroupEngine warpgroups_;
  AsyncUnit async_;
  GridDependences grids_;
  LaunchWaits launch_waits_;
  SharedPipe adu_;
  SharedUnits units_;
  IssueSlots issue_slots_;
  LoadStoreUnit lsu_;
  std::array<Cycle, kMaxSubCores> wakes_ = no_wakes();  // of the sub-cores
  L1Events l1_events_;
  std::vector<std::unique_ptr<SubCore>> sub_cores_;
  BlockSuspension suspension_;
  std::vector<ResidentBlock> blocks_;
  std::vector<std::uint32_t> starting_;  // block slots with warps to be started, in order of arrival
  std::uint32_t resident_blocks_ = 0;
  std::uint64_t arrived_blocks_ = 0;
  ActiveTimes active_;       // by blocks
  std::uint64_t l1_of_ = 0;  // number of the launch that L1 was set up for
  SmTimeline timeline_;
};

}  // namespace warpsim
