// Compares the structures of virtual memory management and of pools with an installed toolkit's. Built only if CMake
// finds version 13.
#include <cuda.h>
#include <driver_types.h>

#include <catch2/catch.hpp>
#include <cstddef>

#include "cuda/abi/virtual_memory_abi.h"
#include "cuda/memory/memory_pool.h"

namespace warpsim::cuda {
namespace {

TEST_CASE("virtual memory management has the toolkit's layouts and numbers") {
  CHECK(sizeof(abi::AllocationProperties) == sizeof(CUmemAllocationProp));
  CHECK(offsetof(abi::AllocationProperties, handle_types) == offsetof(CUmemAllocationProp, requestedHandleTypes));
  CHECK(offsetof(abi::AllocationProperties, location) == offsetof(CUmemAllocationProp, location));
  CHECK(offsetof(abi::AllocationProperties, compression) == offsetof(CUmemAllocationProp, allocFlags.compressionType));
  CHECK(offsetof(abi::AllocationProperties, usage) == offsetof(CUmemAllocationProp, allocFlags.usage));
  CHECK(sizeof(abi::AccessDescription) == sizeof(CUmemAccessDesc));
  CHECK(offsetof(abi::AccessDescription, flags) == offsetof(CUmemAccessDesc, flags));
  CHECK(sizeof(abi::AccessDescription) == sizeof(cudaMemAccessDesc));
  CHECK(sizeof(abi::PoolPointer) == sizeof(CUmemPoolPtrExportData));
  CHECK(int{abi::MemoryLocation::kDevice} == int{CU_MEM_LOCATION_TYPE_DEVICE});
  CHECK(int{abi::MemoryLocation::kHost} == int{CU_MEM_LOCATION_TYPE_HOST});
  CHECK(int{abi::MemoryLocation::kHostNuma} == int{CU_MEM_LOCATION_TYPE_HOST_NUMA});
  CHECK(int{abi::MemoryLocation::kHostNumaCurrent} == int{CU_MEM_LOCATION_TYPE_HOST_NUMA_CURRENT});
  CHECK(int{abi::kPinned} == int{CU_MEM_ALLOCATION_TYPE_PINNED});
  CHECK(int{abi::kManagedByDriver} == int{CU_MEM_ALLOCATION_TYPE_MANAGED});
  CHECK(int{abi::kFileDescriptor} == int{CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR});
  CHECK(int{abi::kFabric} == int{CU_MEM_HANDLE_TYPE_FABRIC});
  CHECK(int{abi::kReadAccess} == int{CU_MEM_ACCESS_FLAGS_PROT_READ});
  CHECK(int{abi::kReadWriteAccess} == int{CU_MEM_ACCESS_FLAGS_PROT_READWRITE});
}

TEST_CASE("attributes of memory pools have the toolkit's numbers, in runtime and driver") {
  CHECK(int{MemoryPool::kFollowEvents} == int{CU_MEMPOOL_ATTR_REUSE_FOLLOW_EVENT_DEPENDENCIES});
  CHECK(int{MemoryPool::kOpportunistic} == int{CU_MEMPOOL_ATTR_REUSE_ALLOW_OPPORTUNISTIC});
  CHECK(int{MemoryPool::kInternal} == int{CU_MEMPOOL_ATTR_REUSE_ALLOW_INTERNAL_DEPENDENCIES});
  CHECK(int{MemoryPool::kThreshold} == int{CU_MEMPOOL_ATTR_RELEASE_THRESHOLD});
  CHECK(int{MemoryPool::kReserved} == int{CU_MEMPOOL_ATTR_RESERVED_MEM_CURRENT});
  CHECK(int{MemoryPool::kReservedHigh} == int{CU_MEMPOOL_ATTR_RESERVED_MEM_HIGH});
  CHECK(int{MemoryPool::kUsed} == int{CU_MEMPOOL_ATTR_USED_MEM_CURRENT});
  CHECK(int{MemoryPool::kUsedHigh} == int{CU_MEMPOOL_ATTR_USED_MEM_HIGH});
  CHECK(int{MemoryPool::kInternal} == int{cudaMemPoolReuseAllowInternalDependencies});
  CHECK(int{MemoryPool::kUsedHigh} == int{cudaMemPoolAttrUsedMemHigh});
}

}  // namespace
}  // namespace warpsim::cuda
