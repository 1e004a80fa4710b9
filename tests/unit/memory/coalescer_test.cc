#include "memory/coalescer.h"

#include <array>
#include <catch2/catch.hpp>
#include <functional>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

namespace warpsim {
namespace {

using Kind = LaneAddresses::Kind;

LaneAddresses strided(Address base, std::int64_t stride) {
  return {Kind::kStrided, base, stride, nullptr};
}
LaneAddresses listed(const std::vector<Address>& list) {
  return {Kind::kList, 0, 0, list.data()};
}

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
  // 32 lanes of 4 bytes: stride 8 spans 256 bytes, 32 one sector a lane, 128 one line a lane, 0 one sector for all.
  for (const Case& c : {Case{0, 1, 1}, Case{4, 1, 4}, Case{8, 2, 8}, Case{16, 4, 16}, Case{32, 8, 32}, Case{64, 16, 32},
                        Case{128, 32, 32}, Case{4096, 32, 32}}) {
    INFO("stride " << c.stride);
    const CoalescedAccess access = coalesced(strided(0x10000, c.stride), 4);
    CHECK(access.line_count == c.lines);
    CHECK(access.sector_count == c.sectors);
  }
}

TEST_CASE("A negative stride touches what the same positive stride would from the other end") {
  const CoalescedAccess down = coalesced(strided(0x1000 + 31 * 32, -32), 4);
  const CoalescedAccess up = coalesced(strided(0x1000, 32), 4);
  CHECK(down.sector_count == up.sector_count);
  CHECK(down.line_count == up.line_count);
  CHECK(down.lines[0].line == 0x1380);  // lines come in order of first touch
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

TEST_CASE("An access that crosses a sector or a line touches both sides") {
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

// --- bank passes ---

TEST_CASE("A stride of n words conflicts n ways for powers of two, and not at all for odd strides") {
  for (const std::uint32_t ways : {1U, 2U, 4U, 8U, 16U, 32U}) {
    CHECK(load_bank_passes(strided(0, 4 * static_cast<std::int64_t>(ways)), kAllLanes, 4).passes == ways);
  }
  for (const std::int64_t odd : {3, 5, 7, 31, 33}) {
    CHECK(load_bank_passes(strided(0, 4 * odd), kAllLanes, 4).passes == 1);
  }
}

TEST_CASE("Lanes that read the same word share it, wherever they are") {
  CHECK(load_bank_passes(strided(0x40, 0), kAllLanes, 4).passes == 1);
  std::vector<Address> two_words(32);
  for (std::size_t lane = 0; lane < 32; ++lane) {
    two_words[lane] = lane % 2 == 0 ? 0 : 128;  // two words of bank 0
  }
  CHECK(load_bank_passes(listed(two_words), kAllLanes, 4).passes == 2);
}

TEST_CASE("Lanes that read bytes of one word share it") {
  CHECK(load_bank_passes(strided(0, 1), kAllLanes, 1).passes == 1);
  CHECK(load_bank_passes(strided(0, 2), kAllLanes, 2).passes == 1);
}

// Lane addresses by name, as tests/hardware/shared_wavefronts/shared_wavefronts.cu has them.
std::vector<Address> pattern(const std::function<Address(Address)>& address) {
  std::vector<Address> lanes(kWarpSize);
  for (std::uint32_t lane = 0; lane < kWarpSize; ++lane) {
    lanes[lane] = address(lane);
  }
  return lanes;
}

struct MeasuredPasses {
  std::string name;
  std::uint32_t bytes;
  std::vector<Address> lanes;
  BankPasses load, store;
};

std::vector<MeasuredPasses> measured_passes() {
  const auto dense = [](Address bytes) { return pattern([=](Address i) { return bytes * i; }); };
  return {
      {"dense", 8, dense(8), {2, 2}, {2, 2}},
      {"broadcast", 8, dense(0), {1, 1}, {2, 2}},
      {"halves same", 8, pattern([](Address i) { return 8 * (i % 16); }), {2, 2}, {2, 2}},
      {"pairs same", 8, pattern([](Address i) { return 8 * (i / 2); }), {1, 1}, {2, 2}},
      {"xor 2 same", 8, pattern([](Address i) { return 8 * ((i & 1U) + (i >> 2U) * 2); }), {1, 1}, {2, 2}},
      {"xor 4 same", 8, pattern([](Address i) { return 8 * ((i & 3U) + (i >> 3U) * 4); }), {2, 2}, {2, 2}},
      {"half broadcast", 8, pattern([](Address i) { return 8 * (i / 16); }), {1, 1}, {2, 2}},
      {"half broadcast, one bank", 8, pattern([](Address i) { return 256 * (i / 16); }), {2, 1}, {2, 2}},
      {"pairs same, stride 16", 8, pattern([](Address i) { return 16 * (i / 2); }), {2, 1}, {2, 2}},
      {"pairs same, stride 32", 8, pattern([](Address i) { return 32 * (i / 2); }), {4, 1}, {4, 2}},
      {"pairs same, stride 128", 8, pattern([](Address i) { return 128 * (i / 2); }), {16, 1}, {16, 2}},
      {"stride 16", 8, dense(16), {4, 2}, {4, 2}},
      {"stride 128", 8, dense(128), {32, 2}, {32, 2}},
      {"two banks", 8, pattern([](Address i) { return 128 * (i % 16) + 64 * (i / 16); }), {32, 2}, {32, 2}},
      {"odd pairs same", 8, pattern([](Address i) { return 8 * ((i + 1) / 2); }), {2, 2}, {2, 2}},
      {"all pairs same but one", 8, pattern([](Address i) { return 8 * (i == 31 ? 16 : i / 2); }), {2, 2}, {2, 2}},
      {"dense", 16, dense(16), {4, 4}, {4, 4}},
      {"broadcast", 16, dense(0), {2, 2}, {4, 4}},
      {"quarters same", 16, pattern([](Address i) { return 16 * (i % 8); }), {4, 4}, {4, 4}},
      {"halves same", 16, pattern([](Address i) { return 16 * (i % 16); }), {4, 4}, {4, 4}},
      {"quarter broadcast", 16, pattern([](Address i) { return 32 * (i / 8); }), {2, 2}, {4, 4}},
      {"quarter broadcast, one bank", 16, pattern([](Address i) { return 128 * (i / 8); }), {4, 2}, {4, 4}},
      {"pairs same", 16, pattern([](Address i) { return 16 * (i / 2); }), {2, 2}, {4, 4}},
      {"pairs same, stride 32", 16, pattern([](Address i) { return 32 * (i / 2); }), {4, 2}, {4, 4}},
      {"pairs same, stride 128", 16, pattern([](Address i) { return 128 * (i / 2); }), {16, 2}, {16, 4}},
      {"xor 4 same", 16, pattern([](Address i) { return 16 * ((i & 3U) + (i >> 3U) * 4); }), {4, 4}, {4, 4}},
      {"stride 32", 16, dense(32), {8, 4}, {8, 4}},
      {"stride 128", 16, dense(128), {32, 4}, {32, 4}},
  };
}

TEST_CASE("Wide accesses take the passes that an H200 counts for them") {
  for (const MeasuredPasses& m : measured_passes()) {
    CAPTURE(m.name, m.bytes);
    const BankPasses load = load_bank_passes(listed(m.lanes), kAllLanes, m.bytes);
    CHECK(load.passes == m.load.passes);
    CHECK(load.least == m.load.least);
    const BankPasses store = store_bank_passes(listed(m.lanes), kAllLanes, m.bytes);
    CHECK(store.passes == m.store.passes);
    CHECK(store.least == m.store.least);
  }
}

TEST_CASE("Inactive lanes agree with any partner, as an H200 counts it") {
  const auto passes = [](std::uint32_t bytes, LaneMask active) {
    const BankPasses p = load_bank_passes(strided(0, bytes), active, bytes);
    return std::pair{p.passes, p.least};
  };
  // strided() gives active lanes consecutive places; the measured program spaced them by lane.
  const auto spaced = [](std::uint32_t bytes, LaneMask active) {
    std::vector<Address> lanes;
    for (Address lane = 0; lane < kWarpSize; ++lane) {
      if ((active >> lane & 1U) != 0) {
        lanes.push_back(lane * bytes);
      }
    }
    const BankPasses p = load_bank_passes(listed(lanes), active, bytes);
    return std::pair{p.passes, p.least};
  };
  CHECK(passes(8, 0xffff) == std::pair{1U, 1U});
  CHECK(passes(16, 0xffff) == std::pair{2U, 2U});
  CHECK(passes(16, 0xff) == std::pair{1U, 1U});
  CHECK(spaced(8, 0xffff0000) == std::pair{1U, 1U});
  CHECK(spaced(8, 0x55555555) == std::pair{2U, 1U});
  CHECK(spaced(8, 0x33333333) == std::pair{2U, 1U});
  CHECK(spaced(8, 0x0f0f0f0f) == std::pair{2U, 2U});
  CHECK(spaced(8, 0x00010001) == std::pair{2U, 1U});
  CHECK(spaced(16, 0x55555555) == std::pair{4U, 2U});
  CHECK(spaced(16, 0x0f0f0f0f) == std::pair{4U, 4U});
  CHECK(spaced(16, 0x00010001) == std::pair{2U, 2U});
  CHECK(spaced(16, 0x7fffffff) == std::pair{4U, 4U});
}

TEST_CASE("Fewer active lanes need fewer passes") {
  CHECK(load_bank_passes(strided(0, 128), 0x0000000f, 4).passes == 4);
  CHECK(load_bank_passes(strided(0, 16), 0x000000ff, 16).passes == 1);
  CHECK(load_bank_passes(strided(0, 16), 0x0000ffff, 16).passes == 2);
  CHECK(load_bank_passes(LaneAddresses{}, kAllLanes, 4).passes == 1);
}

TEST_CASE("Shared atomics on one word go one after another") {
  CHECK(atomic_bank_passes(strided(0, 0), kAllLanes, 4).passes == 32);
  CHECK(atomic_bank_passes(strided(0, 4), kAllLanes, 4).passes == 1);
  CHECK(atomic_bank_passes(strided(0, 0), 0x7, 4).passes == 3);
}

}  // namespace
}  // namespace warpsim
