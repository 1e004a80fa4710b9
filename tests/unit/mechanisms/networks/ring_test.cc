#include "mechanisms/networks/ring.h"

#include <catch2/catch.hpp>

#include "warpsim/testing/test_counters.h"

namespace warpsim::mechanism {
namespace {

TEST_CASE("ring: a message takes the shorter way around") {
  StationLinks::Settings settings;
  settings.slices_per_station = 1;
  settings.hop_cycles = 10;
  settings.link_bytes_per_cycle = 1e6;
  testing::TestCounters counters;
  const std::uint32_t partition = 0;
  Ring ring(settings, {1, 7, 1, &partition}, counters);  // slices at stations 0 to 6, the GPC at 7
  CHECK(ring.arrival({false, 0, 0, 32}, 1000) == 1010);
  CHECK(ring.arrival({false, 0, 6, 32}, 2000) == 2010);
  CHECK(ring.arrival({false, 0, 3, 32}, 3000) == 3040);
  CHECK(ring.arrival({true, 0, 2, 32}, 4000) == 4030);
}

}  // namespace
}  // namespace warpsim::mechanism
