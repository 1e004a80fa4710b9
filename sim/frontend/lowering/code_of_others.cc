#include "frontend/lowering/code_of_others.h"

#include <algorithm>
#include <utility>

#include "core/blocks/occupancy.h"

namespace warpsim {

namespace {

// The maximum of registers per thread that a compiler for this GPU could have used: one block still fits.
std::uint32_t registers_that_fit(const OccupancyConfig& limits, const KernelLaunch& launch) {
  const std::uint32_t most = std::min(launch.registers_per_thread, limits.registers_per_thread);
  for (std::uint32_t registers = most; registers > 0; --registers) {
    const BlockNeeds needs{
        .threads = launch.threads_per_block(), .registers_per_thread = registers, .shared_bytes = launch.shared_bytes};
    if (compute_occupancy(limits, needs).blocks_per_sm != 0) {
      return registers;
    }
  }
  return most;  // another limit applies, which the launch reports
}

}  // namespace

CodeOfOthers::CodeOfOthers(const GpuConfig& config, bool strict, const std::string& origin, bool keeps_programs)
    : limits_(config.occupancy),
      target_{architecture_of(config.compute_capability), 0, strict, origin},
      keeps_programs_(keeps_programs) {}

std::unique_ptr<KernelSource> CodeOfOthers::adapted(std::unique_ptr<KernelSource> kernel) {
  if (kernel->launch().program->architecture == target_.architecture) {
    return kernel;
  }
  LoweringTarget target = target_;
  target.registers_per_thread = registers_that_fit(limits_, kernel->launch());
  const std::shared_ptr<const StaticProgram> program = kernel->launch().program;
  const auto known = programs_.find(program);
  auto lowered =
      std::make_unique<LoweredKernel>(std::move(kernel), target, known == programs_.end() ? nullptr : known->second);
  if (keeps_programs_) {
    programs_[program] = lowered->lowered();
  }
  findings_.push_back(lowered->findings());
  return lowered;
}

}  // namespace warpsim
