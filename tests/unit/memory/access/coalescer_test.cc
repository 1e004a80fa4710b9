#include "memory/access/coalescer.h"

#include <array>
#include <catch2/catch.hpp>
#include <numeric>
#include <vector>

#include "support/lane_lists.h"

namespace warpsim {
namespace {

using test::listed;
using test::strided;

CoalescedAccess coalesced(const LaneAddresses& addresses, std::uint32_t bytes, LaneMask active = kAllLanes,
                          AccessNeeds needs = AccessNeeds::kSectors) {
  CoalescedAccess access;
  coalesce(addresses, active, bytes, needs, access);
  return access;
}

// --- lines and sectors ---

TEST_CASE("A dense 4-byte access of a warp is one line of four sectors") {
  const CoalescedAccess access = coalesced(strided(0x1000, 4), 4);
  REQUIRE(access.line_count == 1);
  CHECK(access.sector_count == 4);
  CHECK(access.lines[0].line == 0x1000);
  CHECK(access.lines[0].sector_mask == 0xf);
}

TEST_CASE("A dense access with half of the lanes active touches half of the sectors") {
  // Strided addresses run over the active lanes: 16 of them cover 64 bytes.
  const CoalescedAccess access = coalesced(strided(0x1000, 4), 4, 0x0000ffff);
  CHECK(access.line_count == 1);
  CHECK(access.lines[0].sector_mask == 0x3);
}

TEST_CASE("A dense 16-byte access of a warp is four lines of four sectors") {
  const CoalescedAccess access = coalesced(strided(0x1000, 16), 16);
  REQUIRE(access.line_count == 4);
  CHECK(access.sector_count == 16);
  CHECK(access.lines[3].line == 0x1180);
}

TEST_CASE("A dense access that does not start on a line touches a fifth sector in the next line") {
  // 128 bytes from byte 4: bytes 4..131, four sectors of the first line and the first of the second.
  const CoalescedAccess access = coalesced(strided(0x1004, 4), 4);
  REQUIRE(access.line_count == 2);
  CHECK(access.sector_count == 5);
  CHECK(access.lines[0].sector_mask == 0xf);
  CHECK(access.lines[1].sector_mask == 0x1);
}

TEST_CASE("The sectors of a strided access follow from stride and width") {
  struct Case {
    std::int64_t stride;
    std::uint32_t lines;
    std::uint32_t sectors;
  };
  // 32 lanes of 4 bytes: stride 8 spans 256 bytes, 32 one sector per lane, 128 one line per lane, 0 one sector for all.
  for (const Case& c : {Case{0, 1, 1}, Case{4, 1, 4}, Case{8, 2, 8}, Case{16, 4, 16}, Case{32, 8, 32}, Case{64, 16, 32},
                        Case{128, 32, 32}, Case{4096, 32, 32}}) {
    INFO("stride " << c.stride);
    const CoalescedAccess access = coalesced(strided(0x10000, c.stride), 4);
    CHECK(access.line_count == c.lines);
    CHECK(access.sector_count == c.sectors);
  }
}

TEST_CASE("A negative stride touches the same as the positive stride from the other end") {
  const CoalescedAccess down = coalesced(strided(0x1000 + 31 * 32, -32), 4);
  const CoalescedAccess up = coalesced(strided(0x1000, 32), 4);
  CHECK(down.sector_count == up.sector_count);
  CHECK(down.line_count == up.line_count);
  CHECK(down.lines[0].line == 0x1380);  // lines are in order of first touch
}

TEST_CASE("Scattered lanes that meet in a sector count it once") {
  std::vector<Address> list(32);
  std::iota(list.begin(), list.end(), Address{0});
  for (std::size_t lane = 0; lane < list.size(); ++lane) {
    list[lane] = 0x2000 + (lane % 3) * 256 + (lane % 2) * 4;
  }
  // Three lines, one sector each.
  const CoalescedAccess access = coalesced(listed(list), 4);
  CHECK(access.line_count == 3);
  CHECK(access.sector_count == 3);
}

TEST_CASE("An access that crosses a sector or a line touches both") {
  const CoalescedAccess sector = coalesced(listed({0x1000 + 30}), 4, 1);
  CHECK(sector.line_count == 1);
  CHECK(sector.lines[0].sector_mask == 0x3);
  const CoalescedAccess line = coalesced(listed({0x1000 + 120}), 16, 1);
  REQUIRE(line.line_count == 2);
  CHECK(line.lines[0].sector_mask == 0x8);
  CHECK(line.lines[1].sector_mask == 0x1);
}

TEST_CASE("Every lane may cross a line: the result holds 64 lines") {
  // 16 bytes from byte 120 of every second line.
  const CoalescedAccess access = coalesced(strided(0x10000 + 120, 256), 16);
  CHECK(access.line_count == CoalescedAccess::kMaxLines);
  CHECK(access.sector_count == 64);
}

TEST_CASE("No address, no line") {
  CHECK(coalesced(LaneAddresses{}, 4).line_count == 0);
  CHECK(coalesced(strided(0x1000, 4), 4, 0).sector_count == 0);
}

TEST_CASE("Dense and listed addresses of the same lanes give the same lines, sectors and bytes") {
  for (const std::uint32_t bytes : {1U, 2U, 4U, 8U, 16U}) {
    for (const Address base : {Address{0x1000}, Address{0x1013}, Address{0x107c}}) {
      for (const LaneMask active : {kAllLanes, LaneMask{0x7}, LaneMask{0x00ff00ff}}) {
        std::array<Address, kWarpSize> lanes{};
        const std::uint32_t count = expand(strided(base, bytes), active, lanes);
        const std::vector<Address> list(lanes.begin(), lanes.begin() + count);
        const CoalescedAccess a = coalesced(strided(base, bytes), bytes, active, AccessNeeds::kByteMasks);
        const CoalescedAccess b = coalesced(listed(list), bytes, active, AccessNeeds::kByteMasks);
        REQUIRE(a.line_count == b.line_count);
        for (std::uint32_t i = 0; i < a.line_count; ++i) {
          CHECK(a.lines[i].line == b.lines[i].line);
          CHECK(a.lines[i].sector_mask == b.lines[i].sector_mask);
          CHECK(a.lines[i].byte_mask == b.lines[i].byte_mask);
        }
      }
    }
  }
}

// --- bytes of stores ---

TEST_CASE("A dense store writes all bytes of its sectors") {
  const CoalescedAccess access = coalesced(strided(0x1000, 4), 4, kAllLanes, AccessNeeds::kByteMasks);
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    CHECK(access.lines[0].byte_mask[sector] == 0xffffffffU);
  }
}

TEST_CASE("A store of single bytes or with gaps marks only the bytes written") {
  // Every second 4-byte word: bytes 0-3, 8-11, 16-19, 24-27 of each sector.
  const CoalescedAccess words = coalesced(strided(0x1000, 8), 4, kAllLanes, AccessNeeds::kByteMasks);
  CHECK(words.lines[0].byte_mask[0] == 0x0f0f0f0fU);
  // Lanes 0 to 2 write bytes 31, 32 and 33: the last of sector 0 and the first two of sector 1.
  const CoalescedAccess bytes = coalesced(strided(0x1000 + 31, 1), 1, 0x7, AccessNeeds::kByteMasks);
  CHECK(bytes.lines[0].byte_mask[0] == 0x80000000U);
  CHECK(bytes.lines[0].byte_mask[1] == 0x00000003U);
}

TEST_CASE("A store across a sector's end marks the bytes of both sectors") {
  const CoalescedAccess access = coalesced(listed({0x1000 + 28}), 8, 1, AccessNeeds::kByteMasks);
  CHECK(access.lines[0].byte_mask[0] == 0xf0000000U);
  CHECK(access.lines[0].byte_mask[1] == 0x0000000fU);
}

}  // namespace
}  // namespace warpsim
