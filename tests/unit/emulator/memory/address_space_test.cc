#include "emulator/memory/address_space.h"

#include <catch2/catch.hpp>
#include <cstring>
#include <vector>

#include "emulator/memory/device_memory.h"

namespace warpsim {
namespace {

constexpr std::uint64_t kOneMebibyte = 1ULL << 20;

TEST_CASE("address space: the memories of GPUs follow each other and find each other's allocations") {
  const auto placement = GENERATE(DeviceMemory::Placement::kWithGaps, DeviceMemory::Placement::kAsDriver);
  DeviceMemory first(64 * kOneMebibyte, placement);
  DeviceMemory second(64 * kOneMebibyte, first);
  const Address own = first.allocate(1000);
  const Address other = second.allocate(2000);
  CHECK(other >= DeviceMemory::kUsualBegin + 64 * kOneMebibyte);
  CHECK(first.find(other + 1999)->gpu == 1);
  CHECK(second.find(own)->gpu == 0);
  CHECK(first.used() == 1000);
  CHECK(second.used() == 2000);
  CHECK(first.is_device_address(other));
  std::memset(first.host(other, 2000), 7, 2000);
  CHECK(second.host(other, 1)[0] == std::byte{7});
  // Freed by whom it may be; its place is that of its GPU again.
  first.set_quarantine(0);
  CHECK(first.release(other));
  CHECK(second.used() == 0);
  REQUIRE(second.allocate(2000) == other);
  CHECK(second.host(other, 1)[0] == std::byte{0});
}

TEST_CASE("address space: kernels reach what is open to their GPU") {
  DeviceMemory first(64 * kOneMebibyte);
  DeviceMemory second(64 * kOneMebibyte, first);
  const Address earlier = second.allocate(100);
  CHECK(second.reaches(*second.find(earlier)));
  CHECK_FALSE(first.reaches(*first.find(earlier)));
  const std::uint64_t before = first.generation();
  second.open_to(0, true);
  CHECK(first.generation() != before);
  const Address later = second.allocate(100);
  CHECK(first.reaches(*first.find(earlier)));
  CHECK(first.reaches(*first.find(later)));
  CHECK_FALSE(second.reaches(*second.find(first.allocate(100))));
  second.open_to(0, false);
  CHECK_FALSE(first.reaches(*first.find(later)));
  CHECK(second.open_allocation(later, 0, true));
  CHECK(first.reaches(*first.find(later)));
  CHECK_FALSE(first.reaches(*first.find(earlier)));
  CHECK_FALSE(second.open_allocation(later + 1, 0, true));
}

TEST_CASE("address space: a watcher is told of allocations, releases and memory of the host") {
  DeviceMemory first(64 * kOneMebibyte);
  DeviceMemory second(64 * kOneMebibyte, first);
  std::vector<std::pair<std::uint32_t, bool>> seen;
  first.watch([&](const AddressSpace::Allocation& allocation, bool exists) {
    seen.emplace_back(allocation.registered ? 99 : allocation.gpu, exists);
  });
  const Address data = second.allocate(100);
  std::vector<char> buffer(100);
  first.register_host(buffer.data(), buffer.size());
  first.release(data);
  CHECK(seen == std::vector<std::pair<std::uint32_t, bool>>{{1, true}, {99, true}, {1, false}});
  AddressSpace empty;
  CHECK(empty.find(data) == nullptr);
  CHECK(empty.nearest(data) == nullptr);
  CHECK_FALSE(empty.overlaps(data, 10));
}

}  // namespace
}  // namespace warpsim
