#include "core/load_store/data_caches.h"

#include <catch2/catch.hpp>
#include <vector>

namespace warpsim {
namespace {

DataCaches::Config two_caches() {
  DataCaches::Config config;
  config.l1.sets = 4;
  config.l1.mshr_entries = 4;
  config.l1.mshr_waiters = 4;
  config.read_only.kib = 1;
  config.read_only.sets = 2;
  config.read_only.mshr_entries = 2;
  config.read_only.mshr_waiters = 2;
  return config;
}

std::uint8_t missing(DataCaches& caches, LoadRoute route) {
  return caches.of(route).missing_sectors(0x1000, 0xf, false);
}

}  // namespace

TEST_CASE("Data caches: a response fills the cache that its request came from") {
  for (const LoadRoute route : {LoadRoute::kL1, LoadRoute::kReadOnlyCache}) {
    LaunchStats<StatGroup> root{"root"};
    DataCaches caches(two_caches(), root);
    caches.configure_l1(1024);
    const L1Cache::Miss miss = caches.of(route).miss(0x1000, 0x3, false, {42, 0});
    REQUIRE(miss.accepted);
    const std::uint32_t tag = DataCaches::request_tag(route, miss.tag);
    std::vector<std::uint32_t> done;
    caches.fill({tag, 0, MemOp::kRead, 0x3, ServedBy::kDram}, [&](std::uint32_t waiter) { done.push_back(waiter); });
    CHECK(done == std::vector<std::uint32_t>{42});
    CHECK(missing(caches, LoadRoute::kL1) == (route == LoadRoute::kL1 ? 0xc : 0xf));
    CHECK(missing(caches, LoadRoute::kReadOnlyCache) == (route == LoadRoute::kL1 ? 0xf : 0xc));
  }
}

TEST_CASE("Data caches: loads that bypass L1 have their misses in it") {
  LaunchStats<StatGroup> root{"root"};
  DataCaches caches(two_caches(), root);
  CHECK(&caches.of(LoadRoute::kPastL1) == &caches.l1());
  CHECK(&caches.of(LoadRoute::kReadOnlyCache) != &caches.l1());
}

}  // namespace warpsim
