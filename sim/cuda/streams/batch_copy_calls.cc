#include "cuda/calls.h"
#include "cuda/streams/batch_copy_api.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

// --- the runtime ---

int cudaMemcpyBatchAsync(void* const* targets, const void* const* sources, const std::size_t* bytes, std::size_t count,
                         const abi::CopyAttributes* attributes, const std::size_t* first_copies,
                         std::size_t attribute_count, StreamHandle stream) {
  return runtime_call([&](Context& context) {
    copy_batch(context, {targets, sources, bytes, count, attributes, first_copies, attribute_count}, stream);
  });
}

int cudaMemcpy3DBatchAsync(std::size_t count, const abi::CopyOfBatch* copies, unsigned long long flags,
                           StreamHandle stream) {
  return runtime_call([&](Context& context) { copy_boxes(context, {copies, count, flags}, stream); });
}

int warpsimMemcpyBatchAsync12(void* const* targets, const void* const* sources, const std::size_t* bytes,
                              std::size_t count, const abi::CopyAttributes* attributes, const std::size_t* first_copies,
                              std::size_t attribute_count, std::size_t* failed, StreamHandle stream) {
  return runtime_call([&](Context& context) {
    copy_batch(context, {targets, sources, bytes, count, attributes, first_copies, attribute_count}, stream, failed);
  });
}

int warpsimMemcpy3DBatchAsync12(std::size_t count, const abi::CopyOfBatch* copies, std::size_t* failed,
                                unsigned long long flags, StreamHandle stream) {
  return runtime_call([&](Context& context) { copy_boxes(context, {copies, count, flags}, stream, failed); });
}

// --- the driver ---

int cuMemcpyBatchAsync(void* const* targets, void* const* sources, const std::size_t* bytes, std::size_t count,
                       const abi::CopyAttributes* attributes, const std::size_t* first_copies,
                       std::size_t attribute_count, std::size_t* failed, StreamHandle stream) {
  return driver_call([&](Context& context) {
    copy_batch(context, {targets, sources, bytes, count, attributes, first_copies, attribute_count}, stream, failed);
  });
}

int cuMemcpyBatchAsync_v2(void* const* targets, void* const* sources, const std::size_t* bytes, std::size_t count,
                          const abi::CopyAttributes* attributes, const std::size_t* first_copies,
                          std::size_t attribute_count, StreamHandle stream) {
  return driver_call([&](Context& context) {
    copy_batch(context, {targets, sources, bytes, count, attributes, first_copies, attribute_count}, stream);
  });
}

int cuMemcpy3DBatchAsync(std::size_t count, const abi::CopyOfBatch* copies, std::size_t* failed,
                         unsigned long long flags, StreamHandle stream) {
  return driver_call([&](Context& context) { copy_boxes(context, {copies, count, flags}, stream, failed); });
}

int cuMemcpy3DBatchAsync_v2(std::size_t count, const abi::CopyOfBatch* copies, unsigned long long flags,
                            StreamHandle stream) {
  return driver_call([&](Context& context) { copy_boxes(context, {copies, count, flags}, stream); });
}
