#include "device/managed/managed_ranges.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr Address kRangesBegin = 0x6800'0000'0000;
constexpr std::uint64_t kRangesPiece = ManagedPages::kPieceBytes;

TEST_CASE("managed ranges: allocations have pieces, which small ones share") {
  const ManagedPages pages(kRangesBegin, std::uint64_t{1} << 30U);
  ManagedRanges ranges(pages);
  ranges.add(kRangesBegin, 4096);
  ranges.add(kRangesBegin + 8192, kRangesPiece);
  CHECK(ranges.existing(0) == 0b11);
  CHECK(ranges.allocations().size() == 1);
  CHECK(ranges.allocation_at(kRangesBegin + 100).end == 1);
  CHECK(ranges.allocation_at(kRangesBegin + 8192).end == 2);
  CHECK(ranges.allocation_at(kRangesBegin + 5000).end == 0);
  ranges.remove(kRangesBegin + 8192);
  CHECK(ranges.existing(0) == 0b1);
  ranges.remove(kRangesBegin);
  CHECK(ranges.existing(0) == 0);
  CHECK(ranges.allocations().empty());
  CHECK(ranges.existing(77) == 0);
}

TEST_CASE("managed ranges: advice ends with the allocation") {
  const ManagedPages pages(kRangesBegin, std::uint64_t{1} << 30U);
  ManagedRanges ranges(pages);
  ranges.add(kRangesBegin, 2 * kRangesPiece);
  ranges.advice_of(1).read_mostly = true;
  CHECK_FALSE(ranges.advice(0).read_mostly);
  CHECK(ranges.advice(1).read_mostly);
  ranges.remove(kRangesBegin);
  CHECK_FALSE(ranges.advice(1).read_mostly);
  CHECK_FALSE(ranges.advice(1'000'000).preferred.has_value());
}

}  // namespace
}  // namespace warpsim
