#include "core/execution_pipes.h"

#include <catch2/catch.hpp>

#include "isa/opcode_table.h"

namespace warpsim {
namespace {

ExecutionConfig with(bool fma_lite) {
  ExecutionConfig config;
  config.fma_lite = fma_lite;
  return config;
}

TEST_CASE("A pipe takes the next instruction after the initiation interval") {
  ExecutionPipes pipes(with(true));
  CHECK(pipes.free_at(Pipe::kAlu) == 0);
  pipes.take(Pipe::kAlu, 2, 10);
  CHECK(pipes.free_at(Pipe::kAlu) == 12);
  CHECK(pipes.free_at(Pipe::kXu) == 0);
}

TEST_CASE("FP32 operations use both halves of the FMA pipe in turn") {
  ExecutionPipes pipes(with(true));
  CHECK(pipes.take(Pipe::kFma, 2, 10));
  CHECK(pipes.free_at(Pipe::kFma) == 0);  // the heavy half
  CHECK_FALSE(pipes.take(Pipe::kFma, 2, 11));
  CHECK(pipes.free_at(Pipe::kFma) == 12);
  CHECK(pipes.take(Pipe::kFma, 2, 12));
}

TEST_CASE("Integer multiplications use the heavy half only and leave the lite half to FP32") {
  ExecutionPipes pipes(with(true));
  CHECK_FALSE(pipes.take(Pipe::kFmaHeavy, 4, 10));
  CHECK(pipes.free_at(Pipe::kFmaHeavy) == 14);
  CHECK(pipes.free_at(Pipe::kFma) == 0);
  CHECK(pipes.take(Pipe::kFma, 4, 11));
  CHECK(pipes.free_at(Pipe::kFma) == 14);
  CHECK(pipes.free_at(Pipe::kFmaHeavy) == 14);
}

TEST_CASE("Without the lite half FP32 and integer multiplications share one pipe") {
  ExecutionPipes pipes(with(false));
  CHECK_FALSE(pipes.take(Pipe::kFma, 2, 10));
  CHECK(pipes.free_at(Pipe::kFma) == 12);
  CHECK(pipes.free_at(Pipe::kFmaHeavy) == 12);
}

StaticInstruction instruction(const char* opcode) {
  StaticInstruction result;
  classify(opcode, 90, result);
  return result;
}

ExecutionConfig tiny_tensor() {
  ExecutionConfig config;
  config.tensor = {16384, 10, 7, 2, 2, {26, 16}};
  config.timings[static_cast<std::size_t>(TimingClass::kTensor)] = {24, 8};
  config.timings[static_cast<std::size_t>(TimingClass::kFp32)] = {4, 2};
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

TEST_CASE("A matrix operation of unknown shape takes the time of its class") {
  StaticInstruction unknown = instruction("HMMA.16816.F32");
  unknown.mma_macs = 0;
  CHECK(timing_of(tiny_tensor(), unknown).latency_cycles == 24);
  CHECK(timing_of(tiny_tensor(), unknown).initiation_cycles == 8);
}

TEST_CASE("Ideal pipes take an instruction a cycle and keep their latencies") {
  ExecutionConfig config = tiny_tensor();
  config.ideal = true;
  CHECK(timing_of(config, instruction("FFMA")).initiation_cycles == 1);
  CHECK(timing_of(config, instruction("FFMA")).latency_cycles == 4);
  CHECK(timing_of(config, instruction("HMMA.16816.F32")).initiation_cycles == 1);
  CHECK(timing_of(config, instruction("HMMA.16816.F32")).latency_cycles == 24);
}

}  // namespace
}  // namespace warpsim
