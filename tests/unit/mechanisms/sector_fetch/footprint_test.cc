#include "mechanisms/sector_fetch/footprint.h"

#include <catch2/catch.hpp>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

using FootprintBench = MechanismBench<Footprint>;

constexpr Address kLoad = 0x40;
constexpr Address kOtherLoad = 0x50;

// A line of a load that misses `wanted` and leaves when the sectors `used` were needed. Returns what it fetched.
SectorMask line_of(FootprintBench& fetch, SectorMask wanted, SectorMask used, Address pc = kLoad, Address line = 0) {
  std::uint32_t memo = 0;
  const SectorMask fetched = fetch->fetch({line, wanted, 0xf, pc, 0}, memo);
  fetch->leaves({line, fetched, used, memo});
  return fetched;
}

TEST_CASE("A load fetches what its last line needed") {
  FootprintBench fetch;
  CHECK(line_of(fetch, 0x1, 0x7) == 0x1);
  CHECK(line_of(fetch, 0x1, 0x3) == 0x7);
  CHECK(line_of(fetch, 0x1, 0x1) == 0x3);
  CHECK(line_of(fetch, 0x1, 0x1) == 0x1);
  CHECK(fetch.counter("known") == 3);
}

TEST_CASE("Each first sector of a load, and each load, has a footprint of its own") {
  FootprintBench fetch;
  line_of(fetch, 0x1, 0xf);
  CHECK(line_of(fetch, 0x2, 0x2) == 0x2);
  CHECK(line_of(fetch, 0x1, 0x1, kOtherLoad) == 0x1);
  CHECK(line_of(fetch, 0x3, 0x3) == 0xf);  // the first of both
}

TEST_CASE("A footprint fetches absent sectors only") {
  FootprintBench fetch;
  line_of(fetch, 0x1, 0xf);
  std::uint32_t memo = 0;
  CHECK(fetch->fetch({0, 0x1, 0x3, kLoad, 0}, memo) == 0x3);
}

TEST_CASE("The first miss of a line decides which footprint learns") {
  FootprintBench fetch;
  std::uint32_t memo = 0;
  CHECK(fetch->fetch({0, 0x1, 0xf, kLoad, 0}, memo) == 0x1);
  CHECK(fetch->fetch({0, 0x8, 0xe, kLoad, 0}, memo) == 0x8);
  fetch->leaves({0, 0x9, 0x9, memo});
  CHECK(line_of(fetch, 0x8, 0x8) == 0x8);
  CHECK(line_of(fetch, 0x1, 0x1) == 0x9);
}

TEST_CASE("In L2 neighbouring lines have one footprint") {
  FootprintBench fetch({CacheLevel::kL2}, {{"region_lines", 4}});
  CHECK(line_of(fetch, 0x1, 0x3, 0, 0) == 0x1);
  CHECK(line_of(fetch, 0x1, 0x3, 0, 3 * kLineBytes) == 0x3);
  CHECK(line_of(fetch, 0x1, 0x3, 0, 4 * kLineBytes) == 0x1);
}

TEST_CASE("Loads that share an entry share its footprint") {
  FootprintBench fetch({CacheLevel::kL1}, {{"table_entries", 1}});
  line_of(fetch, 0x1, 0xc);
  CHECK(line_of(fetch, 0x2, 0x2, kOtherLoad) == 0xe);
}

}  // namespace
}  // namespace warpsim::mechanism
