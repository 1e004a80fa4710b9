// Executes a launch without timing: as many blocks at once as the device holds, in turn, so that blocks that wait for
// each other make progress. With one thread of the host the order is fixed, so results are reproducible. With several
// (LaunchContext::concurrent) each executes a part of the blocks (grid_part.h), on the same memory at the same time:
// results are then as reproducible as the program is on a GPU, where blocks also run in any order. Atomic operations
// are atomic on the host, and memory is ordered at least as PTX demands, by the host's own rules (x86-64) and fences.
//
// An execution can pause and go on, so that several launches take turns: after a number of operations, or when all of
// its threads wait for memory that only others than the launch can change.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "emulator/execution/grid_part.h"
#include "emulator/execution/launch_context.h"
#include "emulator/execution/thread_benefit.h"
#include "engine/worker_pool.h"

namespace warpsim {

struct GridExecutionOptions {
  std::uint32_t resident_blocks = 1;  // at once on the device
  std::uint32_t local_bytes = 0;      // per thread: stack and local variables
  WorkerPool* workers = nullptr;      // of a concurrent launch; outlives it
  ThreadBenefit* benefit = nullptr;   // the same; of earlier launches of the kernel, too
};

// Whether several threads of the host may execute a kernel's blocks at a time: not what follows one order of execution,
// and not what changes allocations or puts work on streams.
bool can_be_concurrent(const LaunchContext& launch);

class GridExecution {
 public:
  static constexpr std::uint64_t kNoLimit = std::numeric_limits<std::uint64_t>::max();
  enum class State : std::uint8_t {
    kOpen,   // it can go on
    kWaits,  // only if others change memory
    kEnded,
  };

  // `launch` outlives it and has a watch.
  GridExecution(const LaunchContext& launch, const GridExecutionOptions& options);
  ~GridExecution();
  GridExecution(const GridExecution&) = delete;
  GridExecution& operator=(const GridExecution&) = delete;

  // Executes until the grid has ended or waits, or has executed about `most` operations of warps. Throws KernelFault,
  // also if its threads wait for each other alone.
  State run(std::uint64_t most);
  // In kWaits: the host may change that memory at any time, without a call.
  bool waits_for_host() const;
  // In kWaits, where nothing will change it. Throws KernelFault.
  [[noreturn]] void end_deadlocked();
  // Operations of warps so far.
  std::uint64_t executed() const { return executed_; }
  // All blocks have begun.
  bool has_begun() const { return progress_.has_begun(); }
  ExecutedWork work() const;

 private:
  // Every part has turns of about so many operations of warps in all. Returns the number of operations.
  std::uint64_t turns(std::uint64_t most);

  const LaunchContext& launch_;
  WorkerPool* workers_;
  ThreadBenefit* benefit_;
  GridProgress progress_;
  std::vector<std::unique_ptr<GridPart>> parts_;  // by thread of the host
  std::uint64_t executed_ = 0;                    // operations of warps
  bool busy_ = true;
  bool waits_ = false;  // at the end of the latest turn
};

// Executes all of it. Throws KernelFault, also if it can never end; waits for memory that the host may change.
ExecutedWork execute_grid(const LaunchContext& launch, const GridExecutionOptions& options);

}  // namespace warpsim
