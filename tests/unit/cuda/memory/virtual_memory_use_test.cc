// Memory that a program maps: copies, fills and kernels of several GPUs, and another process.
#include <fcntl.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <cstdint>
#include <utility>
#include <vector>

#include "cuda/memory/memory_calls.h"
#include "support/sizes.h"
#include "support/virtual_program.h"

namespace warpsim::cuda {
namespace {

using test::kMiB;
using test::memory_properties;
using test::VirtualProgram;

TEST_CASE("virtual memory: copies and fills span mappings that are open, and fail otherwise") {
  VirtualProgram program;
  const std::uint64_t handle = VirtualProgram::create(2 * kMiB);
  const std::uint64_t other = VirtualProgram::create(4 * kMiB);
  const std::uint64_t address = VirtualProgram::reserve(16 * kMiB);
  REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
  REQUIRE(cuMemMap(address + 2 * kMiB, 4 * kMiB, 0, other, 0) == 0);
  std::vector<char> bytes(6 * kMiB, 5);
  CHECK(cuMemcpyHtoD_v2(address, bytes.data(), 64) == kInvalidValue);
  CHECK(cuMemcpyDtoH_v2(bytes.data(), address, 64) == kInvalidValue);
  CHECK(cuMemsetD8_v2(address, 1, 64) == kInvalidValue);
  CHECK(cuMemsetD8_v2(address + 8 * kMiB, 1, 64) == kInvalidValue);
  REQUIRE(VirtualProgram::open(address, 2 * kMiB) == 0);
  CHECK(cuMemcpyHtoD_v2(address, bytes.data(), 6 * kMiB) == kInvalidValue);
  REQUIRE(VirtualProgram::open(address, 6 * kMiB) == 0);
  CHECK(cuMemcpyHtoD_v2(address, bytes.data(), 6 * kMiB) == 0);
  CHECK(cuMemsetD8_v2(address + kMiB, 9, 2 * kMiB) == 0);
  CHECK(cuMemcpyDtoH_v2(bytes.data(), address, 6 * kMiB) == 0);
  CHECK(bytes[kMiB - 1] == 5);
  CHECK(bytes[kMiB] == 9);
  CHECK(bytes[3 * kMiB - 1] == 9);
  CHECK(bytes[3 * kMiB] == 5);
  CHECK(cuMemcpyHtoD_v2(address, bytes.data(), 6 * kMiB + 1) == kInvalidValue);
  REQUIRE(VirtualProgram::open(address, 6 * kMiB, 0, abi::kReadAccess) == 0);
  CHECK(cuMemcpyDtoH_v2(bytes.data(), address, 64) == 0);
  CHECK(cuMemcpyHtoD_v2(address, bytes.data(), 64) == kInvalidValue);
  CHECK(cuMemsetD8_v2(address, 1, 64) == kInvalidValue);
  CHECK(cuMemFree_v2(address) == kInvalidValue);
  CHECK(cuMemFree_v2(address + 8 * kMiB) == kInvalidValue);
}

TEST_CASE("virtual memory: kernels see one memory at two addresses, with and without time") {
  for (const bool timed : {false, true}) {
    VirtualProgram program(1, timed);
    const std::uint64_t handle = VirtualProgram::create(2 * kMiB);
    const std::uint64_t address = VirtualProgram::reserve(4 * kMiB);
    REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
    REQUIRE(cuMemMap(address + 2 * kMiB, 2 * kMiB, 0, handle, 0) == 0);
    REQUIRE(VirtualProgram::open(address, 4 * kMiB) == 0);
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
    VirtualProgram program;
    const std::uint64_t handle = VirtualProgram::create(2 * kMiB);
    const std::uint64_t address = VirtualProgram::reserve(2 * kMiB);
    REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
    CHECK(program.run_increment(address) == kIllegalAddress);
  }
  SECTION("opened for reading") {
    VirtualProgram program;
    const std::uint64_t handle = VirtualProgram::create(2 * kMiB);
    const std::uint64_t address = VirtualProgram::reserve(4 * kMiB);
    REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
    REQUIRE(cuMemMap(address + 2 * kMiB, 2 * kMiB, 0, handle, 0) == 0);
    REQUIRE(VirtualProgram::open(address, 2 * kMiB, 0, abi::kReadAccess) == 0);
    REQUIRE(VirtualProgram::open(address + 2 * kMiB, 2 * kMiB) == 0);
    std::uint64_t target = address + 2 * kMiB;
    std::uint64_t source = address;
    void* arguments[] = {&target, &source};
    CHECK(cuLaunchKernel(program.copy_word, 1, 1, 1, 1, 1, 1, 0, nullptr, arguments, nullptr) == 0);
    CHECK(cuCtxSynchronize() == 0);
    CHECK(program.run_increment(address) == kIllegalAddress);
  }
  SECTION("reserved") {
    VirtualProgram program;
    CHECK(program.run_increment(VirtualProgram::reserve(2 * kMiB)) == kIllegalAddress);
  }
  SECTION("of another GPU") {
    VirtualProgram program(2);
    const std::uint64_t handle = VirtualProgram::create(2 * kMiB, memory_properties(abi::MemoryLocation::kDevice, 1));
    const std::uint64_t address = VirtualProgram::reserve(2 * kMiB);
    REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
    REQUIRE(VirtualProgram::open(address, 2 * kMiB, 1) == 0);
    CHECK(program.run_increment(address) == kIllegalAddress);
  }
}

TEST_CASE("virtual memory: kernels use memory of another GPU and of the host that is opened to them") {
  VirtualProgram program(2, true);
  const std::uint64_t of_peer = VirtualProgram::create(2 * kMiB, memory_properties(abi::MemoryLocation::kDevice, 1));
  const std::uint64_t of_host = VirtualProgram::create(2 * kMiB, memory_properties(abi::MemoryLocation::kHost));
  const std::uint64_t address = VirtualProgram::reserve(4 * kMiB);
  REQUIRE(cuMemMap(address, 2 * kMiB, 0, of_peer, 0) == 0);
  REQUIRE(cuMemMap(address + 2 * kMiB, 2 * kMiB, 0, of_host, 0) == 0);
  REQUIRE(VirtualProgram::open(address, 4 * kMiB) == 0);
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
  const abi::MemoryLocation host = {abi::MemoryLocation::kHost, 0};
  CHECK(cuMemGetAccess(&flags, &host, address + 2 * kMiB) == 0);
  CHECK(flags == abi::kReadWriteAccess);
  const abi::AccessDescription node = {{abi::MemoryLocation::kHostNuma, 0}, abi::kReadWriteAccess};
  CHECK(cuMemSetAccess(address + 2 * kMiB, 2 * kMiB, &node, 1) == 0);
  CHECK(cuMemHostUnregister(to_pointer(address + 2 * kMiB)) == kHostMemoryNotRegistered);
  CHECK(cuMemUnmap(address, 4 * kMiB) == 0);
  CHECK(process_context().host_memory().empty());
}

// Microseconds of a kernel that reads and writes 128 bytes.
float time_of(VirtualProgram& program, std::uint64_t data) {
  EventHandle begin = nullptr;
  EventHandle end = nullptr;
  REQUIRE(cuEventCreate(&begin, 0) == 0);
  REQUIRE(cuEventCreate(&end, 0) == 0);
  REQUIRE(program.run_increment(data) == 0);  // its code is in the caches after that
  void* arguments[] = {&data};
  REQUIRE(cuEventRecord(begin, nullptr) == 0);
  REQUIRE(cuLaunchKernel(program.increment, 1, 1, 1, 32, 1, 1, 0, nullptr, arguments, nullptr) == 0);
  REQUIRE(cuEventRecord(end, nullptr) == 0);
  REQUIRE(cuEventSynchronize(end) == 0);
  float ms = 0;
  REQUIRE(cuEventElapsedTime(&ms, begin, end) == 0);
  return ms * 1000;
}

TEST_CASE("virtual memory: mappings of another GPU's and of the host's memory take the time of their links") {
  VirtualProgram program(2, true);
  const std::uint64_t address = VirtualProgram::reserve(6 * kMiB);
  const abi::AllocationProperties homes[] = {memory_properties(), memory_properties(abi::MemoryLocation::kDevice, 1),
                                             memory_properties(abi::MemoryLocation::kHost)};
  float us[3] = {};
  for (std::uint64_t i = 0; i < 3; ++i) {
    const std::uint64_t at = address + 2 * i * kMiB;
    REQUIRE(cuMemMap(at, 2 * kMiB, 0, VirtualProgram::create(2 * kMiB, homes[i]), 0) == 0);
    REQUIRE(VirtualProgram::open(at, 2 * kMiB) == 0);
    us[i] = time_of(program, at);
  }
  CHECK(us[1] > us[0] + 0.3F);
  CHECK(us[2] > us[0] + 0.3F);
  // Something else at the same addresses.
  REQUIRE(cuMemUnmap(address, 4 * kMiB) == 0);
  REQUIRE(cuMemMap(address + 2 * kMiB, 2 * kMiB, 0, VirtualProgram::create(2 * kMiB), 0) == 0);
  REQUIRE(VirtualProgram::open(address + 2 * kMiB, 2 * kMiB) == 0);
  CHECK(time_of(program, address + 2 * kMiB) < us[1] - 0.3F);
}

TEST_CASE("virtual memory: a descriptor shares memory, also with another process") {
  VirtualProgram program;
  int descriptor = -1;
  const std::uint64_t own = VirtualProgram::create(2 * kMiB);
  CHECK(cuMemExportToShareableHandle(&descriptor, own, abi::kFileDescriptor, 0) == kInvalidValue);
  const std::uint64_t shared =
      VirtualProgram::create(2 * kMiB, memory_properties(abi::MemoryLocation::kDevice, 0, abi::kFileDescriptor));
  CHECK(cuMemExportToShareableHandle(&descriptor, shared, abi::kWin32, 0) == kInvalidValue);
  CHECK(cuMemExportToShareableHandle(&descriptor, shared, abi::kFileDescriptor, 1) == kInvalidValue);
  CHECK(cuMemExportToShareableHandle(nullptr, shared, abi::kFileDescriptor, 0) == kInvalidValue);
  REQUIRE(cuMemExportToShareableHandle(&descriptor, shared, abi::kFileDescriptor, 0) == 0);
  CHECK((fcntl(descriptor, F_GETFD) & FD_CLOEXEC) != 0);
  const std::uint64_t used = VirtualProgram::used();
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
  CHECK(VirtualProgram::used() == used);
  abi::AllocationProperties properties = {};
  CHECK(cuMemGetAllocationPropertiesFromHandle(&properties, again) == 0);
  CHECK(properties.handle_types == 0);
  CHECK(properties.location.type == abi::MemoryLocation::kDevice);
  close(descriptor);
  CHECK(cuMemRelease(shared) == 0);
  CHECK(VirtualProgram::used() == used);
  CHECK(cuMemRelease(again) == 0);
  CHECK(VirtualProgram::used() == used - 2 * kMiB);
}

TEST_CASE("virtual memory: a vector grows by further mappings at its end") {
  VirtualProgram program;
  const std::uint64_t address = VirtualProgram::reserve(4 * kMiB);
  const std::uint64_t next = VirtualProgram::reserve(4 * kMiB, address + 4 * kMiB);
  CHECK(next == address + 4 * kMiB);
  const std::uint64_t first = VirtualProgram::create(4 * kMiB);
  const std::uint64_t second = VirtualProgram::create(4 * kMiB);
  REQUIRE(cuMemMap(address, 4 * kMiB, 0, first, 0) == 0);
  REQUIRE(VirtualProgram::open(address, 4 * kMiB) == 0);
  REQUIRE(cuMemMap(next, 4 * kMiB, 0, second, 0) == 0);
  REQUIRE(VirtualProgram::open(next, 4 * kMiB) == 0);
  CHECK(cuMemsetD32_v2(next - 64, 1, 16) == 0);
  CHECK(cuMemsetD32_v2(next, 1, 16) == 0);
  CHECK(program.run_increment(next - 64) == 0);
}

}  // namespace
}  // namespace warpsim::cuda
