#include "cuda/device/grid_executor.h"

#include "emulator/code/kernel_image.h"

namespace warpsim::cuda {

GridExecutionOptions GridExecutor::prepare(KernelWork& launch, std::uint32_t resident_blocks) {
  launch.context.concurrent = workers_.threads() > 1 && can_be_concurrent(launch.context);
  return {.resident_blocks = resident_blocks,
          .local_bytes = launch.local_bytes,
          .workers = &workers_,
          .benefit = &benefits_[launch.context.kernel->name()]};
}

void GridExecutor::execute(KernelWork& launch, std::uint32_t resident_blocks) {
  const GridExecutionOptions options = prepare(launch, resident_blocks);
  execute_grid(launch.context, options);
}

}  // namespace warpsim::cuda
