#include "cuda/graphs/capture.h"

#include <algorithm>
#include <set>

#include "cuda/graphs/captured_edges.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/graphs/node_operations.h"
#include "cuda/memory/memory_calls.h"

namespace warpsim::cuda {

namespace {

constexpr unsigned kNonBlocking = 1;

thread_local CaptureMode thread_mode = CaptureMode::kGlobal;

[[noreturn]] void fail(Capture& capture, int code) {
  capture.invalid = true;
  throw CallError(code);
}

bool is_default(const Stream& stream) {
  return stream.number == 0;
}

// The default stream must not be used while a stream that it would wait for is captured.
void check_default_stream(Context& context, DefaultStream misuse) {
  for (const auto& capture : context.graphs().captures) {
    if (std::ranges::any_of(capture->streams, [](const auto& stream) { return stream->blocking; })) {
      capture->invalid = capture->invalid || misuse == DefaultStream::kInvalidates;
      throw CallError(kStreamCaptureImplicit);
    }
  }
}

// A captured stream whose capture is valid, or null.
CapturingStream* valid_capture(Context& context, StreamHandle stream) {
  CapturingStream* const capturing = find_capture(context, stream);
  if (capturing != nullptr && capturing->capture->invalid) {
    throw CallError(kStreamCaptureInvalidated);
  }
  return capturing;
}

GraphNode& append(CapturingStream& stream, NodePayload payload) {
  Graph& graph = *stream.capture->graph;
  // Nodes that the program has removed meanwhile.
  std::erase_if(stream.before, [&](const GraphLink& link) { return !graph.contains(link.node); });
  adapt_edges(stream.before, payload);
  GraphNode& node = graph.add(std::move(payload), stream.before);
  node.gpu = stream.gpu;
  stream.before = {{&node}};
  return node;
}

CapturingStream& enter(Stream& stream, const std::shared_ptr<Capture>& capture, std::span<const GraphLink> before) {
  auto made = std::make_shared<CapturingStream>();
  made->capture = capture;
  made->gpu = stream.gpu;
  made->blocking = (stream.flags & kNonBlocking) == 0;
  made->priority = stream.priority;
  made->before.assign(before.begin(), before.end());
  capture->streams.push_back(made);
  stream.capturing = made;
  return *made;
}

void begin(Context& context, StreamHandle handle, std::shared_ptr<Capture> capture, std::span<const GraphLink> before) {
  Stream& stream = context.stream(handle);
  if (is_default(stream)) {
    throw CallError(kStreamCaptureUnsupported);
  }
  if (find_capture(context, handle) != nullptr) {
    throw CallError(kIllegalState);
  }
  capture->number = context.graphs().next_capture++;
  capture->thread = std::this_thread::get_id();
  capture->origin = &enter(stream, capture, before);
  context.graphs().captures.push_back(std::move(capture));
}

// Whether the work of all streams is before that of the origin.
bool is_joined(const Capture& capture) {
  std::set<const GraphNode*> joined;
  std::vector<const GraphNode*> open;
  for (const GraphLink& link : capture.origin->before) {
    open.push_back(link.node);
  }
  while (!open.empty()) {
    const GraphNode* const node = open.back();
    open.pop_back();
    if (capture.graph->contains(node) && joined.insert(node).second) {
      for (const GraphLink& link : node->before) {
        open.push_back(link.node);
      }
    }
  }
  return std::ranges::all_of(capture.streams, [&](const auto& stream) {
    return std::ranges::all_of(stream->before, [&](const GraphLink& link) {
      return joined.contains(link.node) || !capture.graph->contains(link.node);
    });
  });
}

}  // namespace

void Capture::dissolve() {
  for (const auto& stream : streams) {
    stream->capture = nullptr;
  }
  streams.clear();
}

CaptureMode capture_mode(int mode) {
  if (mode < 0 || mode > static_cast<int>(CaptureMode::kRelaxed)) {
    throw CallError(kInvalidValue);
  }
  return static_cast<CaptureMode>(mode);
}

CaptureMode exchange_capture_mode(CaptureMode mode) {
  return std::exchange(thread_mode, mode);
}

CapturingStream* find_capture(Context& context, StreamHandle handle, DefaultStream misuse) {
  const Stream& stream = context.stream(handle);
  if (is_default(stream)) {
    check_default_stream(context, misuse);
    return nullptr;
  }
  return stream.capturing != nullptr && stream.capturing->capture != nullptr ? stream.capturing.get() : nullptr;
}

void begin_capture(Context& context, StreamHandle stream, CaptureMode mode) {
  auto capture = std::make_shared<Capture>();
  capture->graph = std::make_shared<Graph>(context.graphs().handles);
  capture->mode = mode;
  begin(context, stream, std::move(capture), {});
}

void begin_capture_to(Context& context, StreamHandle stream, GraphHandle handle, std::span<const GraphLink> before,
                      CaptureMode mode) {
  Graph& graph = graph_of(context, handle);
  if (!std::ranges::all_of(before, [&](const GraphLink& link) { return graph.contains(link.node); })) {
    throw CallError(kInvalidValue);
  }
  auto capture = std::make_shared<Capture>();
  capture->graph = graph.shared_from_this();
  capture->into_existing = true;
  capture->mode = mode;
  begin(context, stream, std::move(capture), before);
}

CapturedGraph end_capture(Context& context, StreamHandle stream) {
  CapturingStream* const capturing = find_capture(context, stream);
  if (capturing == nullptr) {
    throw CallError(kIllegalState);
  }
  const std::shared_ptr<Capture> capture = capturing->capture;
  if (capture->origin != capturing) {
    fail(*capture, kStreamCaptureUnmatched);
  }
  if (capture->mode != CaptureMode::kRelaxed && capture->thread != std::this_thread::get_id()) {
    fail(*capture, kStreamCaptureWrongThread);
  }
  const bool joined = is_joined(*capture);
  capture->dissolve();
  std::erase(context.graphs().captures, capture);
  if (capture->invalid) {
    throw CallError(kStreamCaptureInvalidated);
  }
  if (!joined) {
    throw CallError(kStreamCaptureUnjoined);
  }
  return {capture->graph, capture->into_existing};
}

bool replaces(unsigned flags) {
  constexpr unsigned kReplace = 1;
  if (flags > kReplace) {
    throw CallError(kInvalidValue);
  }
  return flags == kReplace;
}

void update_capture(Context& context, StreamHandle stream, std::span<const GraphLink> before, bool replace) {
  CapturingStream* const capturing = valid_capture(context, stream);
  if (capturing == nullptr) {
    throw CallError(kIllegalState);
  }
  const Graph& graph = *capturing->capture->graph;
  if (!std::ranges::all_of(before, [&](const GraphLink& link) { return graph.contains(link.node); })) {
    throw CallError(kInvalidValue);
  }
  if (replace) {
    capturing->before.clear();
  }
  merge(capturing->before, before);
}

bool capture_operation(Context& context, StreamHandle stream, const Operation& operation) {
  CapturingStream* const capturing = valid_capture(context, stream);
  if (capturing == nullptr) {
    return false;
  }
  std::vector<NodePayload> nodes;
  try {
    nodes = nodes_of(operation);
  } catch (const CallError& error) {
    fail(*capturing->capture, error.code());
  }
  for (NodePayload& node : nodes) {
    if (auto* const kernel = std::get_if<KernelNode>(&node)) {
      kernel->operation.launch.place.priority = capturing->priority;
    }
    append(*capturing, std::move(node));
  }
  return true;
}

bool capture_graph(Context& context, StreamHandle stream, const Graph& graph) {
  CapturingStream* const capturing = valid_capture(context, stream);
  if (capturing == nullptr) {
    return false;
  }
  if (graph.uses_memory()) {
    fail(*capturing->capture, kStreamCaptureUnsupported);
  }
  append(*capturing, ChildNode{graph.clone()});
  return true;
}

bool capture_record(Context& context, EventHandle handle, StreamHandle stream, bool external) {
  CapturingStream* const capturing = valid_capture(context, stream);
  Event& event = context.event(handle);
  if (capturing == nullptr) {
    event.captured = nullptr;
    return false;
  }
  if (external) {
    append(*capturing, EventRecordNode{handle});
    return true;
  }
  event.forget_record();
  event.captured = std::make_shared<CapturedEvent>(CapturedEvent{capturing->capture, capturing->before});
  return true;
}

bool capture_launch_event(Context& context, Event& event, StreamHandle stream, const abi::EdgeData& data) {
  const CapturingStream* const capturing = valid_capture(context, stream);
  if (capturing == nullptr) {
    return false;
  }
  event.forget_record();
  const std::vector<GraphLink> before = {{capturing->before.front().node, data}};
  event.captured = std::make_shared<CapturedEvent>(CapturedEvent{capturing->capture, before});
  return true;
}

bool capture_wait(Context& context, StreamHandle stream, EventHandle handle, bool external) {
  CapturingStream* const capturing = valid_capture(context, stream);
  const Event& event = context.event(handle);
  if (event.captured == nullptr) {
    if (capturing == nullptr) {
      return false;
    }
    if (external) {
      append(*capturing, EventWaitNode{handle});
    } else if (event.recorded) {
      fail(*capturing->capture, kStreamCaptureIsolation);
    }
    return true;
  }
  const std::shared_ptr<Capture>& capture = event.captured->capture;
  if (capture->streams.empty()) {
    throw CallError(kCapturedEvent);
  }
  if (capture->invalid) {
    throw CallError(kStreamCaptureInvalidated);
  }
  if (capturing != nullptr && capturing->capture != capture) {
    capture->invalid = true;
    fail(*capturing->capture, kStreamCaptureMerge);
  }
  if (capturing != nullptr) {
    merge(capturing->before, event.captured->before);
    return true;
  }
  Stream& own = context.stream(stream);
  if (is_default(own)) {
    fail(*capture, kStreamCaptureImplicit);
  }
  enter(own, capture, event.captured->before);
  return true;
}

void* make_last_changeable(Context& context, StreamHandle stream) {
  CapturingStream* const capturing = valid_capture(context, stream);
  if (capturing == nullptr) {
    return nullptr;
  }
  auto& kernel = std::get<KernelNode>(capturing->before.front().node->payload);
  kernel.device_node = std::make_shared<DeviceNode>();
  return kernel.device_node.get();
}

void* capture_allocation(Context& context, StreamHandle stream, std::size_t bytes) {
  CapturingStream* const capturing = valid_capture(context, stream);
  if (capturing == nullptr) {
    return nullptr;
  }
  if (bytes == 0) {
    fail(*capturing->capture, kInvalidValue);
  }
  AllocationNode node{context.graphs().memory->allocate(context, bytes), device_allocation(bytes)};
  node.parameters.data = to_pointer(node.memory->begin);
  void* const data = node.parameters.data;
  append(*capturing, std::move(node));
  return data;
}

bool capture_free(Context& context, StreamHandle stream, void* data) {
  CapturingStream* const capturing = valid_capture(context, stream);
  if (capturing == nullptr) {
    return false;
  }
  if (context.graphs().memory->find(to_address(data)) == nullptr) {
    fail(*capturing->capture, kInvalidValue);
  }
  append(*capturing, FreeNode{data});
  return true;
}

void forbid_unsafe(Context& context) {
  if (thread_mode == CaptureMode::kRelaxed) {
    return;
  }
  for (const auto& capture : context.graphs().captures) {
    const bool own = capture->thread == std::this_thread::get_id();
    const bool forbids = own ? capture->mode != CaptureMode::kRelaxed
                             : thread_mode == CaptureMode::kGlobal && capture->mode == CaptureMode::kGlobal;
    if (forbids) {
      fail(*capture, kStreamCaptureUnsupported);
    }
  }
}

void forbid_waiting(Context& context, StreamHandle stream) {
  if (CapturingStream* const capturing = find_capture(context, stream)) {
    fail(*capturing->capture, kStreamCaptureUnsupported);
  }
  forbid_unsafe(context);
}

void forbid_waiting(Context& context, const Event& event) {
  if (event.captured != nullptr) {
    event.captured->capture->invalid = true;
    throw CallError(kCapturedEvent);
  }
  forbid_unsafe(context);
}

void forbid_waiting(Context& context) {
  for (const auto& capture : context.graphs().captures) {
    capture->invalid = true;
  }
  if (!context.graphs().captures.empty()) {
    throw CallError(kStreamCaptureUnsupported);
  }
}

void leave_capture(Context& context, StreamHandle handle) {
  const std::shared_ptr<CapturingStream> own = context.stream(handle).capturing;
  if (own == nullptr || own->capture == nullptr) {
    return;
  }
  const std::shared_ptr<Capture> capture = own->capture;
  if (capture->origin == own.get()) {  // no stream is left that can end it; work of others must be joined
    capture->invalid = true;
    capture->dissolve();
    std::erase(context.graphs().captures, capture);
  }
}

}  // namespace warpsim::cuda
