#include "codegen/branch_conversion.h"

#include <catch2/catch.hpp>

#include "support/ptx_grid.h"
#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

std::string converted(const std::string& body) {
  Kernel kernel(body);
  codegen::convert_branches(*kernel.function);
  return kernel.text();
}

TEST_CASE("a branch over a few instructions becomes their guard") {
  CHECK(converted("@%p1 bra skip; add.u32 %r1, %r2, 1; st.shared.u32 [%r3], %r1; skip: bar.sync 0; ret;") ==
        "@!%p1 add %r1 %r2 1\n@!%p1 st [%r3] %r1\nbar 0\nret\n");
}

TEST_CASE("a branch to the kernel's end becomes a guarded exit") {
  CHECK(converted("@%p1 bra end; st.global.u32 [%rd1], %r1; end: ret;") == "@%p1 exit\nst [%rd1] %r1\nret\n");
}

TEST_CASE("code that must not be guarded keeps its branch") {
  const std::string kept =
      GENERATE(std::string("bar.sync 0;"), "st.global.u32 [%rd1], %r1;", "setp.eq.u32 %p1, %r1, 0;",
               "shfl.sync.idx.b32 %r1, %r2, 0, 31, -1;", "@%p2 mov.u32 %r1, 0;",
               "mov.u32 %r1, 0; mov.u32 %r2, 0; mov.u32 %r3, 0; mov.u32 %r4, 0; mov.u32 %r5, 0; "
               "mov.u32 %r6, 0; mov.u32 %r7, 0; mov.u32 %r8, 0; mov.u32 %r10, 0; mov.u32 %r11, 0; mov.u32 %r12, 0; "
               "mov.u32 %r13, 0; mov.u32 %r14, 0;");
  INFO(kept);
  CHECK(converted("@%p1 bra skip; " + kept + " skip: add.u32 %r9, %r9, 1; ret;").starts_with("@%p1 bra skip"));
}

TEST_CASE("a block with other predecessors keeps its branch") {
  CHECK(converted("@%p2 bra inner; @%p1 bra skip; inner: mov.u32 %r1, 0; skip: add.u32 %r9, %r9, 1; ret;")
            .find("@%p1 bra skip") != std::string::npos);
}

TEST_CASE("a branch around another branch takes its place") {
  CHECK(converted("@%p1 bra here; bra.uni there; here: bar.sync 0; there: bar.sync 1; ret;") ==
        "@!%p1 bra there\nbar 0\nbar 1\nret\n");
}

TEST_CASE("two short alternatives become guarded") {
  CHECK(
      converted("@%p1 bra one; bra.uni other; one: add.u32 %r1, %r2, 1; bra.uni both; other: ld.shared.u32 %r1, [%r3]; "
                "both: bar.sync 0; ret;") == "@%p1 add %r1 %r2 1\n@!%p1 ld %r1 [%r3]\nbar 0\nret\n");
}

TEST_CASE("long alternatives keep their branches, the second one sooner") {
  const auto is_guarded = [](std::size_t first, std::size_t second) {
    const auto products = [](std::size_t count) {
      std::string text;
      for (std::size_t i = 0; i < count; ++i) {
        text += "fma.rn.f32 %f1, %f1, %f2, %f3; ";
      }
      return text;
    };
    return converted("@%p1 bra other; " + products(first) + "bra.uni both; other: " + products(second) +
                     "both: bar.sync 0; ret;")
               .find("bra") == std::string::npos;
  };
  CHECK(is_guarded(8, 7));
  CHECK_FALSE(is_guarded(9, 2));
  CHECK_FALSE(is_guarded(2, 8));
}

}  // namespace
