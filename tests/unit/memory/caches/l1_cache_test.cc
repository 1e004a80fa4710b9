#include "memory/caches/l1_cache.h"

#include <catch2/catch.hpp>
#include <vector>

namespace warpsim {
namespace {

struct CacheRig {
  explicit CacheRig(const L1Config& config) : cache(config, root) {
    cache.configure(std::uint64_t{4} * 16 * kLineBytes);
  }
  // Requests the sectors and delivers them at once.
  void load(Address line, std::uint8_t sectors) {
    const std::uint8_t missing = cache.missing_sectors(line, sectors, false);
    if (missing != 0) {
      const L1Cache::Miss miss = cache.miss(line, missing, false, {0, 0});
      cache.fill(miss.tag, miss.request_sectors, 0, [](std::uint32_t) {});
    } else {
      cache.touch(line, 0xf, 0);
    }
  }
  std::vector<std::uint32_t> fill(std::uint32_t tag, std::uint8_t sectors) {
    std::vector<std::uint32_t> done;
    cache.fill(tag, sectors, 0, [&](std::uint32_t waiter) { done.push_back(waiter); });
    return done;
  }
  LaunchStats<StatGroup> root{"root"};
  L1Cache cache;
};

L1Config small_l1() {
  L1Config config;
  config.sets = 16;
  config.mshr_entries = 2;
  config.mshr_waiters = 3;
  config.write_allocate = true;
  return config;
}

std::uint64_t counter(const CacheRig& rig, const std::string& name) {
  for (const NamedCounter& c : rig.root[0].children()[0]->counters()) {
    if (name == c.name()) {
      return c.value();
    }
  }
  FAIL("no counter " << name);
  return 0;
}

TEST_CASE("A load misses all sectors of an absent line and hits them after the fill") {
  CacheRig rig(small_l1());
  CHECK(rig.cache.missing_sectors(0x1000, 0xf, false) == 0xf);
  rig.load(0x1000, 0xf);
  CHECK(rig.cache.missing_sectors(0x1000, 0xf, false) == 0);
}

TEST_CASE("A present line misses the sectors that were never requested") {
  CacheRig rig(small_l1());
  rig.load(0x1000, 0x3);
  CHECK(rig.cache.missing_sectors(0x1000, 0x6, false) == 0x4);
}

TEST_CASE("A second miss on sectors in flight sends no request and is served by the same fill") {
  CacheRig rig(small_l1());
  const L1Cache::Miss first = rig.cache.miss(0x1000, 0x3, false, {10, 0});
  const L1Cache::Miss second = rig.cache.miss(0x1000, 0x3, false, {11, 0});
  CHECK(first.request_sectors == 0x3);
  CHECK(second.accepted);
  CHECK(second.request_sectors == 0);
  CHECK(second.tag == first.tag);
  CHECK(counter(rig, "merged_misses") == 1);
  CHECK(rig.fill(first.tag, 0x3) == std::vector<std::uint32_t>{10, 11});
  CHECK(rig.cache.idle());
}

TEST_CASE("A merged miss requests the sectors that are not in flight yet") {
  CacheRig rig(small_l1());
  const L1Cache::Miss first = rig.cache.miss(0x1000, 0x3, false, {10, 0});
  const L1Cache::Miss second = rig.cache.miss(0x1000, 0x6, false, {11, 0});
  CHECK(second.request_sectors == 0x4);
  CHECK(rig.fill(first.tag, 0x3) == std::vector<std::uint32_t>{10});
  CHECK(rig.fill(first.tag, 0x4) == std::vector<std::uint32_t>{11});
  CHECK(counter(rig, "requested_sectors") == 3);
  CHECK(counter(rig, "filled_sectors") == 3);
}

TEST_CASE("A waiter is served when the last of its sectors has arrived") {
  CacheRig rig(small_l1());
  const L1Cache::Miss miss = rig.cache.miss(0x1000, 0xf, false, {10, 0});
  CHECK(rig.fill(miss.tag, 0x5).empty());
  CHECK(rig.cache.missing_sectors(0x1000, 0xf, false) == 0xa);
  CHECK(rig.fill(miss.tag, 0xa) == std::vector<std::uint32_t>{10});
}

TEST_CASE("A miss is refused when all MSHRs are taken, counted once, and accepted after a fill") {
  CacheRig rig(small_l1());
  const L1Cache::Miss first = rig.cache.miss(0x1000, 0x1, false, {1, 0});
  rig.cache.miss(0x2000, 0x1, false, {2, 0});
  CHECK_FALSE(rig.cache.miss(0x3000, 0x1, false, {3, 0}).accepted);
  CHECK_FALSE(rig.cache.miss(0x3000, 0x1, false, {3, 0}).accepted);
  CHECK(counter(rig, "mshr_full_events") == 1);
  rig.fill(first.tag, 0x1);
  CHECK(rig.cache.miss(0x3000, 0x1, false, {3, 0}).accepted);
}

TEST_CASE("A miss is refused when too many instructions wait for its line") {
  CacheRig rig(small_l1());
  for (std::uint32_t waiter = 0; waiter < 3; ++waiter) {
    CHECK(rig.cache.miss(0x1000, 0x1, false, {waiter, 0}).accepted);
  }
  CHECK_FALSE(rig.cache.miss(0x1000, 0x1, false, {3, 0}).accepted);
  CHECK(rig.cache.miss(0x2000, 0x1, false, {3, 0}).accepted);
}

TEST_CASE("Unlimited MSHRs refuse nothing") {
  L1Config config = small_l1();
  config.unlimited_mshrs = true;
  CacheRig rig(config);
  for (std::uint32_t i = 0; i < 1000; ++i) {
    REQUIRE(rig.cache.miss(Address{i} * kLineBytes, 0x1, false, {i, 0}).accepted);
    REQUIRE(rig.cache.miss(0, 0x1, false, {i, 0}).accepted);
  }
}

TEST_CASE("A load that bypasses L1 misses present lines and keeps no line") {
  CacheRig rig(small_l1());
  rig.load(0x1000, 0x1);
  CHECK(rig.cache.missing_sectors(0x1000, 0x1, true) == 0x1);
  const L1Cache::Miss miss = rig.cache.miss(0x2000, 0x1, true, {1, 0});
  rig.fill(miss.tag, 0x1);
  CHECK(rig.cache.missing_sectors(0x2000, 0x1, false) == 0x1);
}

TEST_CASE("A store makes fully written sectors of an absent line valid if the policy allows it") {
  CacheRig rig(small_l1());
  rig.cache.write(0x1000, 0x7, 0x3, 0);
  CHECK(rig.cache.missing_sectors(0x1000, 0xf, false) == 0xc);
  L1Config config = small_l1();
  config.write_allocate = false;
  CacheRig without(config);
  without.cache.write(0x1000, 0x7, 0x3, 0);
  CHECK(without.cache.missing_sectors(0x1000, 0xf, false) == 0xf);
}

TEST_CASE("A store to a present line is counted and validates completely written sectors") {
  L1Config config = small_l1();
  config.write_allocate = false;
  CacheRig rig(config);
  rig.load(0x1000, 0x1);
  rig.cache.write(0x1000, 0x6, 0x2, 0);
  CHECK(counter(rig, "store_sectors_present") == 2);
  CHECK(rig.cache.missing_sectors(0x1000, 0xf, false) == 0xc);
}

TEST_CASE("A partly written sector of an absent line allocates nothing") {
  CacheRig rig(small_l1());
  rig.cache.write(0x1000, 0x1, 0x0, 0);
  CHECK(rig.cache.missing_sectors(0x1000, 0x1, false) == 0x1);
  CHECK(counter(rig, "evictions") == 0);
}

TEST_CASE("An atomic removes its sectors from L1") {
  CacheRig rig(small_l1());
  rig.load(0x1000, 0xf);
  rig.cache.discard(0x1000, 0x2);
  CHECK(rig.cache.missing_sectors(0x1000, 0xf, false) == 0x2);
}

TEST_CASE("A description may fix the capacity of L1, whatever the carve-out leaves") {
  L1Config config = small_l1();
  config.mshr_entries = 64;
  config.capacity_kib = 4;  // two ways of 16 sets
  CacheRig rig(config);
  for (std::uint32_t block = 0; block < 3; ++block) {
    for (std::uint32_t line = 0; line < 16; ++line) {
      rig.load(Address{block * 16 + line} * kLineBytes, 0x1);
    }
  }
  CHECK(counter(rig, "evictions") == 16);
}

TEST_CASE("The least recently used line of a set is replaced") {
  // Capacity of four ways of 16 sets. A hash spreads lines over sets, each aligned block of 16 lines over all of them:
  // five blocks fill every set's four ways once and replace 16 lines, those of the first block.
  CacheRig rig(small_l1());
  for (Address line = 0; line < 5 * 16; ++line) {
    rig.load(line * kLineBytes, 0xf);
  }
  CHECK(counter(rig, "evictions") == 16);
  for (Address line = 0; line < 16; ++line) {
    CHECK(rig.cache.missing_sectors(line * kLineBytes, 0xf, false) == 0xf);
  }
  for (Address line = 16; line < 5 * 16; ++line) {
    CHECK(rig.cache.missing_sectors(line * kLineBytes, 0xf, false) == 0);
  }
}

TEST_CASE("The carve-out sets the number of ways, at least one") {
  CacheRig rig(small_l1());
  rig.cache.configure(std::uint64_t{2} * 16 * kLineBytes);
  for (Address line = 0; line < 32; ++line) {
    rig.load(line * kLineBytes, 0xf);
  }
  CHECK(counter(rig, "evictions") == 0);
  rig.load(Address{32} * kLineBytes, 0xf);
  CHECK(counter(rig, "evictions") == 1);
  rig.cache.configure(0);
  CHECK(rig.cache.missing_sectors(0, 0x1, false) == 0x1);
  rig.load(0, 0x1);
  CHECK(rig.cache.missing_sectors(0, 0x1, false) == 0);
}

TEST_CASE("Setting the capacity removes present lines, not misses in flight") {
  CacheRig rig(small_l1());
  rig.load(0x1000, 0xf);
  const L1Cache::Miss miss = rig.cache.miss(0x2000, 0x1, false, {5, 0});
  rig.cache.configure(std::uint64_t{4} * 16 * kLineBytes);
  CHECK(rig.cache.missing_sectors(0x1000, 0xf, false) == 0xf);
  CHECK(rig.fill(miss.tag, 0x1) == std::vector<std::uint32_t>{5});
}

TEST_CASE("A perfect L1 never misses, also for loads that bypass it") {
  L1Config config = small_l1();
  config.perfect = true;
  CacheRig rig(config);
  CHECK(rig.cache.missing_sectors(0x1000, 0xf, false) == 0);
  CHECK(rig.cache.missing_sectors(0x1000, 0xf, true) == 0);
}

// --- fills of whole lines, local memory ---

TEST_CASE("With fills of whole lines a miss requests the line, except sectors that are present or in flight") {
  L1Config config = small_l1();
  config.fill_bytes = kLineBytes;
  CacheRig rig(config);
  const L1Cache::Miss first = rig.cache.miss(0x1000, 0x1, false, {10, 0});
  CHECK(first.request_sectors == 0xf);
  CHECK(rig.cache.miss(0x1000, 0x2, false, {11, 0}).request_sectors == 0);
  CHECK(rig.fill(first.tag, 0xf) == std::vector<std::uint32_t>{10, 11});
  rig.cache.discard(0x1000, 0x2);
  CHECK(rig.cache.miss(0x1000, 0x2, false, {12, 0}).request_sectors == 0x2);
  CHECK(rig.cache.miss(0x2000, 0x1, true, {13, 0}).request_sectors == 0x1);  // past L1
}

TEST_CASE("A store to global memory removes its line if the policy requires it") {
  L1Config config = small_l1();
  config.write_allocate = false;
  config.policy.global_stores = GlobalStores::kInvalidate;
  CacheRig rig(config);
  rig.load(0x1000, 0xf);
  rig.cache.write(0x1000, 0x1, 0x1, 0);
  CHECK(rig.cache.missing_sectors(0x1000, 0xf, false) == 0xf);
  CHECK(counter(rig, "store_sectors_present") == 1);
}

TEST_CASE("Local memory that is written stays dirty until its line is replaced or dropped") {
  CacheRig rig(small_l1());
  rig.cache.configure(std::uint64_t{16} * kLineBytes);       // one way
  CHECK(rig.cache.write_local(0x1000, 0x7, 0x3, 0) == 0x4);  // the partly written sector is written through
  CHECK(rig.cache.missing_sectors(0x1000, 0xf, false) == 0xc);
  CHECK(rig.cache.write_local(0x1000, 0x1, 0x0, 0) == 0x0);  // a valid sector may be partly written
  CHECK(rig.cache.writebacks().empty());
  for (Address line = 0; line < 16; ++line) {
    rig.load((line + 4096) * kLineBytes, 0xf);
  }
  REQUIRE(rig.cache.writebacks().size() == 1);
  CHECK(rig.cache.writebacks().front().line == 0x1000);
  CHECK(rig.cache.writebacks().front().sectors == 0x3);
  CHECK(counter(rig, "writeback_sectors") == 2);
  rig.cache.writebacks().pop();
  rig.cache.write_local(0x1000, 0xf, 0xf, 0);
  rig.cache.drop(0x1000, 0);
  for (Address line = 0; line < 16; ++line) {
    rig.load((line + 8192) * kLineBytes, 0xf);
  }
  CHECK(rig.cache.writebacks().empty());
}

// 64 lines of 128 bytes, or as many bytes in more lines; a line in each of the 16 sets per 16 consecutive ones.
TEST_CASE("More lines of fewer bytes fit the same capacity") {
  for (const std::uint32_t bytes : {128U, 64U, 32U}) {
    INFO(bytes);
    L1Config config = small_l1();
    config.line_bytes = bytes;
    CacheRig rig(config);
    const Address fitting = Address{64} * 128 / bytes;
    for (Address line = 0; line < fitting; ++line) {
      rig.load(line * 128, 0x1);
    }
    for (Address line = 0; line < fitting; ++line) {
      CHECK(rig.cache.missing_sectors(line * 128, 0x1, false) == 0);
    }
    CHECK(counter(rig, "evictions") == 0);
    rig.load(fitting * 128, 0x1);
    CHECK(counter(rig, "evictions") == 1);
  }
}

TEST_CASE("Halves of a line of 128 bytes are lines of their own") {
  L1Config config = small_l1();
  config.line_bytes = 64;
  CacheRig rig(config);
  const L1Cache::Miss lower = rig.cache.miss(0x1000, 0x1, false, {10, 0});
  const L1Cache::Miss upper = rig.cache.miss(0x1040, 0xc, false, {11, 0});
  CHECK(lower.tag != upper.tag);
  CHECK(upper.request_sectors == 0xc);
  CHECK(rig.fill(upper.tag, 0xc) == std::vector<std::uint32_t>{11});
  CHECK(rig.fill(lower.tag, 0x1) == std::vector<std::uint32_t>{10});
  rig.cache.discard(0x1000, 0x5);
  CHECK(rig.cache.missing_sectors(0x1000, 0x3, false) == 0x3);
  CHECK(rig.cache.missing_sectors(0x1040, 0xc, false) == 0x4);
}

TEST_CASE("A miss fetches the absent sectors of the aligned block around it") {
  L1Config config = small_l1();
  config.fill_bytes = 64;
  CacheRig rig(config);
  CHECK(rig.cache.miss(0x1000, 0x4, false, {10, 0}).request_sectors == 0xc);
  rig.load(0x2000, 0x1);
  CHECK(rig.cache.missing_sectors(0x2000, 0xf, false) == 0xc);
}

}  // namespace
}  // namespace warpsim
