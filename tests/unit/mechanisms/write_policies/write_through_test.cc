#include "mechanisms/write_policies/write_through.h"

#include <catch2/catch.hpp>
#include <stdexcept>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

using ThroughBench = MechanismBench<WriteThrough>;

WriteWay way_of(ThroughBench& policy, bool present) {
  std::uint32_t memo = 0;
  return policy->write(
      {.sectors = 0x1, .complete = 0x1, .line_present = present, .present = SectorMask(present ? 1 : 0)}, memo);
}

TEST_CASE("Write-through: the keys are the ways of present and absent lines") {
  ThroughBench validate;
  CHECK(way_of(validate, false) == WriteWay::kThrough);
  CHECK(way_of(validate, true) == WriteWay::kThrough);
  ThroughBench around({CacheLevel::kL2}, {{"allocate", 0}});
  CHECK(way_of(around, false) == WriteWay::kAround);
  CHECK(way_of(around, true) == WriteWay::kThrough);
  ThroughBench invalidate({CacheLevel::kL1}, {{"allocate", 0}, {"update", 0}});
  CHECK(way_of(invalidate, false) == WriteWay::kAround);
  CHECK(way_of(invalidate, true) == WriteWay::kInvalidate);
}

TEST_CASE("Write-through: lines that enter and leave when they are written are refused") {
  CHECK_THROWS_AS(ThroughBench({CacheLevel::kL2}, {{"update", 0}}), std::invalid_argument);
}

}  // namespace
}  // namespace warpsim::mechanism
