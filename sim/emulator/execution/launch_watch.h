// Watches a launch while it executes: a limit of executed warp instructions, progress reports, and proof that it will
// never end.
//
// The proof: every thread that has not ended either waits at a barrier that only others of these threads can complete,
// or executes a loop that has returned to the same registers, the same place and the same memory, without having
// changed any memory, read a clock or memory that the host can write (Warp::rehearse()). No thread can then
// ever change what another one waits for, in any order of execution, and no block that was not started
// can start. Other long launches are slow work, bounded only by the limit.
// Examinations are rare and become rarer, so that they cost little time; they have no effect on the launch.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <limits>
#include <string>
#include <vector>

#include "base/types.h"
#include "emulator/execution/warp.h"

namespace warpsim {

class BlockExecution;

// State of a launch that has not ended.
struct KernelProgress {
  std::string kernel;
  std::uint64_t warp_instructions = 0;
  std::uint64_t blocks_started = 0;
  std::uint64_t blocks = 0;
};

class LaunchWatch {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  struct Options {
    std::uint64_t most_instructions = kNoLimit;          // of warps
    std::uint64_t first_look = std::uint64_t{1} << 20U;  // instructions before the first examination
    bool by_machine = false;                             // a machine with timing executes, which starts blocks itself
    // Whether nothing else can change memory while the launch runs; empty: nothing can. Otherwise there is no proof.
    std::function<bool()> is_alone = {};
    // Called every 2^18 instructions or so.
    std::function<void(const KernelProgress&)> note = {};
  };
  // `kernel` outlives it.
  LaunchWatch(const KernelImage& kernel, std::uint64_t blocks, Options options);

  // Of the launch; valid until the launch has ended. started() may be called by several threads at a time.
  void add(BlockExecution& block) { blocks_.push_back(&block); }
  void started() { started_.fetch_add(1, std::memory_order_relaxed); }

  // Warp instructions that may still be executed.
  std::uint64_t left() const { return options_.most_instructions - executed_; }
  // Counts executed instructions. Throws KernelFault beyond the limit.
  void spend(std::uint64_t operations) {
    executed_ += operations;
    if (executed_ >= next_stop_) {
      stop();
    }
  }
  [[noreturn]] void end_at_limit() const;

  // Examines the launch if due. Only if every block that fits on the device has been started. Throws KernelFault.
  void look() {
    if (executed_ >= next_look_) {
      look_now();
    }
  }
  // Whether no thread can go on unless others than the launch change memory. Examines it now.
  bool only_waits();
  // After that was found: others can do so; the host can at any time, without a call.
  bool waits_for_others() const { return waits_for_others_; }
  bool waits_for_host() const { return waits_for_host_; }
  // Examines the launch if due, without an effect.
  bool is_found_waiting();
  // For machines with timing, at cycle `now`; no effect for others.
  void look_at_machine(Cycle now) {
    if (executed_ >= next_look_ && options_.by_machine) {
      look_if_settled(now);
    }
  }
  // The launch cannot continue: all threads wait. Throws KernelFault.
  [[noreturn]] void end_deadlocked() const;
  // Some lines that state where threads are or wait.
  std::string whereabouts() const;

 private:
  void stop();
  void look_now();
  void look_if_settled(Cycle now);
  std::vector<BlockExecution*> blocks_in_order() const;  // by number in the grid
  Warp::Outlook outlook(Warp& warp, std::uint64_t& budget);

  const KernelImage& kernel_;
  std::uint64_t grid_blocks_;
  Options options_;
  std::vector<BlockExecution*> blocks_;
  std::uint64_t executed_ = 0;
  std::atomic<std::uint64_t> started_{0};
  std::uint64_t next_stop_;
  std::uint64_t next_note_;
  std::uint64_t next_look_;
  std::uint64_t started_before_ = 0;  // at the last examination of a machine
  Cycle settled_since_ = 0;
  std::size_t last_open_ = 0;  // the block that could continue at the last examination
  std::vector<Warp::SpinRead> reads_;
  bool waits_for_others_ = false;
  bool waits_for_host_ = false;
};

}  // namespace warpsim
