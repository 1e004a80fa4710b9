#include "memory/translation/translation_array.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr Address kMiB = 1U << 20U;

TEST_CASE("TranslationArray: an entry covers its region, and the least recently used one is replaced") {
  TranslationArray array(1, 2, 4 * 1024, false);
  const auto use = [&array](Address address) { return array.look_up(array.region_of(address)); };
  const auto insert = [&array](Address address) { array.insert(array.region_of(address)); };
  CHECK_FALSE(use(0));
  insert(0);
  CHECK(use(4 * kMiB - 1));
  CHECK_FALSE(use(4 * kMiB));
  insert(4 * kMiB);
  CHECK(use(0));
  insert(8 * kMiB);  // replaces the region at 4 MiB
  CHECK(use(0));
  CHECK(use(8 * kMiB));
  CHECK_FALSE(use(4 * kMiB));
  insert(0);  // again: takes no second entry
  CHECK(use(8 * kMiB));
  array.clear();
  CHECK_FALSE(use(0));
}

TEST_CASE("TranslationArray: free entries of a full start hold what is requested first") {
  TranslationArray array(1, 2, 1024, true);
  CHECK(array.look_up(7));
  CHECK(array.look_up(9));
  CHECK_FALSE(array.look_up(11));
  CHECK(array.look_up(7));
  array.clear();
  CHECK(array.look_up(11));
}

TEST_CASE("TranslationArray: regions at any distance that is a power of two use all sets") {
  for (const std::uint64_t distance : {1U, 2U, 16U, 256U, 4096U}) {
    TranslationArray array(256, 8, 32 * 1024, false);
    for (std::uint64_t i = 0; i < 2048; ++i) {
      array.insert(i * distance);
    }
    std::uint32_t found = 0;
    for (std::uint64_t i = 0; i < 2048; ++i) {
      found += array.look_up(i * distance) ? 1U : 0U;
    }
    INFO("distance " << distance);
    CHECK(found == 2048);
  }
}

TEST_CASE("TranslationArray: a chain over more regions than entries misses in the sets that overflow") {
  // Measured (tests/hardware/translation, probe.cu reach): 2,048 regions fit, of 2,176 every second one misses.
  TranslationArray array(256, 8, 32 * 1024, false);
  const auto misses_of = [&array](std::uint64_t regions) {
    std::uint64_t misses = 0;
    for (int round = 0; round < 3; ++round) {
      misses = 0;
      for (std::uint64_t i = 0; i < regions; ++i) {
        if (!array.look_up(i)) {
          ++misses;
          array.insert(i);
        }
      }
    }
    return misses;
  };
  CHECK(misses_of(2048) == 0);
  CHECK(misses_of(2176) == 128 * 9);
  CHECK(misses_of(2304) == 2304);
}

}  // namespace
}  // namespace warpsim
