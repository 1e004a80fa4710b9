#include "cuda/stream_calls.h"

namespace warpsim::cuda {

void record_event(Context& context, EventHandle handle, StreamHandle stream) {
  context.stream(stream);
  Event& event = context.event(handle);
  event.recorded = true;
  event.ns = context.device().record_ns();
}

float elapsed_ms(Context& context, EventHandle begin, EventHandle end) {
  constexpr unsigned kDisableTiming = 0x02;
  constexpr double kNsPerMs = 1e6;
  const Event& first = context.event(begin);
  const Event& last = context.event(end);
  if (!first.recorded || !last.recorded || ((first.flags | last.flags) & kDisableTiming) != 0) {
    throw CallError(kInvalidHandle);
  }
  return static_cast<float>((last.ns - first.ns) / kNsPerMs);
}

}  // namespace warpsim::cuda
