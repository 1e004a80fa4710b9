// The functions of runtime and driver for memory pools. Handles of pools are opaque here.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/abi/abi.h"
#include "cuda/abi/virtual_memory_abi.h"
#include "cuda/graphs/graph_abi.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
extern "C" {
int cudaMallocAsync(void** data, std::size_t bytes, warpsim::cuda::StreamHandle stream);
int cudaFreeAsync(void* data, warpsim::cuda::StreamHandle stream);
int cudaMallocFromPoolAsync(void** data, std::size_t bytes, void* pool, warpsim::cuda::StreamHandle stream);
int cudaDeviceGetDefaultMemPool(void** pool, int device);
int cudaDeviceGetMemPool(void** pool, int device);
int cudaDeviceSetMemPool(int device, void* pool);
int cudaMemGetDefaultMemPool(void** pool, const warpsim::cuda::abi::MemoryLocation* location, int type);
int cudaMemGetMemPool(void** pool, const warpsim::cuda::abi::MemoryLocation* location, int type);
int cudaMemSetMemPool(const warpsim::cuda::abi::MemoryLocation* location, int type, void* pool);
int cudaMemPoolCreate(void** pool, const warpsim::cuda::abi::MemoryPoolProperties* properties);
int cudaMemPoolDestroy(void* pool);
int cudaMemPoolTrimTo(void* pool, std::size_t bytes);
int cudaMemPoolSetAttribute(void* pool, int attribute, void* value);
int cudaMemPoolGetAttribute(void* pool, int attribute, void* value);
int cudaMemPoolSetAccess(void* pool, const warpsim::cuda::abi::AccessDescription* descriptions, std::size_t count);
int cudaMemPoolGetAccess(int* flags, void* pool, const warpsim::cuda::abi::MemoryLocation* location);
int cudaMemPoolExportToShareableHandle(void* shareable, void* pool, int type, unsigned flags);
int cudaMemPoolImportFromShareableHandle(void** pool, void* shareable, int type, unsigned flags);
int cudaMemPoolExportPointer(warpsim::cuda::abi::PoolPointer* pointer, void* data);
int cudaMemPoolImportPointer(void** data, void* pool, const warpsim::cuda::abi::PoolPointer* pointer);

int cuMemAllocAsync(std::uint64_t* data, std::size_t bytes, warpsim::cuda::StreamHandle stream);
int cuMemFreeAsync(std::uint64_t data, warpsim::cuda::StreamHandle stream);
int cuMemAllocFromPoolAsync(std::uint64_t* data, std::size_t bytes, void* pool, warpsim::cuda::StreamHandle stream);
int cuDeviceGetDefaultMemPool(void** pool, int device);
int cuDeviceGetMemPool(void** pool, int device);
int cuDeviceSetMemPool(int device, void* pool);
int cuMemGetDefaultMemPool(void** pool, const warpsim::cuda::abi::MemoryLocation* location, int type);
int cuMemGetMemPool(void** pool, const warpsim::cuda::abi::MemoryLocation* location, int type);
int cuMemSetMemPool(const warpsim::cuda::abi::MemoryLocation* location, int type, void* pool);
int cuMemPoolCreate(void** pool, const warpsim::cuda::abi::MemoryPoolProperties* properties);
int cuMemPoolDestroy(void* pool);
int cuMemPoolTrimTo(void* pool, std::size_t bytes);
int cuMemPoolSetAttribute(void* pool, int attribute, void* value);
int cuMemPoolGetAttribute(void* pool, int attribute, void* value);
int cuMemPoolSetAccess(void* pool, const warpsim::cuda::abi::AccessDescription* descriptions, std::size_t count);
int cuMemPoolGetAccess(int* flags, void* pool, const warpsim::cuda::abi::MemoryLocation* location);
int cuMemPoolExportToShareableHandle(void* shareable, void* pool, int type, unsigned long long flags);
int cuMemPoolImportFromShareableHandle(void** pool, void* shareable, int type, unsigned long long flags);
int cuMemPoolExportPointer(warpsim::cuda::abi::PoolPointer* pointer, std::uint64_t data);
int cuMemPoolImportPointer(std::uint64_t* data, void* pool, const warpsim::cuda::abi::PoolPointer* pointer);
}
// NOLINTEND(readability-identifier-naming)
#pragma GCC visibility pop
