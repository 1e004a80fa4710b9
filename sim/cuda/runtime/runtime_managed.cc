// The runtime's functions for managed memory.
#include "cuda/calls.h"
#include "cuda/memory/managed_calls.h"
#include "cuda/runtime/runtime_api.h"

using namespace warpsim::cuda;

namespace {

PrefetchBatch batch_of(void** data, const std::size_t* bytes, std::size_t count) {
  PrefetchBatch batch;
  for (std::size_t i = 0; i < count; ++i) {
    batch.ranges.push_back({(&result(data))[i], (&result(bytes))[i]});
  }
  return batch;
}

}  // namespace

int cudaMemPrefetchAsync(const void* data, std::size_t bytes, MemoryLocation location, unsigned flags,
                         StreamHandle stream) {
  return runtime_call([&](Context& context) {
    if (flags != 0) {
      throw CallError(kInvalidValue);
    }
    prefetch(context, ManagedRange{data, bytes}, location, stream);
  });
}

int cudaMemPrefetchAsync_v2(const void* data, std::size_t bytes, MemoryLocation location, unsigned flags,
                            StreamHandle stream) {
  return cudaMemPrefetchAsync(data, bytes, location, flags, stream);
}

int warpsimMemPrefetchAsync12(const void* data, std::size_t bytes, int device, StreamHandle stream) {
  return cudaMemPrefetchAsync(data, bytes, location_of(device), 0, stream);
}

int cudaMemPrefetchBatchAsync(void** data, std::size_t* bytes, std::size_t count, MemoryLocation* locations,
                              std::size_t* first_ranges, std::size_t location_count, unsigned long long flags,
                              StreamHandle stream) {
  return runtime_call([&](Context& context) {
    if (flags != 0 || count == 0 || location_count == 0) {
      throw CallError(kInvalidValue);
    }
    PrefetchBatch batch = batch_of(data, bytes, count);
    batch.locations = {&result(locations), location_count};
    batch.index_of = {&result(first_ranges), location_count};
    prefetch(context, batch, stream);
  });
}

int cudaMemAdvise(const void* data, std::size_t bytes, int advice, MemoryLocation location) {
  return runtime_call([&](Context& context) { advise(context, ManagedRange{data, bytes}, advice, location); });
}

int cudaMemAdvise_v2(const void* data, std::size_t bytes, int advice, MemoryLocation location) {
  return cudaMemAdvise(data, bytes, advice, location);
}

int warpsimMemAdvise12(const void* data, std::size_t bytes, int advice, int device) {
  return cudaMemAdvise(data, bytes, advice, location_of(device));
}

int cudaMemRangeGetAttribute(void* value, std::size_t value_bytes, int attribute, const void* data, std::size_t bytes) {
  return runtime_call([&](Context& context) {
    auto* const target = &result(static_cast<std::byte*>(value));
    range_attribute(context, ManagedRange{data, bytes}, attribute, {target, value_bytes});
  });
}

int cudaMemRangeGetAttributes(void** values, std::size_t* value_bytes, int* attributes, std::size_t count,
                              const void* data, std::size_t bytes) {
  return runtime_call([&](Context& context) {
    range_attributes(context, ManagedRange{data, bytes}, {values, value_bytes, attributes, count});
  });
}
