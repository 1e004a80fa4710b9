#include "stats/hot_spot_table.h"

#include <catch2/catch.hpp>

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
