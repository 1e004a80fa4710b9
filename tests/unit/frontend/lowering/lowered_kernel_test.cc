#include "frontend/lowering/lowered_kernel.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

// One warp of a kernel that was written for sm_90.
std::unique_ptr<SyntheticKernel> recorded(const std::function<void(KernelBuilder&)>& write,
                                          Supply supply = Supply::kWhole) {
  KernelBuilder k(KernelBuilder::Dependences::kControlBits, 90);
  write(k);
  return std::make_unique<SyntheticKernel>(k, KernelShape{.registers = 80, .supply = supply});
}

struct Played {
  std::vector<std::string> opcodes;
  std::vector<std::size_t> with_addresses;  // positions
};

Played play(KernelSource& kernel) {
  Played played;
  const std::unique_ptr<BlockSource> block = kernel.start_block(0, 0);
  WarpStream stream;
  const StaticProgram& program = *kernel.launch().program;
  while (true) {
    if (stream.next == stream.end) {
      if (stream.finished) {
        break;
      }
      block->refill(stream, 0);
      if (stream.next == stream.end) {
        break;
      }
    }
    const WarpInstruction& instruction = *stream.next++;
    if (block->addresses(instruction).kind != LaneAddresses::Kind::kNone) {
      played.with_addresses.push_back(played.opcodes.size());
    }
    played.opcodes.push_back(program.opcodes[program.instructions[instruction.index].opcode]);
  }
  return played;
}

using Names = std::vector<std::string>;

TEST_CASE("A path through code of sm_90 becomes one through instructions of sm_61") {
  LoweredKernel kernel(recorded([](KernelBuilder& k) {
                         k.op("IMAD", 4, {1, 2, 3});
                         k.ffma(5, 4, 1, 2);
                         k.op("UMOV", 6);
                       }),
                       {61, 255, false});
  CHECK(play(kernel).opcodes == Names{"XMAD", "XMAD.MRG", "XMAD.PSL.CBCC", "FFMA", "MOV"});
  CHECK(kernel.launch().program->architecture == 61);
  CHECK(kernel.launch().program->instruction_bytes == 8);
}

TEST_CASE("The load of a replaced asynchronous copy makes its access, the following store has no conflicts") {
  LoweredKernel kernel(recorded([](KernelBuilder& k) { k.ldgsts({.base = 0x1000, .lane_stride = 16}); }),
                       {75, 255, false});
  const Played played = play(kernel);
  CHECK(played.opcodes == Names{"LDG.E.BYPASS.128", "STS.128"});
  CHECK(played.with_addresses == std::vector<std::size_t>{0, 1});
}

TEST_CASE("A matrix operation becomes the number of multiply-adds that it contains") {
  LoweredKernel kernel(recorded([](KernelBuilder& k) { k.op("HMMA.16816.F32", 4, {8, 12, 16}); }), {61, 255, false});
  CHECK(play(kernel).opcodes == Names(16 * 8 * 16 / 32, "FFMA"));
  // A warp's quarter of 64 x 8 x 16 multiply-adds are 2048, one HMMA.16816.
  LoweredKernel group(recorded([](KernelBuilder& k) { k.op("HGMMA.64x8x16.F32", 4, {8, 12, 16}); }), {80, 255, false});
  // B is 8 x 16 halfs, 256 bytes for each of the four warps, and A 16 x 16 for one: 1.5 loads of 512 bytes.
  const Played played = play(group);
  CHECK(played.opcodes == Names{"LDSM.16.M88.4", "LDSM.16.M88.4", "HMMA.16816.F32"});
  CHECK(played.with_addresses == std::vector<std::size_t>{0, 1});
}

TEST_CASE("A warp of a warpgroup reads all of B and its part of A from shared memory, unless A is in registers") {
  const auto count = [](std::uint32_t architecture, bool a_in_registers, const std::string& opcode) {
    LoweredKernel kernel(recorded([&](KernelBuilder& k) {
                           k.op("HGMMA.64x256x16.F32", 4, {8, 12, 16}).raw().mma_a_in_registers = a_in_registers;
                         }),
                         {architecture, 255, false});
    return std::ranges::count(play(kernel).opcodes, opcode);
  };
  CHECK(count(80, true, "LDSM.16.M88.4") == 256 * 16 * 2 / 512);
  CHECK(count(80, false, "LDSM.16.M88.4") == (256 + 16) * 16 * 2 / 512);
  CHECK(count(80, false, "HMMA.16816.F32") == 256 / 8);
  CHECK(count(70, false, "LDS") == (256 + 16) * 16 * 2 / 128);
  CHECK(count(61, false, "FFMA") == 16 * 256 * 16 / 32);
}

TEST_CASE("Repeated steps use different parts of the result") {
  const auto kernel = recorded([](KernelBuilder& k) {
    k.op("HGMMA.64x256x16.F32", 24, {}).raw().destinations[0].count = 128;
    k.op("HMMA.16816.F32", 4, {8, 12, 16}).raw().destinations[0].count = 4;
  });
  const LoweredProgram lowered = lower_program(*kernel->launch().program, 80);
  const std::vector<StaticInstruction>& code = lowered.program->instructions;
  const std::uint32_t first = 17;  // after the loads
  REQUIRE(code.size() == first + 32 + 1);
  CHECK(code[first].destinations[0] == RegisterRange{24, 4});
  CHECK(code[first].sources[2] == RegisterRange{24, 4});
  CHECK(code[first + 31].destinations[0] == RegisterRange{24 + 31 * 4, 4});
  CHECK(code[first].sources[1] != code[first + 1].sources[1]);
  const LoweredProgram scalar = lower_program(*kernel->launch().program, 61);
  const std::vector<StaticInstruction>& last = scalar.program->instructions;
  CHECK(last[last.size() - 1].destinations[0] == RegisterRange{7, 1});
  CHECK(last[last.size() - 2].destinations[0] == RegisterRange{6, 1});
}

TEST_CASE("All steps of a matrix operation of bits are executed for each word") {
  // 16 x 8 x 256 products of bits, of which a round of a warp does 32 x 32.
  LoweredKernel kernel(recorded([](KernelBuilder& k) {
                         k.op("BMMA.168256.XOR.POPC", 4, {8, 12, 16});
                       }),
                       {61, 255, false});
  const std::vector<std::string> played = play(kernel).opcodes;
  CHECK(played.size() == std::size_t{3} * 32);
  CHECK(std::ranges::count(played, "LOP3") == 32);
  CHECK(std::ranges::count(played, "POPC") == 32);
  CHECK(std::ranges::count(played, "IADD") == 32);
}

TEST_CASE("Control bits are kept within a generation and dropped beyond it") {
  const auto write = [](KernelBuilder& k) { k.ffma(4, 1, 2, 3).stall(4); };
  CHECK(lower_program(*recorded(write)->launch().program, 80).program->has_control == false);
  CHECK(lower_program(*recorded(write)->launch().program, 80).control_dropped);
  KernelBuilder k(KernelBuilder::Dependences::kControlBits, 80);
  write(k);
  const LoweredProgram kept = lower_program(*k.program(), 86);
  CHECK_FALSE(kept.control_dropped);
  CHECK(kept.program->instructions[0].control.stall_cycles == 4);
}

TEST_CASE("An instruction without equivalent is omitted and reported") {
  LoweredKernel kernel(recorded([](KernelBuilder& k) {
                         k.op("UCGABAR_ARV");
                         k.ffma(4, 1, 2, 3);
                       }),
                       {80, 255, false});
  CHECK(play(kernel).opcodes == Names{"NOP", "FFMA"});
  const std::vector<std::string> notes = lowering_notes({kernel.findings()});
  REQUIRE(notes.size() == 3);
  CHECK_THAT(notes[0],
             Catch::Contains("code of sm_90 runs on compute capability 8.0: 1 of 2 warp instructions (50.0 %)"));
  CHECK_THAT(notes[1], Catch::Contains("left out, because the capability has no equivalent: UCGABAR_ARV"));
  CHECK_THAT(notes[2], Catch::Contains("control bits"));
}

TEST_CASE("Unknown copies and barrier operations are omitted and counted") {
  LoweredKernel kernel(recorded([](KernelBuilder& k) {
                         k.op("UTMALDG.2D");
                         k.op("SYNCS.PHASECHK.TRANS64.TRYWAIT");
                         k.op("UTMASTG.2D").lanes(0);
                         k.ffma(4, 1, 2, 3);
                       }),
                       {70, 255, false});
  CHECK(play(kernel).opcodes == Names{"NOP", "NOP", "NOP", "FFMA"});
  CHECK(kernel.findings()->unknown == 2);
  CHECK_THAT(lowering_notes({kernel.findings()}).at(2), Catch::Contains("2 copies and barrier operations are left"));
}

TEST_CASE("Registers beyond the maximum of a thread are cut and reported") {
  const LoweredKernel kernel(recorded([](KernelBuilder& k) { k.ffma(4, 1, 2, 3); }), {20, 63, false});
  CHECK(kernel.launch().registers_per_thread == 63);
  CHECK(kernel.findings()->registers_cut == 17);
}

TEST_CASE("Strict refuses a replacement by name") {
  const auto strict = [](const std::function<void(KernelBuilder&)>& write) {
    const LoweredKernel kernel(recorded(write), {61, 255, true, "w"});
  };
  CHECK_NOTHROW(strict([](KernelBuilder& k) { k.ffma(4, 1, 2, 3); }));
  CHECK_THROWS_WITH(
      strict([](KernelBuilder& k) {
        k.op("IMAD", 4, {1, 2, 3});
      }),
      Catch::Contains("w: kernel synthetic: instruction IMAD of sm_90 does not exist on compute capability 6.1") &&
          Catch::Contains("(by XMAD, XMAD.MRG, XMAD.PSL.CBCC)"));
  CHECK_THROWS_WITH(strict([](KernelBuilder& k) { k.op("UTMALDG.2D"); }),
                    Catch::Contains("instruction UTMALDG of sm_90 does not exist") &&
                        Catch::Contains("(by LDG.E.128, STS.128, ATOMS.ADD)"));
}

TEST_CASE("A kernel of one generation runs on a GPU of another, issuing the counted instructions") {
  auto source = recorded([](KernelBuilder& k) {
    k.ldg(4, {.base = 0x1000});
    k.op("IMAD", 5, {4, 2, 3});
    k.stg({.base = 0x2000}, 5);
    k.exit();
  });
  LoweredKernel kernel(std::move(source), {61, 40, false});
  Machine gpu(tiny_config(), {});
  gpu.run(kernel);
  CHECK(counters_of(gpu.stats()).at("sm.sub_core.inst_executed") == 6);
  CHECK(kernel.findings()->executed == 4);
  CHECK(kernel.findings()->replaced == 1);
  CHECK(kernel.findings()->issued == 6);
}

}  // namespace
}  // namespace warpsim::test
