#include "mechanisms/block_placements/gpc_first.h"

#include <catch2/catch.hpp>
#include <vector>

#include "warpsim/testing/block_placement_contract.h"
#include "warpsim/testing/test_counters.h"

namespace warpsim::mechanism {
namespace {

TEST_CASE("gpc_first: the SMs of the first GPC fill evenly before the second GPC gets a block") {
  testing::TestCounters counters;
  const testing::PlacementSite gpu(8, 2);  // SMs 0, 1, 4 and 5 are in GPC 0
  GpcFirst placement({}, gpu.site(), counters);
  std::vector<SmSpace> sms(8, SmSpace{0, 2});
  std::vector<std::uint32_t> order;
  for (std::uint64_t left = 10; left > 0; --left) {
    order.push_back(placement.choose(sms.data(), left));
    ++sms[order.back()].resident;
    --sms[order.back()].room;
  }
  CHECK(order == std::vector<std::uint32_t>{0, 1, 4, 5, 0, 1, 4, 5, 2, 3});
}

}  // namespace
}  // namespace warpsim::mechanism
