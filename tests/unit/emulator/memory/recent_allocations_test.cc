#include "emulator/memory/recent_allocations.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

TEST_CASE("Recent allocations: the last four are found by any of their bytes, of the same generation only") {
  std::array<std::byte, 16> host{};
  RecentAllocations recent;
  CHECK(recent.find(0, 0) == nullptr);
  for (Address begin = 0x1000; begin <= 0x4000; begin += 0x1000) {
    CHECK(recent.keep({begin, 0x100, host.data()}, 7).begin == begin);
  }
  for (Address begin = 0x1000; begin <= 0x4000; begin += 0x1000) {
    CHECK(recent.find(begin - 1, 7) == nullptr);
    REQUIRE(recent.find(begin, 7) != nullptr);
    CHECK(recent.find(begin, 7)->begin == begin);
    CHECK(recent.find(begin + 0xff, 7) == recent.find(begin, 7));
    CHECK(recent.find(begin + 0x100, 7) == nullptr);
    CHECK(recent.find(begin, 8) == nullptr);
  }
  recent.keep({0x5000, 0x100, host.data()}, 7);
  CHECK(recent.find(0x1000, 7) == nullptr);
  CHECK(recent.find(0x2000, 7) != nullptr);
  CHECK(recent.find(0x5000, 7) != nullptr);
}

TEST_CASE("Recent allocations: the first of a new generation replaces all others") {
  RecentAllocations recent;
  recent.keep({0x1000, 0x100, nullptr}, 7);
  recent.keep({0x2000, 0x100, nullptr}, 8);
  CHECK(recent.find(0x1000, 7) == nullptr);
  CHECK(recent.find(0x1000, 8) == nullptr);
  CHECK(recent.find(0x2000, 8) != nullptr);
}

}  // namespace
}  // namespace warpsim
