// Block scheduler: the chip's distributor of thread blocks ("compute work distributor").
//
// Modelled: resident grids in order of submission, each SM's warp slots, block slots, registers per sub-partition and
// shared memory, the order in which GPCs and SMs are served (block_placement.h), launch overhead before the first
// block, the chip-wide rates of block launches and of processed completions, and overhead after the last
// block has completed. A later grid gets blocks once all blocks of the earlier ones of its priority are placed; one of
// a higher priority gets the places that become free before the others; blocks that run stay. Blocks that let dependent
// launches begin are counted as they are reported, without a rate. Blocks that have left their SM to wait for grids
// that they have launched come back before others are placed. Not modelled: preemption. Evidence: launches of empty
// kernels over grids and block sizes (extra.csv, workload `launches`), which the completions limit, and starts of
// blocks on an SM (micro.csv launch.block_start_gap), which follow each other closely until the SM is full. Invariant:
// the blocks of an SM never exceed its resources; each block is placed once; each completion frees exactly the
// resources of the block.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/ring_buffer.h"
#include "config/config_section.h"
#include "core/blocks/block_placement.h"
#include "core/blocks/grid_order.h"
#include "core/blocks/occupancy.h"
#include "core/blocks/sm_resources.h"
#include "core/gpu/topology.h"
#include "core/launch/instruction_source.h"
#include "engine/component.h"
#include "engine/engine.h"
#include "engine/link.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct BlockSchedulerConfig {
  std::uint32_t launch_overhead_cycles = 0;      // from submission of a grid to its first block
  std::uint32_t completion_overhead_cycles = 0;  // from the last block's completion to the end of the grid
  double cycles_per_launch = 0;                  // chip-wide, between two block launches
  double cycles_per_completion = 0;              // chip-wide, between two completions of blocks
  std::uint32_t assignment_latency_cycles = 0;   // scheduler to SM
  std::uint32_t completion_latency_cycles = 0;   // SM to scheduler
  BlockPlacementConfig placement;
};
void describe(ConfigSection& section, BlockSchedulerConfig& config);

// Scheduler to SM: start this block. The SM has room for it.
struct BlockAssignment {
  std::uint64_t linear_index = 0;  // of the block in its grid
  LaunchSeat seat = 0;             // of its launch
  std::uint32_t slot = 0;          // block slot of the SM, free until now; named again by BlockDone
  // Its thread block cluster: a number that no other resident cluster has, and the block's rank in it.
  std::uint64_t cluster = 0;
  std::uint32_t cluster_size = 1;
  std::uint32_t cluster_rank = 0;
  bool returns = false;  // it has begun on this SM before, and left
};

// SM to scheduler, about the block in this slot.
struct BlockDone {
  enum class Kind : std::uint8_t {
    kDone,              // all warps have exited and its resources are free
    kTriggers,          // it lets dependent launches begin; once for each block
    kDoneAfterTrigger,  // it is done, and was reported as kTriggers before
    kLeaves,            // it waits for grids that it has launched, and its resources are free
    kReturns,           // it has left, and wants to go on: on this SM, in any slot
  };
  LaunchSeat seat = 0;
  std::uint32_t slot = 0;
  Kind kind = Kind::kDone;
  std::uint64_t block = 0;  // its linear index; of kLeaves and kReturns
};

struct BlockSchedulerStats : StatGroup {
  using StatGroup::StatGroup;
  Counter grids_launched{*this, "grids_launched", Unit::kEvents, "kernel launches accepted"};
  Counter blocks_launched{*this, "blocks_launched", Unit::kBlocks, "blocks sent to SMs"};
  Counter blocks_completed{*this, "blocks_completed", Unit::kBlocks, "blocks reported done by SMs"};
  Counter cycles_launching{*this, "cycles_launching", Unit::kCycles,
                           "cycles with blocks left in which the launch rate was the limit"};
  Counter cycles_overhead{*this, "cycles_overhead", Unit::kCycles,
                          "cycles of launch overhead before first and after last blocks"};
  Counter cycles_wait_warps{*this, "cycles_wait_warps", Unit::kCycles,
                            "cycles with blocks left and no SM with enough free warp slots"};
  Counter cycles_wait_blocks{*this, "cycles_wait_blocks", Unit::kCycles,
                             "cycles with blocks left and no SM with a free block slot"};
  Counter cycles_wait_registers{*this, "cycles_wait_registers", Unit::kCycles,
                                "cycles with blocks left and no SM with enough free registers"};
  Counter cycles_wait_shared{*this, "cycles_wait_shared", Unit::kCycles,
                             "cycles with blocks left and no SM with enough free shared memory"};
  Counter cycles_wait_cluster{*this, "cycles_wait_cluster", Unit::kCycles,
                              "cycles with blocks left and no GPC with space for a whole cluster"};
  Counter cycles_wait_launch{*this, "cycles_wait_launch", Unit::kCycles,
                             "cycles with blocks left while those of an earlier launch are placed"};
  Counter cycles_drain{*this, "cycles_drain", Unit::kCycles, "cycles with all blocks placed and some not done"};
};

class BlockScheduler : public Component {
 public:
  // All components of the GPU's core share `core_domain`. Registers itself with the engine as "block_scheduler".
  BlockScheduler(Engine& engine, std::uint32_t core_domain, const BlockSchedulerConfig& config,
                 const OccupancyConfig& limits, const Topology& topology, LaunchStatsNode& stats);

  // One pair of links per SM; the SM connects itself as receiver of assignments and sender of completions.
  Link<BlockAssignment>& assignments(std::uint32_t sm) { return *assignments_[sm]; }
  Link<BlockDone>& completions(std::uint32_t sm) { return *completions_[sm]; }

  // Why the GPU could never run this launch, in words for its user; empty if it can.
  std::string why_impossible(const KernelLaunch& launch, const Occupancy& occupancy) const;
  // Makes the grid of a possible launch resident, in a seat whose previous one has ended; `now` is the core's current
  // cycle. Called between engine runs.
  void submit(LaunchSeat seat, const KernelLaunch& launch, const Occupancy& occupancy, Cycle now,
              const GridOrder& order = {});

  // The engine is asked to stop when all blocks of a grid have finished and again when the grid has ended. In between,
  // the grid waits for release(): what its blocks wrote must have arrived.
  bool blocks_finished(LaunchSeat seat) const { return grids_[seat].finished != kNever; }
  // Ends the grid one completion overhead after `at`, or after its last block if that is later; not before `now`.
  void release(LaunchSeat seat, Cycle at, Cycle now);
  bool grid_done(LaunchSeat seat) const { return grids_[seat].ended; }
  // All of its blocks have let dependent launches begin (griddepcontrol.launch_dependents), or have ended; and have
  // been sent to SMs, where the last one arrives at this cycle. kNever: not yet. The engine is asked to stop when the
  // first becomes known, and, if the order says so, the second.
  Cycle triggered_at(LaunchSeat seat) const { return grids_[seat].triggered; }
  Cycle begun_at(LaunchSeat seat) const { return grids_[seat].begun; }
  // Cycles of these events; kNever before them (the end is known from release() on).
  Cycle finished_at(LaunchSeat seat) const { return grids_[seat].finished; }
  Cycle ended_at(LaunchSeat seat) const { return grids_[seat].end; }
  bool all_grids_done() const { return active_.empty(); }
  std::uint64_t blocks_launched(LaunchSeat seat) const { return grids_[seat].launched; }
  std::uint64_t blocks_done(LaunchSeat seat) const { return grids_[seat].completed; }
  std::uint64_t blocks(LaunchSeat seat) const { return grids_[seat].blocks; }

  // Attributes all time up to `now` to the current state: for statistics taken in the middle of a launch.
  void close_accounts(Cycle now) { account(now); }

  Cycle tick(Cycle now) override;
  bool idle() const override { return active_.empty(); }
  std::string describe_stall() const override;

 private:
  struct Grid {
    Dim3 grid;
    Dim3 cluster;
    BlockDemand demand;
    std::uint64_t blocks = 0;
    std::uint64_t launched = 0;
    std::uint64_t completed = 0;
    std::uint64_t triggers = 0;  // blocks that let dependent launches begin, or have ended
    bool reports_begin = false;
    std::int32_t priority = 0;
    Cycle ready = 0;       // the first block may be launched
    Cycle begun = kNever;  // the last block has arrived
    Cycle triggered = kNever;
    Cycle finished = kNever;  // the last block has completed
    Cycle end = kNever;       // end of the completion overhead
    bool ended = false;
    Counter* state = nullptr;  // counter of the cycles from state_since_ on
  };

  // Chip-wide events at a mean interval of thousandths of a cycle. One that is late by less than a cycle keeps the
  // fraction, so that the mean rate is exact.
  struct Pace {
    std::uint64_t interval_milli = 0;
    std::uint64_t next_milli = 0;  // earliest time of the next event

    bool ready(Cycle now) const;
    Cycle next() const;  // first cycle that is ready
    void step(Cycle now);
  };
  struct Done {
    std::uint32_t sm = 0;
    BlockDone block;
  };

  void account(Cycle now);
  void receive(Cycle now);
  void complete(const Done& done, Cycle now);
  void trigger(Grid& grid, Cycle now);
  void end_grids(Cycle now);
  void launch_blocks(Cycle now);
  void return_blocks(Cycle now);
  void launch_block(LaunchSeat seat, std::uint32_t sm, Cycle now);
  void choose_grid(Cycle now);
  Counter* cause_of_wait(LaunchSeat seat);
  Counter* state_of(LaunchSeat seat, Cycle now);
  void set_states(Cycle now);
  Cycle next_wake(Cycle now) const;

  Engine& engine_;
  BlockSchedulerConfig config_;
  const Topology& topology_;
  LaunchStats<BlockSchedulerStats> stats_;
  std::vector<std::unique_ptr<Link<BlockAssignment>>> assignments_;
  std::vector<std::unique_ptr<Link<BlockDone>>> completions_;
  std::vector<SmResources> sms_;
  BlockPlacement placement_;
  std::vector<Grid> grids_;            // by seat
  std::vector<LaunchSeat> active_;     // not ended, oldest first
  std::vector<LaunchSeat> launching_;  // of these, those with blocks left to place, by priority, then by age
  std::optional<LaunchSeat> current_;  // gets blocks now: the first one whose launch overhead is over
  WakeHandle self_;
  RingBuffer<Done> done_;  // reported by SMs and not processed yet
  Pace launches_;
  Pace completion_pace_;
  bool blocked_ = false;  // the current grid has blocks left and no SM has room
  struct Returning {
    std::uint32_t sm = 0;
    LaunchSeat seat = 0;
    std::uint64_t block = 0;
  };
  std::vector<Returning> returning_;  // blocks that want to go on, oldest first
  bool returning_blocked_ = false;    // their SMs have no room
  Cycle state_since_ = 0;
};

}  // namespace warpsim
