// The runtime's streams and events.
#include "cuda/calls.h"
#include "cuda/ipc/ipc_events.h"
#include "cuda/runtime/runtime_api.h"
#include "cuda/streams/stream_attributes.h"
#include "cuda/streams/stream_calls.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaStreamCreate(StreamHandle* stream) {
  return cudaStreamCreateWithPriority(stream, 0, 0);
}

int cudaStreamCreateWithFlags(StreamHandle* stream, unsigned flags) {
  return cudaStreamCreateWithPriority(stream, flags, 0);
}

int cudaStreamCreateWithPriority(StreamHandle* stream, unsigned flags, int priority) {
  return runtime_call([&](Context& context) { result(stream) = context.create_stream(flags, priority); });
}

int cudaStreamDestroy(StreamHandle stream) {
  return runtime_call([&](Context& context) { destroy_stream(context, stream); });
}

int cudaStreamSynchronize(StreamHandle stream) {
  return runtime_call([&](Context& context) { synchronize(context, stream); });
}

int cudaStreamQuery(StreamHandle stream) {
  return runtime_call([&](Context& context) { query(context, stream); });
}

int cudaStreamWaitEvent(StreamHandle stream, EventHandle event, unsigned flags) {
  return runtime_call([&](Context& context) { wait_for_event(context, stream, event, flags); });
}

int cudaStreamAddCallback(StreamHandle stream, CudaStreamCallback callback, void* data, unsigned /*flags*/) {
  return runtime_call([&](Context& context) {
    result(callback);
    call_back(context, stream, [=] { callback(stream, kSuccess, data); });
  });
}

int cudaStreamGetFlags(StreamHandle stream, unsigned* flags) {
  return runtime_call([&](Context& context) { result(flags) = context.stream(stream).flags; });
}

int cudaStreamGetPriority(StreamHandle stream, int* priority) {
  return runtime_call([&](Context& context) { result(priority) = context.stream(stream).priority; });
}

int cudaStreamGetId(StreamHandle stream, unsigned long long* number) {
  return runtime_call([&](Context& context) { result(number) = context.stream(stream).number; });
}

int cudaStreamGetDevice(StreamHandle stream, int* device) {
  return runtime_call([&](Context& context) { result(device) = static_cast<int>(context.stream(stream).gpu); });
}

int cudaStreamSetAttribute(StreamHandle stream, int attribute, const void* value) {
  return runtime_call([&](Context& context) { set_stream_attribute(context, stream, attribute, value); });
}

int cudaStreamGetAttribute(StreamHandle stream, int attribute, void* value) {
  return runtime_call([&](Context& context) { get_stream_attribute(context, stream, attribute, value); });
}

int cudaStreamCopyAttributes(StreamHandle target, StreamHandle source) {
  return runtime_call([&](Context& context) { copy_stream_attributes(context, target, source); });
}

int cudaEventCreate(EventHandle* event) {
  return cudaEventCreateWithFlags(event, 0);
}

int cudaEventCreateWithFlags(EventHandle* event, unsigned flags) {
  return runtime_call([&](Context& context) { result(event) = create_event(context, flags); });
}

int cudaEventDestroy(EventHandle event) {
  return runtime_call([&](Context& context) { context.destroy_event(event); });
}

int cudaEventRecord(EventHandle event, StreamHandle stream) {
  return runtime_call([&](Context& context) { record_event(context, event, stream); });
}

int cudaEventRecordWithFlags(EventHandle event, StreamHandle stream, unsigned flags) {
  return runtime_call([&](Context& context) { record_event(context, event, stream, flags); });
}

int cudaEventSynchronize(EventHandle event) {
  return runtime_call([&](Context& context) { synchronize_event(context, event); });
}

int cudaEventQuery(EventHandle event) {
  return runtime_call([&](Context& context) { query_event(context, event); });
}

int cudaEventElapsedTime(float* milliseconds, EventHandle begin, EventHandle end) {
  return runtime_call([&](Context& context) { result(milliseconds) = elapsed_ms(context, begin, end); });
}
