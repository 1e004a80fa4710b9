// The driver's functions of memory pools, and allocations in the order of a stream.
#include "cuda/calls.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/memory_pool_api.h"
#include "cuda/memory/pool_calls.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuMemAllocAsync(std::uint64_t* data, std::size_t bytes, StreamHandle stream) {
  return stream_call(stream, [&](Context& context) {
    std::uint64_t& allocated = result(data);
    allocated = to_address(allocate_in_order(context, bytes, stream));
  });
}

int cuMemFreeAsync(std::uint64_t data, StreamHandle stream) {
  return stream_call(stream, [&](Context& context) { release_in_order(context, to_pointer(data), stream); });
}

int cuMemAllocFromPoolAsync(std::uint64_t* data, std::size_t bytes, void* pool, StreamHandle stream) {
  return stream_call(stream, [&](Context& context) {
    std::uint64_t& allocated = result(data);
    allocated = to_address(pool_calls::allocate(context, bytes, pool, stream));
  });
}

int cuDeviceGetDefaultMemPool(void** pool, int device) {
  return driver_call([&](Context& context) { result(pool) = pool_calls::default_of_device(context, device); });
}

int cuDeviceGetMemPool(void** pool, int device) {
  return driver_call([&](Context& context) { result(pool) = pool_calls::current_of_device(context, device); });
}

int cuDeviceSetMemPool(int device, void* pool) {
  return driver_call([&](Context& context) { pool_calls::set_of_device(context, device, pool); });
}

int cuMemGetDefaultMemPool(void** pool, const abi::MemoryLocation* location, int type) {
  return driver_call([&](Context& context) { result(pool) = pool_calls::default_at(context, location, type); });
}

int cuMemGetMemPool(void** pool, const abi::MemoryLocation* location, int type) {
  return driver_call([&](Context& context) { result(pool) = pool_calls::current_at(context, location, type); });
}

int cuMemSetMemPool(const abi::MemoryLocation* location, int type, void* pool) {
  return driver_call([&](Context& context) { pool_calls::set_at(context, location, type, pool); });
}

int cuMemPoolCreate(void** pool, const abi::MemoryPoolProperties* properties) {
  return driver_call([&](Context& context) {
    void*& created = result(pool);
    created = pool_calls::create(context, properties);
  });
}

int cuMemPoolDestroy(void* pool) {
  return driver_call([&](Context& context) { pool_calls::destroy(context, pool); });
}

int cuMemPoolTrimTo(void* pool, std::size_t bytes) {
  return driver_call([&](Context& context) { pool_calls::trim(context, pool, bytes); });
}

int cuMemPoolSetAttribute(void* pool, int attribute, void* value) {
  return driver_call([&](Context& context) { pool_calls::set_attribute(context, pool, attribute, value); });
}

int cuMemPoolGetAttribute(void* pool, int attribute, void* value) {
  return driver_call([&](Context& context) { pool_calls::attribute(context, pool, attribute, value); });
}

int cuMemPoolSetAccess(void* pool, const abi::AccessDescription* descriptions, std::size_t count) {
  return driver_call([&](Context& context) { pool_calls::set_access(context, pool, descriptions, count); });
}

int cuMemPoolGetAccess(int* flags, void* pool, const abi::MemoryLocation* location) {
  return driver_call([&](Context& context) { result(flags) = pool_calls::access(context, pool, location); });
}

int cuMemPoolExportToShareableHandle(void* shareable, void* pool, int type, unsigned long long flags) {
  return driver_call([&](Context& context) {
    int& descriptor = result(static_cast<int*>(shareable));
    descriptor = pool_calls::share(context, pool, type, flags);
  });
}

int cuMemPoolImportFromShareableHandle(void** pool, void* shareable, int type, unsigned long long flags) {
  return driver_call([&](Context& context) {
    void*& imported = result(pool);
    imported = pool_calls::import(context, shareable, type, flags);
  });
}

int cuMemPoolExportPointer(abi::PoolPointer* pointer, std::uint64_t data) {
  return driver_call([&](Context& context) { pool_calls::describe(context, pointer, data); });
}

int cuMemPoolImportPointer(std::uint64_t* data, void* pool, const abi::PoolPointer* pointer) {
  return driver_call([&](Context& context) {
    std::uint64_t& imported = result(data);
    imported = pool_calls::import_pointer(context, pool, pointer);
  });
}
