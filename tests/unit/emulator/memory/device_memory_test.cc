#include "emulator/memory/device_memory.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

namespace warpsim {
namespace {

constexpr std::uint64_t kDeviceMib = 1ULL << 20;

TEST_CASE("allocations are aligned and not adjacent") {
  DeviceMemory memory(kDeviceMib);
  const Address first = memory.allocate(100);
  const Address second = memory.allocate(1);
  CHECK(first % DeviceMemory::kAlignment == 0);
  CHECK(second >= first + 100 + DeviceMemory::kAlignment);
  CHECK(memory.find(first + 99)->begin == first);
  CHECK(memory.find(first + 100) == nullptr);
  CHECK(memory.nearest(first + 100)->begin == first);
  CHECK(memory.used() == 101);
}

TEST_CASE("a range has host bytes only if it is within one allocation") {
  DeviceMemory memory(kDeviceMib);
  const Address begin = memory.allocate(64);
  std::byte* const bytes = memory.host(begin, 64);
  REQUIRE(bytes != nullptr);
  CHECK(memory.host(begin + 60, 4) == bytes + 60);
  CHECK(memory.host(begin + 60, 5) == nullptr);
  CHECK(memory.host(begin, ~0ULL) == nullptr);
  CHECK(memory.host(begin - 1, 1) == nullptr);
}

TEST_CASE("released memory is reused as zeros and merges with its neighbours") {
  DeviceMemory memory(kDeviceMib);
  const Address first = memory.allocate(kDeviceMib / 4);
  const Address second = memory.allocate(kDeviceMib / 4);
  std::memset(memory.host(first, kDeviceMib / 4), 1, kDeviceMib / 4);
  CHECK(memory.allocate(kDeviceMib / 2) == 0);  // gaps leave less than half
  CHECK(memory.release(first));
  CHECK_FALSE(memory.release(first));
  CHECK(memory.release(second));
  const Address whole = memory.allocate(kDeviceMib * 3 / 4);
  REQUIRE(whole == first);
  const std::byte* const bytes = memory.host(whole, kDeviceMib / 4);
  CHECK(std::vector<std::byte>(bytes, bytes + kDeviceMib / 4) == std::vector<std::byte>(kDeviceMib / 4));
}

TEST_CASE("memory of the host is registered at its own address, once") {
  DeviceMemory memory(kDeviceMib);
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

TEST_CASE("freed memory is reused only if there is no other space, the oldest first") {
  DeviceMemory memory(kDeviceMib);
  const Address first = memory.allocate(kDeviceMib / 4);
  const Address second = memory.allocate(kDeviceMib / 4);
  memory.release(second);
  memory.release(first);
  CHECK(memory.used() == 0);
  REQUIRE(memory.freed(first + 5) != nullptr);
  CHECK(memory.freed(first + 5)->bytes == kDeviceMib / 4);
  const Address third = memory.allocate(kDeviceMib / 4);
  CHECK(third > second);
  CHECK(memory.allocate(kDeviceMib / 4) == second);
  CHECK(memory.freed(second) == nullptr);
  CHECK(memory.freed(first) != nullptr);
}

TEST_CASE("the quarantine has a limit, and is off if the limit is 0") {
  DeviceMemory memory(kDeviceMib);
  memory.set_quarantine(1000);
  const Address first = memory.allocate(600);
  const Address second = memory.allocate(600);
  memory.release(first);
  CHECK(memory.freed(first) != nullptr);
  memory.release(second);
  CHECK(memory.freed(first) == nullptr);
  CHECK(memory.freed(second) != nullptr);
  memory.set_quarantine(0);
  const Address third = memory.allocate(600);
  CHECK(third == first);
  memory.release(third);
  CHECK(memory.allocate(600) == first);
}

TEST_CASE("memory that is allocated and freed in a loop is never exhausted") {
  DeviceMemory memory(kDeviceMib);
  for (int i = 0; i < 100'000; ++i) {
    const Address address = memory.allocate(1 + static_cast<std::uint64_t>(i) * 37 % (kDeviceMib / 2));
    REQUIRE(address != 0);
    REQUIRE(memory.release(address));
  }
  CHECK(memory.used() == 0);
  CHECK(memory.allocate(kDeviceMib - 1024) != 0);
}

TEST_CASE("the host can access managed memory at its address, but no other memory of the device") {
  DeviceMemory memory(kDeviceMib);
  const Address device = memory.allocate(100);
  REQUIRE(memory.reserved().bytes >= kDeviceMib);
  CHECK(device - memory.reserved().begin < memory.reserved().bytes);
  CHECK(memory.is_device_address(device + 10'000));
  CHECK(reinterpret_cast<Address>(memory.host(device, 100)) != device);
  REQUIRE(memory.has_managed());
  const Address managed = memory.allocate_managed(100);
  CHECK(reinterpret_cast<Address>(memory.host(managed, 100)) == managed);
  CHECK_FALSE(managed - memory.reserved().begin < memory.reserved().bytes);
  CHECK(memory.is_device_address(managed));
  CHECK(memory.used() == 200);
  CHECK(memory.allocate(kDeviceMib - 100) == 0);
}

TEST_CASE("freed pinned memory is detected until its addresses are pinned again") {
  DeviceMemory memory(kDeviceMib);
  std::vector<char> buffer(100);
  const auto address = reinterpret_cast<Address>(buffer.data());
  REQUIRE(memory.register_host(buffer.data(), 100));
  memory.release(address);
  CHECK(memory.freed(address + 99) != nullptr);
  REQUIRE(memory.register_host(buffer.data() + 50, 10));
  CHECK(memory.freed(address) == nullptr);
}

}  // namespace
}  // namespace warpsim
