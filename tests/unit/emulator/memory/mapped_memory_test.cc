#include "emulator/memory/mapped_memory.h"

#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "emulator/memory/device_memory.h"
#include "support/sizes.h"

namespace warpsim {
namespace {

using test::kMiB;

struct TwoMappings {
  DeviceMemory memory{64 * kMiB};
  MappedMemory& mapped = memory.mapped();
  std::shared_ptr<PhysicalMemory> large = PhysicalMemory::create(memory.space(), 4 * kMiB, {0, 1});
  std::shared_ptr<PhysicalMemory> small = PhysicalMemory::create(memory.space(), 2 * kMiB, {0, 1});
  Address begin = mapped.ranges().reserve(16 * kMiB, 2 * kMiB, 0)->begin;

  TwoMappings() {
    REQUIRE(mapped.map(begin, large, 1));
    REQUIRE(mapped.map(begin + 4 * kMiB, small, 2));
  }
  const DeviceMemory::Allocation& at(Address address) const { return *memory.find(address); }
};

TEST_CASE("mapped memory: mappings are found as allocations, and ranges of whole mappings") {
  TwoMappings m;
  CHECK(m.at(m.begin + 5).begin == m.begin);
  CHECK(m.at(m.begin + 4 * kMiB).bytes == 2 * kMiB);
  CHECK(m.memory.find(m.begin + 6 * kMiB) == nullptr);
  CHECK(m.memory.is_device_address(m.begin + 6 * kMiB));
  CHECK(m.mapped.find(m.begin + 4 * kMiB - 1)->handle == 1);
  CHECK(m.mapped.in(m.begin + kMiB, 4 * kMiB).size() == 2);
  CHECK(m.mapped.in(m.begin + 6 * kMiB, 8 * kMiB).empty());
  CHECK(m.mapped.is_whole(m.begin, 6 * kMiB));
  CHECK_FALSE(m.mapped.is_whole(m.begin, 8 * kMiB));
  CHECK_FALSE(m.mapped.is_whole(m.begin + 2 * kMiB, 4 * kMiB));
}

TEST_CASE("mapped memory: kernels reach what is opened to their GPU, as it is opened") {
  TwoMappings m;
  CHECK_FALSE(m.memory.reaches(m.at(m.begin)));
  const std::uint64_t before = m.memory.generation();
  m.mapped.open_to_gpu(m.begin, 0, MappedMemory::Access::kRead);
  CHECK(m.memory.generation() != before);
  CHECK(m.memory.reaches(m.at(m.begin)));
  CHECK_FALSE(m.memory.reaches(m.at(m.begin), true));
  CHECK(m.mapped.access_of_gpu(m.begin, 0) == MappedMemory::Access::kRead);
  m.mapped.open_to_gpu(m.begin, 0, MappedMemory::Access::kReadWrite);
  CHECK(m.memory.reaches(m.at(m.begin), true));
  m.memory.open_to(1, true);  // access between GPUs is of other memory
  CHECK(m.mapped.access_of_gpu(m.begin, 1) == MappedMemory::Access::kNone);
  m.mapped.open_to_gpu(m.begin, 0, MappedMemory::Access::kNone);
  CHECK_FALSE(m.memory.reaches(m.at(m.begin)));
}

TEST_CASE("mapped memory: neighbours are one piece as far as they are open") {
  TwoMappings m;
  m.mapped.open_to_gpu(m.begin, 0, MappedMemory::Access::kReadWrite);
  CHECK(m.memory.end_of_run(m.at(m.begin), true) == m.begin + 4 * kMiB);
  m.mapped.open_to_gpu(m.begin + 4 * kMiB, 0, MappedMemory::Access::kRead);
  CHECK(m.memory.end_of_run(m.at(m.begin), true) == m.begin + 4 * kMiB);
  CHECK(m.memory.end_of_run(m.at(m.begin), false) == m.begin + 6 * kMiB);
  std::byte* const host = m.memory.host(m.begin + 4 * kMiB - 8, 16);
  REQUIRE(host != nullptr);
  host[8] = std::byte{3};
  CHECK(*m.memory.host(m.begin + 4 * kMiB, 1) == std::byte{3});
  CHECK(m.memory.host(m.begin + 4 * kMiB, 2 * kMiB + 1) == nullptr);
}

TEST_CASE("mapped memory: one memory has several places, and is kept by them") {
  TwoMappings m;
  REQUIRE(m.mapped.map(m.begin + 8 * kMiB, m.small, 2));
  *m.memory.host(m.begin + 4 * kMiB + 9, 1) = std::byte{4};
  CHECK(*m.memory.host(m.begin + 8 * kMiB + 9, 1) == std::byte{4});
  m.small = nullptr;
  m.mapped.unmap(m.begin + 4 * kMiB);
  CHECK(m.memory.find(m.begin + 4 * kMiB) == nullptr);
  CHECK(*m.memory.host(m.begin + 8 * kMiB + 9, 1) == std::byte{4});
  CHECK(m.memory.used() == 6 * kMiB);
  m.mapped.unmap(m.begin + 8 * kMiB);
  CHECK(m.memory.used() == 4 * kMiB);
}

TEST_CASE("mapped memory: the address space tells of mappings, with the memory that they are of") {
  DeviceMemory memory(64 * kMiB);
  std::vector<bool> of_host;
  int exist = 0;
  memory.watch([&](const DeviceMemory::Allocation& allocation, bool exists) {
    of_host.push_back(allocation.registered);
    exist += exists ? 1 : -1;
  });
  MappedMemory& mapped = memory.mapped();
  const Address begin = mapped.ranges().reserve(4 * kMiB, 2 * kMiB, 0)->begin;
  REQUIRE(mapped.map(begin, PhysicalMemory::create(memory.space(), 2 * kMiB, {0, 1}), 1));
  REQUIRE(mapped.map(begin + 2 * kMiB, PhysicalMemory::create(memory.space(), 2 * kMiB, {}), 2));
  CHECK(of_host == std::vector<bool>{false, true});
  CHECK(exist == 2);
  REQUIRE(mapped.open_to_host(begin + 2 * kMiB, MappedMemory::Access::kReadWrite, true));
  *reinterpret_cast<int*>(begin + 2 * kMiB) = 11;
  CHECK(*reinterpret_cast<const int*>(memory.host(begin + 2 * kMiB, 4)) == 11);
  CHECK(mapped.find(begin + 2 * kMiB)->host == MappedMemory::Access::kReadWrite);
  mapped.open_to_numa_node(begin + 2 * kMiB, MappedMemory::Access::kRead);
  CHECK(mapped.find(begin + 2 * kMiB)->numa_node == MappedMemory::Access::kRead);
  mapped.unmap(begin + 2 * kMiB);
  mapped.unmap(begin);
  CHECK(exist == 0);
}

}  // namespace
}  // namespace warpsim
