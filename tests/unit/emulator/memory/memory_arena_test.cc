#include "emulator/memory/memory_arena.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr Address kBegin = 0x6c00'0000'0000;
constexpr std::uint64_t kBytes = 1 << 20;

TEST_CASE("memory arena: addresses are taken from the first range with space") {
  MemoryArena arena(kBegin, kBytes, MemoryArena::HostAccess::kNone);
  CHECK(arena.take(1024, 512) == kBegin);
  CHECK(arena.take(512, 4096) == kBegin + 4096);
  CHECK(arena.take(512, 512) == kBegin + 1024);  // before the aligned one
  CHECK_FALSE(arena.take(kBytes, 512));
  arena.give_back(kBegin, 1024);
  CHECK(arena.take(512, 512) == kBegin);
}

TEST_CASE("memory arena: adjacent free ranges are merged") {
  MemoryArena arena(kBegin, kBytes, MemoryArena::HostAccess::kNone);
  CHECK(arena.take(kBytes / 2, 512) == kBegin);
  CHECK(arena.take(kBytes / 2, 512) == kBegin + kBytes / 2);
  arena.give_back(kBegin, kBytes / 2);
  CHECK_FALSE(arena.take_around(kBegin + kBytes - 1, kBytes, 512));
  arena.give_back(kBegin + kBytes / 2, kBytes / 2);
  CHECK(arena.take_around(kBegin + kBytes - 1, kBytes, 512) == kBegin);
}

TEST_CASE("memory arena: bytes are at their addresses or elsewhere, and are cleared") {
  MemoryArena managed(kBegin, kBytes, MemoryArena::HostAccess::kDirect);
  REQUIRE(managed.at_its_place());
  CHECK(reinterpret_cast<Address>(managed.host(kBegin + 5)) == kBegin + 5);
  MemoryArena device(kBegin + kBytes, kBytes, MemoryArena::HostAccess::kNone);
  REQUIRE(device.at_its_place());
  std::byte* const bytes = device.host(kBegin + kBytes);
  CHECK_FALSE(device.contains(reinterpret_cast<Address>(bytes)));
  for (std::size_t i = 0; i < 20'000; ++i) {
    bytes[i] = std::byte{1};
  }
  device.clear(kBegin + kBytes + 100, 15'000);
  CHECK(bytes[99] == std::byte{1});
  CHECK(bytes[100] == std::byte{0});
  CHECK(bytes[8192] == std::byte{0});
  CHECK(bytes[15'099] == std::byte{0});
  CHECK(bytes[15'100] == std::byte{1});
  // The place is occupied now.
  const MemoryArena second(kBegin, kBytes, MemoryArena::HostAccess::kDirect);
  CHECK_FALSE(second.at_its_place());
}

}  // namespace
}  // namespace warpsim
