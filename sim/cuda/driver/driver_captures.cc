// The driver's functions for captured streams, objects of graphs and memory of graphs.
#include "cuda/calls.h"
#include "cuda/driver/driver_graph_api.h"
#include "cuda/graphs/capture.h"
#include "cuda/graphs/exec_calls.h"
#include "cuda/graphs/graph_calls.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuStreamBeginCapture(StreamHandle stream) {
  return stream_call(stream, [&](Context& context) { begin_capture(context, stream, CaptureMode::kGlobal); });
}

int cuStreamBeginCapture_v2(StreamHandle stream, int mode) {
  return stream_call(stream, [&](Context& context) { begin_capture(context, stream, capture_mode(mode)); });
}

int cuStreamGetCaptureInfo(StreamHandle stream, int* status, unsigned long long* number) {
  return driver_call([&](Context& context) { capture_info(context, stream, {.status = status, .number = number}); });
}

int cuStreamUpdateCaptureDependencies(StreamHandle stream, NodeHandle* before, std::size_t count, unsigned flags) {
  return cuStreamUpdateCaptureDependencies_v2(stream, before, nullptr, count, flags);
}

int cuStreamBeginCaptureToGraph(StreamHandle stream, GraphHandle graph, const NodeHandle* before,
                                const abi::EdgeData* data, std::size_t count, int mode) {
  return driver_call([&](Context& context) {
    begin_capture_to(context, stream, graph, links_of(context, before, data, count), capture_mode(mode));
  });
}

int cuStreamEndCapture(StreamHandle stream, GraphHandle* graph) {
  return stream_call(stream, [&](Context& context) { end_capture_into(context, stream, graph); });
}

int cuStreamIsCapturing(StreamHandle stream, int* status) {
  return driver_call([&](Context& context) { capture_info(context, stream, {.status = status}); });
}

int cuStreamGetCaptureInfo_v2(StreamHandle stream, int* status, unsigned long long* number, GraphHandle* graph,
                              const NodeHandle** nodes, std::size_t* count) {
  return driver_call([&](Context& context) {
    capture_info(context, stream, {.status = status, .number = number, .graph = graph, .nodes = nodes, .count = count});
  });
}

int cuStreamGetCaptureInfo_v3(StreamHandle stream, int* status, unsigned long long* number, GraphHandle* graph,
                              const NodeHandle** nodes, const abi::EdgeData** edges, std::size_t* count) {
  return driver_call([&](Context& context) {
    capture_info(context, stream,
                 {.status = status,
                  .number = number,
                  .graph = graph,
                  .nodes = nodes,
                  .edges = edges,
                  .takes_edges = true,
                  .count = count});
  });
}

int cuStreamUpdateCaptureDependencies_v2(StreamHandle stream, NodeHandle* before, const abi::EdgeData* data,
                                         std::size_t count, unsigned flags) {
  return stream_call(stream, [&](Context& context) {
    update_capture(context, stream, links_of(context, before, data, count), replaces(flags));
  });
}

int cuThreadExchangeStreamCaptureMode(int* mode) {
  return driver_call([&](Context&) { result(mode) = static_cast<int>(exchange_capture_mode(capture_mode(*mode))); });
}

int cuUserObjectCreate(UserObjectHandle* object, void* data, HostFunction destroy, unsigned references,
                       unsigned flags) {
  return driver_call([&](Context& context) { create_object(context, object, {data, destroy, references}, flags); });
}

int cuUserObjectRetain(UserObjectHandle object, unsigned count) {
  return driver_call([&](Context& context) { retain_object(context, object, count); });
}

int cuUserObjectRelease(UserObjectHandle object, unsigned count) {
  return driver_call([&](Context& context) { release_object(context, object, count); });
}

int cuGraphRetainUserObject(GraphHandle graph, UserObjectHandle object, unsigned count, unsigned flags) {
  return driver_call([&](Context& context) { retain_for_graph(context, graph, object, count, flags); });
}

int cuGraphReleaseUserObject(GraphHandle graph, UserObjectHandle object, unsigned count) {
  return driver_call([&](Context& context) { release_for_graph(context, graph, object, count); });
}

int cuDeviceGraphMemTrim(int device) {
  return driver_call([&](Context& context) { trim_graph_memory(context, device); });
}

int cuDeviceGetGraphMemAttribute(int device, int counter, void* value) {
  return driver_call([&](Context& context) { graph_memory_counter(context, device, counter, value); });
}

int cuDeviceSetGraphMemAttribute(int device, int counter, void* value) {
  return driver_call([&](Context& context) { reset_graph_memory_counter(context, device, counter, value); });
}
