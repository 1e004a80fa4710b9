// Prefetches, advice and attributes of managed memory, as CUDA's calls define them.
//
// On a device without time they are checked and remembered, and nothing moves.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "cuda/context.h"

namespace warpsim::cuda {

using abi::MemoryLocation;

// The location that toolkits before 13 name by the number of a device, or -1 for the host.
MemoryLocation location_of(int device);

struct ManagedRange {
  const void* data = nullptr;
  std::size_t bytes = 0;
};

// cudaMemPrefetchAsync. Fails with kInvalidValue for a range that is not managed memory, and with kInvalidDevice for
// a location that cannot be, or a device without page faults.
void prefetch(Context& context, const ManagedRange& range, const MemoryLocation& location, StreamHandle stream);
// cudaMemPrefetchBatchAsync: `index_of` is the first range of each location.
struct PrefetchBatch {
  std::vector<ManagedRange> ranges = {};
  std::span<const MemoryLocation> locations = {};
  std::span<const std::size_t> index_of = {};
};
void prefetch(Context& context, const PrefetchBatch& batch, StreamHandle stream);
// cudaMemAdvise. Fails like prefetch().
void advise(Context& context, const ManagedRange& range, int advice, const MemoryLocation& location);
// cudaMemRangeGetAttribute: writes the value to `data`.
void range_attribute(Context& context, const ManagedRange& range, int attribute, std::span<std::byte> data);
// cudaMemRangeGetAttributes: as many values, their sizes and their attributes. Fails with kInvalidValue for null.
struct AttributeList {
  void* const* values = nullptr;
  const std::size_t* bytes = nullptr;
  const int* attributes = nullptr;
  std::size_t count = 0;
};
void range_attributes(Context& context, const ManagedRange& range, const AttributeList& list);

// Of the device's memory, what neither allocations nor pages of managed memory take.
std::uint64_t free_bytes(Device& device);
// An engine of the device's GPU will access these bytes: the time until managed memory among them is there.
double bring(Device& device, Address begin, std::uint64_t bytes, bool writes);
// After a fill in the default stream: the host waits for it if it has filled managed or pinned memory, as CUDA defines.
void finish_fill(Context& context, const void* data);
// A kernel is launched on a GPU without page faults: managed memory that the host has moves first, in the stream.
void bring_all(Device& device, std::uint64_t stream);

}  // namespace warpsim::cuda
