#include "mechanisms/compressions/drawn_sizes.h"

#include <array>
#include <catch2/catch.hpp>
#include <stdexcept>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

using DrawnBench = MechanismBench<DrawnSizes>;

// How many of 100,000 neighbouring lines have each size.
std::array<int, 5> sizes_of(DrawnBench& compression) {
  std::array<int, 5> counts{};
  for (Address line = 0; line < 100000; ++line) {
    ++counts.at(compression->sectors((Address{1} << 30U) + line * kLineBytes));
  }
  return counts;
}

TEST_CASE("Lines have the sizes of the shares, within four standard deviations") {
  DrawnBench compression({}, {{"one_sector_share", 0.5}, {"two_sectors_share", 0.25}, {"three_sectors_share", 0.0}});
  const auto [none, one, two, three, four] = sizes_of(compression);
  CHECK(none == 0);
  CHECK(three == 0);
  CHECK(one == Approx(50000).margin(4 * 158));
  CHECK(two == Approx(25000).margin(4 * 137));
  CHECK(four == Approx(25000).margin(4 * 137));
}

TEST_CASE("Shares of 1 leave no other lines") {
  DrawnBench compression({}, {{"one_sector_share", 0.0}, {"two_sectors_share", 0.0}, {"three_sectors_share", 1.0}});
  CHECK(sizes_of(compression)[3] == 100000);
}

TEST_CASE("The lines of a region have one size") {
  DrawnBench compression({}, {{"region_lines", 8}});
  bool differ = false;
  for (Address region = 0; region < 100; ++region) {
    const std::uint32_t size = compression->sectors(region * 8 * kLineBytes);
    for (Address line = 1; line < 8; ++line) {
      CHECK(compression->sectors((region * 8 + line) * kLineBytes) == size);
    }
    differ = differ || size != compression->sectors(0);
  }
  CHECK(differ);
}

TEST_CASE("Shares of more than 1 are refused") {
  CHECK_THROWS_AS(DrawnBench({}, {{"one_sector_share", 0.7}}), std::invalid_argument);
}

}  // namespace
}  // namespace warpsim::mechanism
