#include "mechanisms/l1_insertion/bypass_all.h"

#include <catch2/catch.hpp>

#include "support/mechanism_bench.h"

namespace warpsim::mechanism {
namespace {

TEST_CASE("All lines bypass L1") {
  MechanismBench<BypassAll> insertion({64});
  for (const bool hit : {false, true, false}) {
    CHECK(insertion->access({0x1000, 0xf, hit, 7, 0x40, 3}) == Insertion::kBypass);
  }
}

}  // namespace
}  // namespace warpsim::mechanism
