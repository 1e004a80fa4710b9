#include "codegen/machine_order.h"

#include <catch2/catch.hpp>

#include "unit/codegen/generate.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

using Lines = std::vector<std::string>;

// Each opcode up to its first dot, one after another.
std::string order_of(const Generated& made) {
  std::string text;
  for (const std::string& opcode : made.opcodes()) {
    text += opcode.substr(0, opcode.find('.')) + " ";
  }
  return text;
}

TEST_CASE("instructions of one sequence fill the waits of another") {
  const std::string text = order_of(generate("rsqrt.approx.f32 %f1, %f2; rsqrt.approx.f32 %f3, %f4; ret;"));
  CHECK(text == "FSETP FSETP FMUL FMUL MUFU MUFU FMUL FMUL EXIT ");
}

TEST_CASE("an instruction that waits for a load lets others go first, but loads and stores keep their order") {
  const Generated made = generate(
      "ld.global.f32 %f1, [%rd1]; add.f32 %f3, %f1, %f1; st.global.f32 [%rd1], %f3; mul.f32 %f5, %f4, %f4; "
      "st.global.f32 [%rd2], %f5; ret;");
  CHECK(order_of(made) == "FMUL LDG FADD STG STG EXIT ");
}

TEST_CASE("no instruction passes one that reads the clock") {
  CHECK(order_of(generate("ld.global.f32 %f1, [%rd1]; mul.f32 %f3, %f1, %f1; mov.u64 %rd2, %clock64; "
                          "mul.f32 %f5, %f4, %f4; st.global.f32 [%rd1], %f3; ret;")) == "LDG FMUL CS2R FMUL STG EXIT ");
}

TEST_CASE("instructions placed with another PTX instruction are marked") {
  const Generated made = generate(
      "mul.f32 %f5, %f4, %f4; ld.global.f32 %f1, [%rd1]; add.s64 %rd2, %rd1, 64; st.global.f32 [%rd2], %f1; ret;");
  const MachineCode& code = made.code;
  REQUIRE(code.for_all.size() == code.program->instructions.size());
  for (std::size_t i = 0; i < code.program->text.size(); ++i) {
    const std::string& line = code.program->text[i];
    const bool fixed = line.starts_with("LDG") || line.starts_with("STG") || line == "EXIT";
    CHECK(code.for_all[i] == !fixed);
  }
  // Each instruction is returned once.
  std::uint32_t handed_out = 0;
  for (const MachinePlace& place : code.places[0]) {
    CHECK((place.count == 0 || place.first == handed_out));
    handed_out += place.count;
  }
  CHECK(handed_out == code.program->instructions.size());
}

TEST_CASE("an instruction under a guard of PTX stays in place") {
  const Generated made = generate(
      "setp.lt.s32 %p1, %r1, %r2; @%p1 add.s32 %r3, %r4, %r5; mul.lo.s32 %r6, %r7, %r8; st.global.u32 [%rd1], %r3; "
      "ret;");
  for (std::size_t i = 0; i < made.code.program->text.size(); ++i) {
    if (made.code.program->text[i].starts_with("@")) {
      CHECK_FALSE(made.code.for_all[i]);
    }
  }
}

}  // namespace
