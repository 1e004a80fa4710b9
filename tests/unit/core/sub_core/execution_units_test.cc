#include "core/sub_core/execution_units.h"

#include <catch2/catch.hpp>

#include "isa/opcode_table.h"

namespace warpsim {
namespace {

// One unit of each kind, but so many for FMA.
ExecutionConfig with_fma(std::uint32_t count, bool shared = false) {
  ExecutionConfig config;
  config.units[static_cast<std::size_t>(Pipe::kFma)] = {count, shared};
  return config;
}

constexpr UnitChoice kAlu{Pipe::kAlu, 0};
constexpr UnitChoice kFma{Pipe::kFma, 0};
constexpr UnitChoice kHeavy{Pipe::kFma, 1};  // only the heavy half

TEST_CASE("A unit accepts the next instruction after the initiation interval") {
  SharedUnits shared(with_fma(2));
  ExecutionUnits units(with_fma(2), shared);
  CHECK(units.free_at(kAlu) == 0);
  units.take(kAlu, 2, 10);
  CHECK(units.free_at(kAlu) == 12);
  CHECK(units.free_at({Pipe::kXu, 0}) == 0);
}

TEST_CASE("The dispatch stage itself is always free") {
  SharedUnits shared(with_fma(2));
  const ExecutionUnits units(with_fma(2), shared);
  CHECK(units.free_at({Pipe::kNone, 0}) == 0);
}

TEST_CASE("FP32 operations use both halves of the FMA pipe alternately") {
  SharedUnits shared(with_fma(2));
  ExecutionUnits units(with_fma(2), shared);
  CHECK(units.take(kFma, 2, 10) == 1);
  CHECK(units.free_at(kFma) == 0);  // the heavy half
  CHECK(units.take(kFma, 2, 11) == 0);
  CHECK(units.free_at(kFma) == 12);
  CHECK(units.take(kFma, 2, 12) == 1);
}

TEST_CASE("Integer multiplications only use the heavy half; the lite half is free for FP32") {
  SharedUnits shared(with_fma(2));
  ExecutionUnits units(with_fma(2), shared);
  CHECK(units.take(kHeavy, 4, 10) == 0);
  CHECK(units.free_at(kHeavy) == 14);
  CHECK(units.free_at(kFma) == 0);
  CHECK(units.take(kFma, 4, 11) == 1);
  CHECK(units.free_at(kFma) == 14);
  CHECK(units.free_at(kHeavy) == 14);
}

TEST_CASE("Some operations can be limited to five of six instances") {
  UnitPool cores(6);
  for (std::uint32_t i = 0; i < 5; ++i) {
    CHECK(cores.free_at(5) == 0);
    CHECK(cores.take(5, 1, 10) == 4 - i);
  }
  CHECK(cores.free_at(5) == 11);
  CHECK(cores.free_at(0) == 0);
  CHECK(cores.take(0, 1, 10) == 5);
}

TEST_CASE("Sub-cores compete for units of the SM and not for their own") {
  const ExecutionConfig config = with_fma(1, true);
  SharedUnits shared(config);
  ExecutionUnits first(config, shared);
  ExecutionUnits second(config, shared);
  first.take(kFma, 2, 10);
  first.take(kAlu, 2, 10);
  CHECK(second.free_at(kFma) == 12);
  CHECK(second.free_at(kAlu) == 0);
}

TEST_CASE("An operation executes on its class's unit, or on that of its own pipe") {
  ExecutionConfig config = with_fma(2);
  config.operations[static_cast<std::size_t>(TimingClass::kIntMultiply)].able = 1;
  StaticInstruction instruction;
  classify("IMAD", 90, instruction);
  CHECK(unit_of(config, instruction).unit == Pipe::kFma);
  CHECK(unit_of(config, instruction).able == 1);
  classify("IADD3", 90, instruction);
  CHECK(unit_of(config, instruction).unit == Pipe::kAlu);
  config.operations[static_cast<std::size_t>(TimingClass::kIntegerAdd)].unit = Pipe::kFma;
  CHECK(unit_of(config, instruction).unit == Pipe::kFma);
}

StaticInstruction instruction(const char* opcode) {
  StaticInstruction result;
  classify(opcode, 90, result);
  return result;
}

ExecutionConfig tiny_tensor() {
  ExecutionConfig config;
  config.tensor = {16384, 10, 7, 2, 2, 1, {26, 16}};
  config.operations[static_cast<std::size_t>(TimingClass::kTensor)].timing = {24, 8};
  config.operations[static_cast<std::size_t>(TimingClass::kFp32)].timing = {4, 2};
  return config;
}

TEST_CASE("The time of a matrix operation follows from its shape and width") {
  // m16n8k8 with 16-bit operands: 1024 x 16 bit = 16384, one step; k16: two; m16n8k32 with 8 bit: 4096 x 8, two.
  struct Case {
    const char* opcode;
    std::uint32_t latency;
    std::uint32_t initiation;
  };
  for (const Case& c : {Case{"HMMA.1688.F32", 17, 4}, Case{"HMMA.16816.F32", 24, 6}, Case{"IMMA.16832.S8.S8", 24, 6},
                        Case{"DMMA.884", 26, 16}}) {
    INFO(c.opcode);
    const OperationTiming timing = timing_of(tiny_tensor(), instruction(c.opcode));
    CHECK(timing.latency_cycles == c.latency);
    CHECK(timing.initiation_cycles == c.initiation);
  }
}

TEST_CASE("FP32 results of matrix operations can take several passes") {
  // Two steps of two cycles: the second pass adds four cycles to the pipe time and to the latency.
  ExecutionConfig config = tiny_tensor();
  config.tensor.fp32_result_passes = 2;
  struct Case {
    const char* opcode;
    std::uint32_t latency;
    std::uint32_t initiation;
  };
  for (const Case& c :
       {Case{"HMMA.16816.F32", 28, 10}, Case{"HMMA.1688.F32.TF32", 28, 10}, Case{"HMMA.16816.F32.BF16", 28, 10},
        Case{"HMMA.16816.F16", 24, 6}, Case{"IMMA.16832.S8.S8", 24, 6}, Case{"DMMA.884", 26, 16}}) {
    INFO(c.opcode);
    const OperationTiming timing = timing_of(config, instruction(c.opcode));
    CHECK(timing.latency_cycles == c.latency);
    CHECK(timing.initiation_cycles == c.initiation);
  }
}

TEST_CASE("A matrix operation of unknown shape has the time of its class") {
  StaticInstruction unknown = instruction("HMMA.16816.F32");
  unknown.mma_macs = 0;
  CHECK(timing_of(tiny_tensor(), unknown).latency_cycles == 24);
  CHECK(timing_of(tiny_tensor(), unknown).initiation_cycles == 8);
}

TEST_CASE("Ideal units accept one instruction per cycle and keep their latencies") {
  ExecutionConfig config = tiny_tensor();
  config.ideal = true;
  CHECK(timing_of(config, instruction("FFMA")).initiation_cycles == 1);
  CHECK(timing_of(config, instruction("FFMA")).latency_cycles == 4);
  CHECK(timing_of(config, instruction("HMMA.16816.F32")).initiation_cycles == 1);
  CHECK(timing_of(config, instruction("HMMA.16816.F32")).latency_cycles == 24);
}

}  // namespace
}  // namespace warpsim
