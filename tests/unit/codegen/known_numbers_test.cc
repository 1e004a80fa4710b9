#include "codegen/known_numbers.h"

#include <catch2/catch.hpp>
#include <optional>

#include "unit/codegen/passes.h"

namespace warpsim::test {
namespace {

// The bits of an instruction's result where %r1 is 7, %r2 -2 and %rd1 5.
std::optional<std::uint64_t> result(const std::string& instruction) {
  Kernel kernel("mov.u32 %r1, 7; mov.s32 %r2, -2; mov.u64 %rd1, 5; " + instruction + " ret;");
  codegen::KnownNumbers known;
  for (std::uint32_t i = 0; i < 3; ++i) {
    const auto moved = known.result_of(kernel.function->body[i]);
    REQUIRE(moved);
    known.set(moved->reg, moved->bits);
  }
  const auto found = known.result_of(kernel.function->body[3]);
  return found ? std::optional(found->bits) : std::nullopt;
}

TEST_CASE("Known numbers: sums, products, logic and shifts of integers are computed in their width") {
  CHECK(result("add.s32 %r3, %r1, %r2;") == 5);
  CHECK(result("sub.s32 %r3, %r2, %r1;") == 0xfffffff7);
  CHECK(result("mul.lo.s32 %r3, %r1, 3;") == 21);
  CHECK(result("mul.wide.s32 %rd2, %r2, 4;") == 0xfffffffffffffff8);
  CHECK(result("mul.wide.u32 %rd2, %r2, 4;") == 0x3fffffff8);
  CHECK(result("mad.lo.s32 %r3, %r1, %r2, 20;") == 6);
  CHECK(result("mad.wide.s32 %rd2, %r2, %r1, %rd1;") == 0xfffffffffffffff7);
  CHECK(result("and.b32 %r3, %r1, 6;") == 6);
  CHECK(result("or.b32 %r3, %r1, 8;") == 15);
  CHECK(result("xor.b32 %r3, %r1, 1;") == 6);
  CHECK(result("not.b32 %r3, %r1;") == 0xfffffff8);
  CHECK(result("shl.b32 %r3, %r1, 30;") == 0xc0000000);
  CHECK(result("shl.b32 %r3, %r1, 32;") == 0);
  CHECK(result("shl.b64 %rd2, %rd1, 40;") == std::uint64_t{5} << 40U);
  CHECK(result("shr.u32 %r3, %r2, 28;") == 15);
  CHECK(result("shr.s32 %r3, %r2, 40;") == 0xffffffff);
}

TEST_CASE("Known numbers: conversions between integers extend and cut") {
  CHECK(result("cvt.s64.s32 %rd2, %r2;") == 0xfffffffffffffffe);
  CHECK(result("cvt.u64.u32 %rd2, %r2;") == 0xfffffffe);
  CHECK(result("cvt.u32.u64 %r3, %rd1;") == 5);
}

TEST_CASE("Known numbers: other operations, unknown operands and guards give none") {
  CHECK_FALSE(result("add.s32 %r3, %r1, %r4;"));
  CHECK_FALSE(result("@%p1 add.s32 %r3, %r1, 1;"));
  CHECK_FALSE(result("mul.hi.u32 %r3, %r1, %r1;"));
  CHECK_FALSE(result("add.cc.u32 %r3, %r1, %r1;"));
  CHECK_FALSE(result("cvt.rn.f32.s32 %f1, %r1;"));
  CHECK_FALSE(result("popc.b32 %r3, %r1;"));
  CHECK_FALSE(result("ld.global.u32 %r3, [%rd1];"));
  CHECK_FALSE(result("mov.f32 %f1, 0f3f800000;"));
  CHECK_FALSE(result("add.bf16 %h1, 1, 2;"));
}

}  // namespace
}  // namespace warpsim::test
