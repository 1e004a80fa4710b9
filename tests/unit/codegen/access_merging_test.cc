#include "codegen/access_merging.h"

#include <catch2/catch.hpp>

#include "support/ptx_grid.h"
#include "unit/codegen/passes.h"

using namespace warpsim;
using namespace warpsim::test;

namespace {

// With a shared array s and its address for the thread, 16 bytes apart, in r1.
std::string merged(const std::string& body) {
  Kernel kernel("mov.u32 %r9, %tid.x; shl.b32 %r8, %r9, 4; mov.u32 %r7, s; add.s32 %r1, %r7, %r8; " + body + " ret;",
                ".shared .align 4 .b8 s[1024];\n");
  codegen::align_near_variables(*kernel.module);
  codegen::merge_accesses(*kernel.module, *kernel.function);
  const std::string text = kernel.text();
  return text.substr(text.find("add %r1") + std::string("add %r1 %r7 %r8\n").size());
}

TEST_CASE("neighbouring words are loaded and stored together") {
  CHECK(merged("ld.shared.f32 %f1, [%r1]; ld.shared.f32 %f2, [%r1+4]; ld.shared.f32 %f3, [%r1+8]; "
               "ld.shared.f32 %f4, [%r1+12];") == "ld {%f1,%f2,%f3,%f4} [%r1]\nret\n");
  CHECK(merged("st.shared.u32 [%r1+8], %r2; st.shared.u32 [%r1+12], %r3;") == "st [%r1+8] {%r2,%r3}\nret\n");
}

TEST_CASE("words across the border of a vector are not merged") {
  CHECK(merged("ld.shared.f32 %f1, [%r1+4]; ld.shared.f32 %f2, [%r1+8];") == "ld %f1 [%r1+4]\nld %f2 [%r1+8]\nret\n");
}

TEST_CASE("a store or a barrier in between prevents merging of loads") {
  CHECK(merged("ld.shared.f32 %f1, [%r1]; st.shared.f32 [%r5], %f1; ld.shared.f32 %f2, [%r1+4];") ==
        "ld %f1 [%r1]\nst [%r5] %f1\nld %f2 [%r1+4]\nret\n");
  CHECK(merged("ld.shared.f32 %f1, [%r1]; bar.sync 0; ld.shared.f32 %f2, [%r1+4];") ==
        "ld %f1 [%r1]\nbar 0\nld %f2 [%r1+4]\nret\n");
}

TEST_CASE("an address of unknown alignment prevents vectors") {
  CHECK(merged("ld.shared.f32 %f1, [%r5]; ld.shared.f32 %f2, [%r5+4];") == "ld %f1 [%r5]\nld %f2 [%r5+4]\nret\n");
}

// A loop that reads constants and adds `step` to the address.
std::string merged_in_loop(const std::string& reads, int step, const std::string& variable = "c") {
  Kernel kernel("mov.u64 %rd1, " + variable + "; LOOP: " + reads + " add.s64 %rd1, %rd1, " + std::to_string(step) +
                    "; add.s32 %r1, %r1, 1; setp.lt.s32 %p1, %r1, %r2; @%p1 bra LOOP; ret;",
                ".const .align 4 .b8 c[1024];\n.shared .align 4 .b8 s[1024];\n");
  codegen::align_near_variables(*kernel.module);
  codegen::merge_accesses(*kernel.module, *kernel.function);
  const std::string text = kernel.text();
  const std::size_t begin = text.find("ld ");
  return text.substr(begin, text.find("add ") - begin);
}

TEST_CASE("constants are read in pairs if no round of a loop makes the address less than a multiple of eight") {
  const std::string two = "ld.const.f32 %f1, [%rd1]; ld.const.f32 %f2, [%rd1+4];";
  CHECK(merged_in_loop(two, 8) == "ld {%f1,%f2} [%rd1]\n");
  CHECK(merged_in_loop(two, 4) == "ld %f1 [%rd1]\nld %f2 [%rd1+4]\n");
}

// Expected results: ptxas of CUDA 13.0 for sm_90.
TEST_CASE("shared words are read together if each round of a loop advances the address by a multiple of the vector") {
  const std::string four =
      "ld.shared.f32 %f1, [%rd1]; ld.shared.f32 %f2, [%rd1+4]; ld.shared.f32 %f3, [%rd1+8]; "
      "ld.shared.f32 %f4, [%rd1+12];";
  CHECK(merged_in_loop(four, 16, "s") == "ld {%f1,%f2,%f3,%f4} [%rd1]\n");
  CHECK(merged_in_loop(four, 8, "s") == "ld {%f1,%f2} [%rd1]\nld {%f3,%f4} [%rd1+8]\n");
  CHECK(merged_in_loop(four, 20, "s") == "ld %f1 [%rd1]\nld %f2 [%rd1+4]\nld %f3 [%rd1+8]\nld %f4 [%rd1+12]\n");
}

TEST_CASE("a read of more than two words of constants becomes several") {
  CHECK(merged_in_loop("ld.const.v4.f32 {%f1, %f2, %f3, %f4}, [%rd1];", 16) ==
        "ld {%f1,%f2} [%rd1]\nld {%f3,%f4} [%rd1+8]\n");
  CHECK(merged_in_loop("ld.const.v2.f64 {%d1, %d2}, [%rd1];", 16) == "ld %d1 [%rd1]\nld %d2 [%rd1+8]\n");
}

TEST_CASE("merged accesses move the same values") {
  const std::string body =
      "shl.b32 %r1, %t, 4; mov.u32 %r2, s; add.s32 %r1, %r1, %r2; add.u32 %r3, %t, 100; st.shared.u32 [%r1+4], %t; "
      "st.shared.u32 [%r1], %r3; ld.shared.u32 %r4, [%r1]; ld.shared.u32 %r5, [%r1+4]; sub.u32 %r6, %r4, %r5; "
      "st.global.u32 [%own], %r6;";
  CHECK(execute_ptx({.body = body, .before = ".shared .align 4 .b8 s[512];"}) == std::vector<std::uint32_t>(32, 100));
}

}  // namespace
