#include "memory/caches/sector_fetch_mechanism.h"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "base/error.h"
#include "memory/caches/l1_cache.h"

namespace warpsim {
namespace {

// Fetches the sectors of its key, too, sets memos to 1, 2 and so on, and writes down what it hears: m for a miss, with
// the line, the wanted and the absent sectors and the memo, l for a line that leaves, with the present and the used
// sectors and the memo.
class FetchLog final : public mechanism::SectorFetch {
 public:
  struct Settings {
    std::uint32_t further = 0;
    std::string* log = nullptr;
    void describe(mechanism::Keys& keys) { keys.integer("further", further, 0, 255, "further sectors"); }
  };
  FetchLog(const Settings& settings, const Site& /*site*/, mechanism::Counters& counters)
      : settings_(settings), misses_(counters.add("misses", mechanism::CounterUnit::kEvents, "misses")) {}
  mechanism::SectorMask fetch(const mechanism::SectorMiss& miss, std::uint32_t& memo) override {
    ++misses_;
    *settings_.log +=
        fmt::format("m{}:{:x}/{:x} pc {:x} ({}) ", miss.line / kLineBytes, miss.wanted, miss.absent, miss.pc, memo);
    memo = ++memos_;
    return static_cast<mechanism::SectorMask>(miss.wanted | settings_.further);
  }
  void leaves(const mechanism::SectorUse& line) override {
    *settings_.log += fmt::format("l{}:{:x}/{:x} ({}) ", line.line / kLineBytes, line.used, line.present, line.memo);
  }

 private:
  Settings settings_;
  mechanism::Counter misses_;
  std::uint32_t memos_ = 0;
};

// Makes objects that write to one text.
class FetchLogFactory final : public mechanism::Factory<mechanism::SectorFetch> {
 public:
  FetchLogFactory(std::uint32_t further, std::string& log) : settings_{further, &log} {}
  void describe(mechanism::Keys& keys) override { settings_.describe(keys); }
  std::unique_ptr<mechanism::SectorFetch> make(const mechanism::SectorFetchSite& site,
                                               mechanism::Counters& counters) const override {
    return std::make_unique<FetchLog>(settings_, site, counters);
  }

 private:
  FetchLog::Settings settings_;
};

// An L1 of two lines in one set.
struct FetchingCache {
  explicit FetchingCache(std::uint32_t further) : cache(config_of(further, log), root) {
    cache.configure(2 * kLineBytes);
  }
  static L1Config config_of(std::uint32_t further, std::string& log) {
    L1Config config;
    config.mshr_entries = 4;
    config.mshr_waiters = 4;
    config.sector_fetch = {"log", std::make_shared<FetchLogFactory>(further, log)};
    return config;
  }
  L1Cache::Miss miss(std::uint64_t line, std::uint8_t sectors) {
    return cache.miss(line * kLineBytes, sectors, false, {.pc = 0x40});
  }
  void fill(const L1Cache::Miss& miss) {
    cache.fill(miss.tag, miss.request_sectors, 0, [](std::uint32_t) {});
  }
  std::uint64_t counter(const std::string& name) {
    StatGroup& l1 = *root[0].children().at(0);
    for (const NamedCounter& counter : l1.children().at(0)->counters()) {
      if (name == counter.name()) {
        return counter.value();
      }
    }
    FAIL("no counter " << name);
    return 0;
  }

  std::string log;
  LaunchStats<StatGroup> root{"root"};
  L1Cache cache;
};

TEST_CASE("L1 requests the sectors that a mechanism chooses, and tells it which were used when the line leaves") {
  FetchingCache l1(0x6);
  const L1Cache::Miss first = l1.miss(1, 0x1);
  CHECK(first.request_sectors == 0x7);
  l1.fill(first);
  CHECK(l1.cache.missing_sectors(1 * kLineBytes, 0xf, false) == 0x8);
  l1.cache.touch(1 * kLineBytes, 0x2, 0);
  l1.fill(l1.miss(2, 0x8));
  l1.fill(l1.miss(3, 0x1));
  CHECK(l1.log == "m1:1/f pc 40 (0) m2:8/f pc 40 (0) m3:1/f pc 40 (0) l1:3/7 (1) ");
  CHECK(l1.counter("further_sectors") == 6);
  CHECK(l1.counter("used_further_sectors") == 1);
  CHECK(l1.counter("unused_further_sectors") == 1);
}

TEST_CASE("A further miss of a present line has the memo of the line, and only absent sectors") {
  FetchingCache l1(0);
  l1.fill(l1.miss(1, 0x1));
  l1.fill(l1.miss(1, 0x4));
  l1.fill(l1.miss(2, 0x1));
  l1.fill(l1.miss(3, 0x1));
  CHECK(l1.log == "m1:1/f pc 40 (0) m1:4/e pc 40 (1) m2:1/f pc 40 (0) m3:1/f pc 40 (0) l1:5/5 (2) ");
}

TEST_CASE("Loads that wait for sectors on their way use them, and ask only for others") {
  FetchingCache l1(0x6);
  const L1Cache::Miss first = l1.miss(1, 0x1);
  const L1Cache::Miss merged = l1.miss(1, 0x2);
  CHECK(merged.request_sectors == 0);
  l1.fill(first);
  l1.fill(l1.miss(2, 0x1));
  l1.fill(l1.miss(3, 0x1));
  CHECK(l1.log == "m1:1/f pc 40 (0) m2:1/f pc 40 (0) m3:1/f pc 40 (0) l1:3/7 (1) ");
}

TEST_CASE("Lines that no miss brought are not reported to a sector fetch") {
  FetchingCache l1(0);
  const L1Cache::Prefetch prefetch = l1.cache.prefetch(1 * kLineBytes, 0xf, true, 0);
  l1.cache.fill(prefetch.tag, 0xf, 0, [](std::uint32_t) {});
  l1.fill(l1.miss(2, 0x1));
  l1.fill(l1.miss(3, 0x1));
  l1.cache.drop(2 * kLineBytes, 0);
  CHECK(l1.log == "m2:1/f pc 40 (0) m3:1/f pc 40 (0) l2:1/1 (1) ");
}

TEST_CASE("A load that bypasses L1 fetches what it needs") {
  FetchingCache l1(0x6);
  CHECK(l1.cache.miss(1 * kLineBytes, 0x1, true, {}).request_sectors == 0x1);
  CHECK(l1.log.empty());
}

TEST_CASE("Emptied caches report no lines, and know none") {
  FetchingCache l1(0);
  l1.fill(l1.miss(1, 0x1));
  l1.cache.configure(2 * kLineBytes);
  l1.fill(l1.miss(1, 0x1));
  CHECK(l1.log == "m1:1/f pc 40 (0) m1:1/f pc 40 (0) ");
}

TEST_CASE("A sector fetch that leaves out needed sectors, or names present ones, is an error") {
  FetchingCache l1(0x10);
  CHECK_THROWS_WITH(
      l1.miss(1, 0x1),
      "mechanism 'log' fetches the sectors 0x11 of a line for a load that needs 0x1 of the absent sectors 0xf; "
      "expected all that it needs, and only absent ones");
}

}  // namespace
}  // namespace warpsim
