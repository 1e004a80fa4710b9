#include "emulator/memory/arena_sharing.h"

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>

#include "emulator/memory/device_memory.h"

namespace warpsim {
namespace {

constexpr Address kArenaBegin = 0x6c00'4000'0000;
constexpr std::uint64_t kPageBytes = MemoryArena::kPage;

SharedPages same_pages(const ArenaSharing& sharing) {
  return SharedPages::of_descriptor(dup(sharing.descriptor()));
}

TEST_CASE("arena sharing: shared pages keep their contents and their place, and are the same at another one") {
  const MemoryArena arena(kArenaBegin, 64 * kPageBytes, MemoryArena::HostAccess::kNone);
  MemoryArena other(kArenaBegin + 0x1000'0000, 64 * kPageBytes, MemoryArena::HostAccess::kNone);
  ArenaSharing sharing(arena);
  std::byte* const bytes = arena.host(kArenaBegin);
  bytes[5 * kPageBytes + 100] = std::byte{7};
  bytes[8 * kPageBytes] = std::byte{8};
  sharing.share(kArenaBegin + 5 * kPageBytes + 64, 2 * kPageBytes);  // three pages
  CHECK(bytes[5 * kPageBytes + 100] == std::byte{7});
  CHECK_FALSE(sharing.is_shared(kArenaBegin + 5 * kPageBytes - 1));
  CHECK(sharing.is_shared(kArenaBegin + 5 * kPageBytes));
  CHECK(sharing.is_shared(kArenaBegin + 8 * kPageBytes - 1));
  CHECK_FALSE(sharing.is_shared(kArenaBegin + 8 * kPageBytes));

  const SharedPages pages = same_pages(sharing);
  const std::uint64_t offset = sharing.offset_of(kArenaBegin + 5 * kPageBytes);
  REQUIRE(put_foreign_pages(other, other.begin() + kPageBytes, pages, offset, 3 * kPageBytes));
  std::byte* const there = other.host(other.begin() + kPageBytes);
  CHECK(there[100] == std::byte{7});
  there[kPageBytes + 3] = std::byte{9};
  CHECK(bytes[6 * kPageBytes + 3] == std::byte{9});

  // Again, with pages before and after.
  sharing.share(kArenaBegin + 4 * kPageBytes, 6 * kPageBytes);
  CHECK(bytes[6 * kPageBytes + 3] == std::byte{9});
  CHECK(bytes[8 * kPageBytes] == std::byte{8});
  CHECK(sharing.is_shared(kArenaBegin + 9 * kPageBytes));

  put_own_pages(other, other.begin() + kPageBytes, 3 * kPageBytes);
  CHECK(there[100] == std::byte{0});
  CHECK(bytes[5 * kPageBytes + 100] == std::byte{7});
}

TEST_CASE("arena sharing: cleared pages are zero in all mappings") {
  MemoryArena arena(kArenaBegin, 64 * kPageBytes, MemoryArena::HostAccess::kNone);
  ArenaSharing sharing(arena);
  std::memset(arena.host(kArenaBegin), 1, 6 * kPageBytes);
  sharing.share(kArenaBegin + kPageBytes, 3 * kPageBytes);
  const Address begin = kArenaBegin + kPageBytes / 2;
  arena.clear(begin, 4 * kPageBytes);
  sharing.clear(begin, 4 * kPageBytes);
  const std::byte* const bytes = arena.host(kArenaBegin);
  CHECK(bytes[kPageBytes / 2 - 1] == std::byte{1});
  for (std::uint64_t page = 0; page < 4; ++page) {
    CHECK(bytes[page * kPageBytes + kPageBytes / 2] == std::byte{0});
    CHECK(bytes[(page + 1) * kPageBytes] == std::byte{0});
  }
  CHECK(bytes[4 * kPageBytes + kPageBytes / 2] == std::byte{1});
}

TEST_CASE("device memory: an allocation of another process has the same bytes, and goes without a trace") {
  for (const auto placement : {DeviceMemory::Placement::kWithGaps, DeviceMemory::Placement::kAsDriver}) {
    constexpr std::uint64_t kCapacity = std::uint64_t{256} << 20U;
    DeviceMemory owner(kCapacity, placement, kArenaBegin);
    DeviceMemory user(kCapacity, placement, kArenaBegin + 2 * kCapacity);
    const Address before = owner.allocate(512);
    const Address shared = owner.allocate(5000);
    std::memset(owner.host(before, 512), 3, 512);
    std::memset(owner.host(shared, 5000), 4, 5000);
    CHECK_FALSE(owner.is_shared());
    const DeviceMemory::ExportedPages exported = owner.export_allocation(shared);
    CHECK(owner.is_shared());
    CHECK(owner.find(shared)->sharing == AddressSpace::Sharing::kExported);
    CHECK(exported.bytes == 5000);
    CHECK(owner.export_allocation(shared).offset == exported.offset);

    const SharedPages pages = SharedPages::of_descriptor(dup(exported.descriptor));
    const Address imported = user.import_allocation(pages, exported.offset, exported.bytes);
    REQUIRE(imported != 0);
    CHECK(user.used() == 0);
    CHECK(user.is_shared());
    REQUIRE(user.host(imported, 5000) != nullptr);
    CHECK(user.host(imported, 5001) == nullptr);
    CHECK(*user.host(imported + 4999, 1) == std::byte{4});
    *user.host(imported + 77, 1) = std::byte{5};
    CHECK(*owner.host(shared + 77, 1) == std::byte{5});
    CHECK(*owner.host(before, 1) == std::byte{3});

    CHECK(user.release(imported));
    CHECK(user.find(imported) == nullptr);
    CHECK(user.freed(imported) != nullptr);
    CHECK(*owner.host(shared + 77, 1) == std::byte{5});
    CHECK(user.used() == 0);

    // What was freed is not there for a new allocation at the same place.
    owner.set_quarantine(0);
    CHECK(owner.release(shared));
    const Address again = owner.allocate(5000);
    CHECK(again == shared);
    CHECK(*owner.host(again + 77, 1) == std::byte{0});
    CHECK(*owner.host(again + 4999, 1) == std::byte{0});
  }
}

}  // namespace
}  // namespace warpsim
