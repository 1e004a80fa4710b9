#include "memory/translation/group_translations.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr Address kGroupRegion = 1U << 20U;

// A group with two entries of 1 MiB, which waits for at most two translations; all links take a cycle.
struct GroupBench {
  static TranslationConfig config() {
    TranslationConfig config;
    config.starts_full = false;
    config.page_kib = 1024;
    config.group = {1, 2, 1, 1};
    config.group_latency_cycles = 9;
    config.group_misses = 2;
    return config;
  }
  void request(Address line, Cycle now) {
    MemRequest request;
    request.line = line;
    misses.send(request, now);
  }
  // Runs up to a cycle; returns the latest cycle in which a request went back.
  Cycle run(Cycle until) {
    Cycle last = 0;
    for (; now <= until; ++now) {
      const std::size_t before = translated.size();
      groups.tick(now);
      last = translated.size() > before ? now : last;
    }
    return last;
  }

  ClockDomain clock{"l2", 1000};
  Link<MemRequest> misses{clock, clock, 16, 1};
  Link<MemRequest> translated{clock, clock, 16, 1};
  Link<TranslationAsk> asks{clock, clock, 8, 1};
  Link<TranslationAnswer> answers{clock, clock, 8, 1};
  LaunchStats<StatGroup> stats{"gpu"};
  GroupTranslations groups{config(), {{&misses, &translated, &asks, &answers}}, stats, 0};
  Cycle now = 0;
};

TEST_CASE("GroupTranslations: a hit takes the group's latency, a miss asks and waits") {
  GroupBench bench;
  bench.request(kGroupRegion, 0);
  bench.run(20);
  REQUIRE(bench.asks.size() == 1);
  CHECK(bench.asks.front().line == kGroupRegion);
  CHECK(bench.translated.empty());
  CHECK_FALSE(bench.groups.idle());
  bench.answers.send({bench.asks.front().miss}, 20);
  CHECK(bench.run(40) == 21);
  bench.request(kGroupRegion + kLineBytes, 40);
  CHECK(bench.run(80) == 41 + 7);  // the links to the crossbar and back take the other two cycles
  CHECK(bench.asks.size() == 1);
  CHECK(bench.translated.size() == 2);
}

TEST_CASE("GroupTranslations: requests for a region that the group waits for get the same answer") {
  GroupBench bench;
  bench.request(kGroupRegion, 0);
  bench.request(kGroupRegion + kLineBytes, 0);
  bench.request(kGroupRegion, 1);
  bench.run(20);
  REQUIRE(bench.asks.size() == 1);
  bench.answers.send({bench.asks.front().miss}, 20);
  CHECK(bench.run(40) == 21);
  CHECK(bench.translated.size() == 3);
}

TEST_CASE("GroupTranslations: more misses than it can wait for hold up the group until an answer comes") {
  GroupBench bench;
  for (Address region = 1; region <= 3; ++region) {
    bench.request(region * kGroupRegion, 0);
  }
  bench.request(kGroupRegion, 0);
  bench.run(20);
  REQUIRE(bench.asks.size() == 2);
  CHECK(bench.misses.size() == 2);
  CHECK(bench.asks.message(0).miss != bench.asks.message(1).miss);
  bench.answers.send({bench.asks.message(1).miss}, 20);  // of the second region
  bench.run(40);
  REQUIRE(bench.asks.size() == 3);
  CHECK(bench.asks.message(2).line == 3 * kGroupRegion);
  CHECK(bench.asks.message(2).miss == bench.asks.message(1).miss);  // its place is free again
  CHECK(bench.misses.empty());
  CHECK(bench.translated.size() == 1);
}

TEST_CASE("GroupTranslations: the links to the GPU carry its latency, and the rest of the group's") {
  TranslationConfig config = GroupBench::config();
  config.gpu_near_latency_cycles = 1;
  config.gpu_far_latency_cycles = 76;
  CHECK(GroupTranslations::ask_latency(config, true) == 7);
  CHECK(GroupTranslations::answer_latency(config, true) == 1);
  CHECK(GroupTranslations::ask_latency(config, false) == 7 + 38);
  CHECK(GroupTranslations::answer_latency(config, false) == 38);
}

}  // namespace
}  // namespace warpsim
