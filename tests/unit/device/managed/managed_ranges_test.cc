#include "device/managed/managed_ranges.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr Address kBegin = 0x6800'0000'0000;
constexpr std::uint64_t kPiece = ManagedPages::kPieceBytes;

TEST_CASE("managed ranges: allocations have pieces, which small ones share") {
  const ManagedPages pages(kBegin, std::uint64_t{1} << 30U);
  ManagedRanges ranges(pages);
  ranges.add(kBegin, 4096);
  ranges.add(kBegin + 8192, kPiece);
  CHECK(ranges.existing(0) == 0b11);
  CHECK(ranges.allocations().size() == 1);
  CHECK(ranges.allocation_at(kBegin + 100).end == 1);
  CHECK(ranges.allocation_at(kBegin + 8192).end == 2);
  CHECK(ranges.allocation_at(kBegin + 5000).end == 0);
  ranges.remove(kBegin + 8192);
  CHECK(ranges.existing(0) == 0b1);
  ranges.remove(kBegin);
  CHECK(ranges.existing(0) == 0);
  CHECK(ranges.allocations().empty());
  CHECK(ranges.existing(77) == 0);
}

TEST_CASE("managed ranges: advice ends with the allocation") {
  const ManagedPages pages(kBegin, std::uint64_t{1} << 30U);
  ManagedRanges ranges(pages);
  ranges.add(kBegin, 2 * kPiece);
  ranges.advice_of(1).read_mostly = true;
  CHECK_FALSE(ranges.advice(0).read_mostly);
  CHECK(ranges.advice(1).read_mostly);
  ranges.remove(kBegin);
  CHECK_FALSE(ranges.advice(1).read_mostly);
  CHECK_FALSE(ranges.advice(1'000'000).preferred.has_value());
}

}  // namespace
}  // namespace warpsim
