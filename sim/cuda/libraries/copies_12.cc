// The runtime's batches of copies before 13: they also tell which copy is wrong. What they call is declared here, as C
// has one declaration for a name.
#include <cstddef>

#include "cuda/streams/null_stream.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
extern "C" {
int warpsimMemcpyBatchAsync12(void* const* targets, const void* const* sources, const std::size_t* bytes,
                              std::size_t count, const void* attributes, const std::size_t* first_copies,
                              std::size_t attribute_count, std::size_t* failed, void* stream);
int warpsimMemcpy3DBatchAsync12(std::size_t count, const void* copies, std::size_t* failed, unsigned long long flags,
                                void* stream);

int cudaMemcpyBatchAsync(void* const* targets, const void* const* sources, const std::size_t* bytes, std::size_t count,
                         const void* attributes, const std::size_t* first_copies, std::size_t attribute_count,
                         std::size_t* failed, void* stream) {
  return warpsimMemcpyBatchAsync12(targets, sources, bytes, count, attributes, first_copies, attribute_count, failed,
                                   stream);
}

int cudaMemcpy3DBatchAsync(std::size_t count, const void* copies, std::size_t* failed, unsigned long long flags,
                           void* stream) {
  return warpsimMemcpy3DBatchAsync12(count, copies, failed, flags, stream);
}

WARPSIM_OWN_STREAM_NAME("cudaMemcpyBatchAsync_ptsz", "cudaMemcpyBatchAsync");
WARPSIM_OWN_STREAM_NAME("cudaMemcpy3DBatchAsync_ptsz", "cudaMemcpy3DBatchAsync");
}
// NOLINTEND(readability-identifier-naming)
#pragma GCC visibility pop
