// A warp in execution: the paths of its threads through the code, divergence and reconvergence, and calls.
//
// Threads on the same path form a split. When a branch divides a split, both parts record their reconvergence point
// (the immediate post-dominator) and wait there for each other. Before 7.0 a split runs until it waits or ends: a
// thread that waits for another one of its warp in a loop waits forever. From 7.0 on splits take turns. A split that
// iterates a loop in which it may wait for others (ptx/waiting_loops.h), or sleeps, lets the others run at once, and
// those that wait for it at reconvergence points of any level continue without it. Measured on hardware
// (tests/hardware/waiting_threads): threads leave a lock, a flag or a loop around a compare-and-swap one by one and
// stay apart until a barrier of the warp or the block, where they reconverge; threads of other loops wait for the last
// one. A split that iterates any other loop very often also lets others run, so that all make progress.
//
// Machine code states where threads wait for each other: its paths meet at convergence barriers only, masks of lanes in
// registers of the warp (warp_convergence.cc).
//
// Modelled: the order of execution as independent thread scheduling allows it. From 7.0 on the part of a split with
// fewer threads runs first, and with equal numbers that of the next instruction: so it is in all 38,000 branches that
// divide a warp in the recorded traces of an H200 (before 7.0: that of the next instruction, assumed). Not modelled:
// when hardware changes between splits that could both run.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "emulator/code/function_code.h"
#include "emulator/code/kernel_image.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/warp_context.h"
#include "emulator/host_code/host_windows.h"
#include "emulator/memory/block_memory.h"

namespace warpsim {

// The block's handling of threads at its barriers.
class BlockBarrierPort {
 public:
  virtual ~BlockBarrierPort() = default;
  virtual std::uint32_t number_of(const Operation& operation, LaneMask lanes, const WarpContext& context) = 0;
  // `lanes` have arrived at the barrier. Returns true if they need not wait; when the last ones arrive, the block calls
  // Warp::release() of all warps, including this one, and returns false.
  virtual bool arrive(const Operation& operation, LaneMask lanes, WarpContext& context) = 0;
  // A warp has arrived at the barrier of its warpgroup; whether it may pass it. The block releases the others.
  virtual void arrive_in_warpgroup(const WarpContext& context) = 0;
  virtual bool passes_warpgroup(const WarpContext& context) const = 0;
  virtual void exited(std::uint32_t warp, LaneMask lanes) = 0;
};

class Warp {
 public:
  Warp(const LaunchContext& launch, BlockMemory& block, BlockBarrierPort& barriers, HostState& host,
       std::uint32_t index);
  ~Warp();
  Warp(const Warp&) = delete;
  Warp& operator=(const Warp&) = delete;
  // Starts again with the threads of another block.
  void start();

  bool finished() const { return splits_.empty(); }
  // Chooses the split that continues. False: all wait for a barrier of the block, or have ended.
  bool choose();

  // The next operation of the chosen split, and for which lanes (with the guard; 0: predicated off). Lanes
  // with other member masks execute an operation with .sync after these.
  struct Next {
    const FunctionCode* code = nullptr;
    std::uint32_t index = 0;
    LaneMask lanes = 0;
    LaneMask split = 0;  // lanes of the split
    const Operation& operation() const { return code->operations[index]; }
  };
  Next next();
  // Executes this operation.
  void step();
  // Continues after this operation, which is executed otherwise and affects neither registers nor control flow.
  void pass();
  // Executes until the split has waited, ended, or executed `most` operations, or before it writes shared or global
  // memory: the next call begins with the write. So the other warps of the block, which may still read what was there,
  // have a turn before; on hardware, warps that have left a barrier together stay close to each other. With a race
  // check, and in a concurrent launch, it also ends when threads poll for others, otherwise when they have done so from
  // `polls_from` operations on. Returns the number of operations.
  std::uint64_t run(std::uint64_t most, std::uint64_t polls_from = UINT64_MAX);
  bool waits_to_write() const { return waits_to_write_; }
  // In the latest run() threads have slept or repeated a loop in which they may wait for others.
  bool has_polled() const { return polled_; }

  // The latest split that reached the meeting point of its path, and waits there: `lanes` are its lanes, `index` is
  // the next operation of all of them. No lanes if there was none since the last call.
  Next take_stopped();

  // Lanes that wait at the barrier.
  LaneMask waiting_at(std::uint32_t barrier) const { return lanes_in(State::kAtBarrier, barrier); }
  // Splits that wait at the barrier continue.
  void release(std::uint32_t barrier);

  // Whether the warp can still do anything observable, or leave its loop, if others change nothing.
  enum class Outlook : std::uint8_t {
    kOpen,     // it may
    kWaits,    // all its threads wait at barriers
    kRepeats,  // it executes a loop and returns to its present state, or ends up waiting
  };
  struct SpinRead {  // its latest read in such a loop
    const Warp* warp = nullptr;
    LaneMask lanes = 0;
    Address address = 0;
    std::uint32_t bytes = 0;  // 0: nothing
    bool shared = false;
    std::uint64_t value = 0;
  };
  struct Rehearsal {
    Outlook outlook = Outlook::kOpen;
    std::uint64_t operations = 0;  // executed for it
    bool of_global = false;        // it accesses memory that others than the cluster can change
    bool of_host = false;          // and which the host can change at any time
    SpinRead read;
  };
  // Executes up to so many operations and undoes them.
  Rehearsal rehearse(std::uint64_t most);

  // The place of the threads of a split, and what they wait for.
  struct Whereabouts {
    LaneMask lanes = 0;
    const FunctionCode* code = nullptr;
    std::uint32_t operation = 0;
    bool waits = false;         // at a barrier of the block or cluster, or for lanes of the warp
    std::uint32_t barrier = 0;  // its number, if `missing` is 0
    LaneMask missing = 0;       // lanes that it waits for
  };
  std::vector<Whereabouts> whereabouts() const;

  WarpContext& context() { return context_; }
  LaneMask present() const { return context_.present; }
  LaneMask exited_lanes() const { return exited_; }
  std::uint64_t thread_operations() const { return thread_operations_; }
  std::uint64_t warp_operations() const { return warp_operations_; }

 private:
  struct Frame {
    const FunctionCode* code = nullptr;
    std::vector<std::byte> memory;  // registers, then the parameter area
    std::uint32_t local_base = 0;
    std::uint32_t users = 0;      // splits and frames above it
    std::uint32_t return_to = 0;  // operation of the caller
    const CallSite* call = nullptr;
    Frame* caller = nullptr;
    std::byte* registers() { return memory.data(); }
    std::byte* parameters() { return memory.data() + code->register_bytes; }
    bool is_as(const Frame& other) const;
  };
  struct Meeting {
    LaneMask expected = 0;
    LaneMask arrived = 0;
    std::uint32_t at = 0;
    Frame* frame = nullptr;
    std::int32_t outer = -1;
    std::uint32_t users = 0;  // splits on their way to it, and meetings inside it
    bool given_up = false;    // no split waits there any more
    bool operator==(const Meeting&) const = default;
  };
  // For loops in which no thread is known to wait for others:
  static constexpr std::uint32_t kTurns = 32;     // rounds after which another split may run
  static constexpr std::uint32_t kPatience = 64;  // such turns after which splits that wait for it continue without it
  enum class State : std::uint8_t { kReady, kAtWarpSync, kAtBarrier, kAtConvergence };
  struct Split {
    LaneMask lanes = 0;
    std::uint32_t at = 0;
    Frame* frame = nullptr;
    std::int32_t meeting = -1;
    State state = State::kReady;
    std::uint32_t barrier = 0;  // of the block; at a convergence barrier: the place of its mask
    std::uint32_t turns = 0;    // iterations of loops since it was chosen
    std::uint32_t patience_used = 0;
    bool operator==(const Split&) const = default;
  };
  struct Snapshot;  // of the whole warp (warp_rehearsal.cc)

  void enter(Split& split);
  LaneMask lanes_in(State state, std::uint32_t barrier) const;
  Frame* enter_kernel();
  void execute(const Operation& operation, LaneMask lanes);
  Snapshot snapshot() const;
  void restore(const Snapshot& then);
  bool is_as(const Snapshot& then) const;
  bool can_be_undone(const Next& next);
  const HostCode* translated(const Split& split) const;
  // What translated code may write: for so many operations, unless it writes after it has read; and whether it begins
  // with a write that may be of that kind.
  struct WriteLeave {
    std::uint64_t operations;
    bool first;
  };
  std::uint64_t run_translated(const HostCode& code, Split& split, std::uint32_t stop, std::uint64_t most,
                               WriteLeave leave);
  LaneMask guarded(const Split& split, const Operation& operation) const;
  LaneMask with_same_members(const Operation& operation, LaneMask lanes) const;
  LaneMask executing(const Split& split, const Operation& operation) const;
  void go_to(std::uint32_t target);
  void arrived_at_meeting();
  void branch(const Operation& operation, LaneMask taken);
  void branch_indirectly(const Operation& operation, LaneMask taken);
  void part(const std::vector<std::pair<std::uint32_t, LaneMask>>& ways, std::uint32_t meet_at);
  void call(const Operation& operation, LaneMask lanes);
  void call_function(const CallSite& site, std::uint32_t function, LaneMask lanes, std::uint32_t return_to);
  void return_from_call();
  void end_lanes(LaneMask lanes);
  void back_to(LaneMask lanes);
  void wait_in_warpgroup(const Operation& operation, LaneMask lanes);
  void wait_at_barrier(const Operation& operation, LaneMask lanes);
  void synchronise(const Operation& operation, LaneMask lanes);
  void converge(const Operation& operation, LaneMask lanes);
  bool release_converged(std::uint32_t place);
  void pass_convergence_barriers(bool of_whole_warp);
  enum class Missing : std::uint8_t { kAwaited, kTolerated };
  bool try_to_synchronise(std::uint32_t split, Missing missing = Missing::kAwaited);
  bool let_present_lanes_go_on();
  void execute_together(LaneMask lanes);
  static bool threads_end_at(const Frame& frame, std::uint32_t at);
  std::int32_t add_meeting(LaneMask expected, std::uint32_t at, Frame* frame, std::int32_t outer);
  void leave_meeting(std::int32_t meeting);
  void lanes_left_meetings(std::int32_t meeting, LaneMask lanes);
  void part_from_waiting(std::int32_t meeting);
  void let_others_go_on(LaneMask lanes);
  void join(LaneMask lanes);
  void go_on(Meeting& place);
  Frame* add_frame(const FunctionCode& code);
  void leave_frame(Frame* frame);
  enum class Specials : std::uint8_t { kAll, kOfBlock };
  void fill_specials(Frame& frame, LaneMask lanes, Specials which);
  void remove_current();

  const LaunchContext& launch_;
  BlockMemory& block_;
  BlockBarrierPort& barriers_;
  HostState& host_;
  WarpContext context_;
  std::vector<Split> splits_;
  std::size_t current_ = 0;
  std::vector<std::byte> initial_;  // the kernel's frame before its first operation; empty before the first block
  std::vector<Meeting> meetings_;
  std::vector<std::int32_t> free_meetings_;
  std::vector<std::unique_ptr<Frame>> frames_;
  std::vector<Frame*> free_frames_;
  Next stopped_;
  LaneMask exited_ = 0;
  std::uint64_t thread_operations_ = 0;
  std::uint64_t warp_operations_ = 0;
  bool shares_block_ = false;    // there are other warps in the block
  bool waits_to_write_ = false;  // the latest turn ended before a write that others can see
  bool polled_ = false;          // in this turn threads have gone round a loop in which they wait for others, or slept
};

}  // namespace warpsim
