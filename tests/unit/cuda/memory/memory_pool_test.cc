// Memory pools by the runtime's functions: counters, thresholds, limits, access, policies of reuse.
#include "cuda/memory/memory_pool.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include <string>
#include <utility>
#include <vector>

#include "cuda/calls.h"
#include "cuda/device/simulated_system.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/memory_pool_api.h"
#include "cuda/memory/memory_pools.h"
#include "cuda/runtime/runtime_api.h"
#include "support/sizes.h"

namespace warpsim::cuda {
namespace {

using test::kMiB;

abi::MemoryPoolProperties pool_properties(int location_type = abi::MemoryLocation::kDevice, int location = 0,
                                          std::size_t most_bytes = 0) {
  abi::MemoryPoolProperties properties = {};
  properties.allocation_type = abi::kPinned;
  properties.location_type = location_type;
  properties.location = location;
  properties.most_bytes = most_bytes;
  return properties;
}

struct Pools {
  explicit Pools(bool timed = false, std::size_t gpus = 1) {
    DeviceOptions options;
    options.functional_only = !timed;
    const std::vector<std::string> names(gpus, WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml");
    process_context().use_devices(make_devices(names, options));
    cudaGetLastError();
    REQUIRE(cudaStreamCreateWithFlags(&first, 1) == kSuccess);
    REQUIRE(cudaStreamCreateWithFlags(&second, 1) == kSuccess);
    pool = make(pool_properties());
  }
  ~Pools() {
    process_context().use_device(nullptr);
    process_context().forget_errors();
  }
  Pools(const Pools&) = delete;
  Pools& operator=(const Pools&) = delete;

  static void* make(const abi::MemoryPoolProperties& properties) {
    void* made = nullptr;
    REQUIRE(cudaMemPoolCreate(&made, &properties) == kSuccess);
    return made;
  }
  void* allocate(std::uint64_t bytes, StreamHandle stream) const {
    void* data = nullptr;
    REQUIRE(cudaMallocFromPoolAsync(&data, bytes, pool, stream) == kSuccess);
    return data;
  }
  static std::uint64_t count(void* of, int attribute) {
    std::uint64_t value = 0;
    REQUIRE(cudaMemPoolGetAttribute(of, attribute, &value) == kSuccess);
    return value;
  }
  std::uint64_t reserved() const { return count(pool, MemoryPool::kReserved); }
  std::uint64_t used() const { return count(pool, MemoryPool::kUsed); }
  int set(int attribute, std::uint64_t value) const { return cudaMemPoolSetAttribute(pool, attribute, &value); }
  static std::uint64_t used_of_device() { return process_context().device(0).memory().used(); }

  StreamHandle first = nullptr;
  StreamHandle second = nullptr;
  void* pool = nullptr;
};

TEST_CASE("memory pool: it counts what it has reserved and what is used, on its GPU what is reserved") {
  for (const bool timed : {false, true}) {
    Pools program(timed);
    const std::uint64_t before = Pools::used_of_device();
    void* const data = program.allocate(kMiB, program.first);
    CHECK(program.reserved() == 32 * kMiB);
    CHECK(program.used() == kMiB);
    CHECK(Pools::used_of_device() == before + 32 * kMiB);
    CHECK(cudaFreeAsync(data, program.first) == kSuccess);
    CHECK(program.used() == 0);
    CHECK(program.reserved() == 32 * kMiB);
    CHECK(cudaStreamSynchronize(program.second) == kSuccess);
    CHECK(program.reserved() == 32 * kMiB);
    CHECK(cudaStreamSynchronize(program.first) == kSuccess);
    CHECK(program.reserved() == 0);
    CHECK(Pools::used_of_device() == before);
    CHECK(Pools::count(program.pool, MemoryPool::kReservedHigh) == 32 * kMiB);
    CHECK(Pools::count(program.pool, MemoryPool::kUsedHigh) == kMiB);
    CHECK(cudaMallocFromPoolAsync(nullptr, 1, program.pool, program.first) == kInvalidValue);
    CHECK(program.allocate(0, program.first) == nullptr);
  }
}

TEST_CASE("memory pool: the threshold is kept at the next wait, and trimming goes below it") {
  Pools program;
  REQUIRE(program.set(MemoryPool::kThreshold, ~std::uint64_t{0}) == kSuccess);
  std::vector<void*> all;
  for (int i = 0; i < 5; ++i) {
    all.push_back(program.allocate(20 * kMiB, program.first));
  }
  for (void* const data : all) {
    CHECK(cudaFreeAsync(data, program.first) == kSuccess);
  }
  CHECK(cudaStreamSynchronize(program.first) == kSuccess);
  CHECK(program.reserved() == 128 * kMiB);
  CHECK(cudaMemPoolTrimTo(program.pool, 50 * kMiB) == kSuccess);
  CHECK(program.reserved() == 64 * kMiB);
  REQUIRE(program.set(MemoryPool::kThreshold, 40 * kMiB) == kSuccess);
  CHECK(program.reserved() == 64 * kMiB);
  CHECK(cudaDeviceSynchronize() == kSuccess);
  CHECK(program.reserved() == 32 * kMiB);
  CHECK(cudaMemPoolTrimTo(program.pool, 0) == kSuccess);
  CHECK(program.reserved() == 0);
}

TEST_CASE("memory pool: attributes have CUDA's types and errors") {
  Pools program;
  int flag = 0;
  for (const int policy : {1, 2, 3}) {
    CHECK(cudaMemPoolGetAttribute(program.pool, policy, &flag) == kSuccess);
    CHECK(flag == 1);
    flag = 0;
    CHECK(cudaMemPoolSetAttribute(program.pool, policy, &flag) == kSuccess);
    flag = 7;
    CHECK(cudaMemPoolGetAttribute(program.pool, policy, &flag) == kSuccess);
    CHECK(flag == 0);
  }
  program.allocate(kMiB, program.first);
  CHECK(program.set(MemoryPool::kUsedHigh, 1) == kInvalidValue);
  CHECK(program.set(MemoryPool::kReservedHigh, 1) == kInvalidValue);
  CHECK(program.set(MemoryPool::kUsed, 0) == kInvalidValue);
  CHECK(program.set(MemoryPool::kReserved, 0) == kInvalidValue);
  CHECK(program.set(0, 0) == kInvalidValue);
  CHECK(program.set(9, 0) == kInvalidValue);
  void* const large = program.allocate(40 * kMiB, program.first);
  CHECK(cudaFree(large) == kSuccess);
  CHECK(Pools::count(program.pool, MemoryPool::kUsedHigh) == 41 * kMiB);
  CHECK(program.set(MemoryPool::kUsedHigh, 0) == kSuccess);
  CHECK(Pools::count(program.pool, MemoryPool::kUsedHigh) == kMiB);
  CHECK(cudaMemPoolGetAttribute(program.pool, 1, nullptr) == kInvalidValue);
  CHECK(cudaMemPoolGetAttribute(nullptr, 1, &flag) == kInvalidValue);
  CHECK(cudaMemPoolTrimTo(nullptr, 0) == kInvalidValue);
}

TEST_CASE("memory pool: it stays below its largest size, and below the memory of its GPU") {
  Pools program;
  void* const limited = Pools::make(pool_properties(abi::MemoryLocation::kDevice, 0, 60 * kMiB));
  void* data = nullptr;
  CHECK(cudaMallocFromPoolAsync(&data, 65 * kMiB, limited, program.first) == kOutOfMemory);
  CHECK(cudaMallocFromPoolAsync(&data, 40 * kMiB, limited, program.first) == kSuccess);
  CHECK(cudaMallocFromPoolAsync(&data, 25 * kMiB, limited, program.first) == kOutOfMemory);
  CHECK(cudaMallocFromPoolAsync(&data, 24 * kMiB, limited, program.first) == kSuccess);
  CHECK(Pools::count(limited, MemoryPool::kReserved) == 64 * kMiB);
  CHECK(cudaMallocFromPoolAsync(&data, std::uint64_t{1} << 40U, program.pool, program.first) == kOutOfMemory);
  // Memory that pools keep is given to others that need it.
  REQUIRE(program.set(MemoryPool::kThreshold, ~std::uint64_t{0}) == kSuccess);
  CHECK(cudaFreeAsync(program.allocate(800 * kMiB, program.first), program.first) == kSuccess);
  CHECK(program.reserved() == 800 * kMiB);
  CHECK(cudaMalloc(&data, 700 * kMiB) == kSuccess);
  CHECK(program.reserved() == 0);
}

// Whether 40 MiB that the first stream has freed are taken again by the second one.
bool is_reused(const Pools& program, const std::vector<int>& policies, bool waits_for_event, bool host_waits) {
  for (const int policy : {1, 2, 3}) {
    int flag = std::ranges::find(policies, policy) != policies.end() ? 1 : 0;
    REQUIRE(cudaMemPoolSetAttribute(program.pool, policy, &flag) == kSuccess);
  }
  EventHandle event = nullptr;
  REQUIRE(cudaEventCreate(&event) == kSuccess);
  void* const data = program.allocate(40 * kMiB, program.first);
  REQUIRE(cudaMemsetAsync(data, 1, 40 * kMiB, program.first) == kSuccess);
  REQUIRE(cudaFreeAsync(data, program.first) == kSuccess);
  REQUIRE(cudaEventRecord(event, program.first) == kSuccess);
  if (waits_for_event) {
    REQUIRE(cudaStreamWaitEvent(program.second, event, 0) == kSuccess);
  }
  if (host_waits) {
    REQUIRE(cudaEventSynchronize(event) == kSuccess);
  }
  void* const again = program.allocate(40 * kMiB, program.second);
  const bool reused = program.reserved() == 64 * kMiB;
  REQUIRE(cudaFreeAsync(again, program.second) == kSuccess);
  REQUIRE(cudaDeviceSynchronize() == kSuccess);
  REQUIRE(cudaMemPoolTrimTo(program.pool, 0) == kSuccess);
  REQUIRE(cudaEventDestroy(event) == kSuccess);
  return reused;
}

TEST_CASE("memory pool: memory is used again in its stream, and in others by the policies") {
  Pools program(true);
  REQUIRE(program.set(MemoryPool::kThreshold, ~std::uint64_t{0}) == kSuccess);
  CHECK_FALSE(is_reused(program, {}, false, false));
  CHECK_FALSE(is_reused(program, {}, true, false));
  CHECK(is_reused(program, {1}, true, false));
  CHECK_FALSE(is_reused(program, {1}, false, false));
  CHECK_FALSE(is_reused(program, {2, 3}, true, false));  // it is not over, and there is other memory
  CHECK(is_reused(program, {}, false, true));
  void* const data = program.allocate(40 * kMiB, program.first);
  REQUIRE(cudaFreeAsync(data, program.first) == kSuccess);
  program.allocate(40 * kMiB, program.first);
  CHECK(program.reserved() == 64 * kMiB);
}

TEST_CASE("memory pool: without time what was freed is over, for those who may use it then") {
  Pools program;
  REQUIRE(program.set(MemoryPool::kThreshold, ~std::uint64_t{0}) == kSuccess);
  CHECK(is_reused(program, {2}, false, false));
  CHECK_FALSE(is_reused(program, {}, false, false));
}

TEST_CASE("memory pool: with internal dependencies a stream waits for another one if there is no other memory") {
  Pools program(true);
  program.pool = Pools::make(pool_properties(abi::MemoryLocation::kDevice, 0, 64 * kMiB));
  const auto work_of = [&](bool internal) {
    int flag = internal ? 1 : 0;
    REQUIRE(cudaMemPoolSetAttribute(program.pool, MemoryPool::kInternal, &flag) == kSuccess);
    flag = 0;
    REQUIRE(cudaMemPoolSetAttribute(program.pool, MemoryPool::kOpportunistic, &flag) == kSuccess);
    void* const data = program.allocate(40 * kMiB, program.first);
    REQUIRE(cudaMemsetAsync(data, 1, 40 * kMiB, program.first) == kSuccess);
    REQUIRE(cudaFreeAsync(data, program.first) == kSuccess);
    void* const again = program.allocate(40 * kMiB, program.second);
    const bool host_has_waited = cudaStreamQuery(program.first) == kSuccess;
    REQUIRE(cudaFreeAsync(again, program.second) == kSuccess);
    REQUIRE(cudaDeviceSynchronize() == kSuccess);
    return host_has_waited;
  };
  CHECK_FALSE(work_of(true));
  CHECK(work_of(false));
}

TEST_CASE("memory pool: each has an access of its own") {
  Pools program(false, 2);
  const abi::MemoryLocation own = {abi::MemoryLocation::kDevice, 0};
  const abi::MemoryLocation peer = {abi::MemoryLocation::kDevice, 1};
  const abi::MemoryLocation host = {abi::MemoryLocation::kHost, 0};
  const abi::MemoryLocation none = {abi::MemoryLocation::kDevice, 9};
  void* const other = Pools::make(pool_properties());
  const abi::AccessDescription opened = {peer, abi::kReadWriteAccess};
  CHECK(cudaMemPoolSetAccess(program.pool, &opened, 1) == kSuccess);
  int flags = 9;
  CHECK(cudaMemPoolGetAccess(&flags, program.pool, &peer) == kSuccess);
  CHECK(flags == abi::kReadWriteAccess);
  CHECK(cudaMemPoolGetAccess(&flags, other, &peer) == kSuccess);
  CHECK(flags == abi::kNoAccess);
  CHECK(cudaMemPoolGetAccess(&flags, other, &own) == kSuccess);
  CHECK(flags == abi::kReadWriteAccess);
  CHECK(cudaMemPoolGetAccess(&flags, other, &host) == kSuccess);
  CHECK(flags == abi::kNoAccess);
  CHECK(cudaMemPoolGetAccess(&flags, other, &none) == kInvalidValue);
  CHECK(cudaMemPoolGetAccess(nullptr, other, &own) == kInvalidValue);
  const DeviceMemory& memory = process_context().device(1).memory();
  const Address data = to_address(program.allocate(100, program.first));
  CHECK(memory.reaches(*memory.find(data)));
  const abi::AccessDescription closed = {peer, abi::kNoAccess};
  CHECK(cudaMemPoolSetAccess(program.pool, &closed, 1) == kSuccess);
  CHECK_FALSE(memory.reaches(*memory.find(data)));
  for (const auto& [wanted, code] : {std::pair{abi::AccessDescription{own, abi::kNoAccess}, kInvalidDevice},
                                     std::pair{abi::AccessDescription{own, abi::kReadAccess}, kNotSupported},
                                     std::pair{abi::AccessDescription{none, abi::kReadWriteAccess}, kInvalidDevice},
                                     std::pair{abi::AccessDescription{host, abi::kReadWriteAccess}, kNotSupported},
                                     std::pair{abi::AccessDescription{{}, abi::kReadWriteAccess}, kInvalidValue},
                                     std::pair{abi::AccessDescription{own, 2}, kInvalidValue}}) {
    CHECK(cudaMemPoolSetAccess(program.pool, &wanted, 1) == code);
  }
  CHECK(cudaMemPoolSetAccess(program.pool, nullptr, 1) == kInvalidValue);
}

TEST_CASE("memory pool: memory of the host's pools is the host's, and is opened to GPUs") {
  Pools program;
  program.pool = Pools::make(pool_properties(abi::MemoryLocation::kHost, 3));
  const std::uint64_t before = Pools::used_of_device();
  auto* const data = static_cast<std::uint32_t*>(program.allocate(kMiB, program.first));
  CHECK(program.reserved() == 32 * kMiB);
  CHECK(Pools::used_of_device() == before);
  *data = 5;
  abi::PointerAttributes attributes = {};
  CHECK(cudaPointerGetAttributes(&attributes, data) == kSuccess);
  CHECK(attributes.type == static_cast<int>(PointerKind::kHost));
  const DeviceMemory& memory = process_context().device().memory();
  CHECK_FALSE(memory.reaches(*memory.find(to_address(data))));
  const abi::AccessDescription opened = {{abi::MemoryLocation::kDevice, 0}, abi::kReadWriteAccess};
  CHECK(cudaMemPoolSetAccess(program.pool, &opened, 1) == kSuccess);
  CHECK(memory.reaches(*memory.find(to_address(data))));
  CHECK(cudaDeviceSetMemPool(0, program.pool) == kInvalidValue);
  CHECK(cudaFreeHost(data) == kInvalidValue);
  CHECK(cudaFreeAsync(data, program.first) == kSuccess);
  CHECK(cudaStreamSynchronize(program.first) == kSuccess);
  CHECK(memory.find(to_address(data)) == nullptr);
}

TEST_CASE("memory pool: properties that do not exist are refused") {
  Pools program;
  void* made = nullptr;
  const auto create = [&](const abi::MemoryPoolProperties& properties) {
    return cudaMemPoolCreate(&made, &properties);
  };
  CHECK(create(pool_properties(0)) == kInvalidValue);
  CHECK(create(pool_properties(abi::MemoryLocation::kDevice, 7)) == kInvalidValue);
  CHECK(create(pool_properties(abi::MemoryLocation::kHostNuma, 1)) == kInvalidValue);
  CHECK(create(pool_properties(abi::MemoryLocation::kHostNuma, 0)) == kSuccess);
  CHECK(create(pool_properties(abi::MemoryLocation::kHostNumaCurrent)) == kInvalidValue);
  auto other = pool_properties();
  other.reserved[3] = 1;
  CHECK(create(other) == kInvalidValue);
  other = pool_properties();
  other.handle_types = abi::kWin32;
  CHECK(create(other) == kInvalidValue);
  other = pool_properties();
  other.allocation_type = 0;
  CHECK(create(other) == kInvalidValue);
  other.allocation_type = abi::kManagedByDriver;
  CHECK(create(other) == kNotSupported);
  CHECK(cudaMemPoolCreate(nullptr, &other) == kInvalidValue);
  CHECK(cudaMemPoolCreate(&made, nullptr) == kInvalidValue);
}

}  // namespace
}  // namespace warpsim::cuda
