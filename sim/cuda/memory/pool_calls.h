// What the functions of runtime and driver for memory pools do, which differ in their names and in how they report
// errors.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/abi/virtual_memory_abi.h"
#include "cuda/context.h"
#include "cuda/graphs/graph_abi.h"

namespace warpsim::cuda::pool_calls {

// Missing pointers and pools that do not exist end a call with kInvalidValue; other errors are those of memory_pool.h
// and memory_pools.h.
void* allocate(Context& context, std::size_t bytes, void* pool, StreamHandle stream);
void* default_of_device(Context& context, int device);
void* current_of_device(Context& context, int device);
void set_of_device(Context& context, int device, void* pool);
void* default_at(Context& context, const abi::MemoryLocation* location, int type);
void* current_at(Context& context, const abi::MemoryLocation* location, int type);
void set_at(Context& context, const abi::MemoryLocation* location, int type, void* pool);
void* create(Context& context, const abi::MemoryPoolProperties* properties);
void destroy(Context& context, void* pool);
void trim(Context& context, void* pool, std::size_t bytes);
void set_attribute(Context& context, void* pool, int attribute, const void* value);
void attribute(Context& context, void* pool, int attribute, void* value);
void set_access(Context& context, void* pool, const abi::AccessDescription* descriptions, std::size_t count);
int access(Context& context, void* pool, const abi::MemoryLocation* location);
// A descriptor, and the pool of one.
int share(Context& context, void* pool, int type, unsigned long long flags);
void* import(Context& context, void* shareable, int type, unsigned long long flags);
void describe(Context& context, abi::PoolPointer* pointer, Address data);
Address import_pointer(Context& context, void* pool, const abi::PoolPointer* pointer);

}  // namespace warpsim::cuda::pool_calls
