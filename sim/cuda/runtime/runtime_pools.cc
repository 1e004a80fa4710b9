// The runtime's functions of memory pools, and allocations in the order of a stream.
#include "cuda/calls.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/memory/memory_pool_api.h"
#include "cuda/memory/pool_calls.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaMallocAsync(void** data, std::size_t bytes, StreamHandle stream) {
  return runtime_call([&](Context& context) {
    void*& allocated = result(data);
    allocated = allocate_in_order(context, bytes, stream);
  });
}

int cudaFreeAsync(void* data, StreamHandle stream) {
  return runtime_call([&](Context& context) { release_in_order(context, data, stream); });
}

int cudaMallocFromPoolAsync(void** data, std::size_t bytes, void* pool, StreamHandle stream) {
  return runtime_call([&](Context& context) {
    void*& allocated = result(data);
    allocated = pool_calls::allocate(context, bytes, pool, stream);
  });
}

int cudaDeviceGetDefaultMemPool(void** pool, int device) {
  return runtime_call([&](Context& context) { result(pool) = pool_calls::default_of_device(context, device); });
}

int cudaDeviceGetMemPool(void** pool, int device) {
  return runtime_call([&](Context& context) { result(pool) = pool_calls::current_of_device(context, device); });
}

int cudaDeviceSetMemPool(int device, void* pool) {
  return runtime_call([&](Context& context) { pool_calls::set_of_device(context, device, pool); });
}

int cudaMemGetDefaultMemPool(void** pool, const abi::MemoryLocation* location, int type) {
  return runtime_call([&](Context& context) { result(pool) = pool_calls::default_at(context, location, type); });
}

int cudaMemGetMemPool(void** pool, const abi::MemoryLocation* location, int type) {
  return runtime_call([&](Context& context) { result(pool) = pool_calls::current_at(context, location, type); });
}

int cudaMemSetMemPool(const abi::MemoryLocation* location, int type, void* pool) {
  return runtime_call([&](Context& context) { pool_calls::set_at(context, location, type, pool); });
}

int cudaMemPoolCreate(void** pool, const abi::MemoryPoolProperties* properties) {
  return runtime_call([&](Context& context) {
    void*& created = result(pool);
    created = pool_calls::create(context, properties);
  });
}

int cudaMemPoolDestroy(void* pool) {
  return runtime_call([&](Context& context) { pool_calls::destroy(context, pool); });
}

int cudaMemPoolTrimTo(void* pool, std::size_t bytes) {
  return runtime_call([&](Context& context) { pool_calls::trim(context, pool, bytes); });
}

int cudaMemPoolSetAttribute(void* pool, int attribute, void* value) {
  return runtime_call([&](Context& context) { pool_calls::set_attribute(context, pool, attribute, value); });
}

int cudaMemPoolGetAttribute(void* pool, int attribute, void* value) {
  return runtime_call([&](Context& context) { pool_calls::attribute(context, pool, attribute, value); });
}

int cudaMemPoolSetAccess(void* pool, const abi::AccessDescription* descriptions, std::size_t count) {
  return runtime_call([&](Context& context) { pool_calls::set_access(context, pool, descriptions, count); });
}

int cudaMemPoolGetAccess(int* flags, void* pool, const abi::MemoryLocation* location) {
  return runtime_call([&](Context& context) { result(flags) = pool_calls::access(context, pool, location); });
}

int cudaMemPoolExportToShareableHandle(void* shareable, void* pool, int type, unsigned flags) {
  return runtime_call([&](Context& context) {
    int& descriptor = result(static_cast<int*>(shareable));
    descriptor = pool_calls::share(context, pool, type, flags);
  });
}

int cudaMemPoolImportFromShareableHandle(void** pool, void* shareable, int type, unsigned flags) {
  return runtime_call([&](Context& context) {
    void*& imported = result(pool);
    imported = pool_calls::import(context, shareable, type, flags);
  });
}

int cudaMemPoolExportPointer(abi::PoolPointer* pointer, void* data) {
  return runtime_call([&](Context& context) { pool_calls::describe(context, pointer, to_address(data)); });
}

int cudaMemPoolImportPointer(void** data, void* pool, const abi::PoolPointer* pointer) {
  return runtime_call([&](Context& context) {
    void*& imported = result(data);
    imported = to_pointer(pool_calls::import_pointer(context, pool, pointer));
  });
}
