// Virtual memory management by the driver's functions: memory, ranges, mappings and access, with the driver's errors.
#include "cuda/memory/virtual_memory.h"

#include <catch2/catch.hpp>

#include "cuda/memory/memory_calls.h"
#include "support/sizes.h"
#include "support/virtual_program.h"

namespace warpsim::cuda {
namespace {

using test::kMiB;
using test::memory_properties;
using test::VirtualProgram;

constexpr int kDriverOutOfMemory = 2;
constexpr int kDriverInvalidDevice = 101;

TEST_CASE("virtual memory: physical memory has the driver's errors") {
  VirtualProgram program;
  std::uint64_t handle = 0;
  const auto good = memory_properties();
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
  for (const Case& c :
       {Case{0, 0, 0, kInvalidValue}, Case{abi::MemoryLocation::kDevice, 5, 0, kDriverInvalidDevice},
        Case{abi::MemoryLocation::kDevice, -1, 0, kDriverInvalidDevice},
        Case{abi::MemoryLocation::kDevice, 0, abi::kWin32, kInvalidValue},
        Case{abi::MemoryLocation::kDevice, 0, abi::kFabric, kNotPermitted}, Case{abi::MemoryLocation::kHost, 7, 0, 0},
        Case{abi::MemoryLocation::kHost, 0, abi::kFileDescriptor, kInvalidValue},
        Case{abi::MemoryLocation::kHostNuma, 0, abi::kFileDescriptor, 0},
        Case{abi::MemoryLocation::kHostNuma, 1, 0, kInvalidValue},
        Case{abi::MemoryLocation::kHostNumaCurrent, 0, 0, kInvalidValue}}) {
    CAPTURE(c.location, c.id, c.handle_types);
    const auto properties = memory_properties(c.location, c.id, c.handle_types);
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
  handle = VirtualProgram::create(2 * kMiB);
  CHECK(cuMemRelease(handle) == 0);
  CHECK(cuMemRelease(handle) == kInvalidValue);
}

TEST_CASE("virtual memory: reserved ranges have the driver's errors") {
  VirtualProgram program;
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
  const std::uint64_t handle = VirtualProgram::create(2 * kMiB);
  REQUIRE(cuMemMap(address, 2 * kMiB, 0, handle, 0) == 0);
  CHECK(cuMemAddressFree(address, 4 * kMiB) == kInvalidValue);
  REQUIRE(cuMemUnmap(address, 2 * kMiB) == 0);
  CHECK(cuMemAddressFree(address, 4 * kMiB) == 0);
  CHECK(cuMemAddressFree(address, 4 * kMiB) == kInvalidValue);
}

TEST_CASE("virtual memory: only whole memory is mapped, where nothing is") {
  VirtualProgram program;
  const std::uint64_t handle = VirtualProgram::create(4 * kMiB);
  const std::uint64_t address = VirtualProgram::reserve(16 * kMiB);
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
  VirtualProgram program;
  const std::uint64_t before = VirtualProgram::used();
  const std::uint64_t handle = VirtualProgram::create(4 * kMiB);
  const std::uint64_t address = VirtualProgram::reserve(8 * kMiB);
  CHECK(VirtualProgram::used() == before + 4 * kMiB);
  REQUIRE(cuMemMap(address, 4 * kMiB, 0, handle, 0) == 0);
  std::uint64_t retained = 0;
  REQUIRE(cuMemRetainAllocationHandle(&retained, to_pointer(address + 3 * kMiB)) == 0);
  CHECK(retained == handle);
  CHECK(cuMemRetainAllocationHandle(&retained, to_pointer(address + 4 * kMiB)) == kInvalidValue);
  CHECK(cuMemRelease(handle) == 0);
  CHECK(cuMemRelease(handle) == 0);
  CHECK(cuMemMap(address + 4 * kMiB, 4 * kMiB, 0, handle, 0) == kInvalidValue);
  CHECK(VirtualProgram::used() == before + 4 * kMiB);
  // A mapping gives the handle back.
  REQUIRE(cuMemRetainAllocationHandle(&retained, to_pointer(address)) == 0);
  abi::AllocationProperties properties = {};
  CHECK(cuMemGetAllocationPropertiesFromHandle(&properties, retained) == 0);
  CHECK(properties.location.type == abi::MemoryLocation::kDevice);
  REQUIRE(cuMemUnmap(address, 4 * kMiB) == 0);
  CHECK(VirtualProgram::used() == before + 4 * kMiB);
  CHECK(cuMemRelease(retained) == 0);
  CHECK(VirtualProgram::used() == before);
  CHECK(cuMemGetAllocationPropertiesFromHandle(&properties, retained) == kInvalidValue);
}

TEST_CASE("virtual memory: access is set for whole mappings, and queried") {
  VirtualProgram program(2);
  const std::uint64_t handle = VirtualProgram::create(4 * kMiB);
  const std::uint64_t address = VirtualProgram::reserve(16 * kMiB);
  REQUIRE(cuMemMap(address, 4 * kMiB, 0, handle, 0) == 0);
  REQUIRE(cuMemMap(address + 4 * kMiB, 4 * kMiB, 0, handle, 0) == 0);
  CHECK(VirtualProgram::open(address, 16 * kMiB) == kInvalidValue);
  CHECK(VirtualProgram::open(address + 8 * kMiB, 2 * kMiB) == kInvalidValue);
  CHECK(VirtualProgram::open(address, 2 * kMiB) == kInvalidValue);
  CHECK(VirtualProgram::open(address + 2 * kMiB, 6 * kMiB) == kInvalidValue);
  CHECK(VirtualProgram::open(address, 0) == kInvalidValue);
  CHECK(VirtualProgram::open(address, 4 * kMiB, 0, 2) == kInvalidValue);
  CHECK(VirtualProgram::open(address, 4 * kMiB, 9) == kInvalidValue);
  const abi::AccessDescription of_host = {{abi::MemoryLocation::kHost, 0}, abi::kReadWriteAccess};
  const abi::AccessDescription of_node = {{abi::MemoryLocation::kHostNuma, 0}, abi::kReadWriteAccess};
  const abi::AccessDescription nowhere = {{0, 0}, abi::kReadWriteAccess};
  CHECK(cuMemSetAccess(address, 4 * kMiB, &of_host, 1) == kNotSupported);
  CHECK(cuMemSetAccess(address, 4 * kMiB, &of_node, 1) == kNotSupported);
  CHECK(cuMemSetAccess(address, 4 * kMiB, &nowhere, 1) == kInvalidValue);
  CHECK(cuMemSetAccess(address, 4 * kMiB, &of_host, 0) == kInvalidValue);
  CHECK(cuMemSetAccess(address, 4 * kMiB, nullptr, 1) == kInvalidValue);
  unsigned long long flags = 9;
  const abi::MemoryLocation first = {abi::MemoryLocation::kDevice, 0};
  const abi::MemoryLocation second = {abi::MemoryLocation::kDevice, 1};
  CHECK(cuMemGetAccess(&flags, &first, address) == 0);
  CHECK(flags == 0);
  CHECK(VirtualProgram::open(address, 8 * kMiB) == 0);
  CHECK(VirtualProgram::open(address, 4 * kMiB, 1, abi::kReadAccess) == 0);
  CHECK(cuMemGetAccess(&flags, &first, address + 5 * kMiB) == 0);
  CHECK(flags == abi::kReadWriteAccess);
  CHECK(cuMemGetAccess(&flags, &second, address) == 0);
  CHECK(flags == abi::kReadAccess);
  CHECK(cuMemGetAccess(&flags, &second, address + 4 * kMiB) == 0);
  CHECK(flags == abi::kNoAccess);
  CHECK(cuMemGetAccess(&flags, &first, address + 8 * kMiB) == kInvalidValue);
  const abi::MemoryLocation other = {abi::MemoryLocation::kDevice, 9};
  CHECK(cuMemGetAccess(&flags, &other, address) == kDriverInvalidDevice);
  CHECK(cuMemGetAccess(&flags, nullptr, address) == kInvalidValue);
}

}  // namespace
}  // namespace warpsim::cuda
