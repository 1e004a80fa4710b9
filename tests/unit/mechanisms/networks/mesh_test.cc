#include "mechanisms/networks/mesh.h"

#include <catch2/catch.hpp>

#include "warpsim/testing/test_counters.h"

namespace warpsim::mechanism {
namespace {

TEST_CASE("mesh: a message takes as many hops as rows and columns differ") {
  StationLinks::Settings settings;
  settings.slices_per_station = 1;
  settings.hop_cycles = 10;
  settings.link_bytes_per_cycle = 1e6;
  testing::TestCounters counters;
  const std::uint32_t partition = 0;
  // Nine stations in three rows: 0 1 2, 5 4 3, 6 7 8. The GPC is at station 8.
  Mesh mesh(settings, {1, 8, 1, &partition}, counters);
  CHECK(mesh.arrival({false, 0, 7, 32}, 1000) == 1010);
  CHECK(mesh.arrival({false, 0, 3, 32}, 2000) == 2010);
  CHECK(mesh.arrival({false, 0, 0, 32}, 3000) == 3040);
  CHECK(mesh.arrival({true, 0, 5, 32}, 4000) == 4030);
}

}  // namespace
}  // namespace warpsim::mechanism
