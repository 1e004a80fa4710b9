#include "emulator/memory/reserved_ranges.h"

#include <sys/mman.h>

#include <catch2/catch.hpp>

#include "support/sizes.h"

namespace warpsim {
namespace {

using test::kMiB;

TEST_CASE("reserved ranges: they follow each other at fixed addresses, and are not used again soon") {
  ReservedRanges ranges;
  const ReservedRanges::Range* const first = ranges.reserve(4 * kMiB, 2 * kMiB, 0);
  REQUIRE(first != nullptr);
  const Address begin = first->begin;
  CHECK(begin % (2 * kMiB) == 0);
  CHECK(ranges.find(begin + 4 * kMiB - 1) == first);
  CHECK(ranges.find(begin + 4 * kMiB) == nullptr);
  CHECK(ranges.find(begin - 1) == nullptr);
  const ReservedRanges::Range* const second = ranges.reserve(2 * kMiB, 64 * kMiB, 0);
  REQUIRE(second != nullptr);
  CHECK(second->begin % (64 * kMiB) == 0);
  CHECK(second->begin >= begin + 4 * kMiB);
  ranges.release(begin);
  CHECK(ranges.find(begin) == nullptr);
  CHECK(ranges.reserve(4 * kMiB, 2 * kMiB, 0)->begin > begin);
  CHECK(ranges.reserve(ReservedRanges::kWindowBytes + 2 * kMiB, 2 * kMiB, 0) == nullptr);
}

TEST_CASE("reserved ranges: a wanted address is taken if nothing is there") {
  ReservedRanges ranges;
  const Address begin = ranges.reserve(4 * kMiB, 2 * kMiB, 0)->begin;
  CHECK(ranges.reserve(4 * kMiB, 2 * kMiB, begin + 4 * kMiB)->begin == begin + 4 * kMiB);
  CHECK(ranges.reserve(2 * kMiB, 2 * kMiB, begin + 2 * kMiB)->begin == begin + 8 * kMiB);
  // The process has something else there.
  void* const own = mmap(nullptr, 4 * kMiB, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  const auto inside = (reinterpret_cast<Address>(own) + 2 * kMiB - 1) / (2 * kMiB) * (2 * kMiB);
  const ReservedRanges::Range* const elsewhere = ranges.reserve(2 * kMiB, 2 * kMiB, inside);
  REQUIRE(elsewhere != nullptr);
  CHECK(elsewhere->begin != inside);
  munmap(own, 4 * kMiB);
}

TEST_CASE("reserved ranges: pages that are put beside each other are one piece, until they are taken") {
  ReservedRanges ranges;
  const ReservedRanges::Range range = *ranges.reserve(6 * kMiB, 2 * kMiB, 0);
  const SharedPages pages(2 * kMiB);
  REQUIRE(ReservedRanges::put(range, range.begin, pages, 2 * kMiB));
  REQUIRE(ReservedRanges::put(range, range.begin + 2 * kMiB, pages, 2 * kMiB));
  range.host(range.begin)[5] = std::byte{7};
  CHECK(range.alias[2 * kMiB + 5] == std::byte{7});
  // The host program sees them where they are opened.
  REQUIRE(ReservedRanges::open(range.begin, pages, 2 * kMiB, ReservedRanges::Access::kReadWrite));
  auto* const seen = reinterpret_cast<std::byte*>(range.begin);
  CHECK(seen[5] == std::byte{7});
  seen[6] = std::byte{8};
  CHECK(range.alias[6] == std::byte{8});
  ReservedRanges::take(range, range.begin, 2 * kMiB);
  CHECK(range.alias[2 * kMiB + 6] == std::byte{8});
  CHECK(msync(range.alias, 4096, MS_ASYNC) == 0);  // still reserved
}

}  // namespace
}  // namespace warpsim
