#include "codegen/swap_loops.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "support/ptx_grid.h"
#include "unit/codegen/passes.h"

namespace warpsim::test {
namespace {

std::string looped(const std::string& body) {
  Kernel kernel(body);
  codegen::make_swap_loops(*kernel.module, *kernel.function);
  return kernel.text();
}

TEST_CASE("swap loops: a sum of floats in shared memory is repeated until the swap succeeds") {
  CHECK(looped("red.shared.add.f32 [%r1+8], %f1; ret;") ==
        "ld %swap2 [%r1+8]\nadd %swap3 %swap2 %f1\natom %swap4 [%r1+8] %swap2 %swap3\n"
        "setp %swap5 %swap4 %swap2\n@%swap5 bra $swap0\nret\n");
  CHECK(looped("atom.shared.min.u64 %rd2, [%r1], %rd3; ret;") ==
        "ld %swap3 [%r1]\nmin %swap4 %swap3 %rd3\natom %swap5 [%r1] %swap3 %swap4\n"
        "setp %swap6 %swap5 %swap3\n@%swap6 bra $swap0\nmov %rd2 %swap3\nret\n");
}

TEST_CASE("swap loops: threads without the guard go around the loop") {
  CHECK(looped("@%p1 red.shared.add.f64 [%r1], %d1; ret;") ==
        "@!%p1 bra $swap1\nld %swap3 [%r1]\nadd %swap4 %swap3 %d1\natom %swap5 [%r1] %swap3 %swap4\n"
        "setp %swap6 %swap5 %swap3\n@%swap6 bra $swap0\nret\n");
}

TEST_CASE("swap loops: what hardware has stays") {
  const std::string stays =
      GENERATE(std::string("red.shared.add.u32 [%r1], %r2;"), "atom.shared.cas.b64 %rd1, [%r1], %rd2, %rd3;",
               "atom.shared.exch.b64 %rd1, [%r1], %rd2;", "red.global.add.f32 [%rd1], %f1;",
               "atom.shared.inc.u32 %r3, [%r1], %r2;");
  Kernel kernel(stays + " ret;");
  const std::string before = kernel.text();
  codegen::make_swap_loops(*kernel.module, *kernel.function);
  CHECK(kernel.text() == before);
}

TEST_CASE("swap loops: the code is that of ptxas but for the sense of the comparison") {
  const std::vector<std::string> opcodes =
      generate("mov.u32 %r1, %tid.x; red.shared.add.f32 [%r1], %f1; bar.sync 0; st.global.f32 [%rd1], %f1; ret;", true)
          .opcodes();
  const auto first = std::ranges::find(opcodes, "LDS");
  REQUIRE(opcodes.end() - first > 5);
  CHECK(std::vector<std::string>(first, first + 6) ==
        std::vector<std::string>{"LDS", "FADD", "ATOMS.CAST.SPIN", "ISETP.NE.AND", "BRA", "BSYNC"});
}

}  // namespace
}  // namespace warpsim::test
