#include "memory/dram/dram_channel.h"

#include <catch2/catch.hpp>
#include <memory>
#include <utility>
#include <vector>

#include "mechanisms/dram_schedulers/first_come.h"
#include "unit/memory/memory_fixture.h"

namespace warpsim {
namespace {

// One channel with one slice. Lines alternate between two bank groups; eight of a group fill a row of 1 KiB; a read of
// one sector takes, from its arrival, t_rcd 10, then t_cl 10 + burst 2 + return 18 = 30.
class ChannelBench {
 public:
  explicit ChannelBench(const DramConfig& config)
      : geometry_{1, 1, 1, 128, 1024, 2, 2},
        map_(geometry_),
        stats_("gpu"),
        domain_(engine_.add_domain("dram", 1000)),
        requests_(engine_.domain(domain_), engine_.domain(domain_), 64, 1),
        responses_(engine_.domain(domain_), engine_.domain(domain_), 64, DramChannel::response_latency(config)),
        channel_(config, geometry_, map_, {{&requests_, &responses_}}, stats_, 0) {
    channel_.connect(engine_.add_component(domain_, "channel", channel_));
  }

  void send(Address line, bool write, std::uint32_t tag, Cycle now, std::uint8_t sectors = 1) {
    requests_.send({line, tag, sectors, write, !write, seat}, now);
  }
  // A line that takes `moved` instead of all sectors.
  void send_compressed(Address line, bool write, std::uint8_t moved, Cycle now) {
    requests_.send({.line = line, .sector_mask = 0xf, .write = write, .wants_reply = !write, .compressed = moved}, now);
  }
  // Tag and arrival of each response, in order.
  std::vector<std::pair<std::uint32_t, Cycle>> run() {
    std::vector<std::pair<std::uint32_t, Cycle>> answers;
    while (engine_.run() != Engine::Outcome::kNothingDue) {
    }
    while (!responses_.empty()) {
      answers.push_back({responses_.front().tag, responses_.next_arrival()});
      responses_.pop(responses_.next_arrival());
    }
    CHECK(channel_.idle());
    return answers;
  }
  std::uint64_t counter(const char* name, LaunchSeat seat = 0) const {
    for (const NamedCounter& counter : stats_[seat].children().front()->counters()) {
      if (std::string(counter.name()) == name) {
        return counter.value();
      }
    }
    FAIL("no counter " << name);
    return 0;
  }
  // A second launch, which sends the requests that follow.
  void begin_second_launch() {
    stats_.add_seat();
    seat = 1;
  }
  // The n-th line from address 0 on in the bank of line 0, in its row or in another.
  Address line_in_bank(bool same_row, std::uint32_t n) const {
    const AddressMap::DramPlace first = map_.dram_place_of(0);
    for (Address line = 0;; line += kLineBytes) {
      const AddressMap::DramPlace place = map_.dram_place_of(line);
      if (place.bank == first.bank && (place.row == first.row) == same_row && n-- == 0) {
        return line;
      }
    }
  }

  LaunchSeat seat = 0;  // of the requests that are sent

 private:
  AddressMapConfig geometry_;
  AddressMap map_;
  Engine engine_;
  LaunchStats<StatGroup> stats_;
  std::uint32_t domain_;
  Link<DramRequest> requests_;
  Link<DramResponse> responses_;
  DramChannel channel_;
};

using Answers = std::vector<std::pair<std::uint32_t, Cycle>>;

DramConfig tiny_dram() {
  return testing::tiny_memory().dram;
}

}  // namespace

TEST_CASE("DRAM channel: a read of a closed bank takes activate, read, burst and return") {
  ChannelBench bench(tiny_dram());
  bench.send(0, false, 5, 0);
  CHECK(bench.run() == Answers{{5, 1 + 10 + 30}});
  CHECK(bench.counter("row_misses") == 1);
  CHECK(bench.counter("bytes_read") == 32);
  CHECK(bench.counter("data_bus_cycles") == 2);
}

TEST_CASE("DRAM channel: a compressed line takes the bursts and bytes of the sectors that move") {
  for (const bool ideal : {false, true}) {
    DramConfig config = tiny_dram();
    config.ideal = ideal;
    ChannelBench bench(config);
    bench.send_compressed(0, false, 0x3, 0);
    bench.send_compressed(kLineBytes, true, 0x1, 0);
    CHECK(bench.run().size() == 1);
    CHECK(bench.counter("bytes_read") == 64);
    CHECK(bench.counter("bytes_written") == 32);
    CHECK(bench.counter("data_bus_cycles") == (ideal ? 0 : 3 * 2));
  }
}

TEST_CASE("DRAM channel: reads of one row follow each other at t_ccd_l") {
  ChannelBench bench(tiny_dram());
  bench.send(bench.line_in_bank(true, 0), false, 0, 0);
  bench.send(bench.line_in_bank(true, 1), false, 1, 0);
  CHECK(bench.run() == Answers{{0, 41}, {1, 45}});
  CHECK(bench.counter("row_misses") == 1);
  CHECK(bench.counter("row_hits") == 1);
}

TEST_CASE("DRAM channel: reads of two bank groups follow each other at t_ccd_s") {
  ChannelBench bench(tiny_dram());
  bench.send(0, false, 0, 0);
  bench.send(128, false, 1, 0);
  // Activates at 1 and, t_rrd_s later, 3; reads at 11 and 13.
  CHECK(bench.run() == Answers{{0, 41}, {1, 43}});
  CHECK(bench.counter("row_misses") == 2);
}

TEST_CASE("DRAM channel: another row of a bank waits for precharge and activate") {
  ChannelBench bench(tiny_dram());
  bench.send(bench.line_in_bank(true, 0), false, 0, 0);
  bench.send(bench.line_in_bank(false, 0), false, 1, 0);
  // Activate 1, read 11, precharge at 1 + t_ras = 21, activate at 31 (t_rp, and t_rc), read at 41.
  CHECK(bench.run() == Answers{{0, 41}, {1, 41 + 30}});
  CHECK(bench.counter("row_conflicts") == 1);
}

TEST_CASE("DRAM channel: a row hit overtakes an older request of the bank, up to max_row_hits") {
  const auto order = [](std::uint32_t max_row_hits) {
    DramConfig config = tiny_dram();
    config.max_row_hits = max_row_hits;
    ChannelBench bench(config);
    bench.send(bench.line_in_bank(true, 0), false, 0, 0);
    bench.send(bench.line_in_bank(false, 0), false, 1, 0);
    bench.send(bench.line_in_bank(true, 1), false, 2, 0);
    std::vector<std::uint32_t> tags;
    for (const auto& [tag, arrival] : bench.run()) {
      tags.push_back(tag);
    }
    return tags;
  };
  CHECK(order(16) == std::vector<std::uint32_t>{0, 2, 1});
  CHECK(order(1) == std::vector<std::uint32_t>{0, 1, 2});
}

TEST_CASE("DRAM channel: writes below the watermark let reads pass and drain afterwards") {
  ChannelBench bench(tiny_dram());
  bench.send(128, true, 0, 0);
  bench.send(384, true, 0, 0);
  bench.send(0, false, 7, 0);
  CHECK(bench.run() == Answers{{7, 41}});
  CHECK(bench.counter("writes") == 2);
  CHECK(bench.counter("bytes_written") == 64);
  CHECK(bench.counter("turnarounds") >= 1);
}

TEST_CASE("DRAM channel: writes at the watermark go before reads") {
  ChannelBench bench(tiny_dram());
  for (Address i = 0; i < 12; ++i) {
    bench.send(i * 256, true, 0, 0);
  }
  bench.send(128, false, 7, 0);
  const Answers answers = bench.run();
  REQUIRE(answers.size() == 1);
  // Eight writes leave four, the low watermark; they are at least t_ccd_l apart.
  CHECK(answers[0].second > 41 + 8 * 4);
}

TEST_CASE("DRAM channel: a stream of row hits over two bank groups fills the data bus") {
  ChannelBench bench(tiny_dram());
  for (std::uint32_t i = 0; i < 16; ++i) {
    bench.send(Address{i} * 128, false, i, 0, 0xf);
  }
  const Answers answers = bench.run();
  REQUIRE(answers.size() == 16);
  CHECK(bench.counter("data_bus_cycles") == 128);
  // First read command at 11, 64 bursts every two cycles: the last at 11 + 126.
  CHECK(answers.back().second == 11 + 126 + 30);
}

TEST_CASE("DRAM channel: a request in a refresh waits for its end") {
  DramConfig config = tiny_dram();
  config.refresh = RefreshMode::kAllBank;
  config.timing.t_refi = 1000;
  ChannelBench bench(config);
  bench.send(0, false, 0, 1004);
  // Refresh from 1000 to 1100, then activate and read.
  CHECK(bench.run() == Answers{{0, 1100 + 10 + 30}});
  CHECK(bench.counter("refreshes") == 1);
}

TEST_CASE("DRAM channel: refreshes in idle time only close rows") {
  DramConfig config = tiny_dram();
  config.refresh = RefreshMode::kPerBank;
  config.timing.t_refi = 1000;  // four banks: one every 250 cycles
  ChannelBench bench(config);
  bench.send(0, false, 0, 100120);
  // The last refresh, of bank 3 or another, began at 100000 and ended at 100100.
  CHECK(bench.run() == Answers{{0, 100121 + 40}});
  CHECK(bench.counter("refreshes") == 400);
}

TEST_CASE("DRAM channel: closed pages turn a second access into a miss instead of a hit") {
  DramConfig config = tiny_dram();
  config.page_policy = PagePolicy::kClosed;
  ChannelBench bench(config);
  bench.send(bench.line_in_bank(true, 0), false, 0, 0);
  bench.send(bench.line_in_bank(true, 1), false, 1, 500);
  CHECK(bench.run() == Answers{{0, 41}, {1, 541}});
  CHECK(bench.counter("row_misses") == 2);
}

TEST_CASE("DRAM channel: an ideal one answers each request after its latency") {
  DramConfig config = tiny_dram();
  config.ideal = true;
  ChannelBench bench(config);
  for (std::uint32_t i = 0; i < 8; ++i) {
    bench.send(Address{i} * 65536, false, i, 0, 0xf);
  }
  for (const auto& [tag, arrival] : bench.run()) {
    CHECK(arrival == 1 + 50);
  }
}

TEST_CASE("DRAM channel: requests of two launches count apart") {
  ChannelBench bench(tiny_dram());
  bench.send(bench.line_in_bank(true, 0), false, 0, 0);
  bench.begin_second_launch();
  bench.send(bench.line_in_bank(true, 1), false, 1, 0, 0x3);
  bench.send(bench.line_in_bank(false, 0), false, 2, 0);
  bench.seat = 0;
  bench.send(bench.line_in_bank(true, 2), false, 3, 0, 0xf);
  bench.run();
  CHECK(bench.counter("reads", 0) == 2);
  CHECK(bench.counter("reads", 1) == 2);
  CHECK(bench.counter("bytes_read", 0) == 5 * 32);
  CHECK(bench.counter("bytes_read", 1) == 3 * 32);
  CHECK(bench.counter("data_bus_cycles", 1) == 3 * 2);
  CHECK(bench.counter("row_misses", 0) == 1);
  CHECK(bench.counter("row_misses", 1) == 0);
  CHECK(bench.counter("row_hits", 1) == 1);
  CHECK(bench.counter("row_conflicts", 1) == 1);
}

TEST_CASE("DRAM channel: a turnaround counts for the launch of the oldest request of the queue turned to") {
  ChannelBench bench(tiny_dram());
  bench.begin_second_launch();
  bench.seat = 0;
  bench.send(bench.line_in_bank(true, 0), false, 0, 0);
  bench.seat = 1;
  bench.send(bench.line_in_bank(true, 1), true, 1, 0);
  bench.send(bench.line_in_bank(true, 2), true, 2, 0);
  bench.run();
  // To writing for the first write. The change back comes with the last write, when nothing waits.
  CHECK(bench.counter("turnarounds", 0) == 0);
  CHECK(bench.counter("turnarounds", 1) == 2);
}

TEST_CASE("DRAM channel: a refresh counts for the launch of the oldest request that waits") {
  for (const bool second_is_older : {false, true}) {
    DramConfig config = tiny_dram();
    config.refresh = RefreshMode::kAllBank;
    ChannelBench bench(config);
    bench.begin_second_launch();
    bench.seat = second_is_older ? 1 : 0;
    bench.send(bench.line_in_bank(true, 0), true, 0, 10000);
    bench.seat = second_is_older ? 0 : 1;
    bench.send(bench.line_in_bank(false, 0), false, 1, 10000);
    bench.run();
    CHECK(bench.counter("refreshes", 0) == (second_is_older ? 0 : 1));
    CHECK(bench.counter("refreshes", 1) == (second_is_older ? 1 : 0));
  }
}

TEST_CASE("DRAM channel: an ideal one counts launches apart too") {
  DramConfig config = tiny_dram();
  config.ideal = true;
  ChannelBench bench(config);
  bench.send(0, true, 0, 0);
  bench.begin_second_launch();
  bench.send(0, false, 1, 0);
  bench.run();
  CHECK(bench.counter("writes", 0) == 1);
  CHECK(bench.counter("reads", 0) == 0);
  CHECK(bench.counter("reads", 1) == 1);
}

namespace {

// Whoever needs a change of the row goes first: without a rule of the channel no request would be served.
class RowsInTurn final : public mechanism::DramScheduler {
 public:
  RowsInTurn(const Settings& /*settings*/, const Site& /*site*/, mechanism::Counters& counters)
      : served_(counters.add("bursts", mechanism::CounterUnit::kEvents, "bursts")) {}
  bool before(const mechanism::DramAccess& a, const mechanism::DramAccess& b) const override {
    return a.row_open != b.row_open ? b.row_open : a.order < b.order;
  }
  void served(const mechanism::DramAccess& /*access*/, std::uint32_t bursts, Cycle /*now*/) override {
    served_ += bursts;
  }
  bool writes_next(const mechanism::DramLevels& /*levels*/) const override { return true; }

 private:
  mechanism::Counter served_;
};

template <typename Scheduler>
DramConfig scheduled_by() {
  DramConfig config = testing::tiny_memory().dram;
  config.scheduler = {"test", mechanism::entry_of<Scheduler>("test", "a scheduler for a test").make_factory()};
  return config;
}

std::vector<std::uint32_t> order_of(ChannelBench& bench) {
  std::vector<std::uint32_t> tags;
  for (const auto& [tag, arrival] : bench.run()) {
    tags.push_back(tag);
  }
  return tags;
}

TEST_CASE("A scheduler of a description decides whether a request for the open row overtakes an older one") {
  const auto send_all = [](ChannelBench& bench) {
    bench.send(bench.line_in_bank(true, 0), false, 1, 0);
    bench.send(bench.line_in_bank(false, 0), false, 2, 0);
    bench.send(bench.line_in_bank(true, 1), false, 3, 0);
  };
  ChannelBench usual(testing::tiny_memory().dram);
  send_all(usual);
  CHECK(order_of(usual) == std::vector<std::uint32_t>{1, 3, 2});
  ChannelBench first_come(scheduled_by<mechanism::FirstCome>());
  send_all(first_come);
  CHECK(order_of(first_come) == std::vector<std::uint32_t>{1, 2, 3});
}

TEST_CASE("A bank serves the request that it has opened a row for, whatever order the scheduler has") {
  ChannelBench bench(scheduled_by<RowsInTurn>());
  bench.send(bench.line_in_bank(true, 0), false, 1, 0);
  bench.send(bench.line_in_bank(false, 0), false, 2, 0);
  bench.send(bench.line_in_bank(true, 1), false, 3, 0);
  CHECK(order_of(bench) == std::vector<std::uint32_t>{1, 2, 3});
  CHECK(bench.counter("row_conflicts") == 2);
}

TEST_CASE("A scheduler chooses between reading and writing while both wait") {
  const auto send_all = [](ChannelBench& bench) {
    bench.send(0, false, 1, 0);
    bench.send(kLineBytes, true, 2, 0);
  };
  ChannelBench usual(testing::tiny_memory().dram);
  send_all(usual);
  const Cycle read_first = usual.run().front().second;
  ChannelBench writing(scheduled_by<RowsInTurn>());
  send_all(writing);
  CHECK(writing.run().front().second > read_first);
}

}  // namespace
}  // namespace warpsim
