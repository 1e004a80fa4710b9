// Streams and events, for runtime and driver.
#pragma once

#include "cuda/context.h"
#include "cuda/streams/operations.h"

namespace warpsim::cuda {

// Puts the operation into the stream.
WorkHandle put(Context& context, StreamHandle stream, const Operation& operation);

// The host waits until all work of the stream is done, or of the device.
void synchronize(Context& context, StreamHandle stream);
void synchronize(Context& context);
// Fails with kNotReady if some work is not done.
void query(Context& context, StreamHandle stream);

// `flags`: 1 makes a node of it if the stream is captured.
void record_event(Context& context, EventHandle event, StreamHandle stream, unsigned flags = 0);
void wait_for_event(Context& context, StreamHandle stream, EventHandle event, unsigned flags = 0);
void synchronize_event(Context& context, EventHandle event);
// Fails with kNotReady if what was recorded is not done.
void query_event(Context& context, EventHandle event);
// Milliseconds between two events. Fails with kInvalidHandle if they were not recorded or take no times, and with
// kNotReady if one of them is not done.
float elapsed_ms(Context& context, EventHandle begin, EventHandle end);

// The host calls a function when the work before it in the stream is done.
void call_host(Context& context, StreamHandle stream, void (*function)(void*), void* data);
// The same for a callback of the stream.
void call_back(Context& context, StreamHandle stream, std::function<void()> function);

void destroy_stream(Context& context, StreamHandle stream);

}  // namespace warpsim::cuda
