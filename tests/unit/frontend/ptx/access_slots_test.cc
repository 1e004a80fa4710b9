#include "frontend/ptx/access_slots.h"

#include <catch2/catch.hpp>
#include <numeric>

namespace warpsim {
namespace {

std::array<Address, kWarpSize> multiples(Address first, Address step) {
  std::array<Address, kWarpSize> addresses;
  for (std::uint32_t i = 0; i < kWarpSize; ++i) {
    addresses[i] = first + i * step;
  }
  return addresses;
}

TEST_CASE("Addresses at one distance are kept as a stride, others as a list") {
  AccessSlots slots(2, 3);
  const LaneAddresses& strided = slots.at(slots.add(0, multiples(0x1000, 4), kWarpSize));
  CHECK(strided.kind == LaneAddresses::Kind::kStrided);
  CHECK(strided.base == 0x1000);
  CHECK(strided.stride == 4);
  CHECK(slots.at(slots.add(0, multiples(0x1000, 4), 1)).stride == 0);
  std::array<Address, kWarpSize> scattered = multiples(64, 8);
  scattered[31] = 7;
  const LaneAddresses& list = slots.at(slots.add(1, scattered, kWarpSize));
  REQUIRE(list.kind == LaneAddresses::Kind::kList);
  CHECK(list.list[30] == 64 + 30 * 8);
  CHECK(list.list[31] == 7);
}

TEST_CASE("Texels take a slot of their warp like other addresses") {
  AccessSlots slots(2, 2);
  const std::vector<Address> sectors(300, 0x45);
  const std::uint32_t first = slots.add_texels(1, {.count = 300, .texel_bytes = 8, .filter = 2}, sectors.data());
  const LaneAddresses& texels = slots.at(first);
  REQUIRE(texels.kind == LaneAddresses::Kind::kTexels);
  CHECK(texels.texels().count == 300);
  CHECK(texels.texels().texel_bytes == 8);
  CHECK(texels.texels().filter == 2);
  CHECK(texels.list[299] == 0x45);
  slots.add(1, multiples(3, 0), 1);
  CHECK(slots.add(1, multiples(5, 0), 1) == first);
  CHECK(slots.at(first).base == 5);
}

TEST_CASE("Each warp uses its slots in rotation") {
  AccessSlots slots(2, 3);
  const std::uint32_t first = slots.add(0, multiples(1, 0), 1);
  const std::uint32_t other = slots.add(1, multiples(2, 0), 1);
  CHECK(slots.add(0, multiples(3, 0), 1) != first);
  CHECK(slots.add(0, multiples(4, 0), 1) != first);
  CHECK(slots.at(first).base == 1);
  CHECK(slots.add(0, multiples(5, 0), 1) == first);
  CHECK(slots.at(first).base == 5);
  CHECK(slots.at(other).base == 2);
}

}  // namespace
}  // namespace warpsim
