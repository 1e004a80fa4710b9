#include "memory/access/texel_lines.h"

#include <catch2/catch.hpp>
#include <vector>

namespace warpsim {
namespace {

// A sector of a group, in that bank.
Address sector(Address address, Address bank, bool first = false) {
  return address | bank << LaneAddresses::kTexelBankBit | (first ? LaneAddresses::kFirstOfGroup : 0);
}

LaneAddresses texels(TexelAccess access, const std::vector<Address>& list) {
  access.count = static_cast<std::uint32_t>(list.size());
  return LaneAddresses::of_texels(access, list.data());
}

TEST_CASE("a group of lanes takes a pass for each of its sectors in one bank") {
  const std::vector<Address> list = {sector(0x1000, 0, true), sector(0x1020, 1),                     // one pass
                                     sector(0x2000, 2, true), sector(0x3040, 2), sector(0x4040, 2),  // three
                                     sector(0x1000, 0, true)};
  const TexelDemand demand = texel_demand(texels({.texel_bytes = 4}, list), 0xfff, false);
  CHECK(demand.requests == 3);
  CHECK(demand.sectors == 6);
  CHECK(demand.passes == 1 + 3 + 1);
}

TEST_CASE("a filter of a volume reads two sectors of a bank at once") {
  const std::vector<Address> list = {sector(0x1000, 0, true), sector(0x2000, 0), sector(0x3000, 0)};
  CHECK(texel_demand(texels({.texel_bytes = 4, .filter = 3, .group_lanes = 2}, list), 3, false).passes == 2);
}

TEST_CASE("filtered texels of 16 bytes are read in two halves, two lines at once") {
  const TexelAccess access{.texel_bytes = 16, .filter = 2, .group_lanes = 2};
  const std::vector<Address> near = {sector(0x1000, 0, true), sector(0x1020, 1), sector(0x1100, 0)};
  const TexelDemand two_lines = texel_demand(texels(access, near), 0xf, false);
  CHECK(two_lines.requests == 1);
  CHECK(two_lines.sectors == 6);
  CHECK(two_lines.passes == 2);
  const std::vector<Address> apart = {sector(0x1000, 0, true), sector(0x1120, 1), sector(0x1200, 0)};
  CHECK(texel_demand(texels(access, apart), 0xf, false).passes == 4);
}

TEST_CASE("requests are groups with an active lane") {
  const std::vector<Address> list = {sector(0x1000, 0, true)};
  CHECK(texel_demand(texels({.texel_bytes = 4}, list), 0x80000001, false).requests == 2);
  CHECK(texel_demand(texels({.texel_bytes = 4, .group_lanes = 8}, list), 0xff00, false).requests == 1);
  CHECK(texel_demand(texels({.texel_bytes = 4}, list), kAllLanes, false).requests == 8);
}

TEST_CASE("texels of linear memory pass the banks like words that are loaded") {
  std::vector<Address> row;
  std::vector<Address> column;
  for (Address lane = 0; lane < kWarpSize; ++lane) {
    row.push_back(0x1000 + 4 * lane);
    column.push_back(0x1000 + 128 * lane);
  }
  const TexelAccess access{.texel_bytes = 4, .group_lanes = 8, .by_lane = true};
  const TexelDemand together = texel_demand(texels(access, row), kAllLanes, false);
  CHECK(together.requests == 4);
  CHECK(together.sectors == 4);
  CHECK(together.passes == 1);
  const TexelDemand apart = texel_demand(texels(access, column), kAllLanes, false);
  CHECK(apart.sectors == 32);
  CHECK(apart.passes == 32);
}

TEST_CASE("a store takes a pass for each of its sectors") {
  const std::vector<Address> list = {0x1000, 0x1004, 0x1020, 0x1024, 0x1008};
  const TexelDemand demand = texel_demand(texels({.texel_bytes = 4, .by_lane = true}, list), 0x1f, true);
  CHECK(demand.passes == 2);
  CHECK(demand.sectors == 2 + 1);
}

TEST_CASE("lines hold the sectors of several groups, without their lowest bits") {
  const std::vector<Address> list = {sector(0x1000, 3, true), sector(0x1040, 1), sector(0x1000, 3, true),
                                     sector(0x2060, 0)};
  CoalescedAccess lines;
  CHECK(texel_lines(texels({.texel_bytes = 4}, list), 0, AccessNeeds::kSectors, lines) == 4);
  REQUIRE(lines.line_count == 2);
  CHECK(lines.lines[0].line == 0x1000);
  CHECK(lines.lines[0].sector_mask == 0b0101);
  CHECK(lines.lines[1].line == 0x2000);
  CHECK(lines.lines[1].sector_mask == 0b1000);
}

TEST_CASE("a long list gives its lines in parts") {
  std::vector<Address> list;
  for (Address i = 0; i < 70; ++i) {
    list.push_back(sector(0x1000 + 128 * i, 0, i == 0));
  }
  CoalescedAccess lines;
  std::uint32_t next = 0;
  std::vector<std::uint32_t> counts;
  while (next != 70) {
    next = texel_lines(texels({.texel_bytes = 4}, list), next, AccessNeeds::kSectors, lines);
    counts.push_back(lines.line_count);
  }
  CHECK(counts == std::vector<std::uint32_t>{32, 32, 6});
  CHECK(lines.lines[5].line == 0x1000 + 128 * 69);
}

TEST_CASE("stores give the bytes of each lane") {
  const std::vector<Address> list = {0x1008, 0x1028};
  CoalescedAccess lines;
  texel_lines(texels({.texel_bytes = 8, .by_lane = true}, list), 0, AccessNeeds::kByteMasks, lines);
  REQUIRE(lines.line_count == 1);
  CHECK(lines.lines[0].byte_mask[0] == 0xff00);
  CHECK(lines.lines[0].byte_mask[1] == 0xff00);
}

}  // namespace
}  // namespace warpsim
