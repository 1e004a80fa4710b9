// What the driver tells about pointers to memory that a program maps, and to memory of pools.
#include "cuda/memory/pointer_attributes.h"

#include <catch2/catch.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "cuda/calls.h"
#include "cuda/current_device.h"
#include "cuda/device/simulated_system.h"
#include "cuda/driver/driver_api.h"
#include "cuda/driver/virtual_memory_api.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/memory_pool_api.h"
#include "support/sizes.h"

namespace warpsim::cuda {
namespace {

using test::kMiB;

struct Pointers {
  Pointers() {
    DeviceOptions options;
    options.functional_only = true;
    process_context().use_devices(
        make_devices(std::vector<std::string>(2, WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml"), options));
    enter_primary_context();
  }
  ~Pointers() { process_context().use_device(nullptr); }
  Pointers(const Pointers&) = delete;
  Pointers& operator=(const Pointers&) = delete;

  // ~0: the attribute does not apply.
  static std::uint64_t get(int attribute, std::uint64_t address) {
    std::uint64_t value = 0;
    return cuPointerGetAttribute(&value, attribute, address) == 0 ? value : ~std::uint64_t{0};
  }
};

constexpr std::uint64_t kNotApplicable = ~std::uint64_t{0};

TEST_CASE("pointer attributes: of a mapping they tell the reserved range, the mapping and the access") {
  Pointers program;
  abi::AllocationProperties properties = {};
  properties.type = abi::kPinned;
  properties.location = {abi::MemoryLocation::kDevice, 1};
  properties.handle_types = abi::kFileDescriptor;
  std::uint64_t handle = 0;
  std::uint64_t begin = 0;
  REQUIRE(cuMemCreate(&handle, 2 * kMiB, &properties, 0) == 0);
  REQUIRE(cuMemAddressReserve(&begin, 16 * kMiB, 0, 0, 0) == 0);
  const std::uint64_t address = begin + 4 * kMiB;
  REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
  CHECK(Pointers::get(2, address + 5) == 2);
  CHECK(Pointers::get(3, address + 5) == kNotApplicable);
  CHECK(Pointers::get(4, address + 5) == kNotApplicable);
  CHECK(Pointers::get(9, address) == 1);
  CHECK(Pointers::get(11, address) == begin);
  CHECK(Pointers::get(12, address) == 16 * kMiB);
  CHECK(Pointers::get(14, address) == abi::kFileDescriptor);
  CHECK(Pointers::get(16, address) == abi::kNoAccess);
  CHECK(Pointers::get(17, address) == 0);
  CHECK(Pointers::get(18, address + 5) == 2 * kMiB);
  CHECK(Pointers::get(19, address + 5) == address);
  CHECK(Pointers::get(2, begin) == kNotApplicable);
  std::size_t bytes = 0;
  std::uint64_t range = 0;
  constexpr int kDriverNotFound = 500;
  CHECK(cuMemGetAddressRange_v2(&range, &bytes, address) == kDriverNotFound);
  const abi::AccessDescription access = {{abi::MemoryLocation::kDevice, 0}, abi::kReadAccess};
  REQUIRE(cuMemSetAccess(address, 2 * kMiB, &access, 1) == 0);
  CHECK(Pointers::get(3, address + 5) == address + 5);
  CHECK(Pointers::get(16, address) == abi::kReadAccess);
  CHECK(cuMemGetAddressRange_v2(&range, &bytes, address + 5) == 0);
  CHECK(range == address);
  CHECK(bytes == 2 * kMiB);
}

TEST_CASE("pointer attributes: of memory of a pool they tell the pool") {
  Pointers program;
  void* pool = nullptr;
  REQUIRE(cuDeviceGetDefaultMemPool(&pool, 0) == 0);
  std::uint64_t data = 0;
  REQUIRE(cuMemAllocFromPoolAsync(&data, kMiB, pool, nullptr) == 0);
  CHECK(Pointers::get(17, data + 5) == to_address(pool));
  CHECK(Pointers::get(2, data + 5) == 2);
  CHECK(Pointers::get(11, data + 5) == data);
  CHECK(Pointers::get(12, data + 5) == kMiB);
  CHECK(Pointers::get(16, data) == abi::kReadWriteAccess);
  CHECK(Pointers::get(13, data) == 1);
  CHECK(Pointers::get(5, data) == kNotApplicable);
}

TEST_CASE("pointer attributes: other memory of a GPU is accessible, and of no pool") {
  Pointers program;
  std::uint64_t data = 0;
  REQUIRE(cuMemAlloc_v2(&data, 100) == 0);
  CHECK(is_accessible(process_context(), data));
  CHECK(Pointers::get(3, data + 5) == data + 5);
  CHECK(Pointers::get(17, data) == 0);
  CHECK(Pointers::get(14, data) == 0);
  CHECK(Pointers::get(18, data) == 100);
  CHECK_FALSE(is_accessible(process_context(), 16));
}

}  // namespace
}  // namespace warpsim::cuda
