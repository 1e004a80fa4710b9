#include "core/sub_core/issue_info.h"

#include <catch2/catch.hpp>

#include "memory/code_window.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

// The record of one instruction for the issue stage of the tiny GPU.
IssueInfo info_of(const KernelBuilder& builder, DependencePolicy policy = DependencePolicy::kControlBits) {
  return make_issue_table(*builder.program(), tiny_config().sm.execution, policy, 2).instructions.at(0);
}

IssueInfo info_of(const std::string& opcode) {
  KernelBuilder builder;
  builder.op(opcode, 4, {1, 2, 3});
  return info_of(builder);
}

TEST_CASE("Latency and initiation interval come from the instruction's timing class") {
  CHECK(info_of("MUFU.RCP").latency_cycles == 16);
  CHECK(info_of("MUFU.RCP").initiation_cycles == 8);
  CHECK(info_of("DFMA").latency_cycles == 8);
}

TEST_CASE("Memory instructions, shuffles and special registers wait in the memory queue, arithmetic does not") {
  for (const char* opcode : {"LDG.E", "STG.E", "LDS", "STS", "LDL", "ATOMG.E.ADD", "RED.E.ADD", "ATOMS.ADD",
                             "LDSM.16.M88.4", "SHFL.IDX", "S2R", "LDC", "TEX", "UBLKCP"}) {
    INFO(opcode);
    CHECK(info_of(opcode).memory_queue);
    CHECK(info_of(opcode).variable_latency);
  }
  for (const char* opcode : {"IADD3", "FFMA", "MUFU.EX2", "HMMA.16816.F32", "BRA", "BAR.SYNC", "NOP"}) {
    INFO(opcode);
    CHECK_FALSE(info_of(opcode).memory_queue);
  }
}

TEST_CASE("Loads that can come from L2 or DRAM have long latency, shared memory and shuffles do not") {
  for (const char* opcode : {"LDG.E", "LDL", "LD.E", "ATOMG.E.ADD", "TEX", "LDGDEPBAR"}) {
    INFO(opcode);
    CHECK(info_of(opcode).long_latency);
  }
  for (const char* opcode : {"LDS", "LDSM.16.M88.4", "SHFL.IDX", "S2R", "ATOMS.ADD", "MUFU.EX2"}) {
    INFO(opcode);
    CHECK_FALSE(info_of(opcode).long_latency);
  }
}

TEST_CASE("Control bits set stall count, counters and wait mask") {
  KernelBuilder builder;
  builder.iadd(4, 1, 2).stall(7).writes(3).reads(5).waits(0).waits(1);
  const IssueInfo info = info_of(builder);
  CHECK_FALSE(info.scoreboard);
  CHECK(info.stall_cycles == 7);
  CHECK(info.write_barrier == 3);
  CHECK(info.read_barrier == 5);
  CHECK(info.wait_mask == 0b11);
}

TEST_CASE("A stall count of zero still separates two issues by one cycle, a yield by two") {
  KernelBuilder none;
  none.iadd(4, 1, 2).stall(0);
  CHECK(info_of(none).stall_cycles == 1);
  KernelBuilder yields;
  yields.iadd(4, 1, 2).stall(0).yield();
  CHECK(info_of(yields).stall_cycles == 2);
  KernelBuilder contained;
  contained.iadd(4, 1, 2).stall(5).yield();
  CHECK(info_of(contained).stall_cycles == 5);
}

TEST_CASE("With a scoreboard control bits are not used, whether the program lacks them or the GPU ignores them") {
  KernelBuilder ignored;
  ignored.iadd(4, 1, 2).stall(7).writes(3).waits(0);
  KernelBuilder lacking(KernelBuilder::Dependences::kScoreboard);
  lacking.iadd(4, 1, 2).stall(7).writes(3).waits(0);
  for (const IssueInfo& info :
       {info_of(ignored, DependencePolicy::kScoreboard), info_of(lacking, DependencePolicy::kControlBits)}) {
    CHECK(info.scoreboard);
    CHECK(info.stall_cycles == 1);
    CHECK(info.write_barrier == kNoBarrier);
    CHECK(info.wait_mask == 0);
  }
}

TEST_CASE("A program in which some instructions have no control bits follows a scoreboard as a whole") {
  KernelBuilder k;
  k.iadd(4, 1, 2).stall(6);
  k.iadd(5, 4, 2).raw().has_control = false;
  k.exit();
  const IssueTable table =
      make_issue_table(*k.program(), tiny_config().sm.execution, DependencePolicy::kControlBits, 2);
  for (const IssueInfo& info : table.instructions) {
    CHECK(info.scoreboard);
  }
  CHECK(first_warp(k).issued.size() == 3);  // a warp's first instruction has them
}

TEST_CASE("A group of asynchronous copies keeps its counter with a scoreboard") {
  KernelBuilder builder(KernelBuilder::Dependences::kScoreboard);
  builder.commit(2);
  CHECK(info_of(builder).write_barrier == 2);
}

TEST_CASE("A constant operand is read at its bank and offset, LDC uses the indexed cache, ULDC the immediate one") {
  KernelBuilder operand;
  operand.iadd_constant(4, 1, 3, 0x160);
  CHECK(info_of(operand).reads_constant);
  CHECK(info_of(operand).constant_address == kConstantWindow + 3 * 65536 + 0x160);
  KernelBuilder indexed;
  indexed.ldc(4, 0, 0x210);
  CHECK(info_of(indexed).address_unit_cycles == 4);
  CHECK_FALSE(info_of(indexed).reads_constant);
  CHECK(info_of(indexed).variable_latency);
  KernelBuilder uniform;
  uniform.op("ULDC").raw().uniform_destinations = 1;
  CHECK(info_of(uniform).reads_constant);
  CHECK(info_of(uniform).address_unit_cycles == 0);
}

TEST_CASE("The zero register is not read from the register file") {
  KernelBuilder builder;
  builder.ffma(4, 255, 6, 255);
  const IssueInfo info = info_of(builder);
  CHECK(info.operands.count[0] == 0);
  CHECK(info.operands.first[1] == 6);
  CHECK(info.operands.count[2] == 0);
}

TEST_CASE("A fence has block scope only if its opcode states it") {
  CHECK(info_of("MEMBAR.ALL.CTA").block_scope);
  CHECK_FALSE(info_of("MEMBAR.SC.GPU").block_scope);
  CHECK_FALSE(info_of("MEMBAR.SC.SYS").block_scope);
}

TEST_CASE("Only POPC.INC shared atomics count lanes of one address at once") {
  CHECK(info_of("ATOMS.POPC.INC.32").same_address_merged);
  CHECK_FALSE(info_of("ATOMS.ADD").same_address_merged);
  CHECK_FALSE(info_of("ATOMS.INC").same_address_merged);
}

TEST_CASE("Only arithmetic of fixed latency passes a barrier that defers blocking") {
  for (const char* opcode : {"FFMA", "IADD3", "IMAD", "DADD", "HFMA2", "HMMA.1688.F32", "ISETP.NE.AND", "CS2R"}) {
    INFO(opcode);
    CHECK(info_of(opcode).passes_barriers);
  }
  for (const char* opcode : {"MUFU.EX2", "POPC", "LDS", "STS", "LDG.E", "SHFL.IDX", "S2R", "BRA", "EXIT", "NOP",
                             "BAR.SYNC.DEFER_BLOCKING", "MEMBAR.SC.CTA"}) {
    INFO(opcode);
    CHECK_FALSE(info_of(opcode).passes_barriers);
  }
  KernelBuilder counted;
  counted.op("DADD", 4, {1, 2}).writes(0);
  CHECK_FALSE(info_of(counted).passes_barriers);
  CHECK(info_of("BAR.SYNC.DEFER_BLOCKING").defers_blocking);
  CHECK_FALSE(info_of("BAR.SYNC").defers_blocking);
}

TEST_CASE("A barrier's thread count is rounded up to warps") {
  KernelBuilder builder;
  builder.bar(1).raw().barrier_threads = 65;
  CHECK(info_of(builder).barrier_warps == 3);
}

TEST_CASE("A program with a fence makes stores wait for acknowledgements") {
  const ExecutionConfig execution = tiny_config().sm.execution;
  for (const bool fence : {false, true}) {
    KernelBuilder builder;
    builder.stg({.base = 0x1000, .lane_stride = 4}, 8);
    builder.ldg(4, {.base = 0x1000, .lane_stride = 4});
    if (fence) {
      builder.membar_device();
    }
    builder.exit();
    const IssueTable table = make_issue_table(*builder.program(), execution, DependencePolicy::kControlBits, 2);
    CHECK(table.instructions[0].acknowledged == fence);
    CHECK_FALSE(table.instructions[1].acknowledged);
  }
}

TEST_CASE("Each launch has constant banks of its own") {
  const ExecutionConfig execution = tiny_config().sm.execution;
  KernelBuilder builder;
  builder.ldc(4, 3, 0x210);
  builder.exit();
  const auto address = [&](LaunchSeat seat) {
    return make_issue_table(*builder.program(), execution, DependencePolicy::kControlBits, 2, seat)
        .instructions[0]
        .constant_address;
  };
  CHECK(address(1) - address(0) == kConstantBanks * kConstantBankBytes);
}

}  // namespace
}  // namespace warpsim::test
