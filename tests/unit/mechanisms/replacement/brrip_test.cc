#include "mechanisms/replacement/brrip.h"

#include <catch2/catch.hpp>

#include "support/mechanism_bench.h"
#include "warpsim/testing/replacement_bound.h"

namespace warpsim::mechanism {
namespace {

TEST_CASE("New lines replace each other under BRRIP") {
  MechanismBench<Brrip> brrip({CacheLevel::kL1, 1, 3});
  for (std::uint32_t way = 0; way < 3; ++way) {
    brrip->inserted({0, way}, 0, false);
  }
  for (int i = 0; i < 20; ++i) {
    CHECK(brrip->victim(0) == 0);
    brrip->inserted({0, 0}, 0, false);
  }
}

TEST_CASE("One line in the interval gets a long prediction under BRRIP") {
  MechanismBench<Brrip> brrip({CacheLevel::kL1, 1, 2}, {{"long_insertion_interval", 4}});
  brrip->inserted({0, 0}, 0, false);
  brrip->inserted({0, 1}, 0, false);
  brrip->inserted({0, 0}, 0, true);  // does not count
  brrip->inserted({0, 0}, 0, false);
  CHECK(brrip->victim(0) == 0);
  brrip->inserted({0, 0}, 0, false);  // the fourth
  CHECK(brrip->victim(0) == 1);
  brrip->inserted({0, 1}, 0, false);
  CHECK(brrip->victim(0) == 1);
}

TEST_CASE("A loop over more lines than ways hits under BRRIP") {
  const testing::LineStream loop = testing::loop_over_lines(1, 4, 6);
  const KeyValues never_long{{"long_insertion_interval", 65535}};
  // Ways hold A B C. D replaces A, A replaces D, then B and C hit: two misses per round from the second on.
  CHECK(testing::count_misses(mechanism_factory<Brrip>(never_long), {CacheLevel::kL1, 1, 3}, loop) == 4 + 5 * 2);
}

TEST_CASE("BRRIP with an interval of one is SRRIP") {
  const testing::LineStream loop = testing::loop_over_lines(2, 4, 10);
  CHECK(testing::count_misses(mechanism_factory<Brrip>({{"long_insertion_interval", 1}}), {CacheLevel::kL1, 2, 3},
                              loop) == loop.size());
}

TEST_CASE("BRRIP begins its interval again when it is cleared") {
  MechanismBench<Brrip> brrip({CacheLevel::kL1, 1, 2}, {{"long_insertion_interval", 2}});
  brrip->inserted({0, 0}, 0, false);
  brrip->cleared();
  brrip->inserted({0, 0}, 0, false);
  CHECK(brrip->victim(0) == 0);
  brrip->inserted({0, 0}, 0, false);
  CHECK(brrip->victim(0) == 1);
}

}  // namespace
}  // namespace warpsim::mechanism
