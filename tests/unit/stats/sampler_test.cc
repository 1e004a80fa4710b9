#include "stats/sampler.h"

#include <catch2/catch.hpp>
#include <map>

#include "stats/sample_columns.h"

using namespace warpsim;

namespace {

struct SubCoreStats : StatGroup {
  using StatGroup::StatGroup;
  Counter executed{*this, "inst_executed", Unit::kInstructions, "executed"};
  Counter wait{*this, "stalled_wait", Unit::kWarpCycles, "waited"};
};
struct LsuStats : StatGroup {
  using StatGroup::StatGroup;
  std::uint64_t entries = 0;
  Counter loads{*this, "shared_load_conflicts", Unit::kWavefronts, "of loads"};
  Counter stores{*this, "shared_store_conflicts", Unit::kWavefronts, "of stores"};
  Gauge queued{*this, "queued", [this] { return entries; }};
};
struct SmStats : StatGroup {
  using StatGroup::StatGroup;
  Counter active{*this, "cycles_active", Unit::kCycles, "active"};
  SubCoreStats first{*this, "sub_core", 0};
  SubCoreStats second{*this, "sub_core", 1};
  LsuStats lsu{*this, "lsu"};
};
struct SchedulerStats : StatGroup {
  using StatGroup::StatGroup;
  Counter launched{*this, "blocks_launched", Unit::kBlocks, "launched"};
};
struct Machine {
  StatGroup root{"gpu"};
  SchedulerStats scheduler{root, "block_scheduler"};
  SmStats sm0{root, "sm", 0};
  SmStats sm7{root, "sm", 7};
};

std::size_t table_named(std::string_view name) {
  for (std::size_t i = 0; i < sample_tables().size(); ++i) {
    if (name == sample_tables()[i].name) {
      return i;
    }
  }
  FAIL("no table " << name);
  return 0;
}

struct Read {
  Cycle cycle;
  Cycle cycles;
  std::uint32_t instance;
  std::map<std::string, std::uint64_t> values;  // without zeros
  bool operator==(const Read&) const = default;
};

std::vector<Read> rows(const SampleSeries& series, const std::string& name) {
  const std::size_t table = table_named(name);
  const std::vector<const SampleColumn*> columns = all_columns(sample_tables()[table]);
  std::vector<Read> read;
  series.for_each(table, [&](const SampleSeries::Row& row) {
    Read& to = read.emplace_back(Read{row.cycle, row.cycles, row.instance, {}});
    REQUIRE(row.values.size() == columns.size());
    for (std::size_t i = 0; i < columns.size(); ++i) {
      if (row.values[i] != 0) {
        to.values[columns[i]->name] = row.values[i];
      }
    }
  });
  return read;
}

TEST_CASE("sampler: an interval has the counts in it, an instance only non-zero ones") {
  Machine machine;
  Sampler sampler(machine.root);
  sampler.begin();
  machine.scheduler.launched += 2;
  machine.sm0.active += 100;
  machine.sm0.first.executed += 30;
  machine.sm0.second.executed += 12;
  machine.sm0.lsu.entries = 5;
  sampler.take(100, false);
  machine.sm0.active += 40;
  machine.sm0.first.wait += 300;
  machine.sm7.active += 1;
  machine.sm7.lsu.loads += 3;
  machine.sm7.lsu.stores += 4;
  machine.sm0.lsu.entries = 0;
  sampler.take(150, true);

  CHECK(rows(sampler.series(), "sample_sm") ==
        std::vector<Read>{{100, 100, 0, {{"active_cycles", 100}, {"instructions", 42}, {"lsu_queue", 5}}},
                          {150, 50, 0, {{"active_cycles", 40}, {"stalled_wait", 300}}},
                          {150, 50, 7, {{"active_cycles", 1}, {"shared_conflicts", 7}}}});
  CHECK(rows(sampler.series(), "sample_device") ==
        std::vector<Read>{
            {100, 100, 0, {{"blocks_launched", 2}, {"active_cycles", 100}, {"instructions", 42}, {"lsu_queue", 5}}},
            {150, 50, 0, {{"active_cycles", 41}, {"stalled_wait", 300}, {"shared_conflicts", 7}}}});
  CHECK(rows(sampler.series(), "sample_dram_channel").empty());
}

TEST_CASE("sampler: counts of an SM after its last block are reported at the end") {
  Machine machine;
  Sampler sampler(machine.root);
  sampler.begin();
  machine.sm0.active += 10;
  sampler.take(10, false);
  machine.sm0.lsu.loads += 2;
  sampler.take(20, false);
  sampler.take(30, true);
  CHECK(rows(sampler.series(), "sample_sm") ==
        std::vector<Read>{{10, 10, 0, {{"active_cycles", 10}}}, {30, 10, 0, {{"shared_conflicts", 2}}}});
}

TEST_CASE("sampler: launches start from 0, and large numbers are stored exactly") {
  Machine machine;
  Sampler sampler(machine.root);
  sampler.begin();
  machine.sm7.active += 10;
  sampler.take(10, true);
  machine.root.reset();
  sampler.begin();
  CHECK(sampler.series().empty());
  machine.sm7.active += 0xfedcba9876543210U;
  machine.sm7.second.wait += 127;
  machine.sm7.first.wait += 1;
  sampler.take(1'000'000'000'000, true);
  CHECK(
      rows(sampler.series(), "sample_sm") ==
      std::vector<Read>{
          {1'000'000'000'000, 1'000'000'000'000, 7, {{"active_cycles", 0xfedcba9876543210U}, {"stalled_wait", 128}}}});
}

}  // namespace
