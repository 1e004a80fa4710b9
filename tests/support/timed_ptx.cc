#include "support/timed_ptx.h"

#include <memory>
#include <utility>

#include "codegen/code_generator.h"
#include "frontend/lowering/lowered_kernel.h"
#include "frontend/ptx/ptx_kernel.h"
#include "support/plain_machine_code.h"

namespace warpsim::test {

namespace {

struct PreparedKernel {
  PreparedKernel(const PtxGrid& launch, const GpuConfig& config) : prepared(launch) {
    prepared.context.clock_mhz = config.clocks.core_mhz;
    KernelLaunch description;
    description.kernel = "kernel";
    const ptx::Module& module = prepared.module();
    const auto entry = static_cast<std::uint32_t>(module.find_function("kernel") - module.functions.data());
    kernel = std::make_unique<PtxKernel>(
        prepared.context, launch.optimised ? generate_code(module, entry, 90) : plain_machine_code(module),
        PtxKernelOptions{.local_bytes = launch.local_bytes}, description);
  }

  PreparedPtx prepared;
  std::unique_ptr<KernelSource> kernel;
};

TimedPtx finish(Machine& machine, Machine::LaunchId launch, const PreparedPtx& prepared) {
  TimedPtx timed;
  timed.result = machine.wait(launch);
  timed.counters = counters_of(machine.stats(launch));
  timed.statistics = every_statistic(machine.stats(launch));
  timed.output = prepared.output();
  return timed;
}

}  // namespace

TimedPtx run_ptx(const PtxGrid& launch, const Overrides& overrides, const MachineOptions& options,
                 std::uint32_t lowered_to) {
  const GpuConfig config = tiny_config(overrides);
  PreparedKernel made(launch, config);
  if (lowered_to != 0) {
    made.kernel =
        std::make_unique<LoweredKernel>(std::move(made.kernel), LoweringTarget{lowered_to, 255, false, "test"});
  }
  Machine machine(config, options);
  return finish(machine, machine.submit(*made.kernel), made.prepared);
}

std::array<TimedPtx, 2> run_ptx_together(const PtxGrid& first, const PtxGrid& second, const MachineOptions& options) {
  const GpuConfig config = tiny_config();
  PreparedKernel a(first, config);
  PreparedKernel b(second, config);
  Machine machine(config, options);
  const Machine::LaunchId launch_a = machine.submit(*a.kernel);
  const Machine::LaunchId launch_b = machine.submit(*b.kernel);
  std::array<TimedPtx, 2> both;
  both[0] = finish(machine, launch_a, a.prepared);
  both[1] = finish(machine, launch_b, b.prepared);
  return both;
}

}  // namespace warpsim::test
