#include "cuda/streams/stream_calls.h"

#include <utility>

#include "cuda/graphs/capture.h"
#include "cuda/ipc/ipc_events.h"
#include "cuda/memory/memory_pools.h"

namespace warpsim::cuda {

namespace {

constexpr unsigned kExternal = 1;

bool is_external(unsigned flags) {
  if (flags > kExternal) {
    throw CallError(kInvalidValue);
  }
  return flags == kExternal;
}

}  // namespace

WorkHandle put(Context& context, StreamHandle stream, const Operation& operation) {
  if (capture_operation(context, stream, operation)) {
    return nullptr;
  }
  const Stream& target = context.stream(stream);
  if (std::holds_alternative<LaunchOperation>(operation) && target.gpu != current_device()) {
    throw CallError(kInvalidHandle, "a kernel is launched in a stream of another device than the current one");
  }
  WorkPlace place;
  place.gpu = target.gpu;
  place.stream = target.number;
  WorkHandle work = perform(context, operation, std::move(place));
  context.check_device();
  return work;
}

void synchronize(Context& context, StreamHandle stream) {
  forbid_waiting(context, stream);
  const Stream& waited = context.stream(stream);
  context.wait(
      [&context, gpu = waited.gpu, number = waited.number] { context.device(gpu).queue().wait_for_stream(number); });
  context.pools().waited(context, name_of(waited));
  context.flush_printed();
  context.check_device();
}

void synchronize(Context& context) {
  forbid_waiting(context);
  context.wait([&] { context.device().queue().wait(nullptr); });
  context.pools().waited_for_gpu(context, context.device().number());
  context.flush_printed();
  context.check_device();
}

void query(Context& context, StreamHandle stream) {
  forbid_waiting(context, stream);
  const bool done = context.queue_of(context.stream(stream)).ask_for_stream(context.stream(stream).number);
  context.flush_printed();
  context.check_device();
  if (!done) {
    throw CallError(kNotReady);
  }
}

void record_event(Context& context, EventHandle handle, StreamHandle stream, unsigned flags) {
  Event& event = context.event(handle);
  if (event.gpu != context.stream(stream).gpu) {
    throw CallError(kInvalidHandle, "an event is recorded in a stream of another device than its own");
  }
  if (capture_record(context, handle, stream, is_external(flags))) {
    return;
  }
  if (event.shared != nullptr) {
    record_shared(context, event, stream);
  } else {
    event.record(put(context, stream, MarkerOperation{event.takes_time()}));
    event.frees = context.pools().order().point(name_of(context.stream(stream)));
  }
}

void wait_for_event(Context& context, StreamHandle stream, EventHandle handle, unsigned flags) {
  if (capture_wait(context, stream, handle, is_external(flags))) {
    return;
  }
  const Stream& waiting = context.stream(stream);
  const Event& event = context.event(handle);
  if (event.shared != nullptr) {
    wait_for_shared(context, stream, event);
  } else if (event.recorded) {
    context.queue_of(waiting).stream_waits(waiting.number, event.work, event.edge);
    context.pools().order().wait(name_of(waiting), event.frees);
  }
}

void synchronize_event(Context& context, EventHandle handle) {
  const Event& event = context.event(handle);
  forbid_waiting(context, event);
  if (event.shared != nullptr) {
    synchronize_shared(context, event);
  } else if (event.recorded) {
    context.wait([&context, work = event.work] { context.device().queue().wait(work); });
    context.pools().waited(context, event.frees);
  }
  context.flush_printed();
  context.check_device();
}

void query_event(Context& context, EventHandle handle) {
  const Event& event = context.event(handle);
  forbid_waiting(context, event);
  const bool done = event.shared != nullptr ? ask_shared(context, event)
                                            : !event.recorded || context.device().queue().ask(event.work);
  context.flush_printed();
  context.check_device();
  if (!done) {
    throw CallError(kNotReady);
  }
}

float elapsed_ms(Context& context, EventHandle begin, EventHandle end) {
  constexpr double kNsPerMs = 1e6;
  const Event& first = context.event(begin);
  const Event& last = context.event(end);
  for (const Event* const event : {&first, &last}) {
    if (event->captured != nullptr) {
      throw CallError(kCapturedEvent);
    }
  }
  if (first.gpu != last.gpu) {
    throw CallError(kInvalidHandle);
  }
  if (!first.recorded || !last.recorded || !first.takes_time() || !last.takes_time()) {
    throw CallError(kInvalidHandle);
  }
  DeviceQueue& queue = context.device().queue();
  if (!queue.ask(first.work) || !queue.ask(last.work)) {
    throw CallError(kNotReady);
  }
  const auto time = [](const WorkHandle& work) { return work == nullptr ? 0.0 : work->end_ns; };
  return static_cast<float>((time(last.work) - time(first.work)) / kNsPerMs);
}

void call_host(Context& context, StreamHandle stream, void (*function)(void*), void* data) {
  if (function == nullptr) {
    throw CallError(kInvalidValue);
  }
  put(context, stream, HostOperation{[=] { function(data); }, function, data});
}

void call_back(Context& context, StreamHandle stream, std::function<void()> function) {
  put(context, stream, HostOperation{std::move(function)});
}

void destroy_stream(Context& context, StreamHandle stream) {
  leave_capture(context, stream);
  context.destroy_stream(stream);
}

}  // namespace warpsim::cuda
