#include "stats/hot_spot_table.h"

#include <catch2/catch.hpp>

#include "base/check.h"

using namespace warpsim;

namespace {

TEST_CASE("hot spots: loads are counted by latency, with the slowest and the sum") {
  HotSpotTable table(2);
  CHECK(table[1].latencies() == nullptr);
  table[1].add_load(3);
  table[1].add_load(500);
  table[1].add_load(499);
  CHECK(table.rows()[1][HotSpotColumn::kLoads] == 3);
  CHECK(table.rows()[1][HotSpotColumn::kLoadCycles] == 1002);
  CHECK(table.rows()[1][HotSpotColumn::kGreatestLoadCycles] == 500);
  REQUIRE(table[1].latencies() != nullptr);
  CHECK((*table[1].latencies())[3] == 1);
  CHECK((*table[1].latencies())[Histogram::bucket_of(500)] == 2);
  CHECK(table[0].latencies() == nullptr);
  CHECK(table[0][HotSpotColumn::kLoads] == 0);
}

TEST_CASE("hot spots: tables add up by column, the greatest latency is the maximum") {
  HotSpotTable one(2);
  one[0].add(HotSpotColumn::kExecuted, 3);
  one[0].add_load(40);
  one[0].add_stall(2, 5);
  HotSpotTable other(2);
  other[0].add(HotSpotColumn::kExecuted, 4);
  other[0].add_load(30);
  other[0].add_load(41);
  other[1].add_load(7);
  one.add(other);
  CHECK(one[0][HotSpotColumn::kExecuted] == 7);
  CHECK(one[0].counts()[static_cast<std::size_t>(HotSpotColumn::kStalled) + 2] == 5);
  CHECK(one[0][HotSpotColumn::kLoads] == 3);
  CHECK(one[0][HotSpotColumn::kLoadCycles] == 111);
  CHECK(one[0][HotSpotColumn::kGreatestLoadCycles] == 41);
  CHECK((*one[0].latencies())[Histogram::bucket_of(40)] == 2);
  CHECK((*one[0].latencies())[Histogram::bucket_of(30)] == 1);
  CHECK(one[1][HotSpotColumn::kGreatestLoadCycles] == 7);
  REQUIRE(one[1].latencies() != nullptr);
  CHECK((*one[1].latencies())[7] == 1);
  CHECK_THROWS_AS(one.add(HotSpotTable(3)), InternalError);
}

TEST_CASE("hot spots: stall reasons are the columns after the others, in their order") {
  HotSpot spot;
  spot.add_stall(0, 5);
  spot.add_stall(kHotSpotStalls - 1, 7);
  CHECK(spot[HotSpotColumn::kStalled] == 5);
  CHECK(spot.counts().back() == 7);
  CHECK(std::string(hot_spot_columns().back().name) == "stalled_tex_throttle");
  CHECK(std::string(hot_spot_columns()[static_cast<std::size_t>(HotSpotColumn::kStalled)].name) == "stalled_selected");
}

}  // namespace
