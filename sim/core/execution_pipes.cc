#include "core/execution_pipes.h"

namespace warpsim {

void describe(ConfigSection& section, OperationTiming& timing) {
  section.integer("latency_cycles", timing.latency_cycles, 1, 10000,
                  "from issue to the issue of a dependent instruction");
  section.integer("initiation_cycles", timing.initiation_cycles, 1, 10000, "for which one instruction takes the pipe");
}

void describe(ConfigSection& section, TensorTiming& timing) {
  section.integer("step_bit_macs", timing.step_bit_macs, 1, 1U << 24, "multiply-adds times operand bits of one step");
  section.integer("base_latency_cycles", timing.base_latency_cycles, 0, 1000, "latency besides the steps");
  section.integer("step_latency_cycles", timing.step_latency_cycles, 0, 1000, "latency of a step");
  section.integer("base_initiation_cycles", timing.base_initiation_cycles, 0, 1000, "pipe time besides the steps");
  section.integer("step_initiation_cycles", timing.step_initiation_cycles, 0, 1000, "pipe time of a step");
  section.nested("fp64", timing.fp64, "double-precision mma");
}

void describe(ConfigSection& section, ExecutionConfig& config) {
  for (std::uint32_t i = 0; i < kTimingClassCount; ++i) {
    section.nested(to_string(static_cast<TimingClass>(i)), config.timings[i], "timing class");
  }
  section.nested("mma", config.tensor, "tensor operations, timed by shape");
  section.nested("warpgroup_mma", config.warpgroup, "warpgroup operations");
  section.integer("wide_multiply_stall_cycles", config.wide_multiply_stall_cycles, 0, 16,
                  "added to the stall count of IMAD.WIDE and IMAD.HI, whose warp issues a second pass");
  section.boolean("fma_lite", config.fma_lite, "FP32 operations may use a second half of the FMA pipe");
  section.boolean("ideal", config.ideal, "every pipe takes an instruction a cycle");
}

namespace {

OperationTiming tensor_timing(const TensorTiming& tensor, const StaticInstruction& instruction) {
  constexpr std::uint8_t kFp64Bits = 64;
  if (instruction.mma_operand_bits == kFp64Bits) {
    return tensor.fp64;
  }
  const std::uint64_t bit_macs = std::uint64_t{instruction.mma_macs} * instruction.mma_operand_bits;
  const auto steps = static_cast<std::uint32_t>((bit_macs + tensor.step_bit_macs - 1) / tensor.step_bit_macs);
  return {tensor.base_latency_cycles + steps * tensor.step_latency_cycles,
          std::max(1U, tensor.base_initiation_cycles + steps * tensor.step_initiation_cycles)};
}

}  // namespace

OperationTiming timing_of(const ExecutionConfig& config, const StaticInstruction& instruction) {
  OperationTiming timing = config.timings[static_cast<std::size_t>(instruction.timing)];
  if (instruction.timing == TimingClass::kTensor && instruction.mma_macs != 0) {
    timing = tensor_timing(config.tensor, instruction);
  }
  if (instruction.kind == OpKind::kWarpgroupMma) {
    const WarpgroupTiming warpgroup = warpgroup_timing(config.warpgroup, instruction);
    timing = {warpgroup.latency_cycles, warpgroup.interval_cycles};
  }
  if (config.ideal) {
    timing.initiation_cycles = 1;
  }
  return timing;
}

}  // namespace warpsim
