#include "frontend/lowering/lowered_kernel.h"

#include <fmt/format.h>

#include "base/error.h"
#include "frontend/lowering/lowered_block.h"
#include "isa/lowering.h"

namespace warpsim {

namespace {

void refuse_changes(const LoweringFindings& findings, const std::string& trace) {
  for (const auto& [opcode, change] : findings.changed) {
    throw TraceError(fmt::format(
        "{}: kernel {}: instruction {} of sm_{} does not exist on compute capability {}, and --strict allows no "
        "replacement{}",
        trace, findings.kernel, opcode, findings.recorded_architecture, capability_text(findings.architecture),
        change.sequence.empty() ? "" : " (by " + change.sequence + ")"));
  }
}

}  // namespace

LoweredKernel::LoweredKernel(std::unique_ptr<KernelSource> recorded, const LoweringTarget& target)
    : LoweredKernel(std::move(recorded), target, nullptr) {}

LoweredKernel::LoweredKernel(std::unique_ptr<KernelSource> recorded, const LoweringTarget& target,
                             std::shared_ptr<const LoweredProgram> lowered)
    : recorded_(std::move(recorded)),
      launch_(recorded_->launch()),
      lowered_(lowered != nullptr
                   ? std::move(lowered)
                   : std::make_shared<const LoweredProgram>(lower_program(*launch_.program, target.architecture))),
      findings_(std::make_shared<LoweringFindings>()) {
  findings_->kernel = launch_.kernel;
  findings_->recorded_architecture = launch_.program->architecture;
  findings_->architecture = target.architecture;
  findings_->control_dropped = lowered_->control_dropped;
  findings_->changed = lowered_->changed;
  if (target.strict) {
    refuse_changes(*findings_, target.trace);
  }
  launch_.program = lowered_->program;
  if (launch_.cluster.count() > 1 && lower("UCGABAR_ARV", target.architecture).nativity == Nativity::kMissing) {
    findings_->cluster_dropped = true;
    launch_.cluster = {};
  }
  if (launch_.registers_per_thread > target.registers_per_thread) {
    findings_->registers_cut = launch_.registers_per_thread - target.registers_per_thread;
    launch_.registers_per_thread = target.registers_per_thread;
  }
}

LoweredKernel::~LoweredKernel() = default;

std::unique_ptr<BlockSource> LoweredKernel::start_block(std::uint64_t linear_index, std::uint32_t sm) {
  return std::make_unique<LoweredBlock>(recorded_->start_block(linear_index, sm), lowered_, findings_);
}

}  // namespace warpsim
