// Worked examples of bank conflicts: B by the English programming guides 4.2 (1.x, 2.x, 3.0) and 8.0 (2.x to 6.x), G by
// the first guide (1.1) in its Chinese translation. Ways are passes relative to the minimum of the width.
#include <catch2/catch.hpp>
#include <functional>
#include <vector>

#include "memory/access/shared_banks.h"

namespace warpsim {
namespace {

SharedBanks one_x() {
  return SharedBanks({.banks = 16,
                      .request_lanes = 16,
                      .pass_cycles = 2,
                      .broadcast = BankBroadcast::kOneWord,
                      .wide_access = WideAccess::kWords,
                      .atomics = SharedAtomics::kLockLoop});
}
SharedBanks two_x() {
  return SharedBanks(
      {.pass_cycles = 2, .wide_access = WideAccess::kHalvesAndQuarters, .atomics = SharedAtomics::kLockLoop});
}
SharedBanks kepler(std::uint32_t mode_bytes) {
  return SharedBanks({.bank_bytes = 8,
                      .interleave_bytes = mode_bytes,
                      .wide_access = WideAccess::kGroups,
                      .atomics = SharedAtomics::kLockLoop});
}
SharedBanks five_x() {
  return SharedBanks(SharedBanksConfig{});
}

using Lanes = std::vector<Address>;

Lanes lanes_at(const std::function<Address(Address)>& address) {
  Lanes lanes(kWarpSize);
  for (Address lane = 0; lane < kWarpSize; ++lane) {
    lanes[lane] = address(lane);
  }
  return lanes;
}
Lanes strided(Address words, Address first_word = 0) {
  return lanes_at([=](Address i) { return 4 * (first_word + words * i); });
}

BankPasses load(const SharedBanks& banks, const Lanes& lanes, std::uint32_t bytes = 4, LaneMask active = kAllLanes) {
  return banks.load({LaneAddresses::Kind::kList, 0, 0, lanes.data()}, active, bytes);
}
std::uint32_t ways(const SharedBanks& banks, const Lanes& lanes, std::uint32_t bytes = 4) {
  const BankPasses passes = load(banks, lanes, bytes);
  CHECK(passes.passes % passes.least == 0);
  return passes.passes / passes.least;
}

using Ways = std::vector<std::uint32_t>;

// On 1.x, 2.x, 3.x with banks of 64 bits, 3.x with banks of 32 bits, and 5.x to 6.x.
Ways on_all(const Lanes& lanes, std::uint32_t bytes = 4) {
  return {ways(one_x(), lanes, bytes), ways(two_x(), lanes, bytes), ways(kepler(8), lanes, bytes),
          ways(kepler(4), lanes, bytes), ways(five_x(), lanes, bytes)};
}

TEST_CASE("B1, guides 8.0 figure 17 and 4.2 F-2, left: consecutive words") {
  CHECK(on_all(strided(1)) == Ways{1, 1, 1, 1, 1});
}

TEST_CASE("B2, guides 8.0 figure 17 and 4.2 F-2, middle: a stride of two words") {
  // The caption of figure 17 counts 3.x in 32-bit mode among the two-way conflicts; its rule (8.0, G.4.3) and figure
  // F-2 of guide 4.2 give none for an aligned base: the rule is used.
  CHECK(on_all(strided(2)) == Ways{2, 2, 1, 1, 2});
  CHECK(ways(kepler(4), strided(2, 2)) == 2);
  CHECK(ways(kepler(4), strided(2, 32)) == 2);
  CHECK(ways(kepler(4), strided(2, 64)) == 1);
}

TEST_CASE("B3, guides 8.0 figure 17 and 4.2 F-2, right: a stride of three words") {
  // 64-bit words 1 and 33 are in one bank. The guides say that 3.x never conflicts more than 2.x there; their mapping
  // differs and is used.
  CHECK(on_all(strided(3)) == Ways{1, 1, 2, 1, 1});
  CHECK(ways(kepler(8), strided(5)) == 2);
}

TEST_CASE("B4 to B8, guide 8.0 G.3.3: other strides") {
  CHECK(on_all(strided(4)) == Ways{4, 4, 2, 2, 4});
  CHECK(on_all(strided(8)) == Ways{8, 8, 4, 4, 8});
  CHECK(on_all(strided(16)) == Ways{16, 16, 8, 8, 16});
  CHECK(on_all(strided(32)) == Ways{16, 32, 16, 16, 32});
  CHECK(on_all(strided(33)) == Ways{1, 1, 1, 1, 1});
}

TEST_CASE("B9, guides 8.0 figure 18 and 4.2 F-3, left: words in any order") {
  CHECK(on_all(lanes_at([](Address i) { return 4 * (i / 16 * 16 + (5 * i + 3) % 16); })) == Ways{1, 1, 1, 1, 1});
}

TEST_CASE("B10, guides 8.0 figure 18 and 4.2 F-3, middle: lanes 3, 4, 6, 7 and 9 read one word of bank 5") {
  const Lanes lanes = lanes_at([](Address i) { return i == 3 || i == 4 || i == 6 || i == 7 || i == 9 ? 20 : 4 * i; });
  CHECK(on_all(lanes) == Ways{1, 1, 1, 1, 1});
}

TEST_CASE("B11, guides 8.0 figure 18 and 4.2 F-3, right: several words, each read by several lanes") {
  const Lanes lanes = lanes_at([](Address i) { return 4 * (i / 4); });
  CHECK(ways(two_x(), lanes) == 1);
  CHECK(ways(kepler(8), lanes) == 1);
  CHECK(ways(kepler(4), lanes) == 1);
  CHECK(ways(five_x(), lanes) == 1);
  // 1.x broadcasts one word per step: two words of two lanes each need two steps.
  CHECK(ways(one_x(), lanes_at([](Address i) { return 4 * (i / 2); })) == 2);
}

TEST_CASE("B12, guides 4.2 F.3.3.3 and 8.0 G.3.3, and G9, first guide 5.1.2.4: an array of char by lane") {
  CHECK(on_all(lanes_at([](Address i) { return i; }), 1) == Ways{4, 1, 1, 1, 1});
  CHECK(on_all(strided(1), 1) == Ways{1, 1, 1, 1, 1});
}

TEST_CASE("B13, guides 4.2 F.3.3.4 and F.4.3.2, 8.0 G.3.3: an array of double by lane") {
  const Lanes lanes = strided(2);
  CHECK(on_all(lanes, 8) == Ways{2, 1, 1, 1, 1});
  // All 256 bytes: two requests of two words on 1.x; 3.x has the width for one pass.
  CHECK(load(one_x(), lanes, 8).passes == 8);
  CHECK(load(two_x(), lanes, 8).passes == 2);
  CHECK(load(kepler(8), lanes, 8).passes == 1);
  CHECK(load(five_x(), lanes, 8).passes == 2);
  // Lanes of different half warps never conflict on 2.x.
  CHECK(ways(two_x(), lanes_at([](Address i) { return 8 * (i % 16) + 128 * (i / 16); }), 8) == 1);
}

TEST_CASE("B14, guide 8.0 G.3.3: 16-byte words by lane conflict two ways on 2.x at best") {
  CHECK(ways(two_x(), strided(4), 16) == 2);
  CHECK(load(two_x(), strided(4), 16).passes == 4);  // 512 bytes at 128 per pass
  CHECK(ways(two_x(), strided(8), 16) == 3);         // two lanes of a quarter warp on each bank
}

TEST_CASE("B15, guides 8.0 G.3.3 and 4.2 F.3.3.4, and G10, first guide 5.1.2.4: three floats take three reads") {
  for (Address member = 0; member < 3; ++member) {
    CHECK(ways(one_x(), strided(3, member)) == 1);
    CHECK(ways(two_x(), strided(3, member)) == 1);
  }
}

TEST_CASE("B16, guide 4.2 F.3.3.4, and G10: two floats take two reads on 1.x, each with two-way conflicts") {
  CHECK(ways(one_x(), strided(2, 0)) == 2);
  CHECK(ways(one_x(), strided(2, 1)) == 2);
}

TEST_CASE("G8, first guide 5.1.2.4: passes of a half warp over strides on 16 banks") {
  const std::vector<std::pair<Address, std::uint32_t>> cases = {{1, 1}, {2, 2}, {3, 1},   {4, 4},  {5, 1},  {6, 2},
                                                                {7, 1}, {8, 8}, {16, 16}, {17, 1}, {32, 16}};
  for (const auto& [stride, passes] : cases) {
    CAPTURE(stride);
    CHECK(load(one_x(), strided(stride), 4, 0xffff).passes == passes);
  }
}

TEST_CASE("G11, first guide 5.1.2.4: a half warp on one word takes a pass of two clocks") {
  CHECK(load(one_x(), strided(0), 4, 0xffff).passes == 1);
  CHECK(one_x().config().pass_cycles == 2);
}

TEST_CASE("G12, first guide 5.1.2.4: a column of a tile of 16 floats takes 16 passes, padded to 17 one") {
  CHECK(load(one_x(), strided(16), 4, 0xffff).passes == 16);
  CHECK(load(one_x(), strided(17), 4, 0xffff).passes == 1);
}

TEST_CASE("G44, first guide chapter 6, and M4, guide 8.0 3.2.3: tiled products have no conflicts on any GPU") {
  // Rows of A broadcast two words 16 apart; each half warp reads 16 consecutive words of B.
  for (Address k = 0; k < 16; ++k) {
    CHECK(on_all(lanes_at([=](Address i) { return 4 * (i / 16 * 16 + k); })) == Ways{1, 1, 1, 1, 1});
    CHECK(on_all(lanes_at([=](Address i) { return 4 * (16 * k + i % 16); })) == Ways{1, 1, 1, 1, 1});
  }
}

TEST_CASE("Guides 4.2 F.3.3 and 8.0 G.3.3, G.4.3, G.5.3: bytes of all banks per clock") {
  const auto rate = [](const SharedBanks& banks, std::uint32_t bytes) {
    const Lanes dense = lanes_at([=](Address i) { return bytes * i; });
    return bytes * kWarpSize / (load(banks, dense, bytes).passes * banks.config().pass_cycles);
  };
  CHECK(rate(one_x(), 4) == 32);
  CHECK(rate(two_x(), 4) == 64);
  CHECK(rate(two_x(), 8) == 64);
  CHECK(rate(two_x(), 16) == 64);
  CHECK(rate(kepler(8), 8) == 256);
  CHECK(rate(kepler(4), 8) == 256);
  CHECK(rate(kepler(8), 16) == 256);
  CHECK(rate(five_x(), 4) == 128);
  CHECK(rate(five_x(), 16) == 128);
}

// --- rules without examples ---

TEST_CASE("Lanes that write one address of 1.x cost one pass, bytes of one word one pass each") {
  const Lanes same = strided(0);
  CHECK(one_x().store({LaneAddresses::Kind::kList, 0, 0, same.data()}, 0xffff, 4).passes == 1);
  const Lanes chars = lanes_at([](Address i) { return i; });
  CHECK(one_x().store({LaneAddresses::Kind::kList, 0, 0, chars.data()}, 0xffff, 1).passes == 4);
}

TEST_CASE("Atomics in loops of locks iterate for each lane on one word, loading and storing") {
  const auto atomic = [](const Lanes& lanes, LaneMask active) {
    return two_x().atomic({LaneAddresses::Kind::kList, 0, 0, lanes.data()}, active, 4);
  };
  CHECK(atomic(strided(1), kAllLanes).passes == 2);
  CHECK(atomic(strided(0), 0xf).passes == 4 * 2);
  CHECK(atomic(strided(0), 0xf).least == 2);
  const Lanes same = strided(0);
  CHECK(SharedBanks::lock_rounds({LaneAddresses::Kind::kList, 0, 0, same.data()}, 0xf, 4) == 4);
}

}  // namespace
}  // namespace warpsim
