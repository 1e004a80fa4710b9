#include "codegen/access_merging.h"

#include <catch2/catch.hpp>

#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

// The accesses to global memory after merging, in order: opcode with modifiers.
std::string accesses_of(const std::string& body) {
  Kernel kernel("mov.u32 %r9, %tid.x; mul.wide.u32 %rd3, %r9, 32; ld.param.u64 %rd1, [a]; add.s64 %rd4, %rd1, %rd3; " +
                body + " ret;");
  codegen::merge_accesses(*kernel.module, *kernel.function);
  std::string text;
  for (const ptx::Instruction& instruction : kernel.function->body) {
    if (!instruction.modifiers.empty() && instruction.modifiers[0] == "global") {
      text += std::string(instruction.opcode);
      for (const std::string_view word : instruction.modifiers) {
        text += "." + std::string(word);
      }
      text += " ";
    }
  }
  return text;
}

const std::string kFour =
    "st.global.u32 [%rd4], %r1; st.global.u32 [%rd4+4], %r2; st.global.u32 [%rd4+8], %r3; st.global.u32 [%rd4+12], "
    "%r4; ";
const std::string kVector = "st.global.v4.u32 [%rd4+16], {%r1, %r2, %r3, %r4}; ";

TEST_CASE("words of global memory become a vector if another access aligns their base") {
  CHECK(accesses_of(kFour) == "st.global.u32 st.global.u32 st.global.u32 st.global.u32 ");
  CHECK(accesses_of(kFour + kVector) == "st.global.v4.u32 st.global.v4.u32 ");
  CHECK(accesses_of(kVector + kFour) == "st.global.v4.u32 st.global.v4.u32 ");
  CHECK(accesses_of(kFour + "st.global.v2.u32 [%rd4+16], {%r1, %r2}; ") ==
        "st.global.v2.u32 st.global.v2.u32 st.global.v2.u32 ");
}

TEST_CASE("what a guarded access demands says nothing about other threads") {
  CHECK(accesses_of(kFour + "setp.eq.s32 %p1, %r9, 0; @%p1 " + kVector) ==
        "st.global.u32 st.global.u32 st.global.u32 st.global.u32 st.global.v4.u32 ");
}

TEST_CASE("an access aligns its base in the blocks that follow it, not in those before a branch") {
  CHECK(accesses_of(kVector + "setp.eq.s32 %p1, %r9, 0; @%p1 bra end; bar.sync 0; " + kFour + "end:") ==
        "st.global.v4.u32 st.global.v4.u32 ");
  CHECK(accesses_of("setp.eq.s32 %p1, %r9, 0; @%p1 bra end; bar.sync 0; " + kFour + "end: " + kVector) ==
        "st.global.u32 st.global.u32 st.global.u32 st.global.u32 st.global.v4.u32 ");
}

TEST_CASE("a load or store that may meet them keeps stores apart") {
  const std::string two = "st.global.v2.u32 [%rd4+16], {%r1, %r2}; st.global.u32 [%rd4], %r1; ";
  CHECK(accesses_of(two + "ld.global.u32 %r5, [%rd1]; st.global.u32 [%rd4+4], %r2; ") ==
        "st.global.v2.u32 st.global.u32 ld.global.u32 st.global.u32 ");
  CHECK(accesses_of(two + "st.global.u32 [%rd4+64], %r3; st.global.u32 [%rd4+4], %r2; ") ==
        "st.global.v2.u32 st.global.u32 st.global.v2.u32 ");
}

}  // namespace
