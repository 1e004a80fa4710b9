// The runtime's functions for captured streams, objects of graphs and memory of graphs.
#include "cuda/calls.h"
#include "cuda/graphs/capture.h"
#include "cuda/graphs/exec_calls.h"
#include "cuda/graphs/graph_calls.h"
#include "cuda/runtime/runtime_graph_api.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaStreamBeginCapture(StreamHandle stream, int mode) {
  return runtime_call([&](Context& context) { begin_capture(context, stream, capture_mode(mode)); });
}

int cudaStreamBeginCaptureToGraph(StreamHandle stream, GraphHandle graph, const NodeHandle* before,
                                  const abi::EdgeData* data, std::size_t count, int mode) {
  return runtime_call([&](Context& context) {
    begin_capture_to(context, stream, graph, links_of(context, before, data, count), capture_mode(mode));
  });
}

int cudaStreamEndCapture(StreamHandle stream, GraphHandle* graph) {
  return runtime_call([&](Context& context) { end_capture_into(context, stream, graph); });
}

int cudaStreamIsCapturing(StreamHandle stream, int* status) {
  return runtime_call([&](Context& context) { capture_info(context, stream, {.status = status}); });
}

int cudaStreamGetCaptureInfo_v2(StreamHandle stream, int* status, unsigned long long* number, GraphHandle* graph,
                                const NodeHandle** nodes, std::size_t* count) {
  return runtime_call([&](Context& context) {
    capture_info(context, stream, {.status = status, .number = number, .graph = graph, .nodes = nodes, .count = count});
  });
}

int cudaStreamGetCaptureInfo_v3(StreamHandle stream, int* status, unsigned long long* number, GraphHandle* graph,
                                const NodeHandle** nodes, const abi::EdgeData** edges, std::size_t* count) {
  return runtime_call([&](Context& context) {
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

int cudaStreamUpdateCaptureDependencies_v2(StreamHandle stream, NodeHandle* before, const abi::EdgeData* data,
                                           std::size_t count, unsigned flags) {
  return runtime_call([&](Context& context) {
    update_capture(context, stream, links_of(context, before, data, count), replaces(flags));
  });
}

int cudaThreadExchangeStreamCaptureMode(int* mode) {
  return runtime_call([&](Context&) { result(mode) = static_cast<int>(exchange_capture_mode(capture_mode(*mode))); });
}

int cudaStreamGetCaptureInfo(StreamHandle stream, int* status, unsigned long long* number, GraphHandle* graph,
                             const NodeHandle** nodes, const abi::EdgeData** edges, std::size_t* count) {
  return cudaStreamGetCaptureInfo_v3(stream, status, number, graph, nodes, edges, count);
}

int cudaStreamUpdateCaptureDependencies(StreamHandle stream, NodeHandle* before, const abi::EdgeData* data,
                                        std::size_t count, unsigned flags) {
  return cudaStreamUpdateCaptureDependencies_v2(stream, before, data, count, flags);
}

int cudaUserObjectCreate(UserObjectHandle* object, void* data, HostFunction destroy, unsigned references,
                         unsigned flags) {
  return runtime_call([&](Context& context) { create_object(context, object, {data, destroy, references}, flags); });
}

int cudaUserObjectRetain(UserObjectHandle object, unsigned count) {
  return runtime_call([&](Context& context) { retain_object(context, object, count); });
}

int cudaUserObjectRelease(UserObjectHandle object, unsigned count) {
  return runtime_call([&](Context& context) { release_object(context, object, count); });
}

int cudaGraphRetainUserObject(GraphHandle graph, UserObjectHandle object, unsigned count, unsigned flags) {
  return runtime_call([&](Context& context) { retain_for_graph(context, graph, object, count, flags); });
}

int cudaGraphReleaseUserObject(GraphHandle graph, UserObjectHandle object, unsigned count) {
  return runtime_call([&](Context& context) { release_for_graph(context, graph, object, count); });
}

int cudaDeviceGraphMemTrim(int device) {
  return runtime_call([&](Context& context) { trim_graph_memory(context, device); });
}

int cudaDeviceGetGraphMemAttribute(int device, int counter, void* value) {
  return runtime_call([&](Context& context) { graph_memory_counter(context, device, counter, value); });
}

int cudaDeviceSetGraphMemAttribute(int device, int counter, void* value) {
  return runtime_call([&](Context& context) { reset_graph_memory_counter(context, device, counter, value); });
}
