#include "memory/access/bank_passes.h"

#include <catch2/catch.hpp>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/lane_lists.h"

namespace warpsim {
namespace {

using test::listed;
using test::strided;

TEST_CASE("A stride of n words conflicts n ways for powers of two, and does not conflict for odd strides") {
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

// Lane addresses by name, as in tests/hardware/shared_wavefronts/shared_wavefronts.cu.
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

TEST_CASE("Inactive lanes agree with any partner, as on an H200") {
  const auto passes = [](std::uint32_t bytes, LaneMask active) {
    const BankPasses p = load_bank_passes(strided(0, bytes), active, bytes);
    return std::pair{p.passes, p.least};
  };
  // strided() gives active lanes consecutive addresses; the measured program spaced them by lane.
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

TEST_CASE("Shared atomics on one word are served one after another") {
  CHECK(atomic_bank_passes(strided(0, 0), kAllLanes, 4).passes == 32);
  CHECK(atomic_bank_passes(strided(0, 4), kAllLanes, 4).passes == 1);
  CHECK(atomic_bank_passes(strided(0, 0), 0x7, 4).passes == 3);
}

}  // namespace
}  // namespace warpsim
