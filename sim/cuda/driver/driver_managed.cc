// The driver's functions for managed memory.
#include "cuda/calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/managed_calls.h"
#include "cuda/memory/memory_calls.h"

using namespace warpsim::cuda;

int cuMemPrefetchAsync_v2(std::uint64_t data, std::size_t bytes, MemoryLocation location, unsigned flags,
                          StreamHandle stream) {
  return driver_call([&](Context& context) {
    if (flags != 0) {
      throw CallError(kInvalidValue);
    }
    prefetch(context, ManagedRange{to_pointer(data), bytes}, location, stream);
  });
}

int cuMemPrefetchAsync(std::uint64_t data, std::size_t bytes, int device, StreamHandle stream) {
  return cuMemPrefetchAsync_v2(data, bytes, location_of(device), 0, stream);
}

int cuMemPrefetchBatchAsync(std::uint64_t* data, std::size_t* bytes, std::size_t count, MemoryLocation* locations,
                            std::size_t* first_ranges, std::size_t location_count, unsigned long long flags,
                            StreamHandle stream) {
  return driver_call([&](Context& context) {
    if (flags != 0 || count == 0 || location_count == 0) {
      throw CallError(kInvalidValue);
    }
    PrefetchBatch batch;
    for (std::size_t i = 0; i < count; ++i) {
      batch.ranges.push_back({to_pointer((&result(data))[i]), (&result(bytes))[i]});
    }
    batch.locations = {&result(locations), location_count};
    batch.index_of = {&result(first_ranges), location_count};
    prefetch(context, batch, stream);
  });
}

int cuMemAdvise_v2(std::uint64_t data, std::size_t bytes, int advice, MemoryLocation location) {
  return driver_call([&](Context& context) {
    advise(context, ManagedRange{to_pointer(data), bytes}, advice, location);
  });
}

int cuMemAdvise(std::uint64_t data, std::size_t bytes, int advice, int device) {
  return cuMemAdvise_v2(data, bytes, advice, location_of(device));
}

int cuMemRangeGetAttribute(void* value, std::size_t value_bytes, int attribute, std::uint64_t data, std::size_t bytes) {
  return context_call([&](Context& context) {
    auto* const target = &result(static_cast<std::byte*>(value));
    range_attribute(context, ManagedRange{to_pointer(data), bytes}, attribute, {target, value_bytes});
  });
}

int cuMemRangeGetAttributes(void** values, std::size_t* value_bytes, int* attributes, std::size_t count,
                            std::uint64_t data, std::size_t bytes) {
  return context_call([&](Context& context) {
    range_attributes(context, ManagedRange{to_pointer(data), bytes}, {values, value_bytes, attributes, count});
  });
}
