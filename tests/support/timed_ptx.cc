#include "support/timed_ptx.h"

#include <cstring>
#include <memory>
#include <utility>

#include "codegen/code_generator.h"
#include "frontend/lowering/lowered_kernel.h"
#include "frontend/ptx/ptx_kernel.h"
#include "support/plain_machine_code.h"

namespace warpsim::test {

namespace {

std::unique_ptr<KernelSource> kernel_of(const LaunchContext& context, const PreparedPtx& prepared,
                                        const PtxGrid& launch) {
  KernelLaunch description;
  description.kernel = "kernel";
  const ptx::Module& module = prepared.module();
  const auto entry = static_cast<std::uint32_t>(module.find_function("kernel") - module.functions.data());
  return std::make_unique<PtxKernel>(context,
                                     launch.optimised ? generate_code(module, entry) : plain_machine_code(module),
                                     PtxKernelOptions{.local_bytes = launch.local_bytes}, description);
}

std::unique_ptr<KernelSource> kernel_of(const PreparedPtx& prepared, const PtxGrid& launch) {
  return kernel_of(prepared.context, prepared, launch);
}

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
  PreparedPtx prepared(launch);
  const GpuConfig config = tiny_config(overrides);
  prepared.context.clock_mhz = config.clocks.core_mhz;
  std::unique_ptr<KernelSource> kernel = kernel_of(prepared, launch);
  if (lowered_to != 0) {
    kernel = std::make_unique<LoweredKernel>(std::move(kernel), LoweringTarget{lowered_to, 255, false, "test"});
  }
  Machine machine(config, options);
  return finish(machine, machine.submit(*kernel), prepared);
}

std::array<TimedPtx, 2> run_ptx_twice(const PtxGrid& launch, const MachineOptions& options) {
  PreparedPtx prepared(launch);
  const GpuConfig config = tiny_config();
  prepared.context.clock_mhz = config.clocks.core_mhz;
  const std::unique_ptr<KernelSource> first = kernel_of(prepared, launch);
  const std::unique_ptr<KernelSource> second = kernel_of(prepared, launch);
  Machine machine(config, options);
  const Machine::LaunchId a = machine.submit(*first);
  const Machine::LaunchId b = machine.submit(*second);
  std::array<TimedPtx, 2> both;
  both[0] = finish(machine, a, prepared);
  both[1] = finish(machine, b, prepared);
  return both;
}

std::array<TimedPtx, 2> run_ptx_on_two_gpus(const PtxGrid& launch, MachineOptions options) {
  PreparedPtx prepared(launch);
  const GpuConfig config = tiny_config();
  prepared.context.clock_mhz = config.clocks.core_mhz;
  const std::uint64_t output_bytes = prepared.output().size() * 2;  // of a half
  std::array<Address, 2> buffers{};
  std::memcpy(buffers.data(), prepared.context.parameters.data(), sizeof(buffers));
  MemoryHomes homes;
  std::array<std::unique_ptr<KernelSource>, 2> kernels;
  for (std::uint32_t gpu = 0; gpu < 2; ++gpu) {
    LaunchContext context = prepared.context;
    std::memcpy(context.parameters.data(), buffers.data(), sizeof(buffers));
    kernels.at(gpu) = kernel_of(context, prepared, launch);
    homes.set(buffers[0], 4 * kWordsOfGpu, gpu);
    homes.set(buffers[1], output_bytes, gpu);
    buffers[0] += 4 * kWordsOfGpu;
    buffers[1] += output_bytes;
  }
  options.homes = &homes;
  Machine machine({config, config}, options);
  const Machine::LaunchId a = machine.submit(*kernels[0], {}, 0);
  const Machine::LaunchId b = machine.submit(*kernels[1], {}, 1);
  std::array<TimedPtx, 2> both;
  both[0] = finish(machine, a, prepared);
  both[1] = finish(machine, b, prepared);
  return both;
}

}  // namespace warpsim::test
