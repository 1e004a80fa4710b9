#include "mechanisms/replacement/random.h"

#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "support/mechanism_bench.h"
#include "warpsim/testing/replacement_bound.h"

namespace warpsim::mechanism {
namespace {

std::vector<std::uint32_t> random_victims(double seed, std::uint32_t ways, std::uint32_t count) {
  MechanismBench<RandomReplacement> random({CacheLevel::kL1, 2, ways}, {{"seed", seed}});
  std::vector<std::uint32_t> victims;
  for (std::uint32_t i = 0; i < count; ++i) {
    victims.push_back(random->victim(0));
    random->inserted({0, victims.back()}, 0, false);
  }
  return victims;
}

TEST_CASE("Random victims are the same with the same seed, and others with another one") {
  CHECK(random_victims(7, 16, 50) == random_victims(7, 16, 50));
  CHECK(random_victims(7, 16, 50) != random_victims(8, 16, 50));
  CHECK(random_victims(0, 16, 50) != random_victims(1, 16, 50));
  CHECK(random_victims(0xffffffff, 16, 50) != random_victims(0, 16, 50));
}

TEST_CASE("Random victims are evenly distributed") {
  for (const std::uint32_t ways : {3U, 5U, 16U}) {
    std::array<std::uint32_t, 16> counts{};
    for (const std::uint32_t way : random_victims(1, ways, 3000 * ways)) {
      ++counts[way];
    }
    // The standard deviation of each is at most 55: six of them are 330.
    for (std::uint32_t way = 0; way < ways; ++way) {
      CHECK(counts[way] > 2670);
      CHECK(counts[way] < 3330);
    }
  }
}

TEST_CASE("A random victim stays the same until a line enters") {
  MechanismBench<RandomReplacement> random({CacheLevel::kL1, 1, 16});
  const std::uint32_t victim = random->victim(0);
  random->used({0, 3}, 0);
  random->removed({0, 3});
  CHECK(random->victim(0) == victim);
}

TEST_CASE("Random replacement begins with its seed again when it is cleared") {
  MechanismBench<RandomReplacement> random({CacheLevel::kL1, 1, 16}, {{"seed", 5}});
  std::vector<std::uint32_t> victims;
  for (int round = 0; round < 2; ++round) {
    for (int i = 0; i < 20; ++i) {
      random->inserted({0, 0}, 0, false);
      victims.push_back(random->victim(0));
    }
    random->cleared();
  }
  CHECK(std::equal(victims.begin(), victims.begin() + 20, victims.begin() + 20));
}

TEST_CASE("A loop over one line more than the ways hits at times with random replacement") {
  const testing::LineStream loop = testing::loop_over_lines(1, 5, 200);
  const std::uint64_t misses = testing::count_misses(FactoryOf<RandomReplacement>(), {CacheLevel::kL1, 1, 4}, loop);
  CHECK(misses < loop.size() * 3 / 4);
  CHECK(misses > testing::fewest_misses(1, 4, loop));
}

}  // namespace
}  // namespace warpsim::mechanism
