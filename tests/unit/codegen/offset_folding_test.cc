#include "codegen/offset_folding.h"

#include <catch2/catch.hpp>

#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

std::string folded(const std::string& body) {
  Kernel kernel(body);
  codegen::fold_offsets(*kernel.function);
  codegen::remove_unread(*kernel.function);
  return kernel.text();
}

TEST_CASE("sums with constants become one, and addresses include them") {
  CHECK(folded("add.s64 %rd2, %rd1, 16; add.s64 %rd3, %rd2, 16; ld.global.u32 %r1, [%rd3+4]; "
               "st.global.u32 [%rd2], %r1; ret;") == "ld %r1 [%rd1+36]\nst [%rd1+16] %r1\nret\n");
}

TEST_CASE("a sum of the same two values is computed once") {
  CHECK(folded("add.s64 %rd3, %rd1, %rd2; ld.global.u32 %r1, [%rd3]; add.s64 %rd4, %rd1, 8; add.s64 %rd5, %rd4, %rd2; "
               "st.global.u32 [%rd5], %r1; ret;") == "add %rd3 %rd1 %rd2\nld %r1 [%rd3]\nst [%rd3+8] %r1\nret\n");
}

TEST_CASE("a register that changed in between is not folded") {
  const std::string text =
      folded("add.s64 %rd2, %rd1, 16; ld.global.u64 %rd1, [%rd3]; st.global.u64 [%rd2], %rd1; ret;");
  CHECK(text == "add %rd2 %rd1 16\nld %rd1 [%rd3]\nst [%rd2] %rd1\nret\n");
}

TEST_CASE("a copy of a constant's address states the constant, unless the copied register has changed") {
  Kernel kernel("mov.u64 %rd1, c; mov.u64 %rd2, %rd1; add.s64 %rd1, %rd1, 4; mov.u64 %rd3, %rd1; ret;",
                ".const .align 4 .b8 c[64];\n");
  codegen::copy_places(*kernel.module, *kernel.function);
  CHECK(kernel.function->body[1].operands[1].kind == ptx::Operand::Kind::kSymbol);
  CHECK(kernel.function->body[3].operands[1].kind == ptx::Operand::Kind::kRegister);
}

TEST_CASE("an instruction with an effect stays if its result is unused") {
  CHECK(folded("atom.global.add.u32 %r1, [%rd1], 1; mov.u32 %r2, %clock; add.u32 %r3, %r4, 1; ret;") ==
        "atom %r1 [%rd1] 1\nmov %r2 clock\nret\n");
}

}  // namespace
