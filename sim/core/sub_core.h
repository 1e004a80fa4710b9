// One sub-core (SM sub-partition): fetch, issue, dispatch and completion of its warps.
//
// Modelled: one issue a cycle from the warps whose next instruction is decoded, whose stall count has run out, whose
// dependences are met and whose pipe or queue has room; register-port conflicts that hold back dispatch; immediate
// constant misses; barriers, fences and branches; every cycle of every warp in exactly one stall reason.
// Not modelled: dual issue.
// Evidence: Huerta et al., MICRO 2025; Nsight Compute's stall reasons.
// Invariant: a resident warp is in exactly one of the sets ready, timed and waiting (or is being re-examined within a
// tick); state changes at event times only, so that skipped cycles change nothing.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/block_barriers.h"
#include "core/constant_caches.h"
#include "core/dependence_tracker.h"
#include "core/execution_pipes.h"
#include "core/instruction_fetch.h"
#include "core/instruction_source.h"
#include "core/issue_info.h"
#include "core/load_store_unit.h"
#include "core/register_file.h"
#include "core/stall_reason.h"
#include "core/sub_core_stats.h"
#include "core/warp_scheduler.h"

namespace warpsim {

struct SubCoreConfig {
  std::uint32_t warp_slots = 1;
  WarpSchedulerConfig scheduler;
  DependencePolicy dependences = DependencePolicy::kControlBits;
  InstructionFetchConfig fetch;
  RegisterFileConfig register_file;
  std::uint32_t branch_latency_cycles = 1;    // from issue of a taken branch to the fetch of its target
  std::uint32_t operand_read_cycles = 1;      // from issue to registers read, pipes other than memory
  std::uint32_t predicated_off_cycles = 1;    // a memory instruction without active lanes: issue to completion
  std::uint32_t membar_block_cycles = 1;      // MEMBAR of block scope
  std::uint32_t membar_device_cycles = 1;     // wider scopes: at least this, and all writes acknowledged
};
void describe(ConfigSection& section, SubCoreConfig& config);

// The SM's parts that a sub-core works with.
struct SubCoreNeighbours {
  SmEvents& events;
  LoadStoreUnit& lsu;
  ConstantCaches& constants;
  SmInstructionCache& instructions;
  BlockBarriers& barriers;
};

class SubCore {
 public:
  SubCore(std::uint32_t index, const SubCoreConfig& config, const ExecutionConfig& execution,
          SubCoreNeighbours neighbours, StatGroup& parent);

  struct WarpStart {
    BlockSource* source = nullptr;
    const IssueTable* table = nullptr;
    const StaticProgram* program = nullptr;
    InstructionFetch::Code code;
    AddressWindows windows;
    std::uint32_t warp_in_block = 0;
    std::uint32_t block_slot = 0;
  };
  std::uint32_t free_slots() const;
  // Takes a free slot; returns its number.
  std::uint32_t start_warp(const WarpStart& start, Cycle now);
  // Slot that start_warp would take next.
  std::uint32_t next_slot() const;

  // The cycle at which tick() has to run; events below bring it forward.
  Cycle wake() const { return wake_; }
  void tick(Cycle now);

  void handle(const SmEvent& event, Cycle now);
  void queue_freed(Cycle now);
  void writes_acknowledged(Cycle now);
  void invalidate_caches() { fetch_.invalidate(); }

  // Block slots of warps that have left since the last call of clear_exited().
  const std::vector<std::uint32_t>& exited() const { return exited_; }
  void clear_exited() { exited_.clear(); }

  std::uint64_t instructions_executed() const { return stats_.inst_executed.value(); }
  std::string describe_stall() const;

 private:
  struct AsyncCommit {
    std::uint64_t target = 0;       // copies that must be complete
    std::uint32_t instruction = 0;  // the LDGDEPBAR
  };
  struct Warp {
    WarpStart start;
    WarpStream stream;
    DependenceTracker dependences;
    Cycle stall_until = 0;
    Cycle wake_at = 0;          // while in timed_
    Cycle since = 0;            // of the present stall reason
    StallReason reason = StallReason::kNoInstruction;
    StallReason hold = StallReason::kSelected;  // barrier, membar, sleeping, drain; kSelected: none
    bool redirected = false;    // the next instruction is fetched behind a taken branch
    std::uint32_t in_flight = 0;  // events that will come
    std::uint64_t copies_issued = 0;
    std::uint64_t copies_done = 0;
    std::vector<AsyncCommit> commits;
  };
  enum class Attempt : std::uint8_t { kIssued, kBlocked };

  static constexpr WarpMask bit(std::uint32_t warp) { return WarpMask{1} << warp; }
  const IssueInfo& info_of(const Warp& warp) const { return warp.start.table->instructions[warp.stream.next->index]; }
  const StaticInstruction& instruction_of(const Warp& warp) const {
    return warp.start.program->instructions[warp.stream.next->index];
  }

  void enter(Warp& warp, StallReason reason, Cycle now);
  void set_waiting(std::uint32_t index, StallReason reason, Cycle now);
  void set_timed(std::uint32_t index, StallReason reason, Cycle until, Cycle now);
  void set_ready(std::uint32_t index, Cycle now);
  void examine_later(std::uint32_t index, Cycle now);

  void expire_timers(Cycle now);
  void examine(std::uint32_t index, Cycle now);
  void issue_one(Cycle now);
  Attempt try_issue(std::uint32_t index, Cycle now);
  void issue(std::uint32_t index, const IssueInfo& info, Cycle now);
  void hold_back_dispatch(std::uint32_t cycles, Cycle now);
  void dispatch(std::uint32_t index, const IssueInfo& info, Cycle now);
  void dispatch_to_pipe(std::uint32_t index, const IssueInfo& info, Cycle now);
  void dispatch_to_lsu(std::uint32_t index, const IssueInfo& info, Cycle now);
  void commit_copies(std::uint32_t index, Cycle now);
  void arrive_at_barrier(std::uint32_t index, const IssueInfo& info, Cycle now);
  void start_membar(std::uint32_t index, const IssueInfo& info, Cycle now);
  void post(std::uint32_t index, SmEvent::Kind kind, std::uint32_t payload, Cycle at);
  void advance(std::uint32_t index, Cycle now);
  void leave(std::uint32_t index, Cycle now);
  void result_written(std::uint32_t index, std::uint32_t instruction, Cycle now);
  void finish_copies(Warp& warp, Cycle now);
  void fetch_one(Cycle now);
  void compute_wake(Cycle now);

  std::uint32_t index_;
  SubCoreConfig config_;
  SubCoreNeighbours neighbours_;
  SubCoreStats stats_;
  WarpScheduler scheduler_;
  InstructionFetch fetch_;
  RegisterFile registers_;
  ExecutionPipes pipes_;
  std::vector<Warp> warps_;
  WarpMask resident_ = 0;
  WarpMask ready_ = 0;     // may issue, as far as the warp itself goes
  WarpMask timed_ = 0;     // looks again at wake_at
  WarpMask waiting_ = 0;   // looks again after an event
  WarpMask examine_ = 0;   // looks again in this tick
  WarpMask wait_queue_ = 0;     // of waiting_: for room in the memory queue
  WarpMask wait_constant_ = 0;  // of waiting_: for an immediate constant
  WarpMask wait_fetch_ = 0;     // of waiting_: for an instruction
  WarpMask wait_writes_ = 0;    // of waiting_: fence past its latency, writes not acknowledged
  Cycle next_timer_ = kNever;
  Cycle dispatch_free_at_ = 0;
  Cycle wake_ = kNever;
  Cycle active_since_ = 0;
  std::vector<std::uint32_t> exited_;
};

}  // namespace warpsim
