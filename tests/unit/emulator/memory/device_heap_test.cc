#include "emulator/memory/device_heap.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

constexpr std::uint64_t kMib = 1ULL << 20;

TEST_CASE("a heap gives allocations of the device up to its limit") {
  DeviceMemory memory(kMib);
  DeviceHeap heap(memory, 1000);
  const Address first = heap.allocate(600);
  REQUIRE(first != 0);
  CHECK(memory.find(first + 599)->name == "allocated by malloc() in a kernel");
  CHECK(heap.allocate(401) == 0);
  CHECK(heap.allocate(0) == 0);
  const Address second = heap.allocate(400);
  CHECK(second != 0);
  CHECK(heap.allocate(1) == 0);
  CHECK(heap.release(first));
  CHECK(memory.find(first) == nullptr);
  CHECK(heap.allocate(600) != 0);
}

TEST_CASE("a heap releases only its allocations, once") {
  DeviceMemory memory(kMib);
  DeviceHeap heap(memory, 1000);
  const Address other = memory.allocate(64);
  const Address own = heap.allocate(64);
  CHECK_FALSE(heap.release(other));
  CHECK_FALSE(heap.release(own + 16));
  CHECK(heap.release(own));
  CHECK_FALSE(heap.release(own));
  CHECK(memory.find(other) != nullptr);
}

TEST_CASE("a limit below the used size prevents allocations") {
  DeviceMemory memory(kMib);
  DeviceHeap heap(memory, 1000);
  const Address first = heap.allocate(600);
  heap.set_limit(100);
  CHECK(heap.allocate(1) == 0);
  CHECK(heap.release(first));
  CHECK(heap.allocate(101) == 0);
  CHECK(heap.allocate(100) != 0);
}

TEST_CASE("a heap cannot allocate more than the device has") {
  DeviceMemory memory(kMib);
  DeviceHeap heap(memory, ~std::uint64_t{0});
  CHECK(heap.allocate(2 * kMib) == 0);
  CHECK(heap.allocate(kMib / 2) != 0);
}

}  // namespace
}  // namespace warpsim
