#include "core/blocks/occupancy_config.h"

#include <catch2/catch.hpp>

#include "base/error.h"
#include "core/blocks/occupancy.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

using Catch::Matchers::Contains;

TEST_CASE("Occupancy limits: sizes of shared memory ascend and fit into the memory", "[core]") {
  CHECK_THROWS_WITH(tiny_config({"occupancy.carveout_kib=[8, 4]"}), Contains("sizes must ascend"));
  CHECK_THROWS_WITH(tiny_config({"occupancy.carveout_kib=[]"}), Contains("at least one size is needed"));
  CHECK_THROWS_WITH(tiny_config({"occupancy.carveout_kib=[33]"}), Contains("exceeds l1_and_shared_bytes"));
  CHECK_NOTHROW(tiny_config({"occupancy.carveout_kib=[32]"}));
}

TEST_CASE("Occupancy limits: registers allocated to whole blocks come from one register file", "[core]") {
  CHECK_THROWS_WITH(tiny_config({"occupancy.register_allocation=block"}),
                    Contains("registers of a block as a whole need sub_partitions to be 1"));
  const OccupancyConfig limits =
      tiny_config({"occupancy.register_allocation=block", "occupancy.sub_partitions=1"}).occupancy;
  // Three warps count as four: 4 x 32 x 20 = 2560 registers of 8192.
  const Occupancy o = compute_occupancy(limits, {96, 20, 0});
  CHECK(o.registers_per_block == 2560);
  CHECK(o.registers_per_warp == 0);
  CHECK(o.limit_registers == 3);
}

TEST_CASE("Occupancy limits: the coarse unit applies only to the listed registers", "[core]") {
  const OccupancyConfig limits =
      tiny_config({"occupancy.register_allocation_unit=64", "occupancy.coarse_register_allocation_unit=128",
                   "occupancy.coarse_registers_per_thread=[21, 22]"})
          .occupancy;
  CHECK(compute_occupancy(limits, {32, 20, 0}).registers_per_warp == 640);
  CHECK(compute_occupancy(limits, {32, 21, 0}).registers_per_warp == 768);
  CHECK(compute_occupancy(limits, {32, 23, 0}).registers_per_warp == 768);
  CHECK(compute_occupancy(limits, {32, 25, 0}).registers_per_warp == 832);
}

TEST_CASE("Occupancy limits: barriers limit blocks if the machine counts them", "[core]") {
  OccupancyConfig limits = tiny_config({"occupancy.barriers_per_sm=8"}).occupancy;
  const Occupancy o = compute_occupancy(limits, {32, 16, 0, std::nullopt, 3});
  CHECK(o.limit_barriers == 2);
  CHECK(o.limiters == std::vector{OccupancyLimiter::kBarriers});
  CHECK(compute_occupancy(limits, {32, 16, 0, std::nullopt, 9}).reason == "a block has more than 8 barriers");
  limits.barriers_per_sm = 0;
  CHECK(compute_occupancy(limits, {32, 16, 0, std::nullopt, 9}).limit_barriers == Occupancy::kNoLimit);
}

}  // namespace
}  // namespace warpsim::test
