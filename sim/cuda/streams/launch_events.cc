#include "cuda/streams/launch_events.h"

#include <algorithm>

#include "cuda/graphs/capture.h"

namespace warpsim::cuda {

namespace {

using Edge = Dependence::Edge;

abi::EdgeData edge_data(Edge edge) {
  abi::EdgeData data = {};
  data.from_port = edge == Edge::kProgrammatic ? kPortTrigger : kPortBegin;
  data.type = edge == Edge::kBegin ? kEdgeFull : kEdgeProgrammatic;
  return data;
}

}  // namespace

void check_launch_events(Context& context, std::span<const LaunchEvent> events) {
  for (const LaunchEvent& event : events) {
    if (context.event(event.event).takes_time() || context.event(event.event).shared != nullptr) {
      throw CallError(kInvalidValue);
    }
    if (event.flags != 0) {
      throw CallError(kNotSupported, "a launch that records an external event is not supported");
    }
  }
}

bool needs_begin(std::span<const LaunchEvent> events) {
  return std::ranges::any_of(events, [](const LaunchEvent& event) { return event.edge != Edge::kProgrammatic; });
}

void record_launch_events(Context& context, StreamHandle stream, std::span<const LaunchEvent> events,
                          const WorkHandle& work) {
  for (const LaunchEvent& recorded : events) {
    Event& event = context.event(recorded.event);
    if (!capture_launch_event(context, event, stream, edge_data(recorded.edge))) {
      event.record(work, recorded.edge);
    }
  }
}

}  // namespace warpsim::cuda
