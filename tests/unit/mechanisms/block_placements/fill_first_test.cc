#include "mechanisms/block_placements/fill_first.h"

#include <catch2/catch.hpp>

#include "warpsim/testing/test_counters.h"

namespace warpsim::mechanism {
namespace {

TEST_CASE("fill_first: the first SM with room gets all blocks until it is full") {
  testing::TestCounters counters;
  FillFirst placement({}, {.sms = 3}, counters);
  SmSpace sms[] = {{2, 0}, {1, 2}, {0, 3}};
  CHECK(placement.choose(sms, 5) == 1);
  sms[1] = {3, 0};
  CHECK(placement.choose(sms, 3) == 2);
  sms[0] = {1, 1};
  CHECK(placement.choose(sms, 2) == 0);
}

}  // namespace
}  // namespace warpsim::mechanism
