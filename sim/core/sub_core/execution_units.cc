#include "core/sub_core/execution_units.h"

#include <algorithm>

namespace warpsim {

void describe(ConfigSection& section, OperationTiming& timing) {
  section.integer("latency_cycles", timing.latency_cycles, 1, 10000,
                  "from issue to the issue of a dependent instruction");
  section.integer("initiation_cycles", timing.initiation_cycles, 1, 10000,
                  "for which one instruction occupies the pipe");
}

namespace {

// Kinds of units; FMA's heavy half is an instance of `fma`.
constexpr std::array<Pipe, 12> kUnits{Pipe::kAlu, Pipe::kFma, Pipe::kFp64, Pipe::kXu,  Pipe::kTensor, Pipe::kUniform,
                                      Pipe::kCbu, Pipe::kLsu, Pipe::kAdu,  Pipe::kTex, Pipe::kTma,    Pipe::kFp16};

void check_units(ConfigSection& section, const ExecutionConfig& config) {
  for (std::uint32_t i = 0; i < kTimingClassCount; ++i) {
    const OperationConfig& operation = config.operations[i];
    const std::uint32_t most = operation.unit == Pipe::kNone
                                   ? UnitPool::kMostUnits
                                   : config.units[static_cast<std::size_t>(operation.unit)].count;
    if (operation.able > most) {
      section.problem(to_string(static_cast<TimingClass>(i)), "able exceeds the instances of the unit");
    }
  }
}

}  // namespace

void describe(ConfigSection& section, OperationConfig& operation) {
  describe(section, operation.timing);
  section.choice("unit", operation.unit,
                 {{"own", Pipe::kNone},
                  {"alu", Pipe::kAlu},
                  {"fma", Pipe::kFma},
                  {"fp64", Pipe::kFp64},
                  {"fp16", Pipe::kFp16},
                  {"xu", Pipe::kXu},
                  {"tensor", Pipe::kTensor},
                  {"lsu", Pipe::kLsu}},
                 "unit that executes it; own: the instruction's pipe in Nsight Compute's counters");
  section.integer("able", operation.able, 0, UnitPool::kMostUnits, "instances of the unit that can execute it; 0: all");
}

void describe(ConfigSection& section, UnitConfig& unit) {
  section.integer("count", unit.count, 1, UnitPool::kMostUnits, "instances, per sub-core or per SM");
  section.boolean("shared", unit.shared, "true: the sub-cores of the SM share the instances");
}

void describe(ConfigSection& section, TensorTiming& timing) {
  section.integer("step_bit_macs", timing.step_bit_macs, 1, 1U << 24, "multiply-adds times operand bits of one step");
  section.integer("base_latency_cycles", timing.base_latency_cycles, 0, 1000, "latency in addition to the steps");
  section.integer("step_latency_cycles", timing.step_latency_cycles, 0, 1000, "latency of a step");
  section.integer("base_initiation_cycles", timing.base_initiation_cycles, 0, 1000,
                  "pipe time in addition to the steps");
  section.integer("step_initiation_cycles", timing.step_initiation_cycles, 0, 1000, "pipe time of a step");
  section.integer("fp32_result_passes", timing.fp32_result_passes, 1, 8,
                  "times that the steps of an operation with FP32 results occupy the pipe; each further pass also "
                  "adds its time to the latency");
  section.nested("fp64", timing.fp64, "double-precision mma");
}

void describe(ConfigSection& section, AddressUnitConfig& config) {
  section.integer("constant_load_cycles", config.constant_load_cycles, 1, 64,
                  "from an LDC to the next instruction of the sub-core in this unit");
  section.integer("special_register_cycles", config.special_register_cycles, 1, 64, "the same, after an S2UR");
}

void describe(ConfigSection& section, ExecutionConfig& config) {
  section.section("units", "execution units by kind", [&config](ConfigSection& units) {
    for (const Pipe unit : kUnits) {
      units.nested(to_string(unit), config.units[static_cast<std::size_t>(unit)], "units of this kind");
    }
  });
  for (std::uint32_t i = 0; i < kTimingClassCount; ++i) {
    section.nested(to_string(static_cast<TimingClass>(i)), config.operations[i], "timing class");
  }
  section.nested("mma", config.tensor, "tensor operations, timed by shape");
  section.nested("warpgroup_mma", config.warpgroup, "warpgroup operations");
  section.nested("address_unit", config.address_unit, "constants with an index and uniform special registers");
  section.integer("wide_multiply_stall_cycles", config.wide_multiply_stall_cycles, 0, 16,
                  "added to the stall count of IMAD.WIDE and IMAD.HI, whose warp issues a second pass");
  section.integer("guard_latency_cycles", config.guard_latency_cycles, 1, 64,
                  "minimum from an instruction that writes a predicate to an instruction that it guards (guards are "
                  "read earlier than operands); for programs without control bits");
  section.boolean("ideal", config.ideal, "every unit accepts one instruction per cycle");
  check_units(section, config);
}

namespace {

OperationTiming tensor_timing(const TensorTiming& tensor, const StaticInstruction& instruction) {
  constexpr std::uint8_t kFp64Bits = 64;
  if (instruction.mma_operand_bits == kFp64Bits) {
    return tensor.fp64;
  }
  const std::uint64_t bit_macs = std::uint64_t{instruction.mma_macs} * instruction.mma_operand_bits;
  const auto steps = static_cast<std::uint32_t>((bit_macs + tensor.step_bit_macs - 1) / tensor.step_bit_macs);
  const std::uint32_t pass_cycles = steps * tensor.step_initiation_cycles;
  const std::uint32_t more_passes = instruction.mma_fp32_results ? tensor.fp32_result_passes - 1 : 0;
  return {tensor.base_latency_cycles + steps * tensor.step_latency_cycles + more_passes * pass_cycles,
          std::max(1U, tensor.base_initiation_cycles + (1 + more_passes) * pass_cycles)};
}

}  // namespace

OperationTiming timing_of(const ExecutionConfig& config, const StaticInstruction& instruction) {
  OperationTiming timing = config.operations[static_cast<std::size_t>(instruction.timing)].timing;
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

UnitChoice unit_of(const ExecutionConfig& config, const StaticInstruction& instruction) {
  const OperationConfig& operation = config.operations[static_cast<std::size_t>(instruction.timing)];
  if (operation.unit != Pipe::kNone) {
    return {operation.unit, static_cast<std::uint8_t>(operation.able)};
  }
  const Pipe own = instruction.pipe == Pipe::kFmaHeavy ? Pipe::kFma : instruction.pipe;
  const std::uint32_t count = config.units[static_cast<std::size_t>(own)].count;
  return {own, static_cast<std::uint8_t>(std::min(operation.able, count))};
}

SharedUnits::SharedUnits(const ExecutionConfig& config) {
  for (std::size_t i = 0; i < kUnitCount; ++i) {
    pools_[i] = UnitPool(config.units[i].count);
  }
}

ExecutionUnits::ExecutionUnits(const ExecutionConfig& config, SharedUnits& shared) {
  for (std::size_t i = 0; i < kUnitCount; ++i) {
    own_[i] = UnitPool(config.units[i].count);
    pools_[i] = config.units[i].shared ? &shared.pool(static_cast<Pipe>(i)) : &own_[i];
  }
}

}  // namespace warpsim
