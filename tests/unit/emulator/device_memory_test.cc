#include "emulator/device_memory.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

namespace warpsim {
namespace {

constexpr std::uint64_t kMib = 1ULL << 20;

TEST_CASE("allocations are aligned and do not touch") {
  DeviceMemory memory(kMib);
  const Address first = memory.allocate(100);
  const Address second = memory.allocate(1);
  CHECK(first % DeviceMemory::kAlignment == 0);
  CHECK(second >= first + 100 + DeviceMemory::kAlignment);
  CHECK(memory.find(first + 99)->begin == first);
  CHECK(memory.find(first + 100) == nullptr);
  CHECK(memory.nearest(first + 100)->begin == first);
  CHECK(memory.used() == 101);
}

TEST_CASE("a range is the host's bytes only if it lies within one allocation") {
  DeviceMemory memory(kMib);
  const Address begin = memory.allocate(64);
  std::byte* const bytes = memory.host(begin, 64);
  REQUIRE(bytes != nullptr);
  CHECK(memory.host(begin + 60, 4) == bytes + 60);
  CHECK(memory.host(begin + 60, 5) == nullptr);
  CHECK(memory.host(begin, ~0ULL) == nullptr);
  CHECK(memory.host(begin - 1, 1) == nullptr);
}

TEST_CASE("released memory comes back as zeros and joins its neighbours") {
  DeviceMemory memory(kMib);
  const Address first = memory.allocate(kMib / 4);
  const Address second = memory.allocate(kMib / 4);
  std::memset(memory.host(first, kMib / 4), 1, kMib / 4);
  CHECK(memory.allocate(kMib / 2) == 0);  // gaps leave less than half
  CHECK(memory.release(first));
  CHECK_FALSE(memory.release(first));
  CHECK(memory.release(second));
  const Address whole = memory.allocate(kMib * 3 / 4);
  REQUIRE(whole == first);
  const std::byte* const bytes = memory.host(whole, kMib / 4);
  CHECK(std::vector<std::byte>(bytes, bytes + kMib / 4) == std::vector<std::byte>(kMib / 4));
}

TEST_CASE("memory of the host is registered at its own address, once") {
  DeviceMemory memory(kMib);
  std::vector<char> buffer(100);
  CHECK(memory.register_host(buffer.data(), 100));
  CHECK_FALSE(memory.register_host(buffer.data() + 50, 10));
  const auto address = reinterpret_cast<Address>(buffer.data());
  CHECK(memory.find(address + 10)->registered);
  CHECK(memory.host(address, 100) == reinterpret_cast<std::byte*>(buffer.data()));
  const std::uint64_t before = memory.generation();
  CHECK(memory.release(address));
  CHECK(memory.generation() != before);
  CHECK(memory.find(address) == nullptr);
}

}  // namespace
}  // namespace warpsim
