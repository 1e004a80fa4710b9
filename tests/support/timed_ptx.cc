#include "support/timed_ptx.h"

#include <memory>
#include <utility>

#include "codegen/code_generator.h"
#include "frontend/lowering/lowered_kernel.h"
#include "frontend/ptx/ptx_kernel.h"
#include "support/plain_machine_code.h"

namespace warpsim::test {

TimedPtx run_ptx(const PtxGrid& launch, const Overrides& overrides, const MachineOptions& options,
                 std::uint32_t lowered_to) {
  PreparedPtx prepared(launch);
  const GpuConfig config = tiny_config(overrides);
  prepared.context.clock_mhz = config.clocks.core_mhz;
  KernelLaunch description;
  description.kernel = "kernel";
  const ptx::Module& module = prepared.module();
  const auto entry = static_cast<std::uint32_t>(module.find_function("kernel") - module.functions.data());
  std::unique_ptr<KernelSource> kernel = std::make_unique<PtxKernel>(
      prepared.context, launch.optimised ? generate_code(module, entry, 90) : plain_machine_code(module),
      PtxKernelOptions{.local_bytes = launch.local_bytes}, description);
  if (lowered_to != 0) {
    kernel = std::make_unique<LoweredKernel>(std::move(kernel), LoweringTarget{lowered_to, 255, false, "test"});
  }
  Machine gpu(config, options);
  TimedPtx timed;
  timed.result = gpu.run(*kernel);
  timed.counters = counters_of(gpu.stats());
  timed.statistics = every_statistic(gpu.stats());
  timed.output = prepared.output();
  return timed;
}

}  // namespace warpsim::test
