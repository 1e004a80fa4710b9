// The packets of atomics: numbers of packets, sectors and groups are those of tests/hardware/atomics/counters.csv.
#include "memory/access/atomic_packets.h"

#include <array>
#include <bit>
#include <catch2/catch.hpp>

namespace warpsim {
namespace {

struct Split {
  AtomicPackets packets;
  CoalescedAccess access;
};

template <typename WordOfLane>
Split split(WordOfLane&& word_of_lane, LaneMask active = kAllLanes, std::uint32_t bytes = 4) {
  std::array<Address, kWarpSize> list;
  std::uint32_t count = 0;
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    if ((active >> lane & 1U) != 0) {
      list[count++] = 0x10000 + Address{word_of_lane(lane)} * bytes;
    }
  }
  LaneAddresses addresses;
  addresses.kind = LaneAddresses::Kind::kList;
  addresses.list = list.data();
  Split result;
  result.packets = split_atomic(addresses, active, bytes, result.access);
  return result;
}

std::uint32_t flits(const Split& s) {
  std::uint32_t sum = 0;
  for (std::uint32_t i = 0; i < s.access.line_count; ++i) {
    sum += s.access.lines[i].single_lane
               ? 1U
               : 1U + static_cast<std::uint32_t>(std::popcount(s.access.lines[i].sector_mask));
  }
  return sum;
}

void check(const Split& s, std::uint32_t sent, std::uint32_t sectors, std::uint32_t groups, std::uint32_t bank_passes) {
  CHECK(s.access.line_count == sent);
  CHECK(s.packets.sector_count == sectors);
  CHECK(s.access.sector_count == sectors);
  CHECK(s.packets.groups == groups);
  CHECK(s.packets.bank_passes == bank_passes);
}

TEST_CASE("An atomic of one lane is one packet with its operand next to the address") {
  const Split s = split([](std::uint32_t) { return 5U; }, 1);
  check(s, 1, 1, 1, 1);
  CHECK(s.access.lines[0].single_lane);
  CHECK(s.access.lines[0].sector_mask == 0x1);
  CHECK(s.access.lines[0].byte_mask[0] == 0x00f00000U);
}

TEST_CASE("Lanes on one address are sent one by one") {
  const Split s = split([](std::uint32_t) { return 0U; });
  check(s, 32, 32, 32, 32);
  CHECK(flits(s) == 32);
}

TEST_CASE("Adjacent lanes are one packet of full sectors") {
  const Split s = split([](std::uint32_t lane) { return lane; });
  check(s, 1, 4, 1, 1);
  CHECK(flits(s) == 5);
  CHECK(s.access.lines[0].byte_mask[3] == 0xffffffffU);
}

TEST_CASE("Lanes in separate lines are packets of one lane, four per group, one after another if they share a bank") {
  check(split([](std::uint32_t lane) { return lane * 32; }), 32, 32, 8, 32);
  check(split([](std::uint32_t lane) { return lane * 33; }), 32, 32, 8, 8);
}

TEST_CASE("A group does not cross 4 KiB") {
  check(split([](std::uint32_t lane) { return lane * 33 + 1; }), 32, 32, 9, 9);  // lane 31 is in line 32
}

TEST_CASE("Each round takes one lane of every address") {
  check(split([](std::uint32_t lane) { return lane / 8; }), 8, 8, 8, 8);          // four words of one sector
  check(split([](std::uint32_t lane) { return lane / 2; }), 2, 4, 2, 2);          // sixteen words
  check(split([](std::uint32_t lane) { return lane / 2 * 32; }), 32, 32, 8, 32);  // sixteen lines
  const Split uneven = split([](std::uint32_t lane) { return lane < 24 ? 0U : 8U; });
  check(uneven, 24, 32, 24, 24);
  CHECK(flits(uneven) == 8 * 3 + 16);  // eight packets of two sectors, then single lanes
}

TEST_CASE("A packet of several lanes makes all packets of its group carry sectors") {
  // Lanes 0 and 31 are in line 0, the others in lines of their own.
  const Split s = split([](std::uint32_t lane) { return (lane * 33 + 1) % 1024; });
  check(s, 31, 31, 8, 8);
  CHECK(flits(s) == 27 + 4 * 2);
}

TEST_CASE("Lanes of eight bytes fill a sector with four") {
  const Split s = split([](std::uint32_t lane) { return lane; }, 0xf, 8);
  check(s, 1, 1, 1, 1);
  CHECK(s.access.lines[0].byte_mask[0] == 0xffffffffU);
}

TEST_CASE("An atomic without addresses has no packets") {
  CoalescedAccess access;
  const AtomicPackets packets = split_atomic(LaneAddresses{}, kAllLanes, 4, access);
  CHECK(packets.groups == 0);
  CHECK(access.line_count == 0);
}

}  // namespace
}  // namespace warpsim
