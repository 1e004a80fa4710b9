// Executes grids without time, on the threads that the process has for it.
#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "cuda/device/pending_launch.h"
#include "emulator/execution/grid_execution.h"
#include "engine/worker_pool.h"

namespace warpsim::cuda {

class GridExecutor {
 public:
  explicit GridExecutor(std::uint32_t threads) : workers_(threads) {}

  // For a GridExecution of the launch, whose context it completes.
  GridExecutionOptions prepare(KernelWork& launch, std::uint32_t resident_blocks);
  // The grid as a whole. Throws KernelFault.
  void execute(KernelWork& launch, std::uint32_t resident_blocks);

 private:
  WorkerPool workers_;
  std::map<std::string, ThreadBenefit> benefits_;  // by kernel
};

}  // namespace warpsim::cuda
