// Batches of copies of runtime and driver. The first versions, those of the toolkit 12, also tell which copy is wrong.
#pragma once

#include <cstddef>
#include <cstdint>

#include "cuda/streams/batch_copies.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming): the names are CUDA's
extern "C" {
int cudaMemcpyBatchAsync(void* const* targets, const void* const* sources, const std::size_t* bytes, std::size_t count,
                         const warpsim::cuda::abi::CopyAttributes* attributes, const std::size_t* first_copies,
                         std::size_t attribute_count, warpsim::cuda::StreamHandle stream);
int cudaMemcpy3DBatchAsync(std::size_t count, const warpsim::cuda::abi::CopyOfBatch* copies, unsigned long long flags,
                           warpsim::cuda::StreamHandle stream);
int warpsimMemcpyBatchAsync12(void* const* targets, const void* const* sources, const std::size_t* bytes,
                              std::size_t count, const warpsim::cuda::abi::CopyAttributes* attributes,
                              const std::size_t* first_copies, std::size_t attribute_count, std::size_t* failed,
                              warpsim::cuda::StreamHandle stream);
int warpsimMemcpy3DBatchAsync12(std::size_t count, const warpsim::cuda::abi::CopyOfBatch* copies, std::size_t* failed,
                                unsigned long long flags, warpsim::cuda::StreamHandle stream);
int cuMemcpyBatchAsync(void* const* targets, void* const* sources, const std::size_t* bytes, std::size_t count,
                       const warpsim::cuda::abi::CopyAttributes* attributes, const std::size_t* first_copies,
                       std::size_t attribute_count, std::size_t* failed, warpsim::cuda::StreamHandle stream);
int cuMemcpyBatchAsync_v2(void* const* targets, void* const* sources, const std::size_t* bytes, std::size_t count,
                          const warpsim::cuda::abi::CopyAttributes* attributes, const std::size_t* first_copies,
                          std::size_t attribute_count, warpsim::cuda::StreamHandle stream);
int cuMemcpy3DBatchAsync(std::size_t count, const warpsim::cuda::abi::CopyOfBatch* copies, std::size_t* failed,
                         unsigned long long flags, warpsim::cuda::StreamHandle stream);
int cuMemcpy3DBatchAsync_v2(std::size_t count, const warpsim::cuda::abi::CopyOfBatch* copies, unsigned long long flags,
                            warpsim::cuda::StreamHandle stream);
}
// NOLINTEND(readability-identifier-naming)
#pragma GCC visibility pop
