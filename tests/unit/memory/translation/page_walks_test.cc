// A memory behind the walks' port answers every read 10 cycles after it was sent; the time between reads is 3 cycles.
#include "memory/translation/page_walks.h"

#include <catch2/catch.hpp>
#include <map>
#include <optional>
#include <vector>

namespace warpsim {
namespace {

constexpr Cycle kReadCycles = 10;
constexpr Cycle kStepCycles = 3;
constexpr Cycle kReadAndStep = kReadCycles + kStepCycles;
constexpr Address kWalkedPage = 2U << 20U;

TranslationConfig walks_config(std::uint32_t units, std::uint32_t directory_levels) {
  TranslationConfig config;
  config.starts_full = false;
  config.page_kib = 2048;
  config.walks = units;
  config.walk_latency_cycles = 100;
  config.directory_entries = 1;
  config.directory_entry_pages = 4096;
  config.directory_miss_cycles = 70;
  config.tables = {true, 16, directory_levels, static_cast<std::uint32_t>(kStepCycles)};
  return config;
}

struct WalksBench {
  explicit WalksBench(const TranslationConfig& the_config, std::size_t port_entries = 8)
      : config(the_config),
        requests(clock, clock, port_entries, 1),
        walks(config, config.tables.in_memory ? PageWalks::Port{&requests, &responses} : PageWalks::Port{}, stats) {}

  Cycle begin(std::uint64_t page, Cycle at, LaunchSeat seat = 0) {
    return walks.begin(page, {page * kWalkedPage, seat, 0}, at);
  }
  // Runs up to a cycle. With `skip`, walks advance only in cycles in which a step is due.
  void run(Cycle until, bool skip = false) {
    Cycle next = now;
    for (; now <= until; ++now) {
      if (!skip || now >= next || responses.has_message(now)) {
        std::vector<std::uint64_t> ended;
        next = walks.advance(now, ended);
        for (const std::uint64_t page : ended) {
          ends[page] = now;
        }
      }
      serve();
    }
  }
  void serve() {
    if (blocked || !requests.has_message(now)) {
      return;
    }
    const MemRequest& request = requests.front();
    reads.push_back(request);
    MemResponse response;
    response.tag = request.tag;
    response.sector_mask = request.sector_mask;
    response.served_by = served_by;
    responses.send(response, now);
    requests.pop(now);
  }
  GpuTranslationStats& counters() { return stats[0]; }

  TranslationConfig config;
  ClockDomain clock{"l2", 1000};
  Link<MemRequest> requests;
  Link<MemResponse> responses{clock, clock, 64, kReadCycles - 1};
  LaunchStats<GpuTranslationStats> stats{"translation"};
  PageWalks walks;
  Cycle now = 0;
  bool blocked = false;
  ServedBy served_by = ServedBy::kL2Near;
  std::vector<MemRequest> reads;
  std::map<std::uint64_t, Cycle> ends;  // by page
};

TEST_CASE("PageWalks: a walk reads the entry of its page, and those of directories that it lacks before") {
  for (const std::uint32_t levels : {0U, 1U, 2U}) {
    CAPTURE(levels);
    WalksBench bench(walks_config(1, levels));
    CHECK(bench.begin(5, 7) == kNever);
    bench.run(7 + (levels + 1) * kReadAndStep - 1);
    CHECK(bench.ends.empty());
    bench.run(bench.now);
    CHECK(bench.ends == std::map<std::uint64_t, Cycle>{{5, 7 + (levels + 1) * kReadAndStep}});
    REQUIRE(bench.reads.size() == levels + 1);
    for (std::uint32_t i = 0; i <= levels; ++i) {
      const std::uint32_t level = levels - i;
      CHECK(bench.reads[i].line == kPageTableWindow + level * kPageTableLevelBytes);
      CHECK(bench.reads[i].sector_mask == (level == 0 ? 0b0100 : 0b0001));  // the sixth entry of 16 bytes
      CHECK(bench.reads[i].client == MemClient::kTranslation);
      CHECK(bench.reads[i].op == MemOp::kRead);
    }
    CHECK(bench.counters().walks.value() == 1);
    CHECK(bench.counters().directory_misses.value() == 1);
    CHECK(bench.counters().walk_reads.value() == levels + 1);
    CHECK(bench.counters().walk_dram_reads.value() == 0);
    CHECK(bench.counters().walk_latency.sum() == (levels + 1) * kReadAndStep);
  }
}

TEST_CASE(
    "PageWalks: directories that were read are in the directory cache, until others replace them or it is cleared") {
  WalksBench bench(walks_config(1, 2));
  bench.begin(0, 0);
  bench.run(99);
  bench.begin(1, 100);
  bench.run(199);
  CHECK(bench.ends[1] == 100 + kReadAndStep);
  bench.begin(4096, 200);  // 8 GiB further on
  bench.run(299);
  CHECK(bench.ends[4096] == 200 + 3 * kReadAndStep);
  bench.begin(4097, 300);
  bench.run(399);
  CHECK(bench.ends[4097] == 300 + kReadAndStep);
  bench.walks.clear();
  bench.begin(4098, 400);
  bench.run(499);
  CHECK(bench.ends[4098] == 400 + 3 * kReadAndStep);
  CHECK(bench.counters().directory_misses.value() == 3);
}

TEST_CASE("PageWalks: the directory cache has what a walk reads from its answer on") {
  WalksBench bench(walks_config(2, 1));
  bench.begin(0, 0);
  bench.begin(1, kReadCycles - 1);  // the directory is still read
  bench.run(99);
  CHECK(bench.ends[1] == kReadCycles - 1 + 2 * kReadAndStep);
  WalksBench later(walks_config(2, 1));
  later.begin(0, 0);
  later.begin(1, kReadCycles);
  later.run(99);
  CHECK(later.ends[1] == kReadCycles + kReadAndStep);
}

TEST_CASE("PageWalks: entries that share a sector are reads of one sector") {
  WalksBench bench(walks_config(2, 0));
  bench.begin(6, 0);
  bench.begin(7, 0);
  bench.run(99);
  REQUIRE(bench.reads.size() == 2);
  CHECK(bench.reads[0].line == bench.reads[1].line);
  CHECK(bench.reads[0].sector_mask == 0b1000);
  CHECK(bench.reads[1].sector_mask == 0b1000);
}

TEST_CASE("PageWalks: walks wait in order while all units walk, and begin when one is free") {
  for (const bool skip : {false, true}) {
    WalksBench bench(walks_config(2, 0));
    for (std::uint64_t page = 0; page < 5; ++page) {
      bench.begin(page, page);
    }
    bench.run(99, skip);
    CHECK(bench.ends[0] == kReadAndStep);
    CHECK(bench.ends[1] == 1 + kReadAndStep);
    CHECK(bench.ends[2] == 2 * kReadAndStep);
    CHECK(bench.ends[3] == 1 + 2 * kReadAndStep);
    CHECK(bench.ends[4] == 3 * kReadAndStep);
    CHECK(bench.counters().walk_wait.sum() == kReadAndStep - 2 + 1 + kReadAndStep - 3 + 2 * kReadAndStep - 4);
    CHECK(bench.walks.walks_with_reads() == 0);
  }
}

TEST_CASE("PageWalks: a walk is found by its region until it has ended, also while it waits for a unit") {
  WalksBench bench(walks_config(1, 0));
  bench.begin(0, 0);
  bench.begin(1, 0);
  CHECK(bench.walks.end_of(0, 0, 0) == kNever);
  CHECK(bench.walks.end_of(1, 0, 0) == kNever);
  CHECK_FALSE(bench.walks.end_of(2, 0, 0).has_value());
  bench.run(kReadAndStep);
  CHECK_FALSE(bench.walks.end_of(0, kReadAndStep, kReadAndStep).has_value());
  CHECK(bench.walks.end_of(1, kReadAndStep, kReadAndStep) == kNever);
}

TEST_CASE("PageWalks: a port without room delays reads, which go in the order in which they were due") {
  WalksBench bench(walks_config(3, 0), 1);  // room for one request
  bench.blocked = true;
  for (const std::uint64_t page : {0U, 8U, 16U}) {
    bench.begin(page, 0);
  }
  bench.run(20);
  CHECK(bench.counters().walk_reads.value() == 1);
  bench.blocked = false;
  bench.run(99);
  CHECK(bench.counters().walk_reads.value() == 3);
  REQUIRE(bench.reads.size() == 3);
  for (std::size_t i = 0; i < 3; ++i) {
    CHECK(bench.reads[i].line == kPageTableWindow + i * kLineBytes);
  }
  CHECK(bench.ends[0] < bench.ends[8]);
  CHECK(bench.ends[8] < bench.ends[16]);
}

TEST_CASE("PageWalks: reads count for the launch that asked, and apart if DRAM served them") {
  WalksBench bench(walks_config(1, 1));
  bench.stats.add_seat();
  bench.served_by = ServedBy::kDram;
  bench.begin(0, 0, 1);
  bench.run(99);
  CHECK(bench.stats[1].walk_reads.value() == 2);
  CHECK(bench.stats[1].walk_dram_reads.value() == 2);
  CHECK(bench.stats[0].walk_reads.value() == 0);
  CHECK(bench.reads.front().seat == 1);
}

TEST_CASE("PageWalks: without page tables in memory the end of a walk is known when it begins") {
  TranslationConfig config = walks_config(1, 2);
  config.tables.in_memory = false;
  WalksBench bench(config);
  CHECK(bench.begin(0, 5) == 5 + 100 + 70);
  CHECK(bench.begin(1, 6) == 175 + 100);
  CHECK(bench.walks.end_of(0, 174, 6) == 175);
  CHECK_FALSE(bench.walks.end_of(0, 175, 6).has_value());
  bench.run(300);
  CHECK(bench.ends.empty());
  CHECK(bench.counters().walk_reads.value() == 0);
  CHECK(bench.counters().walk_latency.count() == 0);
}

}  // namespace
}  // namespace warpsim
