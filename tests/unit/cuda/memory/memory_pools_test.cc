// All pools of a program, by the functions of runtime and driver: default and current pools, pools that are destroyed.
#include "cuda/memory/memory_pools.h"

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "cuda/calls.h"
#include "cuda/current_device.h"
#include "cuda/device/simulated_system.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/memory_pool_api.h"
#include "cuda/memory/pool_calls.h"
#include "cuda/runtime/runtime_api.h"
#include "support/sizes.h"

namespace warpsim::cuda {
namespace {

using test::kMiB;

struct AllPools {
  explicit AllPools(const char* gpu = "/configs/test_tiny.yaml", std::size_t gpus = 1) {
    DeviceOptions options;
    options.functional_only = true;
    process_context().use_devices(
        make_devices(std::vector<std::string>(gpus, std::string(WARPSIM_SOURCE_DIR) + gpu), options));
    enter_primary_context();
    cudaGetLastError();
  }
  ~AllPools() {
    process_context().use_device(nullptr);
    process_context().forget_errors();
  }
  AllPools(const AllPools&) = delete;
  AllPools& operator=(const AllPools&) = delete;

  static void* make(int gpu = 0) {
    abi::MemoryPoolProperties properties = {};
    properties.allocation_type = abi::kPinned;
    properties.location_type = abi::MemoryLocation::kDevice;
    properties.location = gpu;
    void* made = nullptr;
    REQUIRE(cuMemPoolCreate(&made, &properties) == 0);
    return made;
  }
};

TEST_CASE("memory pools: a device has a default pool, and one that is current") {
  AllPools program("/configs/test_tiny.yaml", 2);
  void* first = nullptr;
  void* pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&first, 0) == kSuccess);
  CHECK(cuDeviceGetDefaultMemPool(&pool, 0) == 0);
  CHECK(pool == first);
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 1) == kSuccess);
  CHECK(pool != first);
  CHECK(cudaDeviceGetMemPool(&pool, 0) == kSuccess);
  CHECK(pool == first);
  void* const made = AllPools::make();
  CHECK(cudaDeviceSetMemPool(0, made) == kSuccess);
  CHECK(cudaDeviceSetMemPool(1, made) == kInvalidValue);
  CHECK(cudaDeviceSetMemPool(0, nullptr) == kInvalidValue);
  CHECK(cuDeviceSetMemPool(5, made) == kInvalidValue);
  CHECK(cuDeviceGetMemPool(&pool, 0) == 0);
  CHECK(pool == made);
  void* data = nullptr;
  REQUIRE(cudaMallocAsync(&data, 100, nullptr) == kSuccess);
  CHECK(process_context().pools().owner(to_address(data)) == made);
  CHECK(process_context().pools().owner(to_address(data) + 1) == nullptr);
  CHECK(cudaMemPoolDestroy(made) == kSuccess);
  CHECK(cudaDeviceGetMemPool(&pool, 0) == kSuccess);
  CHECK(pool == first);
  CHECK(cudaMemPoolDestroy(first) == kInvalidValue);
  CHECK(cudaMemPoolDestroy(nullptr) == kInvalidValue);
}

TEST_CASE("memory pools: memory of a destroyed pool is used until it is freed") {
  AllPools program;
  const std::uint64_t before = process_context().device().memory().used();
  void* const pool = AllPools::make();
  std::uint64_t data = 0;
  REQUIRE(cuMemAllocFromPoolAsync(&data, 10 * kMiB, pool, nullptr) == 0);
  CHECK(cuMemPoolDestroy(pool) == 0);
  CHECK(cuMemPoolTrimTo(pool, 0) == kInvalidValue);
  CHECK(cuMemPoolDestroy(pool) == kInvalidValue);
  std::uint64_t other = 0;
  CHECK(cuMemAllocFromPoolAsync(&other, 1, pool, nullptr) == kInvalidValue);
  CHECK(cuMemsetD8_v2(data, 1, 10 * kMiB) == 0);
  CHECK(process_context().device().memory().used() == before + 32 * kMiB);
  CHECK(cuMemFreeAsync(data, nullptr) == 0);
  CHECK(cuCtxSynchronize() == 0);
  CHECK(process_context().device().memory().used() == before);
  CHECK(process_context().pools().owner(data) == nullptr);
}

TEST_CASE("memory pools: memory is freed once, at its beginning, by the stream or by the host") {
  AllPools program;
  std::uint64_t data = 0;
  REQUIRE(cuMemAllocAsync(&data, kMiB, nullptr) == 0);
  CHECK(cuMemFreeAsync(data + 512, nullptr) == kInvalidValue);
  CHECK(cuMemFreeAsync(0, nullptr) == 0);
  CHECK(cuMemFreeAsync(data, nullptr) == 0);
  CHECK(cuMemFreeAsync(data, nullptr) == kInvalidValue);
  CHECK(cuMemsetD8_v2(data, 1, 1) == kInvalidValue);
  REQUIRE(cuMemAllocAsync(&data, kMiB, nullptr) == 0);
  CHECK(cuMemFree_v2(data) == 0);
  CHECK(cuMemFree_v2(data) == kInvalidValue);
}

TEST_CASE("memory pools: locations and types have pools, as far as they are supported") {
  AllPools program;
  void* pool = nullptr;
  void* of_device = nullptr;
  REQUIRE(cuDeviceGetDefaultMemPool(&of_device, 0) == 0);
  const abi::MemoryLocation device = {abi::MemoryLocation::kDevice, 0};
  const abi::MemoryLocation host = {abi::MemoryLocation::kHost, 0};
  const abi::MemoryLocation thread = {abi::MemoryLocation::kHostNumaCurrent, 0};
  const abi::MemoryLocation none = {0, 0};
  CHECK(cudaMemGetDefaultMemPool(&pool, &device, abi::kPinned) == kSuccess);
  CHECK(pool == of_device);
  CHECK(cuMemGetDefaultMemPool(&pool, &host, abi::kPinned) == 0);
  CHECK(pool != of_device);
  CHECK(cuMemPoolDestroy(pool) == kInvalidValue);
  CHECK(cuMemGetMemPool(&of_device, &host, abi::kPinned) == 0);
  CHECK(pool == of_device);
  CHECK(cuMemSetMemPool(&device, abi::kPinned, pool) == kInvalidValue);
  CHECK(cuMemSetMemPool(&host, abi::kPinned, pool) == 0);
  CHECK(cudaMemSetMemPool(&device, abi::kPinned, AllPools::make()) == kSuccess);
  CHECK(cudaMemGetMemPool(&pool, &device, abi::kPinned) == kSuccess);
  CHECK(cuMemGetDefaultMemPool(&pool, &none, abi::kPinned) == kInvalidValue);
  CHECK(cuMemGetDefaultMemPool(&pool, &device, 0) == kInvalidValue);
  CHECK(cuMemGetDefaultMemPool(&pool, &thread, abi::kPinned) == kNotSupported);
  CHECK(cuMemGetDefaultMemPool(&pool, &device, abi::kManagedByDriver) == kNotSupported);
  CHECK(cuMemGetDefaultMemPool(&pool, nullptr, abi::kPinned) == kInvalidValue);
}

TEST_CASE("memory pools: GPUs before Pascal have none") {
  AllPools program("/configs/gtx980.yaml");
  int value = 9;
  constexpr int kMemoryPoolsSupported = 115;
  constexpr int kMappingsSupported = 102;
  CHECK(cuDeviceGetAttribute(&value, kMemoryPoolsSupported, 0) == 0);
  CHECK(value == 0);
  CHECK(cuDeviceGetAttribute(&value, kMappingsSupported, 0) == 0);
  CHECK(value == 1);
  void* data = nullptr;
  CHECK(cudaMallocAsync(&data, 100, nullptr) == kNotSupported);
}

TEST_CASE("memory pools: what the functions do reports missing results and pools") {
  AllPools program;
  Context& context = process_context();
  CHECK_THROWS_AS(pool_calls::trim(context, nullptr, 0), CallError);
  CHECK_THROWS_AS(pool_calls::create(context, nullptr), CallError);
  CHECK_THROWS_AS(pool_calls::current_of_device(context, 4), CallError);
  CHECK(pool_calls::default_of_device(context, 0) == pool_calls::current_of_device(context, 0));
}

}  // namespace
}  // namespace warpsim::cuda
