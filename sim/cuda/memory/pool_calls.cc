#include "cuda/memory/pool_calls.h"

#include <cstdint>

#include "cuda/calls.h"
#include "cuda/device_calls.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/memory_pools.h"

namespace warpsim::cuda::pool_calls {

void* allocate(Context& context, std::size_t bytes, void* pool, StreamHandle stream) {
  return allocate_in_order(context, bytes, stream, &context.pools().pool(pool));
}

void* default_of_device(Context& context, int device) {
  return context.pools().default_pool(context, device_at(context, device).number());
}

void* current_of_device(Context& context, int device) {
  return context.pools().current(context, device_at(context, device).number());
}

void set_of_device(Context& context, int device, void* pool) {
  if (device < 0 || static_cast<std::uint32_t>(device) >= context.device_count()) {
    throw CallError(kInvalidValue);
  }
  context.pools().set_current(context, static_cast<std::uint32_t>(device), &context.pools().pool(pool));
}

void* default_at(Context& context, const abi::MemoryLocation* location, int type) {
  return context.pools().default_pool(context, place_of_pools(context, result(location), type));
}

void* current_at(Context& context, const abi::MemoryLocation* location, int type) {
  return context.pools().current(context, place_of_pools(context, result(location), type));
}

void set_at(Context& context, const abi::MemoryLocation* location, int type, void* pool) {
  const std::uint32_t place = place_of_pools(context, result(location), type);
  context.pools().set_current(context, place, &context.pools().pool(pool));
}

void* create(Context& context, const abi::MemoryPoolProperties* properties) {
  return context.pools().create(context, result(properties));
}

void destroy(Context& context, void* pool) {
  context.pools().destroy(context, &context.pools().pool(pool));
}

void trim(Context& context, void* pool, std::size_t bytes) {
  MemoryPool& trimmed = context.pools().pool(pool);
  if (trimmed.is_imported()) {
    throw CallError(kInvalidValue, "a pool of another process cannot be trimmed");
  }
  trimmed.trim(context, 0, bytes);
}

void set_attribute(Context& context, void* pool, int attribute, const void* value) {
  context.pools().pool(pool).set_attribute(attribute, value);
}

void attribute(Context& context, void* pool, int attribute, void* value) {
  context.pools().pool(pool).attribute(attribute, value);
}

void set_access(Context& context, void* pool, const abi::AccessDescription* descriptions, std::size_t count) {
  context.pools().pool(pool).set_access(context, descriptions, count);
}

int access(Context& context, void* pool, const abi::MemoryLocation* location) {
  return context.pools().pool(pool).access(context, result(location));
}

int share(Context& context, void* pool, int type, unsigned long long flags) {
  if (flags != 0) {
    throw CallError(kInvalidValue);
  }
  const int descriptor = context.pools().pool(pool).share(type);
  context.note_other_processes();
  return descriptor;
}

void* import(Context& context, void* shareable, int type, unsigned long long flags) {
  if (flags != 0 || type != abi::kFileDescriptor) {
    throw CallError(kInvalidValue, "pools are shared by descriptors of files");
  }
  return context.pools().import(context, static_cast<int>(reinterpret_cast<std::intptr_t>(shareable)));
}

void describe(Context& context, abi::PoolPointer* pointer, Address data) {
  MemoryPool* const pool = context.pools().owner(data);
  if (pool == nullptr) {
    throw CallError(kInvalidValue, "this is not the beginning of memory of a pool");
  }
  result(pointer) = pool->describe(data);
}

Address import_pointer(Context& context, void* pool, const abi::PoolPointer* pointer) {
  return context.pools().pool(pool).import_pointer(context, result(pointer));
}

}  // namespace warpsim::cuda::pool_calls
