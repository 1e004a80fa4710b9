#include "codegen/predicate_folding.h"

#include <catch2/catch.hpp>

#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

// The last instruction but one of the body after the pass: its guard, and the names of its sources.
std::string reader_in(const std::string& body) {
  Kernel kernel(body + " ret;");
  codegen::fold_predicates(*kernel.function);
  const ptx::Instruction& reader = kernel.function->body[kernel.function->body.size() - 2];
  const auto name = [&](std::uint32_t reg) { return std::string(kernel.function->registers[reg].name); };
  std::string text;
  if (reader.guard) {
    text += (reader.guard->negated ? "@!" : "@") + name(reader.guard->predicate) + " ";
  }
  text += reader.opcode;
  for (std::size_t i = 1; i < reader.operands.size(); ++i) {
    const ptx::Operand& operand = reader.operands[i];
    text +=
        operand.kind == ptx::Operand::Kind::kRegister ? (operand.negated ? " !" : " ") + name(operand.number) : " #";
  }
  return text;
}

const std::string kCompared = "ld.param.u32 %r1, [n]; setp.eq.s32 %p1, %r1, 3; ";

TEST_CASE("a guard reads the predicate that was negated") {
  CHECK(reader_in(kCompared + "not.pred %p2, %p1; @%p2 add.s32 %r2, %r1, 1;") == "@!%p1 add %r1 #");
  CHECK(reader_in(kCompared + "not.pred %p2, %p1; not.pred %p3, %p2; @!%p3 add.s32 %r2, %r1, 1;") == "@!%p1 add %r1 #");
}

TEST_CASE("an exclusive or with a constant is a copy or a negation") {
  CHECK(reader_in(kCompared + "mov.pred %p2, 0; xor.pred %p3, %p1, %p2; @%p3 add.s32 %r2, %r1, 1;") ==
        "@%p1 add %r1 #");
  CHECK(reader_in(kCompared + "mov.pred %p2, -1; xor.pred %p3, %p2, %p1; @%p3 add.s32 %r2, %r1, 1;") ==
        "@!%p1 add %r1 #");
}

TEST_CASE("a selection by a negation chooses the other source") {
  CHECK(reader_in(kCompared + "mov.u32 %r2, %tid.x; not.pred %p2, %p1; selp.b32 %r3, %r1, %r2, %p2;") ==
        "selp %r2 %r1 %p1");
}

TEST_CASE("a comparison combines with the negated predicate") {
  CHECK(reader_in(kCompared + "not.pred %p2, %p1; setp.lt.and.s32 %p3, %r1, 5, %p2;") == "setp %r1 # !%p1");
}

TEST_CASE("a predicate that is written again is read where it was copied") {
  const std::string body = kCompared + "not.pred %p2, %p1; setp.eq.s32 %p1, %r1, 4; @%p2 add.s32 %r2, %r1, 1;";
  CHECK(reader_in(body) == "@%p2 add %r1 #");
  // Threads that do not execute the negation keep an earlier value.
  CHECK(reader_in(kCompared + "setp.eq.s32 %p3, %r1, 4; @%p3 not.pred %p2, %p1; @%p2 add.s32 %r2, %r1, 1;") ==
        "@%p2 add %r1 #");
}

TEST_CASE("a negation in another block than its source may be of an earlier value") {
  CHECK(reader_in("ld.param.u32 %r1, [n]; again: setp.eq.s32 %p1, %r1, 3; setp.eq.s32 %p4, %r1, 5; @%p4 bra over; "
                  "not.pred %p2, %p1; over: add.s32 %r1, %r1, 1; @%p4 bra again; @%p2 add.s32 %r2, %r1, 1;") ==
        "@%p2 add %r1 #");
}

TEST_CASE("a predicate that negates itself is left as it is") {
  CHECK(reader_in("ld.param.u32 %r1, [n]; not.pred %p1, %p1; @%p1 add.s32 %r2, %r1, 1;") == "@%p1 add %r1 #");
  CHECK(reader_in("ld.param.u32 %r1, [n]; not.pred %p1, %p2; not.pred %p2, %p1; @%p1 add.s32 %r2, %r1, 1;") ==
        "@%p1 add %r1 #");
}

}  // namespace
