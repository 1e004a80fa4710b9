#include "memory/l2/compression_mechanism.h"

#include <catch2/catch.hpp>
#include <memory>
#include <string>

#include "base/error.h"
#include "support/known_sizes.h"
#include "unit/memory/l2_bench.h"

namespace warpsim::testing {
namespace {

L2Config compressing_l2(KnownSizesTable& table) {
  L2Config config = tiny_l2();
  config.num_sets = 1;  // two ways
  config.fill_bytes = kSectorBytes;
  config.compression = {"known", std::make_shared<KnownSizesFactory>(table)};
  return config;
}

std::uint64_t counter_of(L2Bench& bench, const std::string& name) {
  for (const StatGroup* group : bench.stats[0].children()) {
    if (std::string(group->name()) != "compression") {
      continue;
    }
    for (const NamedCounter& counter : group->counters()) {
      if (name == counter.name()) {
        return counter.value();
      }
    }
  }
  FAIL("no counter " << name);
  return 0;
}

TEST_CASE(
    "L2 compression: a miss of a compressed line brings all absent sectors, and moves those of the compressed line") {
  KnownSizesTable table;
  L2Bench bench(compressing_l2(table));
  table.lines = {{bench.line(0, 0), 2}, {bench.line(0, 1), 4}};
  bench.fill(bench.line(0, 0), 0x8);
  REQUIRE(bench.fetch(read_of(bench.line(0, 0), 0x1), 100));
  const DramRequest compressed = L2Bench::take(bench.to_dram, 101);
  CHECK(compressed.sector_mask == 0x7);
  CHECK(compressed.moved() == 0x3);
  REQUIRE(bench.fetch(read_of(bench.line(0, 1), 0x1), 101));
  const DramRequest usual = L2Bench::take(bench.to_dram, 102);
  CHECK(usual.sector_mask == 0x1);
  CHECK(usual.moved() == 0x1);
  REQUIRE(bench.fetch(read_of(bench.line(0, 0), 0x2), 103));
  CHECK_FALSE(bench.to_dram.has_message(104));  // is on its way
  bench.from_dram.send({compressed.tag, 0x7}, 150);
  bench.misses.take_fills(151);
  CHECK(bench.valid(bench.line(0, 0)) == 0xf);
  CHECK(counter_of(bench, "line_reads") == 1);
  CHECK(counter_of(bench, "filled_sectors") == 3);
  CHECK(counter_of(bench, "read_sectors") == 2);
}

TEST_CASE("L2 compression: lines wait for the decompressor, others pass it") {
  KnownSizesTable table;
  table.cycles = 20;
  L2Bench bench(compressing_l2(table));
  table.lines = {{bench.line(0, 0), 1}};
  REQUIRE(bench.fetch(read_of(bench.line(0, 0), 0x1), 100));
  REQUIRE(bench.fetch(read_of(bench.line(0, 1), 0x1), 100));
  const DramRequest compressed = L2Bench::take(bench.to_dram, 101);
  const DramRequest usual = L2Bench::take(bench.to_dram, 101);
  bench.from_dram.send({compressed.tag, compressed.sector_mask}, 150);
  bench.from_dram.send({usual.tag, usual.sector_mask}, 151);
  bench.misses.take_fills(152);
  CHECK(bench.valid(bench.line(0, 0)) == 0);
  CHECK(bench.valid(bench.line(0, 1)) == 0x1);
  CHECK_FALSE(bench.misses.idle());
  CHECK(bench.misses.next_arrival(152) == 172);
  bench.misses.take_fills(171);
  CHECK(bench.valid(bench.line(0, 0)) == 0);
  bench.misses.take_fills(172);
  CHECK(bench.valid(bench.line(0, 0)) == 0xf);
  CHECK(bench.misses.idle());
}

TEST_CASE("L2 compression: a write-back writes the whole compressed line, after a read of what L2 lacks") {
  KnownSizesTable table;
  L2Bench bench(compressing_l2(table));
  const Address whole = bench.line(0, 0);
  const Address part = bench.line(0, 1);
  table.lines = {{whole, 2}, {part, 3}};
  bench.array.write(write_of(whole, 0xf), bench.place_of(whole));
  bench.array.write(write_of(part, 0x3), bench.place_of(part));
  bench.fill(bench.line(0, 2), 0xf);
  bench.fill(bench.line(0, 3), 0xf);
  bench.array.send_writebacks(bench.to_dram, 10);
  const DramRequest first = L2Bench::take(bench.to_dram, 11);
  CHECK(first.write);
  CHECK(first.line == whole);
  CHECK(first.sector_mask == 0xf);
  CHECK(first.moved() == 0x3);
  const DramRequest read = L2Bench::take(bench.to_dram, 11);
  CHECK_FALSE(read.write);
  CHECK_FALSE(read.wants_reply);
  CHECK(read.line == part);
  CHECK(read.moved() == 0x7);
  const DramRequest second = L2Bench::take(bench.to_dram, 11);
  CHECK(second.write);
  CHECK(second.moved() == 0x7);
  CHECK(counter_of(bench, "line_writes") == 2);
  CHECK(counter_of(bench, "dirty_sectors") == 6);
  CHECK(counter_of(bench, "written_sectors") == 5);
  CHECK(counter_of(bench, "reads_before_writes") == 1);
}

TEST_CASE("L2 compression: sizes and times that the interface does not allow are errors") {
  LaunchStats<StatGroup> root{"root"};
  KnownSizesTable table;
  table.lines = {{0x1000, 0}, {0x2000, 5}};
  const CompressionMechanism mechanism({"known", std::make_shared<KnownSizesFactory>(table)}, root);
  CHECK(mechanism.moved(0x3000) == 0);
  CHECK_THROWS_WITH(mechanism.moved(0x1000),
                    "mechanism 'known' compresses the line 0x1000 to 0 sectors; expected 1 to 4");
  CHECK_THROWS_WITH(mechanism.moved(0x2000),
                    "mechanism 'known' compresses the line 0x2000 to 5 sectors; expected 1 to 4");
  table.cycles = 10001;
  LaunchStats<StatGroup> other{"root"};
  CHECK_THROWS_WITH(CompressionMechanism({"known", std::make_shared<KnownSizesFactory>(table)}, other),
                    "mechanism 'known' decompresses a line in 10001 cycles; expected at most 10000");
}

}  // namespace
}  // namespace warpsim::testing
