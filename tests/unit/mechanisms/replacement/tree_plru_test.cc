#include "mechanisms/replacement/tree_plru.h"

#include <catch2/catch.hpp>
#include <vector>

#include "support/mechanism_bench.h"
#include "warpsim/testing/replacement_bound.h"

namespace warpsim::mechanism {
namespace {

using PlruBench = MechanismBench<TreePlru>;

ReplacementSite plru_ways(std::uint32_t ways, std::uint32_t sets = 1) {
  return {CacheLevel::kL1, sets, ways};
}

// The next victims if each one is replaced by a line that is not used again.
std::vector<std::uint32_t> plru_replacements(PlruBench& plru, std::uint32_t count) {
  std::vector<std::uint32_t> victims;
  for (std::uint32_t i = 0; i < count; ++i) {
    victims.push_back(plru->victim(0));
    plru->inserted({0, victims.back()}, Address{1000 + i} * kLineBytes, false);
  }
  return victims;
}

TEST_CASE("The tree of four ways alternates between its halves") {
  PlruBench plru(plru_ways(4));
  CHECK(plru_replacements(plru, 6) == std::vector<std::uint32_t>{0, 2, 1, 3, 0, 2});
}

TEST_CASE("A used line turns the nodes above it away") {
  PlruBench plru(plru_ways(4));
  plru->used({0, 0}, 0);  // root: right, left node: way 1
  CHECK(plru->victim(0) == 2);
  plru->used({0, 2}, 0);  // root: left, right node: way 3
  CHECK(plru->victim(0) == 1);
  plru->used({0, 1}, 0);
  CHECK(plru->victim(0) == 3);
  plru->used({0, 3}, 0);
  CHECK(plru->victim(0) == 0);
}

TEST_CASE("The tree is not exact LRU") {
  PlruBench plru(plru_ways(4));
  for (const std::uint32_t way : {0U, 1U, 2U, 3U, 0U}) {
    plru->used({0, way}, 0);
  }
  CHECK(plru->victim(0) == 2);
  plru->used({0, 2}, 0);
  CHECK(plru->victim(0) == 1);  // as LRU
  plru->used({0, 1}, 0);
  CHECK(plru->victim(0) == 3);
  plru->used({0, 0}, 0);
  CHECK(plru->victim(0) == 3);
  for (const std::uint32_t way : {2U, 3U, 0U}) {
    plru->used({0, way}, 0);
  }
  CHECK(plru->victim(0) == 2);  // LRU: way 1
}

TEST_CASE("Of three ways the one without a neighbour is replaced each second time") {
  PlruBench plru(plru_ways(3));
  CHECK(plru_replacements(plru, 8) == std::vector<std::uint32_t>{0, 2, 1, 2, 0, 2, 1, 2});
}

TEST_CASE("A tree of five ways has three ways on its left and two on its right") {
  PlruBench plru(plru_ways(5));
  CHECK(plru_replacements(plru, 8) == std::vector<std::uint32_t>{0, 3, 2, 4, 1, 3, 2, 4});
}

TEST_CASE("One way is always the victim") {
  PlruBench plru(plru_ways(1));
  plru->inserted({0, 0}, 0, false);
  plru->used({0, 0}, 0);
  CHECK(plru->victim(0) == 0);
}

TEST_CASE("A line that leaves first is the next victim of the tree") {
  for (const std::uint32_t ways : {2U, 3U, 5U, 8U, 16U}) {
    PlruBench plru(plru_ways(ways));
    for (std::uint32_t way = 0; way < ways; ++way) {
      plru->inserted({0, way}, Address{way} * kLineBytes, true);
      CHECK(plru->victim(0) == way);
      plru->used({0, way}, Address{way} * kLineBytes);
      CHECK(plru->victim(0) != way);
    }
  }
}

TEST_CASE("Sets of a tree do not depend on each other, and all are forgotten at once") {
  PlruBench plru(plru_ways(3, 4));
  plru->used({1, 0}, 0);
  CHECK(plru->victim(0) == 0);
  CHECK(plru->victim(1) == 2);
  CHECK(plru->victim(2) == 0);
  plru->used({2, 1}, 0);
  plru->cleared();
  CHECK(plru->victim(1) == 0);
  CHECK(plru->victim(2) == 0);
}

// The nodes do not point to the oldest way after the ways were filled in order, so that some lines hit at first.
TEST_CASE("A loop over one line more than a tree's ways misses always after some rounds") {
  const auto misses = [](std::uint32_t ways, std::uint32_t rounds) -> std::uint64_t {
    return testing::count_misses(FactoryOf<TreePlru>(), plru_ways(ways, 4),
                                 testing::loop_over_lines(4, ways + 1, rounds));
  };
  CHECK(misses(2, 20) == 240);
  CHECK(misses(4, 20) == 400 - 4);  // one hit of each set
  for (const std::uint32_t ways : {2U, 4U, 8U, 16U}) {
    CHECK(misses(ways, 40) - misses(ways, 20) == std::uint64_t{80} * (ways + 1));
  }
}

}  // namespace
}  // namespace warpsim::mechanism
