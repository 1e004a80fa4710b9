#include "memory/caches/write_policy_mechanism.h"

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "base/error.h"
#include "memory/caches/l1_cache.h"
#include "support/written_policy.h"

namespace warpsim {
namespace {

using mechanism::WriteWay;

// An L1 of two lines in one set.
struct WritingCache {
  explicit WritingCache(WriteWay answer = WriteWay::kThrough) : cache(config_of(words), root) {
    words.answer = answer;
    cache.configure(2 * kLineBytes);
  }
  static L1Config config_of(WrittenPolicyWords& words) {
    L1Config config;
    config.mshr_entries = 4;
    config.mshr_waiters = 4;
    config.write_policy = {"written", std::make_shared<WrittenPolicyFactory>(words)};
    return config;
  }
  void load(std::uint64_t line, std::uint8_t sectors) {
    const L1Cache::Miss miss = cache.miss(line * kLineBytes, sectors, false, {.pc = 0x40});
    cache.fill(miss.tag, miss.request_sectors, 0, [](std::uint32_t) {});
  }
  void store(std::uint64_t line, std::uint8_t sectors, std::uint8_t full) {
    cache.write_by_policy(line * kLineBytes, sectors, full, {0, 0x50, 3});
  }
  std::uint8_t valid(std::uint64_t line) const {
    return static_cast<std::uint8_t>(0xf & ~cache.missing_sectors(line * kLineBytes, 0xf, false));
  }
  std::uint64_t counter(const std::string& name) {
    for (const NamedCounter& counter : root[0].children().at(0)->children().at(0)->counters()) {
      if (name == counter.name()) {
        return counter.value();
      }
    }
    FAIL("no counter " << name);
    return 0;
  }

  WrittenPolicyWords words;
  LaunchStats<StatGroup> root{"root"};
  L1Cache cache;
};

TEST_CASE("A policy of L1 hears of a write: its place, its sectors, and what the cache has of the line") {
  WritingCache l1;
  CHECK(l1.words.caches == std::vector{mechanism::CacheLevel::kL1});
  l1.load(1, 0x3);
  l1.store(1, 0x6, 0x4);
  l1.store(2, 0x1, 0x0);
  REQUIRE(l1.words.writes.size() == 2);
  const mechanism::LineWrite& present = l1.words.writes[0];
  CHECK(present.line == kLineBytes);
  CHECK(present.sectors == 0x6);
  CHECK(present.complete == 0x4);
  CHECK(present.line_present);
  CHECK(present.present == 0x3);
  CHECK(present.dirty == 0);
  CHECK(present.pc == 0x50);
  CHECK(present.warp == 3);
  CHECK_FALSE(l1.words.writes[1].line_present);
  CHECK(l1.words.writes[1].present == 0);
}

TEST_CASE("Write-through in L1: complete sectors stay, also of an absent line") {
  WritingCache l1(WriteWay::kThrough);
  l1.store(1, 0x7, 0x3);
  CHECK(l1.valid(1) == 0x3);
  l1.store(2, 0x1, 0x0);
  CHECK(l1.valid(2) == 0);
  l1.load(3, 0x8);
  l1.store(3, 0x9, 0x1);
  CHECK(l1.valid(3) == 0x9);
  CHECK(l1.counter("through_sectors") == 6);
}

TEST_CASE("Writes around L1 change present lines only") {
  WritingCache l1(WriteWay::kAround);
  l1.store(1, 0xf, 0xf);
  CHECK(l1.valid(1) == 0);
  l1.load(1, 0x1);
  l1.store(1, 0x2, 0x2);
  CHECK(l1.valid(1) == 0x3);
  CHECK(l1.counter("around_sectors") == 5);
}

TEST_CASE("Invalidating writes remove their sectors from L1, and a line with its last one") {
  WritingCache l1(WriteWay::kInvalidate);
  l1.load(1, 0x7);
  l1.store(1, 0x5, 0x1);
  CHECK(l1.valid(1) == 0x2);
  l1.store(1, 0x2, 0x2);
  CHECK(l1.valid(1) == 0);
  l1.load(2, 0x1);
  l1.load(3, 0x1);
  CHECK(l1.valid(2) == 0x1);  // the place of line 1 was empty
  CHECK(l1.counter("invalidated_sectors") == 3);
}

TEST_CASE("A line with stored sectors that leaves is reported with their use and the last memo") {
  WritingCache l1;
  l1.store(1, 0x7, 0x7);
  l1.cache.touch(1 * kLineBytes, 0x9, 0);  // sector 3 was not written
  l1.store(1, 0x4, 0x4);
  l1.load(2, 0x1);
  l1.store(3, 0x1, 0x1);
  l1.store(4, 0x1, 0x1);
  REQUIRE(l1.words.lines.size() == 1);
  CHECK(l1.words.lines[0].line == kLineBytes);
  CHECK(l1.words.lines[0].written == 0x7);
  CHECK(l1.words.lines[0].read == 0x1);
  CHECK(l1.words.lines[0].rewritten == 0x4);
  CHECK(l1.words.lines[0].memo == 2);
  CHECK(l1.words.memos == std::vector<std::uint32_t>{0, 1, 0, 0});
  l1.load(5, 0x1);
  l1.load(6, 0x1);
  CHECK(l1.words.lines.size() == 3);  // not line 2, which was only loaded
  CHECK(l1.counter("reused_lines") == 1);
  CHECK(l1.counter("unused_lines") == 2);
}

TEST_CASE("Emptied caches report no written lines, and know no memos") {
  WritingCache l1;
  l1.store(1, 0x1, 0x1);
  l1.cache.configure(2 * kLineBytes);
  l1.store(1, 0x1, 0x1);
  CHECK(l1.words.lines.empty());
  CHECK(l1.words.memos == std::vector<std::uint32_t>{0, 0});
}

TEST_CASE("Local memory that L1 writes back is not the policy's") {
  WritingCache l1(WriteWay::kInvalidate);
  CHECK(l1.cache.write_local(kLineBytes, 0x3, 0x3, 0) == 0);
  CHECK(l1.words.writes.empty());
}

TEST_CASE("A policy of L1 that writes back, and an answer that is no way to write, are errors") {
  WritingCache back(WriteWay::kBack);
  CHECK_THROWS_WITH(back.store(1, 0x1, 0x1),
                    "mechanism 'written' wants L1 to write data back later; expected kThrough, kAround or kInvalidate: "
                    "L2 gets all writes at once");
  WritingCache none(static_cast<WriteWay>(9));
  CHECK_THROWS_WITH(none.store(1, 0x1, 0x1), "mechanism 'written' answers a write with 9, which is no way to write");
}

}  // namespace
}  // namespace warpsim
