// Virtual memory management by the driver's functions, on devices with and without time.
#include "cuda/virtual_memory.h"

#include <fcntl.h>

#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstring>
#include <string>
#include <vector>

#include "cuda/calls.h"
#include "cuda/driver_api.h"
#include "cuda/memory_calls.h"
#include "cuda/simulated_system.h"
#include "cuda/virtual_memory_api.h"

namespace warpsim::cuda {
namespace {

constexpr std::uint64_t kMiB = std::uint64_t{1} << 20U;
constexpr int kDriverOutOfMemory = 2;
constexpr int kDriverInvalidDevice = 101;
constexpr int kDriverNotFound = 500;

// data[i] += 1; of one thread for each word. And a copy of 4 bytes.
constexpr const char* kVirtualKernels = R"(.version 8.0
.target sm_60
.address_size 64
.visible .entry increment(.param .u64 data) {
  .reg .b32 %r<4>; .reg .b64 %q<4>;
  ld.param.u64 %q1, [data];
  mov.u32 %r1, %tid.x;
  mul.wide.u32 %q2, %r1, 4;
  add.u64 %q3, %q1, %q2;
  ld.global.u32 %r2, [%q3];
  add.u32 %r2, %r2, 1;
  st.global.u32 [%q3], %r2;
  ret;
}
.visible .entry copy_word(.param .u64 target, .param .u64 source) {
  .reg .b32 %r<2>; .reg .b64 %q<3>;
  ld.param.u64 %q1, [target];
  ld.param.u64 %q2, [source];
  ld.global.u32 %r1, [%q2];
  st.global.u32 [%q1], %r1;
  ret;
}
)";

abi::AllocationProperties properties_of(int location = abi::kOnDevice, int id = 0, int handle_types = 0) {
  abi::AllocationProperties properties = {};
  properties.type = abi::kPinned;
  properties.location = {location, id};
  properties.handle_types = handle_types;
  return properties;
}

struct Virtual {
  explicit Virtual(std::size_t gpus = 1, bool timed = false) {
    DeviceOptions options;
    options.functional_only = !timed;
    const std::vector<std::string> names(gpus, WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml");
    process_context().use_devices(make_devices(names, options));
    REQUIRE(cuModuleLoadData(&module, kVirtualKernels) == 0);
    REQUIRE(cuModuleGetFunction(&increment, module, "increment") == 0);
    REQUIRE(cuModuleGetFunction(&copy_word, module, "copy_word") == 0);
  }
  ~Virtual() {
    process_context().use_device(nullptr);
    process_context().forget_errors();
  }
  Virtual(const Virtual&) = delete;
  Virtual& operator=(const Virtual&) = delete;

  static std::uint64_t create(std::uint64_t bytes, const abi::AllocationProperties& properties = properties_of()) {
    std::uint64_t handle = 0;
    REQUIRE(cuMemCreate(&handle, bytes, &properties, 0) == 0);
    return handle;
  }
  static std::uint64_t reserve(std::uint64_t bytes, std::uint64_t wanted = 0) {
    std::uint64_t address = 0;
    REQUIRE(cuMemAddressReserve(&address, bytes, 0, wanted, 0) == 0);
    return address;
  }
  static int open(std::uint64_t address, std::uint64_t bytes, int gpu = 0, int flags = abi::kReadWriteAccess) {
    const abi::AccessDescription access = {{abi::kOnDevice, gpu}, flags};
    return cuMemSetAccess(address, bytes, &access, 1);
  }
  static std::uint64_t used() {
    std::size_t free = 0;
    std::size_t total = 0;
    REQUIRE(cuMemGetInfo_v2(&free, &total) == 0);
    return total - free;
  }
  int run_increment(std::uint64_t data) {
    void* arguments[] = {&data};
    const int code = cuLaunchKernel(increment, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr);
    return code != 0 ? code : cuCtxSynchronize();
  }

  ModuleHandle module = nullptr;
  KernelHandle increment = nullptr;
  KernelHandle copy_word = nullptr;
};

TEST_CASE("virtual memory: physical memory has the driver's errors") {
  Virtual program;
  std::uint64_t handle = 0;
  const auto good = properties_of();
  CHECK(cuMemCreate(&handle, kMiB, &good, 0) == kInvalidValue);
  CHECK(cuMemCreate(&handle, 0, &good, 0) == kInvalidValue);
  CHECK(cuMemCreate(&handle, 2 * kMiB, &good, 1) == kInvalidValue);
  CHECK(cuMemCreate(nullptr, 2 * kMiB, &good, 0) == kInvalidValue);
  CHECK(cuMemCreate(&handle, 2 * kMiB, nullptr, 0) == kInvalidValue);
  CHECK(cuMemCreate(&handle, std::uint64_t{1} << 40U, &good, 0) == kDriverOutOfMemory);
  struct Case {
    int location;
    int id;
    int handle_types;
    int code;
  };
  for (const Case& c : {Case{abi::kNoLocation, 0, 0, kInvalidValue}, Case{abi::kOnDevice, 5, 0, kDriverInvalidDevice},
                        Case{abi::kOnDevice, -1, 0, kDriverInvalidDevice},
                        Case{abi::kOnDevice, 0, abi::kWin32, kInvalidValue},
                        Case{abi::kOnDevice, 0, abi::kFabric, kNotPermitted},
                        Case{abi::kOnHost, 7, 0, 0}, Case{abi::kOnHost, 0, abi::kFileDescriptor, kInvalidValue},
                        Case{abi::kOnNumaNode, 0, abi::kFileDescriptor, 0},
                        Case{abi::kOnNumaNode, 1, 0, kInvalidValue},
                        Case{abi::kOnNumaNodeOfThread, 0, 0, kInvalidValue}}) {
    CAPTURE(c.location, c.id, c.handle_types);
    const auto properties = properties_of(c.location, c.id, c.handle_types);
    CHECK(cuMemCreate(&handle, 2 * kMiB, &properties, 0) == c.code);
  }
  auto managed = good;
  managed.type = abi::kManagedByDriver;
  CHECK(cuMemCreate(&handle, 2 * kMiB, &managed, 0) == kInvalidValue);
  std::size_t granularity = 0;
  CHECK(cuMemGetAllocationGranularity(&granularity, &good, 0) == 0);
  CHECK(granularity == 2 * kMiB);
  CHECK(cuMemGetAllocationGranularity(&granularity, &good, 2) == kInvalidValue);
  CHECK(cuMemGetAllocationGranularity(&granularity, nullptr, 0) == kInvalidValue);
  CHECK(cuMemRelease(0) == kInvalidValue);
  handle = Virtual::create(2 * kMiB);
  CHECK(cuMemRelease(handle) == 0);
  CHECK(cuMemRelease(handle) == kInvalidValue);
}

TEST_CASE("virtual memory: reserved ranges have the driver's errors") {
  Virtual program;
  std::uint64_t address = 0;
  CHECK(cuMemAddressReserve(&address, 4096, 0, 0, 0) == kInvalidValue);
  CHECK(cuMemAddressReserve(&address, 0, 0, 0, 0) == kInvalidValue);
  CHECK(cuMemAddressReserve(&address, 4 * kMiB, 3, 0, 0) == kInvalidValue);
  CHECK(cuMemAddressReserve(&address, 4 * kMiB, 0, 0, 1) == kInvalidValue);
  CHECK(cuMemAddressReserve(&address, 4 * kMiB, 0, 4096, 0) == kInvalidValue);
  CHECK(cuMemAddressReserve(nullptr, 4 * kMiB, 0, 0, 0) == kInvalidValue);
  CHECK(cuMemAddressReserve(&address, std::uint64_t{1} << 50U, 0, 0, 0) == kDriverOutOfMemory);
  CHECK(cuMemAddressReserve(&address, 4 * kMiB, std::uint64_t{1} << 30U, 0, 0) == 0);
  CHECK(address % (std::uint64_t{1} << 30U) == 0);
  CHECK(cuMemAddressFree(address, 2 * kMiB) == kInvalidValue);
  CHECK(cuMemAddressFree(address + 2 * kMiB, 2 * kMiB) == kInvalidValue);
  CHECK(cuMemAddressFree(0, 4 * kMiB) == kInvalidValue);
  const std::uint64_t handle = Virtual::create(2 * kMiB);
  REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
  CHECK(cuMemAddressFree(address, 4 * kMiB) == kInvalidValue);
  REQUIRE(cuMemUnmap(address, 2 * kMiB) == 0);
  CHECK(cuMemAddressFree(address, 4 * kMiB) == 0);
  CHECK(cuMemAddressFree(address, 4 * kMiB) == kInvalidValue);
}

TEST_CASE("virtual memory: only whole memory is mapped, where nothing is") {
  Virtual program;
  const std::uint64_t handle = Virtual::create(4 * kMiB);
  const std::uint64_t address = Virtual::reserve(16 * kMiB);
  CHECK(cuMemMap(address, 2 * kMiB, 0, handle, 0) == kNotSupported);
  CHECK(cuMemMap(address, 2 * kMiB, 2 * kMiB, handle, 0) == kNotSupported);
  CHECK(cuMemMap(address, 0, 0, handle, 0) == kInvalidValue);
  CHECK(cuMemMap(address, 4 * kMiB, 0, handle, 1) == kInvalidValue);
  CHECK(cuMemMap(address + kMiB, 4 * kMiB, 0, handle, 0) == kInvalidValue);
  CHECK(cuMemMap(0, 4 * kMiB, 0, handle, 0) == kInvalidValue);
  CHECK(cuMemMap(address + 14 * kMiB, 4 * kMiB, 0, handle, 0) == kInvalidValue);
  CHECK(cuMemMap(address, 4 * kMiB, 0, 0, 0) == kInvalidValue);
  REQUIRE(cuMemMap(address, 4 * kMiB, 0, handle, 0) == 0);
  CHECK(cuMemMap(address + 2 * kMiB, 4 * kMiB, 0, handle, 0) == kInvalidValue);
  REQUIRE(cuMemMap(address + 8 * kMiB, 4 * kMiB, 0, handle, 0) == 0);
  CHECK(cuMemUnmap(address, 2 * kMiB) == kInvalidValue);
  CHECK(cuMemUnmap(address + 2 * kMiB, 2 * kMiB) == kInvalidValue);
  CHECK(cuMemUnmap(address, 32 * kMiB) == kInvalidValue);
  CHECK(cuMemUnmap(address, 0) == kInvalidValue);
  CHECK(cuMemUnmap(address, 16 * kMiB) == 0);  // both, with what is between them
  CHECK(cuMemUnmap(address, 2 * kMiB) == 0);
  CHECK(cuMemGetAddressRange_v2(nullptr, nullptr, address) != 0);
}

TEST_CASE("virtual memory: it is in use from its creation until handle and mappings are gone") {
  Virtual program;
  const std::uint64_t before = Virtual::used();
  const std::uint64_t handle = Virtual::create(4 * kMiB);
  const std::uint64_t address = Virtual::reserve(8 * kMiB);
  CHECK(Virtual::used() == before + 4 * kMiB);
  REQUIRE(cuMemMap(address, 4 * kMiB, 0, handle, 0) == 0);
  std::uint64_t retained = 0;
  REQUIRE(cuMemRetainAllocationHandle(&retained, to_pointer(address + 3 * kMiB)) == 0);
  CHECK(retained == handle);
  CHECK(cuMemRetainAllocationHandle(&retained, to_pointer(address + 4 * kMiB)) == kInvalidValue);
  CHECK(cuMemRelease(handle) == 0);
  CHECK(cuMemRelease(handle) == 0);
  CHECK(cuMemMap(address + 4 * kMiB, 4 * kMiB, 0, handle, 0) == kInvalidValue);
  CHECK(Virtual::used() == before + 4 * kMiB);
  // A mapping gives the handle back.
  REQUIRE(cuMemRetainAllocationHandle(&retained, to_pointer(address)) == 0);
  abi::AllocationProperties properties = {};
  CHECK(cuMemGetAllocationPropertiesFromHandle(&properties, retained) == 0);
  CHECK(properties.location.type == abi::kOnDevice);
  REQUIRE(cuMemUnmap(address, 4 * kMiB) == 0);
  CHECK(Virtual::used() == before + 4 * kMiB);
  CHECK(cuMemRelease(retained) == 0);
  CHECK(Virtual::used() == before);
  CHECK(cuMemGetAllocationPropertiesFromHandle(&properties, retained) == kInvalidValue);
}

TEST_CASE("virtual memory: access is set for whole mappings, and queried") {
  Virtual program(2);
  const std::uint64_t handle = Virtual::create(4 * kMiB);
  const std::uint64_t address = Virtual::reserve(16 * kMiB);
  REQUIRE(cuMemMap(address, 4 * kMiB, 0, handle, 0) == 0);
  REQUIRE(cuMemMap(address + 4 * kMiB, 4 * kMiB, 0, handle, 0) == 0);
  CHECK(Virtual::open(address, 16 * kMiB) == kInvalidValue);
  CHECK(Virtual::open(address + 8 * kMiB, 2 * kMiB) == kInvalidValue);
  CHECK(Virtual::open(address, 2 * kMiB) == kInvalidValue);
  CHECK(Virtual::open(address + 2 * kMiB, 6 * kMiB) == kInvalidValue);
  CHECK(Virtual::open(address, 0) == kInvalidValue);
  CHECK(Virtual::open(address, 4 * kMiB, 0, 2) == kInvalidValue);
  CHECK(Virtual::open(address, 4 * kMiB, 9) == kInvalidValue);
  const abi::AccessDescription of_host = {{abi::kOnHost, 0}, abi::kReadWriteAccess};
  const abi::AccessDescription of_node = {{abi::kOnNumaNode, 0}, abi::kReadWriteAccess};
  const abi::AccessDescription nowhere = {{abi::kNoLocation, 0}, abi::kReadWriteAccess};
  CHECK(cuMemSetAccess(address, 4 * kMiB, &of_host, 1) == kNotSupported);
  CHECK(cuMemSetAccess(address, 4 * kMiB, &of_node, 1) == kNotSupported);
  CHECK(cuMemSetAccess(address, 4 * kMiB, &nowhere, 1) == kInvalidValue);
  CHECK(cuMemSetAccess(address, 4 * kMiB, &of_host, 0) == kInvalidValue);
  CHECK(cuMemSetAccess(address, 4 * kMiB, nullptr, 1) == kInvalidValue);
  unsigned long long flags = 9;
  const abi::MemoryLocation first = {abi::kOnDevice, 0};
  const abi::MemoryLocation second = {abi::kOnDevice, 1};
  CHECK(cuMemGetAccess(&flags, &first, address) == 0);
  CHECK(flags == 0);
  CHECK(Virtual::open(address, 8 * kMiB) == 0);
  CHECK(Virtual::open(address, 4 * kMiB, 1, abi::kReadAccess) == 0);
  CHECK(cuMemGetAccess(&flags, &first, address + 5 * kMiB) == 0);
  CHECK(flags == abi::kReadWriteAccess);
  CHECK(cuMemGetAccess(&flags, &second, address) == 0);
  CHECK(flags == abi::kReadAccess);
  CHECK(cuMemGetAccess(&flags, &second, address + 4 * kMiB) == 0);
  CHECK(flags == abi::kNoAccess);
  CHECK(cuMemGetAccess(&flags, &first, address + 8 * kMiB) == kInvalidValue);
  const abi::MemoryLocation other = {abi::kOnDevice, 9};
  CHECK(cuMemGetAccess(&flags, &other, address) == kDriverInvalidDevice);
  CHECK(cuMemGetAccess(&flags, nullptr, address) == kInvalidValue);
}

TEST_CASE("virtual memory: copies and fills span mappings that are open, and fail otherwise") {
  Virtual program;
  const std::uint64_t handle = Virtual::create(2 * kMiB);
  const std::uint64_t other = Virtual::create(4 * kMiB);
  const std::uint64_t address = Virtual::reserve(16 * kMiB);
  REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
  REQUIRE(cuMemMap(address + 2 * kMiB, 4 * kMiB, 0, other, 0) == 0);
  std::vector<char> bytes(6 * kMiB, 5);
  CHECK(cuMemcpyHtoD_v2(address, bytes.data(), 64) == kInvalidValue);
  CHECK(cuMemcpyDtoH_v2(bytes.data(), address, 64) == kInvalidValue);
  CHECK(cuMemsetD8_v2(address, 1, 64) == kInvalidValue);
  CHECK(cuMemsetD8_v2(address + 8 * kMiB, 1, 64) == kInvalidValue);
  REQUIRE(Virtual::open(address, 2 * kMiB) == 0);
  CHECK(cuMemcpyHtoD_v2(address, bytes.data(), 6 * kMiB) == kInvalidValue);
  REQUIRE(Virtual::open(address, 6 * kMiB) == 0);
  CHECK(cuMemcpyHtoD_v2(address, bytes.data(), 6 * kMiB) == 0);
  CHECK(cuMemsetD8_v2(address + kMiB, 9, 2 * kMiB) == 0);
  CHECK(cuMemcpyDtoH_v2(bytes.data(), address, 6 * kMiB) == 0);
  CHECK(bytes[kMiB - 1] == 5);
  CHECK(bytes[kMiB] == 9);
  CHECK(bytes[3 * kMiB - 1] == 9);
  CHECK(bytes[3 * kMiB] == 5);
  CHECK(cuMemcpyHtoD_v2(address, bytes.data(), 6 * kMiB + 1) == kInvalidValue);
  REQUIRE(Virtual::open(address, 6 * kMiB, 0, abi::kReadAccess) == 0);
  CHECK(cuMemcpyDtoH_v2(bytes.data(), address, 64) == 0);
  CHECK(cuMemcpyHtoD_v2(address, bytes.data(), 64) == kInvalidValue);
  CHECK(cuMemsetD8_v2(address, 1, 64) == kInvalidValue);
  CHECK(cuMemFree_v2(address) == kInvalidValue);
  CHECK(cuMemFree_v2(address + 8 * kMiB) == kInvalidValue);
}

TEST_CASE("virtual memory: kernels see one memory at two addresses, with and without time") {
  for (const bool timed : {false, true}) {
    Virtual program(1, timed);
    const std::uint64_t handle = Virtual::create(2 * kMiB);
    const std::uint64_t address = Virtual::reserve(4 * kMiB);
    REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
    REQUIRE(cuMemMap(address + 2 * kMiB, 2 * kMiB, 0, handle, 0) == 0);
    REQUIRE(Virtual::open(address, 4 * kMiB) == 0);
    REQUIRE(cuMemsetD32_v2(address, 3, 32) == 0);
    CHECK(program.run_increment(address + 2 * kMiB) == 0);
    std::uint32_t word = 0;
    CHECK(cuMemcpyDtoH_v2(&word, address + 4, 4) == 0);
    CHECK(word == 4);
    // Over the border of two mappings.
    CHECK(program.run_increment(address + 2 * kMiB - 64) == 0);
    CHECK(cuMemcpyDtoH_v2(&word, address, 4) == 0);
    CHECK(word == 5);
  }
}

TEST_CASE("virtual memory: accesses of kernels that were not allowed are illegal") {
  SECTION("not opened") {
    Virtual program;
    const std::uint64_t handle = Virtual::create(2 * kMiB);
    const std::uint64_t address = Virtual::reserve(2 * kMiB);
    REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
    CHECK(program.run_increment(address) == kIllegalAddress);
  }
  SECTION("opened for reading") {
    Virtual program;
    const std::uint64_t handle = Virtual::create(2 * kMiB);
    const std::uint64_t address = Virtual::reserve(4 * kMiB);
    REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
    REQUIRE(cuMemMap(address + 2 * kMiB, 2 * kMiB, 0, handle, 0) == 0);
    REQUIRE(Virtual::open(address, 2 * kMiB, 0, abi::kReadAccess) == 0);
    REQUIRE(Virtual::open(address + 2 * kMiB, 2 * kMiB) == 0);
    std::uint64_t target = address + 2 * kMiB;
    std::uint64_t source = address;
    void* arguments[] = {&target, &source};
    CHECK(cuLaunchKernel(program.copy_word, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == 0);
    CHECK(cuCtxSynchronize() == 0);
    CHECK(program.run_increment(address) == kIllegalAddress);
  }
  SECTION("reserved") {
    Virtual program;
    CHECK(program.run_increment(Virtual::reserve(2 * kMiB)) == kIllegalAddress);
  }
  SECTION("of another GPU") {
    Virtual program(2);
    const std::uint64_t handle = Virtual::create(2 * kMiB, properties_of(abi::kOnDevice, 1));
    const std::uint64_t address = Virtual::reserve(2 * kMiB);
    REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
    REQUIRE(Virtual::open(address, 2 * kMiB, 1) == 0);
    CHECK(program.run_increment(address) == kIllegalAddress);
  }
}

TEST_CASE("virtual memory: kernels use memory of another GPU and of the host that is opened to them") {
  Virtual program(2, true);
  const std::uint64_t of_peer = Virtual::create(2 * kMiB, properties_of(abi::kOnDevice, 1));
  const std::uint64_t of_host = Virtual::create(2 * kMiB, properties_of(abi::kOnHost));
  const std::uint64_t address = Virtual::reserve(4 * kMiB);
  REQUIRE(cuMemMap(address, 2 * kMiB, 0, of_peer, 0) == 0);
  REQUIRE(cuMemMap(address + 2 * kMiB, 2 * kMiB, 0, of_host, 0) == 0);
  REQUIRE(Virtual::open(address, 4 * kMiB) == 0);
  REQUIRE(cuMemsetD32_v2(address, 6, 32) == 0);
  CHECK(program.run_increment(address) == 0);
  CHECK(program.run_increment(address + 2 * kMiB) == 0);
  std::uint32_t word = 0;
  CHECK(cuMemcpyDtoH_v2(&word, address, 4) == 0);
  CHECK(word == 7);
  auto* const seen = reinterpret_cast<std::uint32_t*>(address + 2 * kMiB);
  CHECK(*seen == 1);
  *seen = 20;
  CHECK(program.run_increment(address + 2 * kMiB) == 0);
  CHECK(*seen == 21);
  unsigned long long flags = 0;
  const abi::MemoryLocation host = {abi::kOnHost, 0};
  CHECK(cuMemGetAccess(&flags, &host, address + 2 * kMiB) == 0);
  CHECK(flags == abi::kReadWriteAccess);
  const abi::AccessDescription node = {{abi::kOnNumaNode, 0}, abi::kReadWriteAccess};
  CHECK(cuMemSetAccess(address + 2 * kMiB, 2 * kMiB, &node, 1) == 0);
}

TEST_CASE("virtual memory: a descriptor shares memory, also with another process") {
  Virtual program;
  int descriptor = -1;
  const std::uint64_t own = Virtual::create(2 * kMiB);
  CHECK(cuMemExportToShareableHandle(&descriptor, own, abi::kFileDescriptor, 0) == kInvalidValue);
  const std::uint64_t shared = Virtual::create(2 * kMiB, properties_of(abi::kOnDevice, 0, abi::kFileDescriptor));
  CHECK(cuMemExportToShareableHandle(&descriptor, shared, abi::kWin32, 0) == kInvalidValue);
  CHECK(cuMemExportToShareableHandle(&descriptor, shared, abi::kFileDescriptor, 1) == kInvalidValue);
  CHECK(cuMemExportToShareableHandle(nullptr, shared, abi::kFileDescriptor, 0) == kInvalidValue);
  REQUIRE(cuMemExportToShareableHandle(&descriptor, shared, abi::kFileDescriptor, 0) == 0);
  CHECK((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
  const std::uint64_t used = Virtual::used();
  const auto import = [](int from, int type) {
    std::uint64_t handle = 0;
    // NOLINTNEXTLINE(performance-no-int-to-ptr): as the driver takes it
    const int code = cuMemImportFromShareableHandle(&handle, reinterpret_cast<void*>(std::intptr_t{from}), type);
    return std::pair(code, handle);
  };
  CHECK(import(999, abi::kFileDescriptor).first == kUnknown);
  CHECK(import(1, abi::kFileDescriptor).first == kUnknown);
  CHECK(import(descriptor, abi::kWin32).first == kNotSupported);
  CHECK(import(descriptor, abi::kNotShareable).first == kInvalidValue);
  const auto [code, again] = import(descriptor, abi::kFileDescriptor);
  REQUIRE(code == 0);
  CHECK(again != shared);
  CHECK(Virtual::used() == used);
  abi::AllocationProperties properties = {};
  CHECK(cuMemGetAllocationPropertiesFromHandle(&properties, again) == 0);
  CHECK(properties.handle_types == 0);
  CHECK(properties.location.type == abi::kOnDevice);
  close(descriptor);
  CHECK(cuMemRelease(shared) == 0);
  CHECK(Virtual::used() == used);
  CHECK(cuMemRelease(again) == 0);
  CHECK(Virtual::used() == used - 2 * kMiB);
}

TEST_CASE("virtual memory: a vector grows by further mappings at its end") {
  Virtual program;
  const std::uint64_t address = Virtual::reserve(4 * kMiB);
  const std::uint64_t next = Virtual::reserve(4 * kMiB, address + 4 * kMiB);
  CHECK(next == address + 4 * kMiB);
  const std::uint64_t first = Virtual::create(4 * kMiB);
  const std::uint64_t second = Virtual::create(4 * kMiB);
  REQUIRE(cuMemMap(address, 4 * kMiB, 0, first, 0) == 0);
  REQUIRE(Virtual::open(address, 4 * kMiB) == 0);
  REQUIRE(cuMemMap(next, 4 * kMiB, 0, second, 0) == 0);
  REQUIRE(Virtual::open(next, 4 * kMiB) == 0);
  CHECK(cuMemsetD32_v2(next - 64, 1, 16) == 0);
  CHECK(cuMemsetD32_v2(next, 1, 16) == 0);
  CHECK(program.run_increment(next - 64) == 0);
}

}  // namespace
}  // namespace warpsim::cuda
