// The driver's functions of virtual memory management.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/abi/virtual_memory_abi.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
extern "C" {
int cuMemGetAllocationGranularity(std::size_t* bytes, const warpsim::cuda::abi::AllocationProperties* properties,
                                  int option);
int cuMemCreate(std::uint64_t* handle, std::size_t bytes, const warpsim::cuda::abi::AllocationProperties* properties,
                unsigned long long flags);
int cuMemRelease(std::uint64_t handle);
int cuMemRetainAllocationHandle(std::uint64_t* handle, void* address);
int cuMemGetAllocationPropertiesFromHandle(warpsim::cuda::abi::AllocationProperties* properties, std::uint64_t handle);
int cuMemExportToShareableHandle(void* shareable, std::uint64_t handle, int type, unsigned long long flags);
int cuMemImportFromShareableHandle(std::uint64_t* handle, void* shareable, int type);
int cuMemAddressReserve(std::uint64_t* address, std::size_t bytes, std::size_t alignment, std::uint64_t wanted,
                        unsigned long long flags);
int cuMemAddressFree(std::uint64_t address, std::size_t bytes);
int cuMemMap(std::uint64_t address, std::size_t bytes, std::size_t offset, std::uint64_t handle,
             unsigned long long flags);
int cuMemUnmap(std::uint64_t address, std::size_t bytes);
int cuMemSetAccess(std::uint64_t address, std::size_t bytes, const warpsim::cuda::abi::AccessDescription* descriptions,
                   std::size_t count);
int cuMemGetAccess(unsigned long long* flags, const warpsim::cuda::abi::MemoryLocation* location,
                   std::uint64_t address);
}
// NOLINTEND(readability-identifier-naming)
#pragma GCC visibility pop
