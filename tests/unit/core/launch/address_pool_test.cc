#include <array>
#include <catch2/catch.hpp>
#include <vector>

#include "core/launch/instruction_source.h"

namespace warpsim {
namespace {

TEST_CASE("A moved list has the addresses of its list, each increased, and takes two words", "[core]") {
  AddressPool pool;
  const std::array<Address, 3> offsets{0, 64, 16};
  const std::uint32_t list = pool.add_list(offsets.data(), 3);
  const std::uint32_t moved = pool.add_moved(0x1000, list);
  CHECK(pool.size() == 4 + 2);
  const LaneAddresses addresses = pool.at(moved);
  CHECK(addresses.kind == LaneAddresses::Kind::kList);
  CHECK(addresses.of_lane(0) == 0x1000);
  CHECK(addresses.of_lane(1) == 0x1040);
  CHECK(addresses.of_lane(2) == 0x1010);
  CHECK(pool.at(list).of_lane(1) == 64);
  // Addresses wrap around: a list may begin at a higher address than the one it is derived from.
  const std::uint32_t below = pool.add_moved(static_cast<Address>(-16), list);
  CHECK(pool.at(below).of_lane(2) == 0);
}

TEST_CASE("A block's entries can be stored as words and assigned to another pool", "[core]") {
  AddressPool pool;
  const std::array<Address, 2> offsets{8, 4};
  const std::uint32_t strided = pool.add_strided(100, -4);
  const std::uint32_t moved = pool.add_moved(1, pool.add_list(offsets.data(), 2));
  AddressPool copy;
  copy.assign(std::vector<std::uint64_t>(pool.words().begin(), pool.words().end()));
  CHECK(copy.at(strided).of_lane(2) == 92);
  CHECK(copy.at(moved).of_lane(1) == 5);
}

}  // namespace
}  // namespace warpsim
