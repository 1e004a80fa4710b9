// Executes a launch without timing: as many blocks at once as the device holds, in turn, so that blocks that wait for
// each other make progress. The order is fixed, so results are reproducible.
//
// An execution can pause and go on, so that several launches take turns: after a number of operations, or when all of
// its threads wait for memory that only others than the launch can change.
#pragma once

#include <cstdint>
#include <limits>
#include <memory>
#include <vector>

#include "emulator/execution/launch_context.h"

namespace warpsim {

struct GridExecutionOptions {
  std::uint32_t resident_blocks = 1;  // at once on the device
  std::uint32_t local_bytes = 0;      // per thread: stack and local variables
};

struct ExecutedWork {
  std::uint64_t warp_operations = 0;
  std::uint64_t thread_operations = 0;
};

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
  bool has_begun() const { return next_ == clusters_; }
  ExecutedWork work() const;

 private:
  class Resident;
  // Every place has a turn. Returns the number of operations.
  std::uint64_t pass();

  const LaunchContext& launch_;
  std::uint32_t local_bytes_;
  std::uint64_t clusters_;
  std::size_t places_;
  std::vector<std::unique_ptr<Resident>> residents_;
  std::uint64_t next_ = 0;      // cluster
  std::uint64_t executed_ = 0;  // operations of warps
  Cycle now_ = 0;               // one for each of them, and what loops that await time make pass
  bool busy_ = true;
  bool waits_ = false;  // at the end of the latest turn
};

// Executes all of it. Throws KernelFault, also if it can never end; waits for memory that the host may change.
ExecutedWork execute_grid(const LaunchContext& launch, const GridExecutionOptions& options);

}  // namespace warpsim
