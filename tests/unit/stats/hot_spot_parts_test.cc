#include "stats/hot_spot_parts.h"

#include <catch2/catch.hpp>
#include <thread>
#include <vector>

using namespace warpsim;

namespace {

TEST_CASE("hot spots: the parts of writers that run at the same time add up to the table") {
  constexpr std::uint64_t kWriters = 4;
  HotSpotTable whole(3);
  whole[0].add(HotSpotColumn::kExecuted, 100);
  HotSpotParts parts(whole, kWriters + 1);
  std::vector<std::thread> threads;
  for (std::uint64_t writer = 0; writer < kWriters; ++writer) {
    threads.emplace_back([&parts, writer] {
      HotSpotTable& table = parts.part(writer);
      for (int i = 0; i < 1000; ++i) {
        table[0].add(HotSpotColumn::kExecuted, writer);
        table[2].add_load(10 * writer);
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  CHECK(&parts.part(1) != &parts.part(2));
  CHECK(whole[0][HotSpotColumn::kExecuted] == 100);
  parts.add_up();
  CHECK(whole[0][HotSpotColumn::kExecuted] == 100 + 1000 * (1 + 2 + 3));
  CHECK(whole[1][HotSpotColumn::kExecuted] == 0);
  CHECK(whole[2][HotSpotColumn::kLoads] == 4000);
  CHECK(whole[2][HotSpotColumn::kGreatestLoadCycles] == 30);
}

TEST_CASE("hot spots: writers that run one after another share the table") {
  HotSpotTable whole(1);
  HotSpotParts parts(whole, 0);
  CHECK(&parts.part(0) == &whole);
  CHECK(&parts.part(7) == &whole);
  parts.part(7)[0].add(HotSpotColumn::kExecuted);
  parts.add_up();
  CHECK(whole[0][HotSpotColumn::kExecuted] == 1);
}

}  // namespace
