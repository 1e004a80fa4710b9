#include "mechanisms/replacement/rrip_values.h"

#include <catch2/catch.hpp>
#include <vector>

#include "mechanisms/replacement/bimodal_insertion.h"

namespace warpsim::mechanism {
namespace {

std::vector<std::uint32_t> rrip_values_of(const RripValues& values, std::uint32_t set, std::uint32_t ways) {
  std::vector<std::uint32_t> result;
  for (std::uint32_t way = 0; way < ways; ++way) {
    result.push_back(values.value({set, way}));
  }
  return result;
}

using RripList = std::vector<std::uint32_t>;

TEST_CASE("New values are the most distant ones") {
  CHECK(RripValues({2}, {CacheLevel::kL1, 1, 4}).most_distant() == 3);
  CHECK(RripValues({1}, {CacheLevel::kL1, 1, 4}).most_distant() == 1);
  CHECK(RripValues({8}, {CacheLevel::kL1, 1, 4}).most_distant() == 255);
  CHECK(rrip_values_of(RripValues({3}, {CacheLevel::kL1, 2, 3}), 1, 3) == RripList{7, 7, 7});
}

TEST_CASE("The first way with the most distant value is the victim") {
  RripValues values({2}, {CacheLevel::kL1, 1, 3});
  values.insert({0, 0}, RripInsertion::kLong);
  CHECK(values.victim(0) == 1);
  CHECK(rrip_values_of(values, 0, 3) == RripList{2, 3, 3});
}

TEST_CASE("Values rise until one is the most distant") {
  RripValues values({2}, {CacheLevel::kL1, 2, 3});
  values.use({1, 0});
  values.insert({1, 1}, RripInsertion::kLong);
  values.use({1, 2});
  CHECK(values.victim(1) == 1);
  CHECK(rrip_values_of(values, 1, 3) == RripList{1, 3, 1});
  CHECK(values.victim(1) == 1);
  CHECK(rrip_values_of(values, 1, 3) == RripList{1, 3, 1});
  values.use({1, 1});
  CHECK(values.victim(1) == 0);
  CHECK(rrip_values_of(values, 1, 3) == RripList{3, 2, 3});
  CHECK(rrip_values_of(values, 0, 3) == RripList{3, 3, 3});
}

TEST_CASE("With one bit a long prediction is the same as a hit") {
  RripValues values({1}, {CacheLevel::kL1, 1, 2});
  values.insert({0, 0}, RripInsertion::kLong);
  CHECK(values.value({0, 0}) == 0);
}

TEST_CASE("A forgotten way has the most distant value") {
  RripValues values({2}, {CacheLevel::kL1, 1, 3});
  for (std::uint32_t way = 0; way < 3; ++way) {
    values.use({0, way});
  }
  values.forget({0, 1});
  CHECK(rrip_values_of(values, 0, 3) == RripList{0, 3, 0});
  values.forget_all();
  CHECK(rrip_values_of(values, 0, 3) == RripList{3, 3, 3});
}

TEST_CASE("Each fourth line of a set enters with a long prediction") {
  BimodalInsertion bimodal({4}, 2);
  std::vector<bool> is_long(9);
  for (std::size_t i = 0; i < is_long.size(); ++i) {
    is_long[i] = bimodal.next(0) == RripInsertion::kLong;
  }
  CHECK(is_long == std::vector<bool>{false, false, false, true, false, false, false, true, false});
  CHECK(bimodal.next(1) == RripInsertion::kMostDistant);
  CHECK(bimodal.next(0) == RripInsertion::kMostDistant);
  bimodal.clear();
  for (int i = 0; i < 3; ++i) {
    CHECK(bimodal.next(0) == RripInsertion::kMostDistant);
  }
  CHECK(bimodal.next(0) == RripInsertion::kLong);
}

TEST_CASE("With an interval of one all lines enter with a long prediction") {
  BimodalInsertion bimodal({1}, 1);
  CHECK(bimodal.next(0) == RripInsertion::kLong);
  CHECK(bimodal.next(0) == RripInsertion::kLong);
}

TEST_CASE("The longest interval does not overflow") {
  BimodalInsertion bimodal({65535}, 1);
  for (int i = 1; i < 65535; ++i) {
    REQUIRE(bimodal.next(0) == RripInsertion::kMostDistant);
  }
  CHECK(bimodal.next(0) == RripInsertion::kLong);
}

}  // namespace
}  // namespace warpsim::mechanism
