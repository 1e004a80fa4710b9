// wgmma: products with operands in shared memory and in registers.
#include <fmt/format.h>

#include <bit>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstring>
#include <string>
#include <vector>

#include "emulator/matrix/matrix_words.h"
#include "emulator/matrix/shared_matrix.h"
#include "ptx/ptx_error.h"
#include "support/ptx_launch.h"

namespace warpsim::test {
namespace {

constexpr std::uint32_t kRows = 64;
constexpr std::uint32_t kColumns = 8;
constexpr std::uint32_t kRowBytes = 32;  // of A and of B's columns, in all types

// Numbers with their bits in a type.
struct Type {
  std::string name;
  std::uint32_t bytes;
  std::vector<std::pair<std::uint32_t, double>> numbers;
};
const Type kHalf{"f16", 2, {{0x3c00, 1}, {0xc000, -2}, {0x3800, 0.5}, {0x4200, 3}, {0, 0}}};
const Type kBrain{"bf16", 2, {{0x3f80, 1}, {0xc000, -2}, {0x3f00, 0.5}, {0x4040, 3}, {0, 0}}};
const Type kTensor{"tf32", 4, {{0x3f800000, 1}, {0xc0001fff, -2}, {0x3f000000, 0.5}, {0x40400000, 3}, {0, 0}}};
const Type kE4m3{"e4m3", 1, {{0x38, 1}, {0xc0, -2}, {0x30, 0.5}, {0x44, 3}, {0, 0}}};
const Type kE5m2{"e5m2", 1, {{0x3c, 1}, {0xc0, -2}, {0x38, 0.5}, {0x42, 3}, {0, 0}}};
const Type kSigned{"s8", 1, {{1, 1}, {0xfe, -2}, {0x80, -128}, {3, 3}, {0, 0}}};
const Type kUnsigned{"u8", 1, {{1, 1}, {0xfe, 254}, {0x80, 128}, {3, 3}, {0, 0}}};

struct Matrix {
  const Type& type;
  std::uint32_t seed;
  std::uint32_t depth() const { return kRowBytes / type.bytes; }
  const std::pair<std::uint32_t, double>& at(std::uint32_t row, std::uint32_t k) const {
    return type.numbers[(row * 7 + k * 3 + row * k % 11 + seed) % type.numbers.size()];
  }
  // Pieces of eight rows of 16 bytes; the second half of the rows 128 bytes after the first.
  void lay_out(PtxLaunch& test, std::uint32_t rows, std::uint32_t begin) const {
    for (std::uint32_t row = 0; row < rows; ++row) {
      for (std::uint32_t k = 0; k < depth(); ++k) {
        const std::uint32_t at_byte = k * type.bytes;
        const std::uint32_t place = begin + row / 8 * 256 + at_byte / 16 * 128 + row % 8 * 16 + at_byte % 16;
        std::memcpy(test.memory.host(test.in + place, type.bytes), &at(row, k).first, type.bytes);
      }
    }
  }
};

// Copies A and B to shared memory; %rd1 and %rd2 become their descriptors, %p1 is true.
const std::string kStart =
    ".shared .align 128 .b8 buffer[4096];\n.shared .align 8 .b64 barrier;\n.reg .b32 %acc<4>;\n"
    "setp.ne.u32 %p2, %t, 0;\nmov.u32 %r0, buffer;\nmov.u32 %r1, barrier;\n@%p2 bra wait;\n"
    "mbarrier.init.shared.b64 [barrier], 1;\nmbarrier.arrive.expect_tx.shared.b64 %rd0, [barrier], 4096;\n"
    "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r0], [%in], 4096, [%r1];\n"
    "wait:\nbar.sync 0;\nshr.u32 %r0, %r0, 4;\ncvt.u64.u32 %rd1, %r0;\n"
    "or.b64 %rd1, %rd1, 0x0000001000080000;\nadd.u64 %rd2, %rd1, 128;\n"  // distances of 128 and 256 bytes
    "setp.eq.u32 %p1, 0, 0;\nmov.b32 %acc0, %r7;\nmov.b32 %acc1, %r7;\nmov.b32 %acc2, %r7;\nmov.b32 %acc3, %r7;\n"
    "wgmma.fence.sync.aligned;\n";
const std::string kEnd =
    "wgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n"
    "mul.wide.u32 %rd3, %t, 16;\nadd.u64 %rd3, %rd3, %out;\nst.global.v4.b32 [%rd3], {%acc0, %acc1, %acc2, %acc3};\n";

// Element (row, column) of D as the threads store it.
std::uint32_t element(const PtxLaunch& test, std::uint32_t row, std::uint32_t column) {
  const std::uint32_t thread = row / 16 * 32 + row % 8 * 4 + column / 2;
  return test.output<std::uint32_t>(thread * 4 + row % 16 / 8 * 2 + column % 2);
}

double expected(const Matrix& a, const Matrix& b, std::uint32_t row, std::uint32_t column) {
  double sum = 0;
  for (std::uint32_t k = 0; k < a.depth(); ++k) {
    sum += a.at(row, k).second * b.at(column, k).second;
  }
  return sum;
}

// D = start + sign * A B.
void check_product(const Type& left, const Type& right, const std::string& immediates, double sign) {
  const bool integers = left.name == "s8" || left.name == "u8";
  const Matrix a{left, 1};
  const Matrix b{right, 2};
  const std::string shape =
      fmt::format("m64n8k{}.{}.{}.{}", a.depth(), integers ? "s32" : "f32", left.name, right.name);
  PtxLaunch test((integers ? "mov.b32 %r7, 5;\n" : "mov.b32 %r7, 0f40A00000;\n") + kStart +
                 "wgmma.mma_async.sync.aligned." + shape + " {%acc0, %acc1, %acc2, %acc3}, %rd1, %rd2, %p1" +
                 immediates + ";\n" + kEnd);
  a.lay_out(test, kRows, 0);
  b.lay_out(test, kColumns, 2048);
  test.launch.block = {128, 1, 1};
  test.run();
  CHECK(test.warnings.empty());
  for (std::uint32_t row = 0; row < kRows; ++row) {
    for (std::uint32_t column = 0; column < kColumns; ++column) {
      const std::uint32_t got = element(test, row, column);
      const double value = integers ? static_cast<double>(static_cast<std::int32_t>(got))
                                    : static_cast<double>(std::bit_cast<float>(got));
      INFO(shape << " at " << row << ", " << column);
      REQUIRE(value == 5 + sign * expected(a, b, row, column));
    }
  }
}

TEST_CASE("warpgroups multiply matrices of every type") {
  check_product(kHalf, kHalf, ", 1, 1, 0, 0", 1);
  check_product(kHalf, kHalf, ", -1, 1, 0, 0", -1);
  check_product(kHalf, kHalf, ", -1, -1, 0, 0", 1);
  check_product(kBrain, kBrain, ", 1, 1, 0, 0", 1);
  check_product(kTensor, kTensor, ", 1, -1", -1);
  check_product(kE4m3, kE4m3, ", 1, 1", 1);
  check_product(kE4m3, kE5m2, ", 1, 1", 1);
  check_product(kE5m2, kE4m3, ", 1, 1", 1);
  check_product(kSigned, kSigned, "", 1);
  check_product(kUnsigned, kSigned, "", 1);
  check_product(kUnsigned, kUnsigned, "", 1);
}

TEST_CASE("a false predicate ignores the old D") {
  const Matrix a{kHalf, 0};
  const Matrix b{kHalf, 3};
  PtxLaunch test(
      "mov.b32 %r7, 0f40A00000;\n" + kStart +
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%acc0, %acc1, %acc2, %acc3}, %rd1, %rd2, 0, 1, 1, 0, 0;\n" +
      kEnd);
  a.lay_out(test, kRows, 0);
  b.lay_out(test, kColumns, 2048);
  test.launch.block = {128, 1, 1};
  test.run();
  CHECK(std::bit_cast<float>(element(test, 37, 5)) == expected(a, b, 37, 5));
}

TEST_CASE("sums of halves are packed in pairs of columns") {
  const Matrix a{kHalf, 0};
  const Matrix b{kHalf, 3};
  PtxLaunch test("mov.b32 %r7, 0x40003c00;\n" + kStart +  // 1, 2
                 "wgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%acc0, %acc1}, %rd1, %rd2, %p1, 1, 1, 0, 0;\n" +
                 kEnd);
  a.lay_out(test, kRows, 0);
  b.lay_out(test, kColumns, 2048);
  test.launch.block = {128, 1, 1};
  test.run();
  // Row 20 is row 4 of the second warp: lanes 16 to 19; columns 2 and 3 are lane 17's.
  const std::uint32_t word = test.output<std::uint32_t>((32 + 17) * 4);
  const auto half = [](std::uint32_t bits) {
    const int exponent = static_cast<int>(bits >> 10U & 31U);
    const double size = (1024.0 + (bits & 1023U)) / 1024 * std::pow(2.0, exponent - 15);
    return (bits & 0x8000U) != 0 ? -size : size;
  };
  CHECK(half(word & 0xffffU) == 1 + expected(a, b, 20, 2));
  CHECK(half(word >> 16U) == 2 + expected(a, b, 20, 3));
}

TEST_CASE("A may come from registers") {
  const Matrix b{kE4m3, 3};
  // Every element of A is 1 in row 8 of each warp (lanes 0 to 3, registers 1 and 3) and 0 elsewhere.
  PtxLaunch test(
      "mov.b32 %r7, 0;\n" + kStart +
      "and.b32 %r2, %t, 31;\nsetp.lt.u32 %p3, %r2, 4;\nselp.b32 %r3, 0x38383838, 0, %p3;\nmov.b32 %r4, 0;\n"
      "wgmma.mma_async.sync.aligned.m64n8k32.f32.e4m3.e4m3 {%acc0, %acc1, %acc2, %acc3}, {%r4, %r3, %r4, %r3}, %rd2, "
      "%p1, 1, 1;\n" +
      kEnd);
  b.lay_out(test, kColumns, 2048);
  test.launch.block = {128, 1, 1};
  test.run();
  for (std::uint32_t column = 0; column < kColumns; ++column) {
    double sum = 0;
    for (std::uint32_t k = 0; k < 32; ++k) {
      sum += b.at(column, k).second;
    }
    CHECK(std::bit_cast<float>(element(test, 24, column)) == sum);
    CHECK(element(test, 25, column) == 0);
  }
}

TEST_CASE("products of bits are counted") {
  PtxLaunch test(
      "mov.b32 %r7, 1;\n" + kStart +
      "wgmma.mma_async.sync.aligned.m64n8k256.s32.b1.b1.and.popc {%acc0, %acc1, %acc2, %acc3}, %rd1, %rd2, %p1;\n" +
      kEnd);
  for (std::uint32_t i = 0; i < 1024; ++i) {
    test.set_input<std::uint32_t>(i, i < 512 ? 0xf0f0f0f0 : 0xff00ff0f);
  }
  test.launch.block = {128, 1, 1};
  test.run();
  // f0f0f0f0 and ff00ff0f have 8 bits in common, of 8 words.
  CHECK(element(test, 63, 7) == 1 + 8 * 8);
}

TEST_CASE("units of 16 bytes are addressed in each layout") {
  // Start 0x400, distances 0x100 and 0x800.
  const std::uint64_t plain = 0x40 | std::uint64_t{0x10} << 16U | std::uint64_t{0x80} << 32U;
  const SharedMatrix none = SharedMatrix::decode(plain);
  CHECK(none.unit_along_k(9, 1) == 0x400 + 0x800 + 16 + 0x100);
  CHECK(none.unit_along_rows(16, 9) == 0x400 + 2 * 0x800 + 0x100 + 16);
  const SharedMatrix widest = SharedMatrix::decode(plain | std::uint64_t{1} << 62U);
  CHECK(widest.swizzle == 3);
  CHECK(widest.unit_along_k(3, 1) == 0x400 + 3 * 128 + (1 ^ 3) * 16);
  CHECK(widest.unit_along_k(8, 1) == 0x400 + 0x800 + 16);
  CHECK(widest.unit_along_rows(64 + 8, 9) == 0x400 + 0x100 + 0x800 + 128 + ((1 ^ (3 & 7)) * 16));
  const SharedMatrix middle = SharedMatrix::decode(plain | std::uint64_t{2} << 62U);
  CHECK(middle.unit_along_k(2, 0) == 0x400 + 128 + 16);
  const SharedMatrix narrow = SharedMatrix::decode(plain | std::uint64_t{3} << 62U);
  CHECK(narrow.unit_along_k(4, 0) == 0x400 + 128 + 16);
  CHECK(narrow.unit_along_rows(8, 3) == 0x400 + 16 + 96);
}

TEST_CASE("unsupported warpgroup products are reported") {
  const auto refused = [](const std::string& instruction) {
    PtxLaunch test(".reg .b32 %acc<4>;\n" + instruction);
    CHECK_THROWS_AS(test.run(), ptx::PtxError);
  };
  refused(
      "wgmma.mma_async.sync.aligned.m64n12k16.f32.f16.f16 {%acc0, %acc1, %acc2, %acc3}, %rd1, %rd2, %p1, 1, 1, 0, 0;");
  refused(
      "wgmma.mma_async.sync.aligned.m64n8k16.s32.f16.f16 {%acc0, %acc1, %acc2, %acc3}, %rd1, %rd2, %p1, 1, 1, 0, 0;");
  refused(
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%acc0, %acc1, %acc2, %acc3}, %rd1, %rd2, %p1, 2, 1, 0, 0;");
  // There is no third selector of metadata, and a sparse product has twice the depth.
  refused(
      "wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%acc0, %acc1, %acc2, %acc3}, %rd1, %rd2, %r1, 2, %p1, 1, "
      "1, 0, 0;");
  refused(
      "wgmma.mma_async.sp.sync.aligned.m64n8k16.f32.f16.f16 {%acc0, %acc1, %acc2, %acc3}, %rd1, %rd2, %r1, 0, %p1, 1, "
      "1, 0, 0;");
  PtxLaunch offset(
      "mov.b32 %r7, 0;\n" + kStart +
      "or.b64 %rd2, %rd2, 0x0002000000000000;\n"
      "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%acc0, %acc1, %acc2, %acc3}, %rd1, %rd2, %p1, 1, 1, 0, 0;");
  offset.launch.block = {128, 1, 1};
  CHECK_THAT(offset.fault(), Catch::Contains("base offset"));
  PtxLaunch registers("setmaxnreg.dec.sync.aligned.u32 40;\nsetmaxnreg.inc.sync.aligned.u32 232;");
  CHECK_NOTHROW(registers.run());
}

}  // namespace
}  // namespace warpsim::test
