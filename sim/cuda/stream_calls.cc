#include "cuda/stream_calls.h"

#include <utility>

namespace warpsim::cuda {

namespace {

constexpr unsigned kDisableTiming = 0x02;

}  // namespace

WorkHandle put(Context& context, StreamHandle stream, const Operation& operation) {
  WorkPlace place;
  place.stream = context.stream(stream).number;
  WorkHandle work = perform(context, operation, std::move(place));
  context.check_device();
  return work;
}

void synchronize(Context& context, StreamHandle stream) {
  context.device().queue().wait_for_stream(context.stream(stream).number);
  context.flush_printed();
  context.check_device();
}

void synchronize(Context& context) {
  context.device().queue().wait(nullptr);
  context.flush_printed();
  context.check_device();
}

void query(Context& context, StreamHandle stream) {
  const bool done = context.device().queue().ask_for_stream(context.stream(stream).number);
  context.flush_printed();
  context.check_device();
  if (!done) {
    throw CallError(kNotReady);
  }
}

void record_event(Context& context, EventHandle handle, StreamHandle stream) {
  context.stream(stream);
  Event& event = context.event(handle);
  event.work = put(context, stream, MarkerOperation{(event.flags & kDisableTiming) == 0});
  event.recorded = true;
}

void wait_for_event(Context& context, StreamHandle stream, EventHandle handle) {
  const std::uint64_t number = context.stream(stream).number;
  const Event& event = context.event(handle);
  if (event.recorded) {
    context.device().queue().stream_waits(number, event.work);
  }
}

void synchronize_event(Context& context, EventHandle handle) {
  const Event& event = context.event(handle);
  if (event.recorded) {
    context.device().queue().wait(event.work);
  }
  context.flush_printed();
  context.check_device();
}

void query_event(Context& context, EventHandle handle) {
  const Event& event = context.event(handle);
  const bool done = !event.recorded || context.device().queue().ask(event.work);
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
  if (!first.recorded || !last.recorded || ((first.flags | last.flags) & kDisableTiming) != 0) {
    throw CallError(kInvalidHandle);
  }
  DeviceQueue& queue = context.device().queue();
  if (!queue.ask(first.work) || !queue.ask(last.work)) {
    throw CallError(kNotReady);
  }
  const auto time = [](const WorkHandle& work) { return work == nullptr ? 0.0 : work->end_ns; };
  return static_cast<float>((time(last.work) - time(first.work)) / kNsPerMs);
}

void call_host(Context& context, StreamHandle stream, std::function<void()> function) {
  if (!function) {
    throw CallError(kInvalidValue);
  }
  ++context.host_functions();
  put(context, stream, HostOperation{[&context, function = std::move(function)] {
        function();
        --context.host_functions();
      }});
}

}  // namespace warpsim::cuda
