#include "mechanisms/networks/station_links.h"

#include <catch2/catch.hpp>

#include "warpsim/testing/test_counters.h"

namespace warpsim::mechanism {
namespace {

StationLinks::Settings settings() {
  StationLinks::Settings all;
  all.hop_cycles = 4;
  all.link_bytes_per_cycle = 16;
  return all;
}

TEST_CASE("StationLinks: a message takes its hops, then the time of its bytes") {
  testing::TestCounters counters;
  StationLinks links(settings(), 3, counters);
  StationLinks::Way way = links.begin({false, 0, 0, 64}, 100);
  CHECK(StationLinks::end(way) == 101);  // it stays at its station
  links.pass(way, 0);
  links.pass(way, 2);
  CHECK(StationLinks::end(way) == 100 + 4 + 4 + 64 / 16);
  CHECK(counters.value("hops") == 2);
  CHECK(counters.value("waited") == 0);
}

TEST_CASE("StationLinks: a message waits until a link is free, others are not affected") {
  testing::TestCounters counters;
  StationLinks links(settings(), 2, counters);
  StationLinks::Way first = links.begin({false, 0, 0, 64}, 100);
  links.pass(first, 0);
  StationLinks::Way second = links.begin({false, 0, 0, 32}, 101);
  links.pass(second, 0);  // from 104 on
  CHECK(StationLinks::end(second) == 104 + 4 + 32 / 16);
  CHECK(counters.value("waited") == 3);
  StationLinks::Way other = links.begin({false, 0, 0, 32}, 101);
  links.pass(other, 1);
  CHECK(StationLinks::end(other) == 101 + 4 + 32 / 16);
}

}  // namespace
}  // namespace warpsim::mechanism
