#include "mechanisms/replacement/srrip.h"

#include <catch2/catch.hpp>

#include "support/mechanism_bench.h"
#include "warpsim/testing/replacement_bound.h"

namespace warpsim::mechanism {
namespace {

TEST_CASE("A line used again stays longer than new lines under SRRIP") {
  MechanismBench<Srrip> srrip({CacheLevel::kL1, 1, 4});
  for (std::uint32_t way = 0; way < 4; ++way) {
    srrip->inserted({0, way}, 0, false);
  }
  srrip->used({0, 1}, 0);        // values 2 0 2 2
  CHECK(srrip->victim(0) == 0);  // 3 1 3 3
  srrip->inserted({0, 0}, 0, false);
  CHECK(srrip->victim(0) == 2);  // 2 1 3 3
  srrip->inserted({0, 2}, 0, false);
  CHECK(srrip->victim(0) == 3);  // 2 1 2 3
  srrip->inserted({0, 3}, 0, false);
  CHECK(srrip->victim(0) == 0);  // 2 1 2 2, then 3 2 3 3
  srrip->inserted({0, 0}, 0, false);
  srrip->used({0, 2}, 0);  // 2 2 0 3
  CHECK(srrip->victim(0) == 3);
  srrip->used({0, 3}, 0);        // 2 2 0 0
  CHECK(srrip->victim(0) == 0);  // 3 3 1 1
  srrip->inserted({0, 0}, 0, false);
  CHECK(srrip->victim(0) == 1);  // the line that was used once leaves at last
}

TEST_CASE("A line that leaves first is SRRIP's next victim") {
  MechanismBench<Srrip> srrip({CacheLevel::kL2, 2, 3});
  for (std::uint32_t way = 0; way < 3; ++way) {
    srrip->inserted({1, way}, 0, way == 2);
  }
  CHECK(srrip->victim(1) == 2);
  srrip->used({1, 2}, 0);
  CHECK(srrip->victim(1) == 0);
}

TEST_CASE("SRRIP forgets all uses when it is cleared") {
  MechanismBench<Srrip> srrip({CacheLevel::kL1, 1, 2});
  srrip->used({0, 0}, 0);
  CHECK(srrip->victim(0) == 1);
  srrip->cleared();
  CHECK(srrip->victim(0) == 0);
}

TEST_CASE("With more bits lines stay longer after a hit") {
  // One line is used once, then lines pass that are not used again.
  const auto lines_until_it_leaves = [](double bits) {
    MechanismBench<Srrip> srrip({CacheLevel::kL1, 1, 2}, {{"prediction_bits", bits}});
    srrip->inserted({0, 0}, 0, false);
    srrip->inserted({0, 1}, 0, false);
    srrip->used({0, 0}, 0);
    std::uint32_t lines = 0;
    for (; srrip->victim(0) == 1; ++lines) {
      srrip->inserted({0, 1}, 0, false);
    }
    return lines;
  };
  CHECK(lines_until_it_leaves(1) == 0);  // values 0 0: the first way
  CHECK(lines_until_it_leaves(2) == 2);  // 0 2, 1 3 | 1 2, 2 3 | 2 2, 3 3
  CHECK(lines_until_it_leaves(3) == 6);
}

TEST_CASE("A loop over one line more than SRRIP's ways misses always") {
  for (const std::uint32_t ways : {1U, 2U, 3U, 5U, 16U}) {
    const testing::LineStream loop = testing::loop_over_lines(4, ways + 1, 20);
    CHECK(testing::count_misses(FactoryOf<Srrip>(), {CacheLevel::kL1, 4, ways}, loop) == loop.size());
  }
}

TEST_CASE("A line that is used between scans survives them under SRRIP") {
  testing::LineStream stream{{0, 0}, {0, 0}};
  for (Address scan = 0; scan < 20; ++scan) {
    for (Address i = 1; i <= 3; ++i) {  // as many new lines as ways
      stream.push_back({0, (scan * 3 + i) * kLineBytes});
    }
    stream.push_back({0, 0});
  }
  CHECK(testing::count_misses(FactoryOf<Srrip>(), {CacheLevel::kL1, 1, 3}, stream) == 1 + 60);
}

}  // namespace
}  // namespace warpsim::mechanism
