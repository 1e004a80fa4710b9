#include "cuda/memory/shared_pool.h"

#include <unistd.h>

#include <catch2/catch.hpp>

#include "cuda/calls.h"
#include "cuda/current_device.h"
#include "cuda/device/simulated_device.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/memory_pool_api.h"
#include "support/sizes.h"

namespace warpsim::cuda {
namespace {

using test::kMiB;

TEST_CASE("shared pool: a block is the same memory wherever it is opened") {
  DeviceMemory memory(64 * kMiB);
  const auto pool = SharedPool::create(64 * kMiB, 0);
  const int descriptor = pool->share();
  const auto again = SharedPool::import(descriptor);
  REQUIRE(again != nullptr);
  close(descriptor);
  const SharedPool::Block block{5 * kMiB + 512, 1000};
  const Address first = pool->open(memory, block, 1);
  const auto known = again->described(pool->describe(block));
  REQUIRE(known.has_value());
  const Address second = again->open(memory, *known, 1);
  REQUIRE(first != 0);
  CHECK(first % 512 == 0);
  CHECK(second != first);
  CHECK(memory.find(first)->bytes == 1000);
  memory.host(first, 1000)[999] = std::byte{6};
  CHECK(memory.host(second, 1000)[999] == std::byte{6});
  SharedPool::close(memory, first);
  CHECK(memory.find(first) == nullptr);
  CHECK(memory.freed(first) != nullptr);
  CHECK(memory.host(second, 1000)[999] == std::byte{6});
  SharedPool::close(memory, second);
  CHECK(memory.used() == 0);
}

TEST_CASE("shared pool: whole pages of a block are given back, and not those of its neighbours") {
  DeviceMemory memory(64 * kMiB);
  const auto pool = SharedPool::create(64 * kMiB, 0);
  const SharedPool::Block all{0, 3 * 4096};
  const Address begin = pool->open(memory, all, 1);
  std::byte* const bytes = memory.host(begin, 3 * 4096);
  bytes[100] = bytes[5000] = bytes[9000] = std::byte{1};
  pool->clear({512, 2 * 4096});
  CHECK(bytes[100] == std::byte{1});
  CHECK(bytes[5000] == std::byte{0});
  CHECK(bytes[9000] == std::byte{1});
  CHECK(pool->open(memory, {64 * kMiB, 512}, 1) == 0);
}

TEST_CASE("shared pool: other descriptors and pointers are not taken") {
  const auto pool = SharedPool::create(kMiB, 0);
  const auto other = SharedPool::create(kMiB, 0);
  CHECK_FALSE(other->described(pool->describe({0, 512})).has_value());
  CHECK_FALSE(pool->described(pool->describe({kMiB, 512})).has_value());
  CHECK_FALSE(pool->described({}).has_value());
  CHECK(SharedPool::import(-1) == nullptr);
  CHECK(SharedPool::import(0) == nullptr);
}

struct SharingPools {
  SharingPools() {
    DeviceOptions options;
    options.functional_only = true;
    process_context().use_device(
        std::make_unique<SimulatedDevice>(WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml", options));
    enter_primary_context();
  }
  ~SharingPools() { process_context().use_device(nullptr); }
  SharingPools(const SharingPools&) = delete;
  SharingPools& operator=(const SharingPools&) = delete;
};

void* shareable(int descriptor) {
  return reinterpret_cast<void*>(std::intptr_t{descriptor});  // NOLINT(performance-no-int-to-ptr): as CUDA takes it
}

TEST_CASE("shared pool: a pool and its pointers are exported and imported by the driver's functions") {
  SharingPools program;
  abi::MemoryPoolProperties properties = {};
  properties.allocation_type = abi::kPinned;
  properties.location_type = abi::MemoryLocation::kDevice;
  properties.handle_types = abi::kFileDescriptor;
  void* pool = nullptr;
  void* of_device = nullptr;
  REQUIRE(cuMemPoolCreate(&pool, &properties) == 0);
  REQUIRE(cuDeviceGetDefaultMemPool(&of_device, 0) == 0);
  int descriptor = -1;
  CHECK(cuMemPoolExportToShareableHandle(&descriptor, of_device, abi::kFileDescriptor, 0) == kInvalidValue);
  CHECK(cuMemPoolExportToShareableHandle(&descriptor, pool, abi::kWin32, 0) == kInvalidValue);
  CHECK(cuMemPoolExportToShareableHandle(&descriptor, pool, abi::kFileDescriptor, 1) == kInvalidValue);
  REQUIRE(cuMemPoolExportToShareableHandle(&descriptor, pool, abi::kFileDescriptor, 0) == 0);
  std::uint64_t data = 0;
  std::uint64_t other = 0;
  REQUIRE(cuMemAllocFromPoolAsync(&data, kMiB, pool, nullptr) == 0);
  REQUIRE(cuMemAllocFromPoolAsync(&other, 100, of_device, nullptr) == 0);
  abi::PoolPointer pointer = {};
  CHECK(cuMemPoolExportPointer(&pointer, data + 8) == kInvalidValue);
  CHECK(cuMemPoolExportPointer(&pointer, other) == kInvalidValue);
  REQUIRE(cuMemPoolExportPointer(&pointer, data) == 0);
  void* imported = nullptr;
  CHECK(cuMemPoolImportFromShareableHandle(&imported, shareable(999), abi::kFileDescriptor, 0) == kUnknown);
  REQUIRE(cuMemPoolImportFromShareableHandle(&imported, shareable(descriptor), abi::kFileDescriptor, 0) == 0);
  std::uint64_t same = 0;
  CHECK(cuMemPoolImportPointer(&same, pool, &pointer) == kInvalidValue);
  REQUIRE(cuMemPoolImportPointer(&same, imported, &pointer) == 0);
  CHECK(same != data);
  CHECK(cuMemsetD8_v2(data, 42, 64) == 0);
  char byte = 0;
  CHECK(cuMemcpyDtoH_v2(&byte, same + 63, 1) == 0);
  CHECK(byte == 42);
  CHECK(cuMemAllocFromPoolAsync(&other, 100, imported, nullptr) == kInvalidValue);
  CHECK(cuDeviceSetMemPool(0, imported) == kInvalidValue);
  CHECK(cuMemPoolTrimTo(imported, 0) == kInvalidValue);
  CHECK(cuMemPoolDestroy(imported) == 0);
  CHECK(cuMemFreeAsync(same, nullptr) == 0);
  CHECK(cuMemFree_v2(data) == 0);
  CHECK(cuMemPoolDestroy(pool) == 0);
  close(descriptor);
}

}  // namespace
}  // namespace warpsim::cuda
