// Lines that loads hold in L1 while they are in flight.
#include <catch2/catch.hpp>

#include "memory/caches/l1_cache.h"

namespace warpsim {
namespace {

// A cache of 16 lines, in which as many may be in flight.
struct HeldLinesRig {
  static L1Config config() {
    L1Config config;
    config.sets = 16;
    config.mshr_entries = 100;
    config.mshr_waiters = 3;
    config.misses_take_lines = true;
    return config;
  }
  explicit HeldLinesRig(const L1Config& config = HeldLinesRig::config()) : cache(config, root) {
    cache.configure(std::uint64_t{16} * kLineBytes);
  }
  void fill(std::uint32_t tag, std::uint8_t sectors) {
    cache.fill(tag, sectors, 0, [](std::uint32_t) {});
  }
  L1Cache::Miss miss(std::uint32_t line, bool bypass = false, bool past_data = false, std::uint32_t held = 0) {
    L1Cache::Load load{line, 0};
    load.past_data = past_data;
    load.held_lines = held;
    return cache.miss(0x10000 + line * kLineBytes, 0x1, bypass, load);
  }
  void hold_all() {
    for (std::uint32_t line = 0; line < 16; ++line) {
      const L1Cache::Miss made = miss(line, line % 2 == 1);  // loads that bypass the cache take lines, too
      REQUIRE(made.accepted);
      REQUIRE(made.holds_line);
    }
  }

  LaunchStats<StatGroup> root{"root"};
  L1Cache cache;
};

TEST_CASE("Loads hold no more lines in flight than the cache has, until they are complete") {
  HeldLinesRig rig;
  rig.hold_all();
  CHECK_FALSE(rig.miss(20).accepted);
  CHECK_FALSE(rig.miss(20, true).accepted);
  CHECK(rig.miss(0).accepted);  // joins a line that is on its way
  rig.fill(0, 0x1);
  CHECK_FALSE(rig.miss(20).accepted);  // its load waits for other lines
  rig.cache.release(1);
  CHECK(rig.miss(20).holds_line);
  CHECK_FALSE(rig.miss(21).accepted);
}

TEST_CASE("Copies past the data of L1 hold no lines, and neither do loads of other descriptions") {
  HeldLinesRig rig;
  rig.hold_all();
  const L1Cache::Miss copy = rig.miss(20, true, true);
  CHECK(copy.accepted);
  CHECK_FALSE(copy.holds_line);

  const auto accepts_more = [](bool take_lines, bool unlimited) {
    L1Config config = HeldLinesRig::config();
    config.misses_take_lines = take_lines;
    config.unlimited_mshrs = unlimited;
    HeldLinesRig other(config);
    for (std::uint32_t line = 0; line < 16; ++line) {
      other.miss(line);
    }
    return other.miss(20).accepted;
  };
  CHECK(accepts_more(false, false));
  CHECK(accepts_more(true, true));
  CHECK_FALSE(accepts_more(true, false));
}

TEST_CASE("An instruction that holds all lines of L1 may have more, because nothing else would end its wait") {
  HeldLinesRig rig;
  rig.hold_all();
  CHECK_FALSE(rig.miss(20, false, false, 15).accepted);
  CHECK(rig.miss(20, false, false, 16).accepted);
}

TEST_CASE("A prefetch holds a line until it has arrived") {
  HeldLinesRig rig;
  const L1Cache::Prefetch made = rig.cache.prefetch(0x1000, 0xf, true, 0);
  REQUIRE(made.result == L1Cache::Prefetch::Result::kRequested);
  for (std::uint32_t line = 0; line < 15; ++line) {
    REQUIRE(rig.miss(line).accepted);
  }
  CHECK_FALSE(rig.miss(20).accepted);
  CHECK(rig.cache.prefetch(0x2000, 0xf, true, 0).result == L1Cache::Prefetch::Result::kNoSpace);
  rig.fill(made.tag, 0xf);
  CHECK(rig.miss(20).accepted);
}

}  // namespace
}  // namespace warpsim
