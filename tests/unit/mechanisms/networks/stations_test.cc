#include "mechanisms/networks/stations.h"

#include <catch2/catch.hpp>
#include <set>

namespace warpsim::mechanism {
namespace {

TEST_CASE("Stations: GPCs and slices of a partition are neighbours, GPCs spread among the slices") {
  const std::uint32_t partitions[] = {0, 1, 0, 1};
  const Stations stations({4, 8, 2, partitions}, 2);  // in each partition two GPCs and two stations of two slices
  CHECK(stations.count() == 8);
  CHECK(stations.of_slice(0) == 0);
  CHECK(stations.of_slice(1) == 0);
  CHECK(stations.of_gpc(0) == 1);
  CHECK(stations.of_slice(2) == 2);
  CHECK(stations.of_gpc(2) == 3);
  CHECK(stations.of_slice(4) == 4);
  CHECK(stations.of_gpc(3) == 7);
  CHECK(stations.from({true, 2, 4, 0}) == 4);
  CHECK(stations.to({true, 2, 4, 0}) == 3);
  CHECK(stations.from({false, 2, 4, 0}) == 3);
}

TEST_CASE("Stations: every GPC has a station of its own, whatever the numbers") {
  for (const std::uint32_t gpcs : {1U, 3U, 9U}) {
    for (const std::uint32_t slices : {1U, 7U, 96U}) {
      const std::vector<std::uint32_t> partitions(gpcs, 0);
      const Stations stations({gpcs, slices, 1, partitions.data()}, 5);
      std::set<std::uint32_t> used;
      for (std::uint32_t gpc = 0; gpc < gpcs; ++gpc) {
        CHECK(used.insert(stations.of_gpc(gpc)).second);
      }
      for (std::uint32_t slice = 0; slice < slices; ++slice) {
        CHECK(stations.of_slice(slice) < stations.count());
        CHECK(used.count(stations.of_slice(slice)) == 0);
      }
      CHECK(stations.count() == gpcs + (slices + 4) / 5);
    }
  }
}

}  // namespace
}  // namespace warpsim::mechanism
