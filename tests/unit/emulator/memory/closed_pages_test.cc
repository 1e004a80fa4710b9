#include "emulator/memory/closed_pages.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>

#include "emulator/memory/device_memory.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kArenaBytes = std::uint64_t{1} << 20;

// Asks the system, which refuses to read what the process cannot access.
bool can_read(Address address) {
  int ends[2];
  REQUIRE(::pipe2(ends, O_CLOEXEC) == 0);
  // NOLINTNEXTLINE(performance-no-int-to-ptr): the address is the point
  const bool can = ::write(ends[1], reinterpret_cast<const void*>(address), 1) == 1;
  ::close(ends[0]);
  ::close(ends[1]);
  return can;
}

TEST_CASE("closed pages: freed managed memory cannot be read by the host until it is reused") {
  DeviceMemory memory(kArenaBytes);
  REQUIRE(memory.has_managed());
  const Address small = memory.allocate_managed(4);
  const Address other = memory.allocate_managed(4);
  const Address large = memory.allocate_managed(3 * MemoryArena::kPage + 1);
  REQUIRE(memory.release(small));
  REQUIRE(memory.release(large));
  CHECK_FALSE(can_read(small));
  CHECK_FALSE(can_read(large));
  CHECK_FALSE(can_read(large + 3 * MemoryArena::kPage));
  CHECK(can_read(other));
  // All remaining memory is allocated: freed memory is reused, and contains zeros.
  while (const Address again = memory.allocate_managed(100)) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): the address is the point
    auto* const bytes = reinterpret_cast<unsigned char*>(again);
    REQUIRE(bytes[0] == 0);
    bytes[99] = 1;
  }
  CHECK(can_read(small));
  CHECK(can_read(large + 3 * MemoryArena::kPage));
}

TEST_CASE("closed pages: without a quarantine nothing is closed") {
  DeviceMemory memory(kArenaBytes);
  REQUIRE(memory.has_managed());
  memory.set_quarantine(0);
  const Address managed = memory.allocate_managed(100);
  REQUIRE(memory.release(managed));
  CHECK(can_read(managed));
}

TEST_CASE("closed pages: beyond the maximum of ranges the oldest are open again") {
  constexpr std::uint64_t kRanges = ClosedPages::kMaxRanges + 10;
  MemoryArena arena(0x6700'0000'0000, 2 * kRanges * MemoryArena::kPage, MemoryArena::HostAccess::kDirect);
  REQUIRE(arena.at_its_place());
  ClosedPages closed;
  const auto place = [&](std::uint64_t i) { return arena.begin() + 2 * i * MemoryArena::kPage; };
  for (std::uint64_t i = 0; i < kRanges; ++i) {
    closed.close(arena, place(i), 1);
  }
  CHECK(closed.ranges() == ClosedPages::kMaxRanges);
  CHECK(can_read(place(9)));
  CHECK_FALSE(can_read(place(10)));
  CHECK(can_read(place(10) + MemoryArena::kPage));
  closed.open(arena, place(5));  // is open
  CHECK(closed.ranges() == ClosedPages::kMaxRanges);
  closed.open(arena, place(10));
  CHECK(can_read(place(10)));
  CHECK_FALSE(can_read(place(11)));
}

TEST_CASE("closed pages: only memory at its own addresses can be closed") {
  MemoryArena arena(0x6700'0000'0000, kArenaBytes, MemoryArena::HostAccess::kNone);
  ClosedPages closed;
  closed.close(arena, arena.begin(), MemoryArena::kPage);
  CHECK(closed.ranges() == 0);
}

}  // namespace
}  // namespace warpsim
