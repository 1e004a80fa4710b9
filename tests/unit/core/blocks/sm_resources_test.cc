#include "core/blocks/sm_resources.h"

#include <catch2/catch.hpp>

#include "base/check.h"
#include "unit/core/h200_limits.h"

namespace warpsim {
namespace {

BlockDemand demand(std::uint32_t warps, std::uint32_t registers_per_warp, std::uint32_t shared_bytes) {
  return {warps, registers_per_warp, shared_bytes, 32768};
}

TEST_CASE("SM resources: an empty SM has room for exactly the occupancy", "[core]") {
  for (const std::uint32_t threads : {32U, 96U, 160U, 256U, 1024U}) {
    for (const std::uint32_t registers : {16U, 33U, 64U}) {
      CAPTURE(threads, registers);
      const Occupancy o = compute_occupancy(test::h200_occupancy(), {threads, registers, 512});
      const BlockDemand block = make_demand(o);
      SmResources sm(test::h200_occupancy());
      for (std::uint32_t i = 0; i < o.blocks_per_sm; ++i) {
        REQUIRE(sm.room(block) == o.blocks_per_sm - i);
        REQUIRE(sm.take(block) == i);
      }
      CHECK(sm.room(block) == 0);
      CHECK(sm.lack(block) != SmLack::kNothing);
    }
  }
}

TEST_CASE("SM resources: a completed block frees its resources, and its slot is reused", "[core]") {
  SmResources sm(test::h200_occupancy());
  const BlockDemand block = demand(16, 1024, 8192);
  for (std::uint32_t i = 0; i < 4; ++i) {
    sm.take(block);
  }
  CHECK(sm.lack(block) == SmLack::kWarps);
  sm.give_back(2);
  CHECK(sm.resident_blocks() == 3);
  CHECK(sm.room(block) == 1);
  CHECK(sm.take(block) == 2);
}

TEST_CASE("SM resources: the lacking resource is reported", "[core]") {
  SmResources sm(test::h200_occupancy());
  sm.take(demand(4, 8192, 16384));
  CHECK(sm.lack(demand(5, 8192, 0)) == SmLack::kRegisters);  // one warp of 8192 registers left in each of four files
  CHECK(sm.lack(demand(4, 8192, 0)) == SmLack::kNothing);
  CHECK(sm.lack(demand(1, 512, 16385)) == SmLack::kShared);
  CHECK(sm.lack(demand(61, 512, 0)) == SmLack::kWarps);
}

TEST_CASE("SM resources: the carve-out changes only while the SM is empty", "[core]") {
  SmResources sm(test::h200_occupancy());
  const BlockDemand small{1, 512, 4096, 8192};
  const BlockDemand large{1, 512, 16384, 65536};
  sm.take(small);
  CHECK(sm.room(small) == 1);
  CHECK(sm.room(large) == 0);
  sm.give_back(0);
  CHECK(sm.room(large) == 4);
}

TEST_CASE("SM resources: a kernel that needs a larger carve-out waits for an empty SM, even if it would fit",
          "[core]") {
  SmResources sm(test::h200_occupancy());
  const BlockDemand resident{1, 512, 4096, 65536, 0, 65536};
  const BlockDemand larger{1, 512, 4096, 131072, 0, 131072};
  const BlockDemand smaller{1, 512, 4096, 131072, 0, 32768};  // its carve-out has headroom
  sm.take(resident);
  CHECK(sm.room(larger) == 0);
  CHECK(sm.lack(larger) == SmLack::kShared);
  CHECK(sm.room(smaller) == 15);
  CHECK(sm.lack(smaller) == SmLack::kNothing);
  sm.give_back(0);
  CHECK(sm.lack(larger) == SmLack::kNothing);
}

TEST_CASE("SM resources: registers of a whole block are allocated and freed", "[core]") {
  OccupancyConfig limits = test::h200_occupancy();
  limits.sub_partitions = 1;
  limits.registers_per_sm = 4096;
  SmResources sm(limits);
  const BlockDemand block{1, 0, 0, 0, 1536};
  CHECK(sm.room(block) == 2);  // 3072 of 4096
  sm.take(block);
  sm.take(block);
  CHECK(sm.lack(block) == SmLack::kRegisters);
  sm.give_back(0);
  CHECK(sm.room(block) == 1);
}

TEST_CASE("SM resources: completion of a free slot is refused", "[core]") {
  SmResources sm(test::h200_occupancy());
  CHECK_THROWS_AS(sm.give_back(0), InternalError);
}

}  // namespace
}  // namespace warpsim
