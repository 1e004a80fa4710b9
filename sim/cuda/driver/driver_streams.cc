// The driver's streams and events.
#include "cuda/calls.h"
#include "cuda/device_calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/ipc/ipc_events.h"
#include "cuda/streams/stream_attributes.h"
#include "cuda/streams/stream_calls.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuStreamCreate(StreamHandle* stream, unsigned flags) {
  return cuStreamCreateWithPriority(stream, flags, 0);
}

int cuStreamCreateWithPriority(StreamHandle* stream, unsigned flags, int priority) {
  return context_call([&](Context& context) { result(stream) = context.create_stream(flags, priority); });
}

int cuStreamDestroy_v2(StreamHandle stream) {
  return driver_call([&](Context& context) { destroy_stream(context, stream); });
}

int cuStreamSynchronize(StreamHandle stream) {
  return stream_call(stream, [&](Context& context) { synchronize(context, stream); });
}

int cuStreamQuery(StreamHandle stream) {
  return stream_call(stream, [&](Context& context) { query(context, stream); });
}

int cuStreamWaitEvent(StreamHandle stream, EventHandle event, unsigned flags) {
  return stream_call(stream, [&](Context& context) { wait_for_event(context, stream, event, flags); });
}

int cuStreamAddCallback(StreamHandle stream, CudaStreamCallback callback, void* data, unsigned /*flags*/) {
  return driver_call([&](Context& context) {
    result(callback);
    call_back(context, stream, [=] { callback(stream, kSuccess, data); });
  });
}

int cuStreamGetFlags(StreamHandle stream, unsigned* flags) {
  return driver_call([&](Context& context) { result(flags) = context.stream(stream).flags; });
}

int cuStreamGetPriority(StreamHandle stream, int* priority) {
  return driver_call([&](Context& context) { result(priority) = context.stream(stream).priority; });
}

int cuStreamGetId(StreamHandle stream, unsigned long long* number) {
  return driver_call([&](Context& context) { result(number) = context.stream(stream).number; });
}

int cuStreamGetCtx(StreamHandle stream, void** handle) {
  return driver_call([&](Context& context) {
    result(handle) = handle_of_device(kContextUnit, context.device(context.stream(stream).gpu));
  });
}

int cuStreamGetDevice(StreamHandle stream, int* device) {
  return driver_call([&](Context& context) { result(device) = static_cast<int>(context.stream(stream).gpu); });
}

int cuStreamSetAttribute(StreamHandle stream, int attribute, const void* value) {
  return stream_call(stream, [&](Context& context) { set_stream_attribute(context, stream, attribute, value); });
}

int cuStreamGetAttribute(StreamHandle stream, int attribute, void* value) {
  return stream_call(stream, [&](Context& context) { get_stream_attribute(context, stream, attribute, value); });
}

int cuStreamCopyAttributes(StreamHandle target, StreamHandle source) {
  return context_call([&](Context& context) { copy_stream_attributes(context, target, source); });
}

int cuEventCreate(EventHandle* event, unsigned flags) {
  return context_call([&](Context& context) { result(event) = create_event(context, flags); });
}

int cuEventDestroy_v2(EventHandle event) {
  return driver_call([&](Context& context) { context.destroy_event(event); });
}

int cuEventRecord(EventHandle event, StreamHandle stream) {
  return stream_call(stream, [&](Context& context) { record_event(context, event, stream); });
}

int cuEventRecordWithFlags(EventHandle event, StreamHandle stream, unsigned flags) {
  return stream_call(stream, [&](Context& context) { record_event(context, event, stream, flags); });
}

int cuEventSynchronize(EventHandle event) {
  return driver_call([&](Context& context) { synchronize_event(context, event); });
}

int cuEventQuery(EventHandle event) {
  return driver_call([&](Context& context) { query_event(context, event); });
}

int cuEventElapsedTime(float* milliseconds, EventHandle begin, EventHandle end) {
  return driver_call([&](Context& context) { result(milliseconds) = elapsed_ms(context, begin, end); });
}

int cuEventElapsedTime_v2(float* milliseconds, EventHandle begin, EventHandle end) {
  return cuEventElapsedTime(milliseconds, begin, end);
}
