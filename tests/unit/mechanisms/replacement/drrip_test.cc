#include "mechanisms/replacement/drrip.h"

#include <catch2/catch.hpp>

#include "mechanisms/replacement/brrip.h"
#include "mechanisms/replacement/srrip.h"
#include "support/mechanism_bench.h"
#include "warpsim/testing/replacement_bound.h"

namespace warpsim::mechanism {
namespace {

using DrripBench = MechanismBench<Drrip>;

constexpr ReplacementSite kDuelSite{CacheLevel::kL2, 64, 4};

// Whether the next line of the set would enter with a long prediction; tried with sets that were not used before.
bool drrip_enters_long(DrripBench& drrip, std::uint32_t set) {
  drrip->inserted({set, 0}, 0, false);
  return drrip->victim(set) != 0;
}

// Pairs of lines that are used in turns, one pair after another, in all sets.
testing::LineStream short_reuse(std::uint32_t sets, std::uint32_t pairs) {
  testing::LineStream stream;
  for (Address pair = 0; pair < pairs; ++pair) {
    for (int round = 0; round < 6; ++round) {
      for (Address line = 2 * pair; line < 2 * pair + 2; ++line) {
        for (std::uint32_t set = 0; set < sets; ++set) {
          stream.push_back({set, (line * sets + set) * kLineBytes});
        }
      }
    }
  }
  return stream;
}

TEST_CASE("Leader sets use their policy, and the others SRRIP at first") {
  DrripBench drrip({CacheLevel::kL1, 16, 2}, {{"leader_sets", 2}});
  // SRRIP leads in sets 0 and 8, BRRIP in 4 and 12.
  CHECK_FALSE(drrip_enters_long(drrip, 4));
  CHECK_FALSE(drrip_enters_long(drrip, 12));
  CHECK(drrip_enters_long(drrip, 0));
  CHECK(drrip_enters_long(drrip, 8));
  CHECK(drrip_enters_long(drrip, 1));
  CHECK(drrip->victim(1) == 1);
  CHECK(drrip.counter("brrip_insertions") == 0);
}

TEST_CASE("One miss more in SRRIP's leader set lets the others use BRRIP") {
  DrripBench drrip({CacheLevel::kL1, 16, 2}, {{"leader_sets", 1}});
  CHECK(drrip_enters_long(drrip, 0));
  CHECK_FALSE(drrip_enters_long(drrip, 1));
  CHECK(drrip.counter("brrip_insertions") == 1);
  CHECK_FALSE(drrip_enters_long(drrip, 8));  // BRRIP's leader misses also
  CHECK(drrip_enters_long(drrip, 2));
  CHECK(drrip.counter("brrip_insertions") == 1);
}

TEST_CASE("Lines that leave first do not decide the duel") {
  DrripBench drrip({CacheLevel::kL1, 16, 2}, {{"leader_sets", 1}});
  drrip->inserted({0, 0}, 0, true);
  CHECK(drrip->victim(0) == 0);
  CHECK(drrip_enters_long(drrip, 1));
}

TEST_CASE("The selector saturates") {
  DrripBench drrip({CacheLevel::kL1, 16, 2}, {{"leader_sets", 1}, {"selector_bits", 3}});
  for (int i = 0; i < 20; ++i) {
    drrip->inserted({0, 0}, 0, false);  // up to 7
  }
  for (int i = 0; i < 3; ++i) {
    drrip->inserted({8, 0}, 0, false);  // 4, in the upper half
  }
  CHECK_FALSE(drrip_enters_long(drrip, 1));
  drrip->inserted({8, 0}, 0, false);  // 3
  CHECK(drrip_enters_long(drrip, 2));
  for (int i = 0; i < 20; ++i) {
    drrip->inserted({8, 0}, 0, false);  // down to 0
  }
  for (int i = 0; i < 3; ++i) {
    drrip->inserted({0, 0}, 0, false);
  }
  CHECK(drrip_enters_long(drrip, 3));
  drrip->inserted({0, 0}, 0, false);  // 4
  CHECK_FALSE(drrip_enters_long(drrip, 4));
}

TEST_CASE("DRRIP is near BRRIP for a loop that is larger than the cache") {
  const testing::LineStream loop = testing::loop_over_lines(kDuelSite.sets, kDuelSite.ways + 1, 100);
  const std::uint64_t srrip = testing::count_misses(FactoryOf<Srrip>(), kDuelSite, loop);
  const std::uint64_t brrip = testing::count_misses(FactoryOf<Brrip>(), kDuelSite, loop);
  const std::uint64_t drrip = testing::count_misses(mechanism_factory<Drrip>({{"leader_sets", 4}}), kDuelSite, loop);
  CHECK(srrip == loop.size());
  CHECK(brrip < srrip / 2);
  CHECK(drrip - brrip < (srrip - brrip) / 8);  // 4 of 64 sets use SRRIP
}

TEST_CASE("DRRIP is near SRRIP for lines that are used again soon") {
  const testing::LineStream stream = short_reuse(kDuelSite.sets, 100);
  const std::uint64_t srrip = testing::count_misses(FactoryOf<Srrip>(), kDuelSite, stream);
  const std::uint64_t brrip = testing::count_misses(FactoryOf<Brrip>(), kDuelSite, stream);
  const std::uint64_t drrip = testing::count_misses(mechanism_factory<Drrip>({{"leader_sets", 4}}), kDuelSite, stream);
  CHECK(srrip == std::uint64_t{200} * kDuelSite.sets);  // each line once
  CHECK(brrip > 2 * srrip);
  CHECK(drrip - srrip < (brrip - srrip) / 8);
}

TEST_CASE("A cache with fewer than three sets has no duel") {
  for (const std::uint32_t sets : {1U, 2U}) {
    const testing::LineStream loop = testing::loop_over_lines(sets, 5, 20);
    CHECK(testing::count_misses(FactoryOf<Drrip>(), {CacheLevel::kL1, sets, 4}, loop) == loop.size());
  }
}

TEST_CASE("In a small cache at most a quarter of the sets lead for each policy") {
  DrripBench four({CacheLevel::kL1, 4, 2});  // SRRIP leads in set 0, BRRIP in set 2
  CHECK(drrip_enters_long(four, 0));
  CHECK_FALSE(drrip_enters_long(four, 1));
  CHECK_FALSE(drrip_enters_long(four, 2));
  CHECK(drrip_enters_long(four, 3));
  DrripBench three({CacheLevel::kL1, 3, 2});  // SRRIP leads in set 0, BRRIP in set 1
  CHECK(drrip_enters_long(three, 0));
  CHECK_FALSE(drrip_enters_long(three, 1));
  CHECK(drrip_enters_long(three, 2));
}

TEST_CASE("DRRIP forgets the duel when it is cleared") {
  DrripBench drrip({CacheLevel::kL1, 16, 2}, {{"leader_sets", 1}});
  drrip->inserted({0, 0}, 0, false);
  drrip->cleared();
  CHECK(drrip_enters_long(drrip, 1));
}

}  // namespace
}  // namespace warpsim::mechanism
