#include "memory/remote/memory_homes.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr MemoryHomes::Home kOwn = MemoryHomes::kOwn;
constexpr MemoryHomes::Home kHost = MemoryHomes::kHost;

TEST_CASE("Memory homes: addresses in no range belong to the GPU that accesses them") {
  MemoryHomes homes;
  CHECK(homes.empty());
  CHECK(homes.home_of(0x1000) == kOwn);
  homes.set(0x1000, 0x1000, 2);
  CHECK_FALSE(homes.empty());
  CHECK(homes.home_of(0xf80) == kOwn);
  CHECK(homes.home_of(0x1000) == 2);
  CHECK(homes.home_of(0x1f80) == 2);
  CHECK(homes.home_of(0x2000) == kOwn);
}

TEST_CASE("Memory homes: parts of a range are replaced and removed") {
  MemoryHomes homes;
  homes.set(0x10000, 0x10000, 1);
  homes.set(0x14000, 0x1000, kHost);
  homes.remove(0x18000, 0x1000);
  CHECK(homes.home_of(0x13f80) == 1);
  CHECK(homes.home_of(0x14000) == kHost);
  CHECK(homes.home_of(0x15000) == 1);
  CHECK(homes.home_of(0x18000) == kOwn);
  CHECK(homes.home_of(0x19000) == 1);
  homes.set(0x14000, 0x1000, 1);
  CHECK(homes.range_of(0x10000).end == 0x18000);  // neighbours with one home are one range
  homes.remove(0, 0x100000);
  CHECK(homes.empty());
}

TEST_CASE("Memory homes: a range over several others replaces them") {
  MemoryHomes homes;
  homes.set(0x1000, 0x1000, 0);
  homes.set(0x3000, 0x1000, 1);
  homes.set(0x1800, 0x2000, 2);
  CHECK(homes.home_of(0x1780) == 0);
  CHECK(homes.home_of(0x1800) == 2);
  CHECK(homes.home_of(0x3780) == 2);
  CHECK(homes.home_of(0x3800) == 1);
}

TEST_CASE("Memory homes: a range consists of whole lines") {
  MemoryHomes homes;
  homes.set(0x1010, 0x80, 3);
  CHECK(homes.home_of(0x1000) == 3);
  CHECK(homes.home_of(0x1080) == 3);
  CHECK(homes.home_of(0x1100) == kOwn);
  homes.set(0x4000, 0, 3);
  CHECK(homes.home_of(0x4000) == kOwn);
}

TEST_CASE("Memory homes: a GPU sees its own ranges, and those of an integrated host, as own memory") {
  MemoryHomes homes;
  homes.set(0x1000, 0x1000, 0);
  homes.set(0x2000, 0x1000, 1);
  homes.set(0x3000, 0x1000, kHost);
  HomeLookup of_0(&homes, 0, false);
  HomeLookup of_1(&homes, 1, true);
  CHECK(of_0.of(0x1000, false) == kOwn);
  CHECK(of_0.of(0x2000, false) == 1);
  CHECK(of_0.of(0x3000, false) == kHost);
  CHECK(of_1.of(0x1000, false) == 0);
  CHECK(of_1.of(0x2000, false) == kOwn);
  CHECK(of_1.of(0x3000, false) == kOwn);
  CHECK(HomeLookup(nullptr, 0, false).of(0x2000, false) == kOwn);
}

TEST_CASE("Memory homes: a lookup notices changes of the range that it has seen last") {
  MemoryHomes homes;
  homes.set(0x1000, 0x1000, 1);
  HomeLookup lookup(&homes, 0, false);
  CHECK(lookup.of(0x1000, false) == 1);
  homes.set(0x1000, 0x80, kHost);
  CHECK(lookup.of(0x1000, false) == kHost);
  CHECK(lookup.of(0x1080, false) == 1);
  homes.remove(0x1000, 0x80);
  CHECK(lookup.of(0x1000, false) == kOwn);
}

}  // namespace
}  // namespace warpsim
