#include "core/sub_core/instruction_fetch.h"

#include <catch2/catch.hpp>
#include <vector>

#include "memory/code_window.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kInstructionsOfLine = 8;  // of 16 bytes

class Rig {
 public:
  explicit Rig(const InstructionFetchConfig& config)
      : link_(clock_, clock_, 64, 1),
        next_level_({4, 2, 20, 10}, events_, link_, root),
        fetch(0, config, next_level_, root) {
    scheduler.warp_arrived(0, 0, 0);
    scheduler.warp_arrived(1, 0, 0);
  }

  static InstructionFetchConfig config(bool perfect = true, std::uint32_t prefetch_lines = 0) {
    InstructionFetchConfig config;
    config.l0_kib = 1;
    config.l0_ways = 2;
    config.buffer_entries = 3;
    config.decode_latency_cycles = 2;
    config.prefetch_lines = prefetch_lines;
    config.perfect = perfect;
    return config;
  }
  void start(std::uint32_t warp, std::uint32_t first, Cycle now, std::uint32_t count = 64, LaunchSeat seat = 0) {
    fetch.start(warp, {kCodeWindow, layout, count}, first, seat, now);
  }
  // The warps that got an instruction in cycles [from, until]; kNone if no warp did.
  std::vector<std::uint32_t> fetched(Cycle from, Cycle until) {
    std::vector<std::uint32_t> warps;
    for (Cycle now = from; now <= until; ++now) {
      warps.push_back(fetch.tick(now, scheduler));
    }
    return warps;
  }
  // Lines requested from the GPC cache.
  std::vector<std::uint32_t> asked(Cycle now) {
    std::vector<std::uint32_t> lines;
    while (link_.has_message(now)) {
      lines.push_back(code_line_number(link_.front().line));
      link_.pop(now);
    }
    return lines;
  }

  CodeLayout layout = code_layout_of(90);
  LaunchStats<StatGroup> root{"gpu"};
  WarpScheduler scheduler{WarpSchedulerConfig{SchedulerPolicy::kCggty, 1, 100, {}}};

 private:
  ClockDomain clock_{"core", 1000};
  Link<GpcRequest> link_;
  SmEvents events_;
  SmInstructionCache next_level_;

 public:
  InstructionFetch fetch;
};

using Warps = std::vector<std::uint32_t>;
constexpr std::uint32_t kNobody = InstructionFetch::kNone;

TEST_CASE("A fetched instruction can issue after the decode latency") {
  Rig rig(Rig::config());
  rig.start(0, 0, 10);
  CHECK(rig.fetch.head_ready_at(0) == kNever);
  CHECK(rig.fetched(10, 10) == Warps{0});
  CHECK(rig.fetch.head_ready_at(0) == 12);
}

TEST_CASE("One instruction is fetched per cycle until the warp's buffer is full") {
  Rig rig(Rig::config());
  rig.start(0, 0, 10);
  CHECK(rig.fetched(10, 14) == Warps{0, 0, 0, kNobody, kNobody});
  CHECK(rig.fetch.next_fetch(15) == kNever);
  rig.fetch.consume(0, 1, 0);
  CHECK(rig.fetch.next_fetch(15) == 15);
  CHECK(rig.fetch.head_ready_at(0) == 13);  // the second instruction
}

TEST_CASE("Fetch ends with the program") {
  Rig rig(Rig::config());
  rig.start(0, 62, 10);
  CHECK(rig.fetched(10, 13) == Warps{0, 0, kNobody, kNobody});
}

TEST_CASE("Fetch follows the warp that issued last, then the youngest") {
  Rig rig(Rig::config());
  rig.start(0, 0, 10);
  rig.start(1, 0, 10);
  rig.scheduler.issued(0, 0);
  CHECK(rig.fetched(10, 15) == Warps{0, 0, 0, 1, 1, 1});
}

TEST_CASE("A taken branch discards the buffer and fetches its target after the branch latency") {
  Rig rig(Rig::config());
  rig.start(0, 0, 10);
  rig.fetched(10, 12);
  rig.fetch.consume(0, 20, 16);  // issued at 12; target fetched from 16 on
  CHECK(rig.fetch.head_ready_at(0) == kNever);
  CHECK(rig.fetch.next_fetch(13) == 16);
  CHECK(rig.fetched(13, 16) == Warps{kNobody, kNobody, kNobody, 0});
  CHECK(rig.fetch.head_ready_at(0) == 18);
  CHECK(rig.fetch.stats(0).flushed.value() == 2);
  CHECK(rig.fetch.stats(0).fetched.value() == 4);
}

TEST_CASE("A branch to the next instruction discards nothing") {
  Rig rig(Rig::config());
  rig.start(0, 0, 10);
  rig.fetched(10, 12);
  rig.fetch.consume(0, 1, 16);
  CHECK(rig.fetch.head_ready_at(0) == 13);
  CHECK(rig.fetch.stats(0).flushed.value() == 0);
}

TEST_CASE("Instructions left in the buffer of a warp that ends count as discarded") {
  Rig rig(Rig::config());
  rig.start(0, 0, 10);
  rig.fetched(10, 12);
  rig.fetch.stop(0);
  CHECK(rig.fetch.stats(0).flushed.value() == 3);
  CHECK(rig.fetch.next_fetch(13) == kNever);
}

TEST_CASE("Words of scheduling information take space in lines: instructions per line by architecture") {
  const std::vector<std::pair<std::uint32_t, std::uint32_t>> per_line = {
      {20, 16}, {35, 14}, {52, 12}, {61, 12}, {90, 8}};
  for (const auto& [architecture, count] : per_line) {
    CAPTURE(architecture);
    for (const std::uint32_t first : {count - 1, count}) {
      Rig rig(Rig::config(false));
      rig.layout = code_layout_of(architecture);
      rig.start(0, first, 10);
      rig.fetched(10, 10);
      CHECK(rig.asked(20) == std::vector<std::uint32_t>{first == count ? 1U : 0U});
    }
  }
}

TEST_CASE("A cold L0 requests the line once, and fetch continues on its arrival") {
  Rig rig(Rig::config(false));
  rig.start(0, 0, 10);
  CHECK(rig.fetched(10, 12) == Warps{kNobody, kNobody, kNobody});
  CHECK(rig.asked(20) == std::vector<std::uint32_t>{0});
  CHECK(rig.fetch.next_fetch(20) == kNever);
  rig.fetch.line_arrived(0);
  CHECK(rig.fetched(50, 52) == Warps{0, 0, 0});
  CHECK(rig.fetch.stats(0).l0_misses.value() == 1);
}

TEST_CASE("A line is looked up once while a warp stays on it") {
  Rig rig(Rig::config(false));
  rig.start(0, 0, 10);
  rig.fetched(10, 10);
  rig.fetch.line_arrived(0);
  Cycle now = 20;
  for (std::uint32_t i = 0; i < kInstructionsOfLine; ++i) {
    CHECK(rig.fetched(now, now) == Warps{0});
    rig.fetch.consume(0, i + 1, 0);
    ++now;
  }
  CHECK(rig.fetch.stats(0).l0_misses.value() == 1);
  CHECK(rig.fetched(now, now) == Warps{kNobody});  // the next line misses
  CHECK(rig.fetch.stats(0).l0_misses.value() == 2);
}

TEST_CASE("Two warps that wait for one line cause one request") {
  Rig rig(Rig::config(false));
  rig.start(0, 0, 10);
  rig.start(1, 3, 10);
  rig.fetched(10, 12);
  CHECK(rig.asked(20).size() == 1);
  rig.fetch.line_arrived(0);
  CHECK(rig.fetched(50, 55) == Warps{0, 0, 0, 1, 1, 1});
}

TEST_CASE("After a miss the stream buffer also requests the next lines") {
  Rig rig(Rig::config(false, 3));
  rig.start(0, 0, 10);
  rig.fetched(10, 10);
  CHECK(rig.asked(20) == std::vector<std::uint32_t>{0, 1, 2, 3});
  CHECK(rig.fetch.stats(0).prefetches.value() == 3);
  // Line 0 is present: its lookup keeps the next lines in flight, without a second request.
  rig.fetch.line_arrived(0);
  rig.fetched(30, 32);
  CHECK(rig.asked(40).empty());
}

TEST_CASE("A hit on a prefetched line requests one more line at the far end") {
  Rig rig(Rig::config(false, 2));
  rig.start(0, 0, 10);
  rig.fetched(10, 10);
  CHECK(rig.asked(20) == std::vector<std::uint32_t>{0, 1, 2});
  for (std::uint32_t line = 0; line < 3; ++line) {
    rig.fetch.line_arrived(line);
  }
  Cycle now = 30;
  for (std::uint32_t i = 0; i < kInstructionsOfLine; ++i) {
    rig.fetched(now, now);
    rig.fetch.consume(0, i + 1, 0);
    ++now;
  }
  rig.fetched(now, now);  // first instruction of line 1: a hit
  CHECK(rig.fetch.stats(0).l0_hits.value() == 1);
  CHECK(rig.asked(now + 5) == std::vector<std::uint32_t>{3});
}

TEST_CASE("A warp that finds the lines ahead in flight makes the stream buffer fetch one line further, up to a limit") {
  InstructionFetchConfig config = Rig::config(false, 2);
  config.stream_lines = 3;
  Rig rig(config);
  rig.start(0, 0, 10);
  rig.fetched(10, 10);
  CHECK(rig.asked(20) == std::vector<std::uint32_t>{0, 1, 2});
  rig.start(1, 0, 20);
  rig.fetched(20, 20);
  CHECK(rig.asked(30) == std::vector<std::uint32_t>{3});
  rig.start(2, 0, 30);
  rig.fetched(30, 30);
  CHECK(rig.asked(40).empty());
}

TEST_CASE("A branch away from a missing line does not wait for it") {
  Rig rig(Rig::config(false));
  rig.start(0, 0, 10);
  rig.fetched(10, 10);
  rig.fetch.line_arrived(0);
  rig.fetched(11, 13);
  for (std::uint32_t i = 0; i < 7; ++i) {  // instruction 7 is the line's last; fetch runs into line 1
    rig.fetch.consume(0, i + 1, 0);
    rig.fetched(14 + 2 * i, 15 + 2 * i);
  }
  CHECK(rig.fetch.stats(0).l0_misses.value() == 2);
  rig.fetch.consume(0, 0, 40);  // and returns to line 0
  CHECK(rig.fetched(40, 40) == Warps{0});
  rig.fetch.line_arrived(1);  // the line arrives nevertheless
  CHECK(rig.fetched(41, 42) == Warps{0, 0});
}

TEST_CASE("A perfect L0 sends no requests") {
  Rig rig(Rig::config(true, 4));
  rig.start(0, 0, 10);
  CHECK(rig.fetched(10, 12) == Warps{0, 0, 0});
  CHECK(rig.asked(50).empty());
}

TEST_CASE("Issuing from an empty buffer is an internal error") {
  Rig rig(Rig::config());
  rig.start(0, 0, 10);
  CHECK_THROWS_AS(rig.fetch.consume(0, 1, 0), InternalError);
}

TEST_CASE("Fetches, lookups and prefetches are counted for the launch of the warp that causes them") {
  Rig rig(Rig::config(false, 3));
  rig.root.add_seat();
  rig.start(0, 0, 10);
  rig.start(1, 48, 10, 64, 1);
  rig.fetched(10, 100);
  CHECK(rig.fetch.stats(0).l0_misses.value() == 1);
  CHECK(rig.fetch.stats(1).l0_misses.value() == 1);
  // Warp 0 looks up first; after its prefetches the stream buffer has no room for others.
  CHECK(rig.fetch.stats(0).prefetches.value() == 3);
  CHECK(rig.fetch.stats(1).prefetches.value() == 0);
}

}  // namespace
}  // namespace warpsim
