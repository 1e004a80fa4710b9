// Worked examples of coalescing: English ones by their place in the CUDA C programming guides 4.2 and 8.0, one of the
// first guide (1.1) by its Chinese translation.
#include <algorithm>
#include <bit>
#include <catch2/catch.hpp>
#include <functional>
#include <utility>
#include <vector>

#include "memory/access/coalescing_rule.h"

namespace warpsim {
namespace {

constexpr auto kSegments = CoalescingRule::kHalfWarpSegments;
constexpr auto kStrict = CoalescingRule::kHalfWarpStrict;
constexpr auto kRequests = CoalescingRule::kRequests;

using Lanes = std::vector<Address>;

Lanes lanes_at(const std::function<Address(Address)>& address) {
  Lanes lanes(kWarpSize);
  for (Address lane = 0; lane < kWarpSize; ++lane) {
    lanes[lane] = address(lane);
  }
  return lanes;
}

CoalescedAccess access_of(CoalescingRule rule, const Lanes& lanes, std::uint32_t bytes = 4,
                          LaneMask active = kAllLanes) {
  CoalescedAccess access;
  coalesce_by(rule, {LaneAddresses::Kind::kList, 0, 0, lanes.data()}, active, bytes, AccessNeeds::kByteMasks, access);
  return access;
}

Transactions moved(CoalescingRule rule, const Lanes& lanes, std::uint32_t bytes = 4, bool whole_lines = false) {
  return transactions_of(rule, access_of(rule, lanes, bytes), whole_lines);
}

std::uint32_t number(const Transactions& t) {
  return t.of_32_bytes + t.of_64_bytes + t.of_128_bytes;
}

// Transactions on 1.0, on 1.2, of lines cached in L1 and of accesses cached only in L2.
std::vector<std::uint32_t> on_all(const Lanes& lanes) {
  return {number(moved(kStrict, lanes)), number(moved(kSegments, lanes)), number(moved(kRequests, lanes, 4, true)),
          number(moved(kRequests, lanes))};
}

// First byte and size of each transaction of 1.x.
using Pieces = std::vector<std::pair<Address, std::uint32_t>>;
Pieces pieces(CoalescingRule rule, const Lanes& lanes, std::uint32_t bytes = 4) {
  const CoalescedAccess access = access_of(rule, lanes, bytes);
  Pieces result;
  for (std::uint32_t i = 0; i < access.line_count; ++i) {
    const std::uint32_t mask = access.lines[i].sector_mask;
    const auto first = static_cast<std::uint32_t>(std::countr_zero(mask));
    result.emplace_back(access.lines[i].line + Address{first} * kSectorBytes,
                        static_cast<std::uint32_t>(std::popcount(mask)) * kSectorBytes);
  }
  return result;
}

std::size_t count_of(const Pieces& all, Address begin, std::uint32_t size) {
  return static_cast<std::size_t>(std::count(all.begin(), all.end(), std::pair{begin, size}));
}

// Lanes 2k and 2k+1 of a half warp exchanged, everywhere or only in the first two lanes.
Address permuted(Address lane) {
  return 128 + 4 * (lane ^ 1U);
}

TEST_CASE("G1, guide 4.2 figure F-1: aligned and sequential") {
  const Lanes lanes = lanes_at([](Address i) { return 128 + 4 * i; });
  CHECK(on_all(lanes) == std::vector<std::uint32_t>{2, 2, 1, 4});
  CHECK(pieces(kStrict, lanes) == Pieces{{128, 64}, {192, 64}});
  CHECK(pieces(kSegments, lanes) == Pieces{{128, 64}, {192, 64}});
}

TEST_CASE("G2, guide 4.2 figure F-1: aligned and not sequential") {
  const Lanes lanes = lanes_at(permuted);
  CHECK(on_all(lanes) == std::vector<std::uint32_t>{32, 2, 1, 4});
  const Pieces strict = pieces(kStrict, lanes);
  for (const Address begin : {128U, 160U, 192U, 224U}) {
    CHECK(count_of(strict, begin, 32) == 8);
  }
  CHECK(pieces(kSegments, lanes) == Pieces{{128, 64}, {192, 64}});
}

TEST_CASE("G3, guide 4.2 figure F-1: misaligned by one word") {
  const Lanes lanes = lanes_at([](Address i) { return 132 + 4 * i; });
  CHECK(on_all(lanes) == std::vector<std::uint32_t>{32, 3, 2, 5});
  const Pieces strict = pieces(kStrict, lanes);
  CHECK(count_of(strict, 128, 32) == 7);
  for (const Address begin : {160U, 192U, 224U}) {
    CHECK(count_of(strict, begin, 32) == 8);
  }
  CHECK(count_of(strict, 256, 32) == 1);
  CHECK(pieces(kSegments, lanes) == Pieces{{128, 128}, {192, 64}, {256, 32}});
}

TEST_CASE("G4, guide 8.0 5.3.2, and G22, the same in Chinese: 32 bytes moved for each word of 4 are an eighth") {
  const Lanes lanes = lanes_at([](Address i) { return 0x10000 + 32 * i; });
  for (const CoalescingRule rule : {kRequests, CoalescingRule::kWarpSectors}) {
    const Transactions t = moved(rule, lanes);
    CHECK(t.of_32_bytes == 32);
    CHECK(t.bytes() == 8 * (32 * 4));
  }
}

TEST_CASE("G5, guide 8.0 G.3.2: 8-byte words go in two requests, 16-byte words in four, each of up to 128 bytes") {
  for (const auto& [bytes, requests] : {std::pair{4U, 1U}, {8U, 2U}, {16U, 4U}}) {
    const Lanes dense = lanes_at([bytes = bytes](Address i) { return bytes * i; });
    const CoalescedAccess access = access_of(kRequests, dense, bytes);
    CHECK(access.request_count == requests);
    CHECK(access.line_count == requests);
    CHECK(access.sector_count == 4 * requests);
  }
  // All half warps on one line: one request each; the rule for the whole warp has one line.
  const Lanes same = lanes_at([](Address i) { return 8 * (i % 16); });
  CHECK(access_of(kRequests, same, 8).line_count == 2);
  CHECK(access_of(CoalescingRule::kWarpSectors, same, 8).line_count == 1);
}

TEST_CASE("G6, guides 4.2 F.3.2 and 8.0 G.3.2: transactions of words s apart") {
  const auto strided = [](Address s) { return lanes_at([s](Address i) { return 4 * s * i; }); };
  CHECK(on_all(strided(2)) == std::vector<std::uint32_t>{32, 2, 2, 8});
  CHECK(on_all(strided(4)) == std::vector<std::uint32_t>{32, 4, 4, 16});
  CHECK(on_all(strided(8)) == std::vector<std::uint32_t>{32, 8, 8, 32});
  CHECK(on_all(strided(32)) == std::vector<std::uint32_t>{32, 32, 32, 32});
}

TEST_CASE("G7, guide 4.2 F.3.2.1: one exchange of lanes affects only its half warp") {
  const Lanes lanes = lanes_at([](Address i) { return i < 2 ? permuted(i) : 128 + 4 * i; });
  const Transactions t = moved(kStrict, lanes);
  CHECK(t.of_32_bytes == 16);
  CHECK(t.of_64_bytes == 1);
}

TEST_CASE("G8, guide 8.0 G.3.2: lanes that read one address make one transaction on 2.x") {
  const Lanes lanes = lanes_at([](Address) { return 0x1000; });
  CHECK(number(moved(kRequests, lanes, 4, true)) == 1);
  CHECK(number(moved(kRequests, lanes)) == 1);
}

TEST_CASE("G9, guide 8.0 3.2.2: VecAdd of 1024 floats in blocks of 256") {
  std::uint32_t loads = 0;
  Transactions lines;
  Transactions sectors;
  std::uint32_t stored = 0;
  for (Address warp = 0; warp < 1024 / kWarpSize; ++warp) {
    for (const Address base : {0x10000U, 0x20000U, 0x30000U}) {
      const Lanes lanes = lanes_at([&](Address i) { return base + 4 * (warp * kWarpSize + i); });
      if (base == 0x30000U) {
        stored += moved(kRequests, lanes).bytes();
        continue;
      }
      ++loads;
      lines.of_128_bytes += moved(kRequests, lanes, 4, true).of_128_bytes;
      sectors.of_32_bytes += moved(kRequests, lanes).of_32_bytes;
    }
  }
  CHECK(loads == 64);
  CHECK(lines.of_128_bytes == 64);
  CHECK(sectors.of_32_bytes == 256);
  CHECK(lines.bytes() == 8192);
  CHECK(sectors.bytes() == 8192);
  CHECK(stored == 4096);
}

TEST_CASE("G10, guide 8.0 2.2: MatAdd whose row is threadIdx.x touches 16 rows, transposed two") {
  constexpr Address kRowBytes = 128;  // N of 32
  const Lanes by_row = lanes_at([](Address i) { return i % 16 * kRowBytes + i / 16 * 4; });
  const Lanes by_column = lanes_at([](Address i) { return i / 16 * kRowBytes + i % 16 * 4; });
  CHECK(number(moved(kRequests, by_row, 4, true)) == 16);
  CHECK(number(moved(kRequests, by_column, 4, true)) == 2);
}

TEST_CASE("G11, guide 8.0 5.3.2: misaligned wide words are read from the aligned address on 1.x") {
  const Lanes lanes = lanes_at([](Address i) { return 0x1000 + 8 * i + 4; });
  CHECK(pieces(kStrict, lanes, 8) == Pieces{{0x1000, 128}, {0x1080, 128}});
}

TEST_CASE("G13, first guide 5.1.2.1: a struct of 20 bytes takes two wide loads when aligned, else five of 4 bytes") {
  // Aligned to 16 it fills 32 bytes: no access of either form coalesces, so each lane has its own transaction per load.
  std::uint32_t aligned = 0;
  for (const Address offset : {0U, 16U}) {
    aligned += number(moved(kStrict, lanes_at([=](Address i) { return 32 * i + offset; }), 16));
  }
  std::uint32_t packed = 0;
  for (Address word = 0; word < 5; ++word) {
    packed += number(moved(kStrict, lanes_at([=](Address i) { return 20 * i + 4 * word; })));
  }
  CHECK(aligned == 2 * 32);
  CHECK(packed == 5 * 32);
}

TEST_CASE(
    "G44, first guide chapter 6: Muld of 64x64x64 in tiles of 16 loads 2048 times 64 bytes and stores 256 times") {
  constexpr Address kSide = 64;
  constexpr Address kTile = 16;
  Transactions loads;
  Transactions stores;
  for (Address block = 0; block < 16; ++block) {
    for (Address warp = 0; warp < kTile * kTile / kWarpSize; ++warp) {
      const auto element = [&](Address lane, Address row, Address column) {
        const Address thread = warp * kWarpSize + lane;
        return 4 * ((row + thread / kTile) * kSide + column + thread % kTile);
      };
      for (Address step = 0; step < kSide / kTile; ++step) {
        const Lanes a = lanes_at([&](Address i) { return element(i, block / 4 * kTile, step * kTile); });
        const Lanes b = lanes_at([&](Address i) { return element(i, step * kTile, block % 4 * kTile); });
        for (const Lanes& tile : {a, b}) {
          CHECK(number(moved(kStrict, tile)) == 2);
          loads.of_64_bytes += moved(kStrict, tile).of_64_bytes;
        }
      }
      const Lanes c = lanes_at([&](Address i) { return element(i, block / 4 * kTile, block % 4 * kTile); });
      stores.of_64_bytes += moved(kStrict, c).of_64_bytes;
    }
  }
  CHECK(loads.of_64_bytes == 2048);
  CHECK(loads.bytes() == 131072);
  CHECK(stores.of_64_bytes == 256);
}

// --- rules of 1.x without examples ---

TEST_CASE("Wide words of 1.0 go in one transaction of 128 bytes or two") {
  const Lanes eight = lanes_at([](Address i) { return 0x1000 + 8 * i; });
  CHECK(pieces(kStrict, eight, 8) == Pieces{{0x1000, 128}, {0x1080, 128}});
  const Lanes sixteen = lanes_at([](Address i) { return 0x1000 + 16 * i; });
  CHECK(pieces(kStrict, sixteen, 16) == Pieces{{0x1000, 128}, {0x1080, 128}, {0x1100, 128}, {0x1180, 128}});
  // Guide 4.2 requires two adjoining segments of 128 bytes, the first guide a multiple of 256: the later one is used.
  const Lanes odd_line = lanes_at([](Address i) { return 0x1080 + 16 * i; });
  CHECK(pieces(kStrict, odd_line, 16).size() == 4);
  CHECK(number(moved(kStrict, eight, 2)) == 32);  // words of fewer than 4 bytes never coalesce
}

TEST_CASE("Lanes that do not access leave a half warp of 1.0 coalesced, and cost nothing if it is not") {
  constexpr LaneMask kSome = 0x0000fff7;
  Lanes active;
  for (Address lane = 0; lane < 16; ++lane) {
    if ((kSome >> lane & 1U) != 0) {
      active.push_back(0x1000 + 4 * lane);
    }
  }
  const CoalescedAccess coalesced = access_of(kStrict, active, 4, kSome);
  CHECK(coalesced.request_count == 1);
  CHECK(coalesced.line_count == 1);
  CHECK(coalesced.lines[0].sector_mask == 0x3);
  CHECK(coalesced.lines[0].byte_mask[0] == 0xffff0fffU);
  active[0] += 4;
  CHECK(access_of(kStrict, active, 4, kSome).line_count == 15);
}

TEST_CASE("Segments of 1.2 are of 32 bytes for bytes and 64 for halves, and shrink to what is used") {
  const auto spread = [](Address step) { return lanes_at([step](Address i) { return 0x1000 + step * i; }); };
  CHECK(pieces(kSegments, spread(1), 1) == Pieces{{0x1000, 32}, {0x1000, 32}});
  CHECK(pieces(kSegments, spread(4), 1) == Pieces{{0x1000, 32}, {0x1020, 32}, {0x1040, 32}, {0x1060, 32}});
  CHECK(pieces(kSegments, spread(2), 2) == Pieces{{0x1000, 32}, {0x1020, 32}});
  CHECK(pieces(kSegments, spread(4), 2) == Pieces{{0x1000, 64}, {0x1040, 64}});
  CHECK(pieces(kSegments, spread(16), 16) == Pieces{{0x1000, 128}, {0x1080, 128}, {0x1100, 128}, {0x1180, 128}});
  CHECK(pieces(kSegments, spread(0), 4) == Pieces{{0x1000, 32}, {0x1000, 32}});
}

}  // namespace
}  // namespace warpsim
