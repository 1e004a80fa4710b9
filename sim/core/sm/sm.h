// A streaming multiprocessor: its sub-cores, what they share, and the thread blocks resident on it.
//
// Modelled: block start (set-up, then warp after warp), block end, and the order in which the shared parts work within
// a cycle: arrivals, completions, memory stage, sub-cores.
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
#include "core/sm/constant_caches.h"
#include "core/sm/grid_dependences.h"
#include "core/sm/sm_event.h"
#include "core/sm/sm_instruction_cache.h"
#include "core/sm/warpgroup_engine.h"
#include "core/sub_core/sub_core.h"
#include "engine/component.h"
#include "engine/link.h"
#include "stats/active_times.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct SmConfig {
  std::uint32_t sub_cores = 1;
  std::uint32_t block_start_cycles = 1;          // from a block's arrival to its first warp
  std::uint32_t warp_start_interval_cycles = 1;  // between two warps of the block
  SubCoreConfig sub_core;
  ExecutionConfig execution;
  LoadStoreConfig load_store;
  AsyncConfig asynchronous;
  L1Config l1;
  ReadOnlyCacheConfig read_only_cache;
  ConstantCachesConfig constant_caches;
  SmInstructionCacheConfig instruction_cache;
  BlockBarrierConfig barriers;
};
void describe(ConfigSection& section, SmConfig& config);

// What an SM needs besides its own parameters.
struct SmSetting {
  std::uint32_t block_slots = 1;
  bool skip = true;  // false: sub-cores are ticked whenever the SM is (reference semantics)
};

struct SmStats : StatGroup {
  using StatGroup::StatGroup;
  Counter blocks_launched{*this, "blocks_launched", Unit::kBlocks, "thread blocks started"};
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
  bool has_replaced_lines() const { return lsu_.has_replaced_lines(); }
  std::uint64_t instructions_executed(LaunchSeat seat) const;
  // Releases warps of a launch at barriers in shared memory that nothing can complete any more. Returns how many there
  // were.
  std::uint32_t give_up_waits(LaunchSeat seat, Cycle now) { return async_.give_up_waits(seat, now); }
  // The kernels before a launch are over at `at`, which is later than what the SM has executed.
  void end_grid_waits(LaunchSeat seat, Cycle at) { grids_.end_waits(seat, at); }
  // Attributes all time up to `now`: for statistics taken in the middle of a launch.
  void close_accounts(Cycle now);
  // From now on blocks and the states of each warp are recorded on tracks of their own.
  void show(const ShownSm& shown);
  bool shows_warps() const { return shows_warps_; }

 private:
  struct Block {
    LaunchSeat seat = 0;
    std::unique_ptr<BlockSource> source;
    std::uint32_t warps_left = 0;  // not exited
    std::uint32_t next_warp = 0;   // not started
    std::uint32_t cluster_blocks = 1;
    std::uint32_t cluster_rank = 0;
    Cycle next_warp_at = 0;
    std::uint64_t linear_index = 0;     // in its grid
    std::uint64_t arrival = 0;          // number in the order of arrival
    HotSpotTable* hot_spots = nullptr;  // of its launch and this SM; null: not recorded
    Cycle shown_until = 0;              // end of what a timeline shows
    bool resident = false;
  };

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
  void take_responses(Cycle now);
  void take_gpc_responses(Cycle now);
  void set_up_l1(const Launch& launch);
  void start_warps(Cycle now);
  void start_warp(Block& block, std::uint32_t slot, Cycle now);
  void work_lsu(Cycle now);
  void work_sub_cores(Cycle now);
  void report_triggers(Cycle now);
  void work(SubCore& sub_core, Cycle now);
  void retire(SubCore& sub_core, Cycle now);
  Cycle next_wake(Cycle now);
  void show_parts(ShownSm::When when);
  void show_block(std::uint32_t slot, Cycle until);

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
  SharedPipe adu_;
  SharedUnits units_;
  IssueSlots issue_slots_;
  LoadStoreUnit lsu_;
  std::array<Cycle, kMaxSubCores> wakes_ = no_wakes();  // of the sub-cores
  std::vector<std::unique_ptr<SubCore>> sub_cores_;
  std::vector<Block> blocks_;
  std::vector<std::uint32_t> starting_;  // block slots with warps to be started, in order of arrival
  std::uint32_t resident_blocks_ = 0;
  std::uint64_t arrived_blocks_ = 0;
  ActiveTimes active_;       // by blocks
  std::uint64_t l1_of_ = 0;  // number of the launch that L1 was set up for
  ShownSm shown_;
  TimelinePart::Track track_ = TimelinePart::kNoTrack;
  std::vector<TimelinePart::Track> block_tracks_;  // by block slot; empty: blocks are not recorded
  bool shows_warps_ = false;
};

}  // namespace warpsim
