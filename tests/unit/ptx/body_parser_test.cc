#include "ptx/body_parser.h"

#include <catch2/catch.hpp>
#include <string>

#include "unit/ptx/parse.h"

namespace warpsim::ptx {
namespace {

std::uint32_t target_of(const Function& function, std::size_t instruction) {
  return function.labels.at(function.body.at(instruction).operands.at(0).number).instruction;
}

TEST_CASE("Labels may be before or after the branches to them") {
  const auto module = parse_in_kernel("A: bra B; bra A; @%p1 bra.uni B; B: ret; END:");
  const Function& k = kernel_of(*module);
  CHECK(target_of(k, 0) == 3);
  CHECK(target_of(k, 1) == 0);
  CHECK(target_of(k, 2) == 3);
  CHECK(k.labels.back().instruction == 4);
  CHECK_FALSE(k.body[0].guard);
  CHECK_FALSE(k.body[2].guard->negated);
}

TEST_CASE("A block has its own labels and registers") {
  const auto module = parse_in_kernel(
      "mov.u32 %r1, 0;"
      "{ .reg .b32 %r1; L: mov.u32 %r1, 1; bra L; }"
      "{ bra L; .reg .b32 %r<3>; mov.u32 %r1, 2; L: bra L; bra OUT; }"
      "mov.u32 %r1, 3; OUT: ret; L: @!%p0 bra L;");
  const Function& k = kernel_of(*module);
  const auto moved = [&](std::size_t i) { return k.body.at(i).operands.at(0).number; };
  CHECK(k.registers[moved(1)].name == "%r1");
  CHECK(moved(1) != moved(0));
  CHECK(moved(4) != moved(0));
  CHECK(moved(4) != moved(1));
  CHECK(moved(7) == moved(0));
  CHECK(target_of(k, 2) == 1);
  CHECK(target_of(k, 3) == 5);
  CHECK(target_of(k, 5) == 5);
  CHECK(target_of(k, 6) == 8);
  CHECK(target_of(k, 9) == 9);
  CHECK(k.body[9].guard->negated);
}

TEST_CASE("Variables of blocks are variables of the function") {
  const auto module = parse_in_kernel(".shared .b32 s; { .shared .b32 s; mov.u32 %r1, s; } mov.u32 %r1, s;");
  const Function& k = kernel_of(*module);
  REQUIRE(k.variables.size() == 2);
  CHECK(k.body[0].operands[1].number == 1);
  CHECK(k.body[1].operands[1].number == 0);
}

TEST_CASE("Tables of branches and calls, prototypes, and the instructions that name them") {
  const auto module = parse_in_kernel(
      "T: .branchtargets A, B, A;\n brx.idx %r1, T;\n A: ret;\n B: ret;\n"
      "C: .calltargets f, g;\n call %rd1, C;\n"
      "P: .callprototype (.param .b32 _) _ (.param .align 8 .b8 _[16], .param .b64 _) .noreturn .abi_preserve 4;\n"
      "Q: .callprototype _;\n"
      ".param .b32 r; .param .b64 p; call (r), %rd1, (p), P; call %rd1, Q;",
      ".func f; .func g() { ret; }\n");
  const Function& k = kernel_of(*module);
  REQUIRE(k.branch_targets.size() == 1);
  CHECK(k.branch_targets[0].name == "T");
  REQUIRE(k.branch_targets[0].targets.size() == 3);
  CHECK(k.labels[k.branch_targets[0].targets[0]].name == "A");
  CHECK(k.labels[k.branch_targets[0].targets[1]].instruction == 2);
  CHECK(k.branch_targets[0].targets[2] == k.branch_targets[0].targets[0]);
  CHECK(k.body[0].operands[1].kind == Operand::Kind::kBranchTargets);
  CHECK(k.labels.size() == 2);
  REQUIRE(k.call_targets.size() == 1);
  CHECK(module->function_of(module->symbols[k.call_targets[0].targets[1]]).name == "g");
  CHECK(k.body[3].operands[1].kind == Operand::Kind::kCallTargets);
  REQUIRE(k.prototypes.size() == 2);
  CHECK(k.prototypes[0].returns.at(0).type == DataType::kB32);
  CHECK(k.prototypes[0].parameters.at(0).bytes() == 16);
  CHECK(k.prototypes[1].parameters.empty());
  CHECK(k.body[4].operands.at(3).kind == Operand::Kind::kPrototype);
  CHECK(k.body[5].operands.at(1).number == 1);
}

TEST_CASE("Each instruction has the source line of the last .loc, if there is a .file") {
  const auto module = parse_in_kernel(
      "bar.sync 0;\n.loc 2 30 5\nbar.sync 0;\n.loc 1 7 1, function_name $info+12, inlined_at 2 30 5\nbar.sync 0;\n"
      ".loc 3 1 1\n.pragma \"nounroll\", \"x\";\nret;",
      ".file 1 \"a.cu\", 123, 45\n.file 2 \"b.cu\"\n.file 0 \"whole\"\n");
  const Function& k = kernel_of(*module);
  CHECK(module->files.size() == 2);
  CHECK(k.body[0].source_file == 0);
  CHECK(k.body[1].source_file == 2);
  CHECK(module->files[1] == "b.cu");
  CHECK(k.body[1].source_line == 30);
  CHECK(k.body[2].source_file == 1);
  CHECK(k.body[2].source_line == 7);
  CHECK(k.body[3].source_file == 0);
  CHECK(k.body[3].source_line == 0);
  CHECK(k.body[3].place.line == 16);
}

TEST_CASE("Words of an instruction may be separated, and mnemonics are not reserved names") {
  const auto module = parse_in_kernel(".reg .u32 ld; ld .global .u32 ld , [ %rd1 ] ; bra: bra bra;");
  const Function& k = kernel_of(*module);
  CHECK(k.body[0].opcode == "ld");
  REQUIRE(k.body[0].modifiers.size() == 2);
  CHECK(k.body[0].modifiers[1] == "u32");
  CHECK(target_of(k, 1) == 1);
}

}  // namespace
}  // namespace warpsim::ptx
