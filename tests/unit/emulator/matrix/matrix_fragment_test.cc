#include "emulator/matrix/matrix_fragment.h"

#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <set>

namespace warpsim {
namespace {

using Layout = Fragment::Layout;

Fragment fragment(Layout layout, MatrixType type, std::uint32_t rows, std::uint32_t columns, std::uint32_t registers) {
  return {layout, type, rows, columns, 0, registers};
}

// As row * 1000 + column.
std::uint32_t place(const Fragment& fragment, std::uint32_t lane, std::uint32_t reg, std::uint32_t element) {
  const std::uint32_t index = fragment.place(lane, reg, element);
  return index / fragment.columns * 1000 + index % fragment.columns;
}

TEST_CASE("elements share a register as their bits allow") {
  CHECK(fragment(Layout::kLinear, MatrixType::kF16, 16, 16, 8).elements_per_register() == 2);
  CHECK(fragment(Layout::kLinear, MatrixType::kE5m2, 16, 32, 4).elements_per_register() == 4);
  CHECK(fragment(Layout::kLinear, MatrixType::kU4, 8, 32, 1).elements_per_register() == 8);
  CHECK(fragment(Layout::kLinear, MatrixType::kB1, 8, 128, 1).elements_per_register() == 32);
  CHECK(fragment(Layout::kLinear, MatrixType::kTf32, 16, 8, 4).elements_per_register() == 1);
  CHECK(fragment(Layout::kLinear, MatrixType::kF64, 8, 4, 1).elements_per_register() == 1);
}

TEST_CASE("a group of four lanes holds a row of A and the row eight below") {
  // Lane 5 is thread 1 of group 1. Of m16n8k16: a0 a1 | a2 a3 | a4 a5 | a6 a7.
  const Fragment halves = fragment(Layout::kRowsByGroup, MatrixType::kF16, 16, 16, 4);
  CHECK(place(halves, 5, 0, 0) == 1002);
  CHECK(place(halves, 5, 0, 1) == 1003);
  CHECK(place(halves, 5, 1, 0) == 9002);
  CHECK(place(halves, 5, 2, 0) == 1010);
  CHECK(place(halves, 5, 3, 1) == 9011);
  // With eight rows only the group's own row.
  CHECK(place(fragment(Layout::kRowsByGroup, MatrixType::kS8, 8, 16, 1), 5, 0, 3) == 1007);
  CHECK(place(fragment(Layout::kRowsByGroup, MatrixType::kF64, 8, 4, 1), 31, 0, 0) == 7003);
}

TEST_CASE("a group of four lanes holds a column of B") {
  const Fragment halves = fragment(Layout::kColumnsByGroup, MatrixType::kF16, 16, 8, 2);
  CHECK(place(halves, 5, 0, 0) == 2001);
  CHECK(place(halves, 5, 0, 1) == 3001);
  CHECK(place(halves, 5, 1, 1) == 11001);
  CHECK(place(fragment(Layout::kColumnsByGroup, MatrixType::kTf32, 8, 8, 2), 30, 1, 0) == 6007);
}

TEST_CASE("a lane's elements of C are two neighbours, and two more eight rows below") {
  const Fragment singles = fragment(Layout::kAccumulator, MatrixType::kF32, 16, 8, 4);
  CHECK(place(singles, 5, 0, 0) == 1002);
  CHECK(place(singles, 5, 1, 0) == 1003);
  CHECK(place(singles, 5, 3, 0) == 9003);
  const Fragment halves = fragment(Layout::kAccumulator, MatrixType::kF16, 16, 8, 2);
  CHECK(place(halves, 5, 0, 1) == 1003);
  CHECK(place(halves, 5, 1, 0) == 9002);
}

TEST_CASE("every layout holds each element of the matrix once") {
  for (const Fragment& each : {fragment(Layout::kRowsByGroup, MatrixType::kF16, 16, 16, 4),
                               fragment(Layout::kRowsByGroup, MatrixType::kB1, 16, 256, 4),
                               fragment(Layout::kColumnsByGroup, MatrixType::kS4, 64, 8, 2),
                               fragment(Layout::kAccumulator, MatrixType::kS32, 16, 8, 4),
                               fragment(Layout::kLinear, MatrixType::kF32, 16, 16, 8),
                               fragment(Layout::kLinearColumns, MatrixType::kU8, 16, 8, 1)}) {
    std::set<std::uint32_t> places;
    for (std::uint32_t i = 0; i < kWarpSize * each.registers * each.elements_per_register(); ++i) {
      const std::uint32_t of_lane = i / kWarpSize;
      places.insert(
          each.place(i % kWarpSize, of_lane / each.elements_per_register(), of_lane % each.elements_per_register()));
    }
    CHECK(places.size() == std::size_t{each.rows} * each.columns);
    CHECK(*places.rbegin() == each.rows * each.columns - 1);
  }
}

TEST_CASE("elements are read in the format of their type") {
  CHECK(float_element(MatrixType::kF16, 0xc500) == -5);
  CHECK(float_element(MatrixType::kF16, 0x0001) == std::ldexp(1, -24));
  CHECK(float_element(MatrixType::kBf16, 0x4049) == 3.140625);
  CHECK(float_element(MatrixType::kF32, 0x3f800001) == 1 + std::ldexp(1, -23));
  CHECK(float_element(MatrixType::kE4m3, 0x7e) == 448);
  CHECK(std::isnan(float_element(MatrixType::kE4m3, 0x7f)));
  CHECK(float_element(MatrixType::kE5m2, 0x7b) == 57344);
  CHECK(std::isinf(float_element(MatrixType::kE5m2, 0xfc)));
  CHECK(float_element(MatrixType::kF64, 0x4000000000000000) == 2);
}

TEST_CASE("ten bits of the fraction of a tf32 are used") {
  CHECK(float_element(MatrixType::kTf32, 0x3f801fff) == 1);
  CHECK(float_element(MatrixType::kTf32, 0x3f802000) == 1 + std::ldexp(1, -10));
}

TEST_CASE("results are rounded to the nearest number of their type") {
  CHECK(float_bits(MatrixType::kF16, 2049) == 0x6800);
  CHECK(float_bits(MatrixType::kF16, 2051) == 0x6802);
  CHECK(float_bits(MatrixType::kF16, 1e6) == 0x7c00);
  CHECK(float_bits(MatrixType::kF32, 1 + std::ldexp(1, -24)) == 0x3f800000);
  CHECK(float_bits(MatrixType::kF64, -1) == 0xbff0000000000000);
}

TEST_CASE("integers and bits are distinguished from floating-point numbers") {
  for (const MatrixType type : {MatrixType::kU8, MatrixType::kS4, MatrixType::kB1, MatrixType::kS32}) {
    CHECK(is_integer(type));
  }
  for (const MatrixType type : {MatrixType::kF16, MatrixType::kTf32, MatrixType::kE4m3, MatrixType::kF64}) {
    CHECK_FALSE(is_integer(type));
  }
}

}  // namespace
}  // namespace warpsim
