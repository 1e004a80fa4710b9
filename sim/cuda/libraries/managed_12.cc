// The runtime's calls for managed memory before 13, which name a location by the number of a device. What they call is
// declared here, as C has one declaration for a name.
#include <cstddef>

#include "cuda/streams/null_stream.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
extern "C" {
int warpsimMemPrefetchAsync12(const void* data, std::size_t bytes, int device, void* stream);
int warpsimMemAdvise12(const void* data, std::size_t bytes, int advice, int device);

int cudaMemPrefetchAsync(const void* data, std::size_t bytes, int device, void* stream) {
  return warpsimMemPrefetchAsync12(data, bytes, device, stream);
}

WARPSIM_OWN_STREAM_NAME("cudaMemPrefetchAsync_ptsz", "cudaMemPrefetchAsync");

int cudaMemAdvise(const void* data, std::size_t bytes, int advice, int device) {
  return warpsimMemAdvise12(data, bytes, advice, device);
}
}
// NOLINTEND(readability-identifier-naming)
#pragma GCC visibility pop
