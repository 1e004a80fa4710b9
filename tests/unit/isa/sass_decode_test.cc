#include "isa/sass_decode.h"

#include <catch2/catch.hpp>
#include <stdexcept>

namespace warpsim {
namespace {

StaticInstruction decoded(std::string_view text, std::uint32_t architecture = 90) {
  std::vector<std::string> opcodes;
  StaticInstruction instruction;
  decode_sass(text, architecture, opcodes, instruction);
  return instruction;
}

void check_range(const RegisterRange& range, int first, int count) {
  CHECK(range.count == count);
  if (count > 0) {
    CHECK(range.first == first);
  }
}

constexpr std::uint64_t uniform(int index) {
  return std::uint64_t{1} << static_cast<unsigned>(index);
}

}  // namespace

TEST_CASE("SASS decode: an addition with carry out under a guard", "[isa]") {
  const StaticInstruction i = decoded("@!P2 IADD3 R6, P0, P1, R2, c[0x0][0x210], RZ");
  CHECK(i.guard == 2);
  check_range(i.destinations[0], 6, 1);
  CHECK(i.predicate_destinations == 0b011);
  check_range(i.sources[0], 2, 1);
  CHECK(i.has_constant_operand);
  CHECK(i.constant_bank == 0);
  CHECK(i.constant_offset == 0x210);
  check_range(i.sources[2], 0, 0);
}

TEST_CASE("SASS decode: reuse flags belong to the slot of their operand", "[isa]") {
  CHECK(decoded("FFMA R3, R1.reuse, R2, R3").control.reuse_mask == 0b001);
  CHECK(decoded("FFMA R3, R1, R2.reuse, R3.reuse").control.reuse_mask == 0b110);
  CHECK(decoded("FADD R3, R1, -R2.reuse").control.reuse_mask == 0b100);
  CHECK(decoded("FADD R3, R1, R2").control.reuse_mask == 0);
}

TEST_CASE("SASS decode: predicates in and out of IADD3.X and ISETP", "[isa]") {
  const StaticInstruction add = decoded("IADD3.X R5, R4, UR7, RZ, P1, !PT");
  CHECK(add.predicate_sources == 0b010);
  CHECK(add.predicate_destinations == 0);
  CHECK(add.uniform_sources == uniform(7));
  const StaticInstruction compare = decoded("ISETP.GE.U32.AND.EX P0, PT, R3, R5, PT, P4");
  CHECK(compare.predicate_destinations == 0b001);
  CHECK(compare.predicate_sources == 0b10000);
  check_range(compare.sources[0], 3, 1);
  check_range(compare.sources[1], 5, 1);
  CHECK(compare.destinations[0].count == 0);
}

TEST_CASE("SASS decode: global loads and stores through descriptors", "[isa]") {
  const StaticInstruction load = decoded("LDG.E.128.CONSTANT R4, desc[UR12][R2.64+0x10]");
  check_range(load.destinations[0], 4, 4);
  check_range(load.sources[0], 2, 2);
  CHECK(load.uniform_sources == (uniform(12) | uniform(13)));
  const StaticInstruction store = decoded("STG.E.64 desc[UR4][R8.64], R10");
  CHECK(store.destinations[0].count == 0);
  check_range(store.sources[0], 8, 2);
  check_range(store.sources[1], 10, 2);
}

TEST_CASE("SASS decode: shared memory, atomics and asynchronous copies", "[isa]") {
  const StaticInstruction shared = decoded("LDS.64 R4, [R2+UR5+0x80]");
  check_range(shared.destinations[0], 4, 2);
  check_range(shared.sources[0], 2, 1);
  CHECK(shared.uniform_sources == uniform(5));
  const StaticInstruction atomic = decoded("ATOMG.E.ADD.STRONG.GPU P1, R3, desc[UR4][R6.64], R5");
  check_range(atomic.destinations[0], 3, 1);
  CHECK(atomic.predicate_destinations == 0b010);
  check_range(atomic.sources[0], 6, 2);
  check_range(atomic.sources[1], 5, 1);
  const StaticInstruction cas = decoded("ATOMS.CAS R3, [R2], R4, R5");
  check_range(cas.sources[1], 4, 1);
  check_range(cas.sources[2], 5, 1);
  const StaticInstruction copy = decoded("LDGSTS.E.BYPASS.128 [R5], desc[UR12][R2.64]");
  CHECK(copy.destinations[0].count == 0);
  check_range(copy.sources[0], 5, 1);
  check_range(copy.sources[1], 2, 2);
}

TEST_CASE("SASS decode: matrix operations cover their fragments", "[isa]") {
  const StaticInstruction hmma = decoded("HMMA.16816.F32 R4, R8, R12, R4");
  check_range(hmma.destinations[0], 4, 4);
  check_range(hmma.sources[0], 8, 4);
  check_range(hmma.sources[1], 12, 2);
  check_range(hmma.sources[2], 4, 4);
  CHECK(hmma.mma_macs == 2048);
  const StaticInstruction imma = decoded("IMMA.16832.S8.S8 R4, R8.ROW, R12.COL, R4");
  check_range(imma.sources[0], 8, 4);
  const StaticInstruction group = decoded("HGMMA.64x48x16.F32.BF16 R24, gdesc[UR4].tnspA, R24, !UPT, gsb0");
  check_range(group.destinations[0], 24, 24);
  check_range(group.sources[2], 24, 24);
  CHECK(group.uniform_sources == (uniform(4) | uniform(5) | uniform(6) | uniform(7)));
  CHECK(group.mma_closes_group);
  CHECK_FALSE(group.mma_a_in_registers);
  CHECK(group.mma_a_bytes == 16 * 16 * 2);
  CHECK(group.mma_b_bytes == 16 * 48 * 2);
  const StaticInstruction registers = decoded("HGMMA.64x8x16.F32.BF16 R24, R28, gdesc[UR4], R24, UP0");
  check_range(registers.sources[0], 28, 4);
  CHECK(registers.mma_a_in_registers);
  CHECK_FALSE(registers.mma_closes_group);
  CHECK(decoded("WARPGROUP.DEPBAR.LE gsb0, 0x1").kind == OpKind::kWarpgroupDependWait);
  CHECK(decoded("WARPGROUP.DEPBAR.LE gsb0, 0x1").immediate == 1);
}

TEST_CASE("SASS decode: operand slots are those of the reuse bits", "[isa]") {
  check_range(decoded("FADD R12, R11, -R5.reuse").sources[2], 5, 1);
  check_range(decoded("MOV R6, R2.reuse").sources[1], 2, 1);
  check_range(decoded("HFMA2.MMA R5, R14, 1, 1, R12.reuse").sources[2], 12, 1);
  check_range(decoded("FFMA R1, R2, 3.5, R4.reuse").sources[2], 4, 1);
}

TEST_CASE("SASS decode: predicates moved, voted and combined", "[isa]") {
  const StaticInstruction vote = decoded("VOTE.ANY R5, PT, P0");
  check_range(vote.destinations[0], 5, 1);
  CHECK(vote.predicate_sources == 0b1);
  CHECK(vote.predicate_destinations == 0);
  const StaticInstruction uniform_vote = decoded("VOTEU.ANY UP0, !P3");
  CHECK(uniform_vote.uniform_predicate_destinations == 0b1);
  CHECK(uniform_vote.predicate_sources == 0b1000);
  const StaticInstruction plop = decoded("PLOP3.LUT P0, PT, P1, P2, UP3, 0x80, 0x8");
  CHECK(plop.predicate_destinations == 0b1);
  CHECK(plop.predicate_sources == 0b110);
  CHECK(plop.uniform_predicate_sources == 0b1000);
  const StaticInstruction save = decoded("P2R R0, PR, RZ, 0x7f");
  check_range(save.destinations[0], 0, 1);
  CHECK(save.predicate_sources == 0x7f);
  CHECK(save.predicate_destinations == 0);
  CHECK(decoded("R2P PR, R0, 0x7f").predicate_destinations == 0x7f);
  CHECK(decoded("LOP3.LUT P0, RZ, R1, 0x1, RZ, 0xc0, !PT").predicate_destinations == 0b1);
  check_range(decoded("SHFL.BFLY PT, R3, R2, 0x1, 0x1f").destinations[0], 3, 1);
}

TEST_CASE("SASS decode: uniform guards and registers", "[isa]") {
  const StaticInstruction i = decoded("@UP1 ULDC.64 UR8, c[0x0][UR4+0x208]");
  CHECK(i.guard == kNoPredicate);
  CHECK(i.uniform_predicate_sources == 0b10);
  CHECK(i.uniform_destinations == (uniform(8) | uniform(9)));
  CHECK(i.uniform_sources == uniform(4));
  CHECK_FALSE(i.has_constant_operand);
  CHECK(i.constant_bank == 0);
  CHECK(i.constant_offset == 0x208);
  const StaticInstruction load = decoded("LDC R1, c[0x3][R2+0x10]");
  CHECK(load.constant_bank == 3);
  CHECK(load.constant_offset == 0x10);
  check_range(load.sources[0], 2, 1);
  CHECK(decoded("UMOV UR4, URZ").uniform_sources == 0);
}

TEST_CASE("SASS decode: branch targets, barriers and dependence barriers", "[isa]") {
  CHECK(decoded("@!P0 BRA 0x17a0").immediate == 0x17a0);
  CHECK(decoded("BRA.U UP0, 0x40").immediate == 0x40);
  CHECK(decoded("BRX R4 -0x1220 (*\"BRANCH_TARGETS .L_x_1,.L_x_2\"*)").sources[0].first == 4);
  CHECK(decoded("BAR.SYNC.DEFER_BLOCKING 0x1, 0x80").immediate == 1);
  CHECK(decoded("BAR.SYNC R3").immediate == -1);
  const StaticInstruction depbar = decoded("DEPBAR.LE SB2, 0x1, {5,4}");
  CHECK(depbar.depbar_counter == 2);
  CHECK(depbar.immediate == 1);
  CHECK(depbar.control.wait_mask == 0b110000);
  CHECK(decoded("RET.REL.NODEC R20 0x0").sources[0].count == 2);
}

TEST_CASE("SASS decode: special registers of threads go through the LSU, those of blocks through the ADU", "[isa]") {
  CHECK(decoded("S2R R0, SR_TID.X").pipe == Pipe::kLsu);
  CHECK(decoded("S2R R0, SR_LANEID").pipe == Pipe::kLsu);
  CHECK(decoded("S2R R0, SR_CTAID.X").pipe == Pipe::kAdu);
  CHECK(decoded("S2R R0, SR_CgaCtaId").pipe == Pipe::kAdu);
  CHECK(decoded("S2UR UR4, SR_CTAID.X").pipe == Pipe::kAdu);
}

TEST_CASE("SASS decode: before sm_70 only the modifier E marks an address as a pair", "[isa]") {
  check_range(decoded("LDG.E R0, [R2]", 61).sources[0], 2, 2);
  check_range(decoded("LDS.U.128 R4, [R2+0x10]", 61).sources[0], 2, 1);
  check_range(decoded("IADD R2.CC, R3, R4", 61).destinations[0], 2, 1);
}

TEST_CASE("SASS decode: malformed text is an error with the reason", "[isa]") {
  CHECK_THROWS_WITH(decoded("iadd R0, R1"), Catch::Contains("expected an opcode"));
  CHECK_THROWS_WITH(decoded("@R0 IADD3 R0"), Catch::Contains("expected a predicate after '@'"));
  CHECK_THROWS_WITH(decoded("MOV R999, R1"), Catch::Contains("out of range"));
  CHECK_THROWS_WITH(decoded("LDG.E R0, [R2"), Catch::Contains("brackets") || Catch::Contains("]"));
  CHECK_THROWS_AS(decoded("IADD3 R0,, R2"), std::invalid_argument);
}

}  // namespace warpsim
