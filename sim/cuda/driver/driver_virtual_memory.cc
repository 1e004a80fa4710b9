// The driver's functions of virtual memory management.
#include "cuda/calls.h"
#include "cuda/driver/virtual_memory_api.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/virtual_memory.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

namespace {

void require_no_flags(unsigned long long flags) {
  if (flags != 0) {
    throw CallError(kInvalidValue, "flags that must be 0 are not");
  }
}

}  // namespace

int cuMemGetAllocationGranularity(std::size_t* bytes, const abi::AllocationProperties* properties, int option) {
  constexpr int kLastOption = 1;  // minimum, recommended: they are equal
  return driver_call([&](Context&) {
    result(properties);
    if (option < 0 || option > kLastOption) {
      throw CallError(kInvalidValue);
    }
    result(bytes) = VirtualMemory::kGranularity;
  });
}

int cuMemCreate(std::uint64_t* handle, std::size_t bytes, const abi::AllocationProperties* properties,
                unsigned long long flags) {
  return driver_call([&](Context& context) {
    require_no_flags(flags);
    std::uint64_t& created = result(handle);
    created = context.virtual_memory().create(context, bytes, result(properties));
  });
}

int cuMemRelease(std::uint64_t handle) {
  return driver_call([&](Context& context) { context.virtual_memory().release(handle); });
}

int cuMemRetainAllocationHandle(std::uint64_t* handle, void* address) {
  return driver_call([&](Context& context) {
    std::uint64_t& retained = result(handle);
    retained = context.virtual_memory().retain(context, to_address(address));
  });
}

int cuMemGetAllocationPropertiesFromHandle(abi::AllocationProperties* properties, std::uint64_t handle) {
  return driver_call([&](Context& context) { result(properties) = context.virtual_memory().properties(handle); });
}

int cuMemExportToShareableHandle(void* shareable, std::uint64_t handle, int type, unsigned long long flags) {
  return driver_call([&](Context& context) {
    require_no_flags(flags);
    int& descriptor = result(static_cast<int*>(shareable));
    descriptor = context.virtual_memory().share(handle, type);
    context.note_other_processes();
  });
}

int cuMemImportFromShareableHandle(std::uint64_t* handle, void* shareable, int type) {
  return driver_call([&](Context& context) {
    std::uint64_t& imported = result(handle);
    const auto descriptor = static_cast<int>(reinterpret_cast<std::intptr_t>(shareable));
    imported = context.virtual_memory().import(context, descriptor, type);
  });
}

int cuMemAddressReserve(std::uint64_t* address, std::size_t bytes, std::size_t alignment, std::uint64_t wanted,
                        unsigned long long flags) {
  return driver_call([&](Context& context) {
    require_no_flags(flags);
    std::uint64_t& reserved = result(address);
    reserved = reserve_addresses(context, bytes, alignment, wanted);
  });
}

int cuMemAddressFree(std::uint64_t address, std::size_t bytes) {
  return driver_call([&](Context& context) { free_addresses(context, {address, bytes}); });
}

int cuMemMap(std::uint64_t address, std::size_t bytes, std::size_t offset, std::uint64_t handle,
             unsigned long long flags) {
  return driver_call([&](Context& context) {
    require_no_flags(flags);
    context.virtual_memory().map(context, {address, bytes}, offset, handle);
  });
}

int cuMemUnmap(std::uint64_t address, std::size_t bytes) {
  return driver_call([&](Context& context) { unmap(context, {address, bytes}); });
}

int cuMemSetAccess(std::uint64_t address, std::size_t bytes, const abi::AccessDescription* descriptions,
                   std::size_t count) {
  return driver_call([&](Context& context) { set_access(context, {address, bytes}, descriptions, count); });
}

int cuMemGetAccess(unsigned long long* flags, const abi::MemoryLocation* location, std::uint64_t address) {
  return driver_call([&](Context& context) {
    unsigned long long& found = result(flags);
    found = static_cast<unsigned long long>(access_of(context, address, result(location)));
  });
}
