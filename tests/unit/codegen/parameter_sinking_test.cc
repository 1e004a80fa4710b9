#include "codegen/parameter_sinking.h"

#include <catch2/catch.hpp>

#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

std::string sunk(const std::string& body) {
  Kernel kernel(body);
  codegen::sink_parameters(*kernel.module, *kernel.function);
  return kernel.text();
}

TEST_CASE("a parameter is read where it is needed first") {
  CHECK(sunk("ld.param.u64 %rd1, [a]; mov.u32 %r1, %tid.x; @%p1 exit; cvta.to.global.u64 %rd2, %rd1; "
             "add.u32 %r2, %r1, 1; st.global.u32 [%rd2], %r2; ret;") ==
        "mov %r1 tid\n@%p1 exit\nadd %r2 %r1 1\nld %rd1 [a]\ncvta %rd2 %rd1\nst [%rd2] %r2\nret\n");
}

TEST_CASE("a parameter that a loop needs is read before it") {
  CHECK(sunk("ld.param.u64 %rd1, [a]; mov.u32 %r1, 0; bra loop; loop: st.global.u32 [%rd1], %r1; add.u32 %r1, %r1, 1; "
             "setp.lt.u32 %p1, %r1, 9; @%p1 bra loop; ret;") ==
        "mov %r1 0\nld %rd1 [a]\nbra loop\nst [%rd1] %r1\nadd %r1 %r1 1\nsetp %p1 %r1 9\n@%p1 bra loop\nret\n");
}

TEST_CASE("both sides of a branch read a parameter that they need") {
  CHECK(sunk("ld.param.u64 %rd1, [a]; mov.u32 %r1, 0; @%p1 bra other; st.global.u32 [%rd1], %r1; bra join; "
             "other: st.global.u32 [%rd1+4], %r1; join: ret;") ==
        "mov %r1 0\n@%p1 bra other\nld %rd1 [a]\nst [%rd1] %r1\nbra join\nld %sunk3 [a]\nst [%sunk3+4] %r1\nret\n");
}

TEST_CASE("a block inside a loop that some rounds skip reads its parameter itself") {
  CHECK(sunk("ld.param.u64 %rd1, [a]; mov.u32 %r1, 0; loop: setp.eq.u32 %p2, %r1, %r2; @%p2 bra next; "
             "st.global.u32 [%rd1], %r1; next: add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra loop; ret;") ==
        "mov %r1 0\nsetp %p2 %r1 %r2\n@%p2 bra next\nld %rd1 [a]\nst [%rd1] %r1\nadd %r1 %r1 1\nsetp %p1 %r1 9\n"
        "@%p1 bra loop\nret\n");
}

TEST_CASE("a loop around another one reads its parameter in each round") {
  const std::string text = sunk(
      "ld.param.u64 %rd1, [a]; mov.u32 %r1, 0; outer: st.global.u32 [%rd1], %r1; mov.u32 %r2, 0; "
      "inner: add.u32 %r2, %r2, 1; setp.lt.u32 %p1, %r2, 9; @%p1 bra inner; "
      "add.u32 %r1, %r1, 1; setp.lt.u32 %p1, %r1, 9; @%p1 bra outer; ret;");
  CHECK(text.starts_with("mov %r1 0\nld %rd1 [a]\nst [%rd1] %r1\n"));
}

}  // namespace
