#include "memory/l2/l2_prefetch.h"

#include <catch2/catch.hpp>

#include "support/named_lines.h"
#include "unit/memory/l2_bench.h"

namespace warpsim::testing {
namespace {

struct Rig {
  explicit Rig(const std::vector<std::int64_t>& distances, const L2Config& config = tiny_l2(),
               std::size_t link_entries = 8, const test::NamedLines::Answer& answer = {})
      : bench(config, link_entries),
        factory(std::make_shared<test::NamedLinesFactory>(distances, answer)),
        prefetch(with_prefetcher(config, factory), bench.map, {bench.array, bench.misses}, bench.stats) {}
  static L2Config with_prefetcher(L2Config config, std::shared_ptr<test::NamedLinesFactory> factory) {
    config.prefetcher = {"named", std::move(factory)};
    return config;
  }
  void read(Address line, bool hit, Cycle now = 100) {
    prefetch.after_read({read_of(line, 0x1), 0, 0, 0}, bench.place_of(line), hit, now);
  }
  std::uint64_t operator[](const std::string& name) const {
    for (const StatGroup* group : bench.stats[0].children()) {
      if (group->name() == std::string("prefetcher")) {
        for (const NamedCounter& counter : group->counters()) {
          if (name == counter.name()) {
            return counter.value();
          }
        }
      }
    }
    FAIL("no counter " << name);
    return 0;
  }
  L2Bench bench;
  std::shared_ptr<test::NamedLinesFactory> factory;
  L2Prefetch prefetch;
};

TEST_CASE("L2 prefetch: the mechanism sees and names lines of the slice, and DRAM is asked for them") {
  Rig rig({1});
  const Address line = rig.bench.line(0, 3);
  rig.read(line, false);
  REQUIRE(rig.factory->seen->size() == 1);
  const mechanism::LineLookup seen = rig.factory->seen->front();
  CHECK(seen.line == rig.bench.map.home_of(line).line_number * kLineBytes);
  CHECK(seen.sectors == 0x1);
  CHECK_FALSE(seen.hit);
  CHECK(seen.now == 100);
  const DramRequest request = L2Bench::take(rig.bench.to_dram, 101);
  CHECK(request.line == rig.bench.line(0, 4));
  CHECK(request.sector_mask == 0x3);
  CHECK(request.wants_reply);
  CHECK(rig["requests"] == 1);
  CHECK(rig["sectors"] == 2);
  rig.bench.from_dram.send({request.tag, 0x3}, 150);
  rig.bench.misses.take_fills(151);
  CHECK(rig.bench.valid(rig.bench.line(0, 4)) == 0x3);
  CHECK(rig.bench.replies.size() == 0);  // nobody waits for it
  CHECK(rig.bench.misses.idle());
}

TEST_CASE("L2 prefetch: a prefetch of lines of 32 bytes is one request for each of them") {
  L2Config config = tiny_l2();
  config.line_bytes = 32;
  Rig rig({1}, config);
  rig.read(rig.bench.line(0, 3), false);
  CHECK(rig["requests"] == 2);
  CHECK(rig["sectors"] == 2);
  CHECK(L2Bench::take(rig.bench.to_dram, 101).sector_mask == 0x1);
  const DramRequest second = L2Bench::take(rig.bench.to_dram, 101);
  CHECK(second.sector_mask == 0x2);
  CHECK(second.line == rig.bench.line(0, 4) + 32);
}

TEST_CASE("L2 prefetch: a read of a line that is on its way waits for it without another request") {
  Rig rig({1});
  rig.read(rig.bench.line(0, 3), false);
  const DramRequest request = L2Bench::take(rig.bench.to_dram, 101);
  REQUIRE(rig.bench.fetch(read_of(rig.bench.line(0, 4), 0x1), 110));
  CHECK_FALSE(rig.bench.to_dram.has_message(200));
  rig.bench.from_dram.send({request.tag, 0x3}, 150);
  rig.bench.misses.take_fills(151);
  CHECK(rig.bench.replies.waiting() == 1);
}

TEST_CASE("L2 prefetch: lines that are present or on their way are not requested again") {
  Rig rig({1});
  rig.bench.fill(rig.bench.line(0, 1), 0x3);
  rig.read(rig.bench.line(0, 0), true);
  rig.read(rig.bench.line(0, 5), true);
  rig.read(rig.bench.line(0, 5), true);
  CHECK(rig["present"] == 2);
  CHECK(rig["requests"] == 1);
}

TEST_CASE("L2 prefetch: wrong lines and sectors end the run, lines beyond the maximum are dropped") {
  Rig between({1}, tiny_l2(), 8, {.offset = 32});
  CHECK_THROWS_WITH(between.read(between.bench.line(0, 3), false), Catch::EndsWith("expected a multiple of 128"));
  Rig beyond({1}, tiny_l2(), 8, {.sectors = 0x80});
  CHECK_THROWS_WITH(beyond.read(beyond.bench.line(0, 3), false),
                    "prefetcher 'named' requests the sectors 0x80 of a line, expected some of 0xf");
  Rig more(std::vector<std::int64_t>(mechanism::PrefetchList::kMost + 1, 1));
  more.read(more.bench.line(0, 3), false);
  CHECK(more["dropped"] == 1);
  CHECK(more["requests"] == 1);
}

TEST_CASE("L2 prefetch: without a free entry or space to DRAM lines are dropped, below zero they are out of range") {
  L2Config config = tiny_l2();
  config.mshr_entries = 1;
  Rig entries({1, 2}, config);
  entries.read(entries.bench.line(0, 3), false);
  CHECK(entries["requests"] == 1);
  CHECK(entries["dropped"] == 1);
  Rig link({1, 2}, tiny_l2(), 1);
  link.read(link.bench.line(0, 3), false);
  CHECK(link["requests"] == 1);
  CHECK(link["dropped"] == 1);
  Rig below({-1000000000});
  below.read(below.bench.line(0, 3), false);
  CHECK(below["out_of_range"] == 1);
  CHECK(below["requests"] == 0);
}

}  // namespace
}  // namespace warpsim::testing
