#include "emulator/memory/physical_memory.h"

#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <memory>

#include "emulator/memory/device_memory.h"
#include "support/sizes.h"

namespace warpsim {
namespace {

using test::kMiB;

TEST_CASE("physical memory: it counts on its GPU until its last owner is gone") {
  DeviceMemory memory(8 * kMiB);
  std::shared_ptr<PhysicalMemory> first = PhysicalMemory::create(memory.space(), 6 * kMiB, {0, 1});
  REQUIRE(first != nullptr);
  CHECK(memory.used() == 6 * kMiB);
  CHECK(PhysicalMemory::create(memory.space(), 4 * kMiB, {0, 1}) == nullptr);
  CHECK(memory.allocate(4 * kMiB) == 0);
  const std::shared_ptr<PhysicalMemory> same = first;
  first = nullptr;
  CHECK(memory.used() == 6 * kMiB);
  const std::shared_ptr<PhysicalMemory> of_host = PhysicalMemory::create(memory.space(), 64 * kMiB, {});
  REQUIRE(of_host != nullptr);
  CHECK(of_host->of_host());
  CHECK(memory.used() == 6 * kMiB);
  CHECK(PhysicalMemory::create(memory.space(), kMiB, {1, 1}) == nullptr);  // there is no such GPU
}

TEST_CASE("physical memory: a descriptor is imported as the same memory, also where it was unknown") {
  DeviceMemory memory(8 * kMiB);
  std::shared_ptr<PhysicalMemory> made = PhysicalMemory::create(memory.space(), 2 * kMiB, {0, 1});
  const int descriptor = dup(made->pages().descriptor());
  CHECK(PhysicalMemory::import(memory.space(), descriptor) == made);
  CHECK(memory.used() == 2 * kMiB);
  DeviceMemory of_other_process(8 * kMiB, DeviceMemory::Placement::kWithGaps, 0x7100'0000'0000);
  const std::shared_ptr<PhysicalMemory> imported = PhysicalMemory::import(of_other_process.space(), descriptor);
  REQUIRE(imported != nullptr);
  CHECK(imported->bytes() == 2 * kMiB);
  CHECK(imported->home().gpu == 0);
  CHECK(imported->identity() == made->identity());
  CHECK(of_other_process.used() == 2 * kMiB);
  made = nullptr;
  CHECK(memory.used() == 0);
  close(descriptor);
}

TEST_CASE("physical memory: other descriptors are not imported") {
  DeviceMemory memory(8 * kMiB);
  const int null_device = open("/dev/null", O_RDONLY);
  CHECK(PhysicalMemory::import(memory.space(), null_device) == nullptr);
  close(null_device);
  CHECK(PhysicalMemory::import(memory.space(), -1) == nullptr);
  const SharedPages pages(2 * kMiB);
  CHECK(PhysicalMemory::import(memory.space(), pages.descriptor()) == nullptr);
}

TEST_CASE("physical memory: it may outlive its GPU") {
  std::shared_ptr<PhysicalMemory> left;
  {
    DeviceMemory memory(8 * kMiB);
    left = PhysicalMemory::create(memory.space(), 2 * kMiB, {0, 1});
  }
  CHECK(left->bytes() == 2 * kMiB);
}

}  // namespace
}  // namespace warpsim
