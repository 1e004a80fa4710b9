// Captured streams: what a program puts into them becomes nodes of a graph.
//
// Modelled: the three modes and the mode of a thread, streams that events bring into a capture and back, captures into
// a graph that exists, all errors of captures and the calls that make a capture invalid. Evidence: CUDA C++ programming
// guide, "Creating a Graph Using Stream Capture"; CUDA runtime API, cudaStreamBeginCapture,
// cudaThreadExchangeStreamCaptureMode. Which calls are unsafe is not listed there: allocations, registration of memory,
// synchronous copies, and queries of and waits for streams and events are taken as unsafe.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <thread>
#include <vector>

#include "cuda/context.h"
#include "cuda/graphs/graph.h"

namespace warpsim::cuda {

enum class CaptureMode : int { kGlobal = 0, kThreadLocal = 1, kRelaxed = 2 };
CaptureMode capture_mode(int mode);  // fails with kInvalidValue
CaptureMode exchange_capture_mode(CaptureMode mode);

struct CapturingStream;
struct Capture {
  std::shared_ptr<Graph> graph;
  bool into_existing = false;
  CaptureMode mode = CaptureMode::kGlobal;
  std::uint64_t number = 0;
  std::thread::id thread;
  const CapturingStream* origin = nullptr;
  bool invalid = false;
  std::vector<std::shared_ptr<CapturingStream>> streams;  // empty after its end

  // Ends it: its streams are not captured any more.
  void dissolve();
};
struct CapturingStream {
  std::shared_ptr<Capture> capture;  // null after its end
  std::uint32_t gpu = 0;
  bool blocking = true;
  int priority = 0;
  std::vector<GraphLink> before;  // what the next node depends on
  std::vector<NodeHandle> nodes;  // of `before`, for the program
  std::vector<abi::EdgeData> edges;
};
struct CapturedEvent {
  std::shared_ptr<Capture> capture;
  std::vector<GraphLink> before;
};

void begin_capture(Context& context, StreamHandle stream, CaptureMode mode);
void begin_capture_to(Context& context, StreamHandle stream, GraphHandle graph, std::span<const GraphLink> before,
                      CaptureMode mode);
// Also ends it if it is invalid or not joined.
struct CapturedGraph {
  std::shared_ptr<Graph> graph;
  bool existed = false;  // before the capture
};
CapturedGraph end_capture(Context& context, StreamHandle stream);
// Null if it is not captured; also of an invalid capture. Fails with kStreamCaptureImplicit for the default stream if
// it must not be used.
enum class DefaultStream : bool { kInvalidates, kOnlyFails };
CapturingStream* find_capture(Context& context, StreamHandle stream,
                              DefaultStream misuse = DefaultStream::kInvalidates);
// `flags`: whether they replace those of the stream.
bool replaces(unsigned flags);
void update_capture(Context& context, StreamHandle stream, std::span<const GraphLink> before, bool replace);

// --- what calls do in captured streams; these return false if the stream is not captured ---
bool capture_operation(Context& context, StreamHandle stream, const Operation& operation);
bool capture_graph(Context& context, StreamHandle stream, const Graph& graph);
bool capture_record(Context& context, EventHandle event, StreamHandle stream, bool external);
// Also an event of a capture, which brings the stream into it.
bool capture_wait(Context& context, StreamHandle stream, EventHandle event, bool external);
// The last work of the stream is a kernel that records the event: what waits for it gets these edges.
bool capture_launch_event(Context& context, Event& event, StreamHandle stream, const abi::EdgeData& data);
// Kernels may change the last node of the captured stream, a kernel. Returns its handle.
void* make_last_changeable(Context& context, StreamHandle stream);
// Null if the stream is not captured.
void* capture_allocation(Context& context, StreamHandle stream, std::size_t bytes);
bool capture_free(Context& context, StreamHandle stream, void* data);

// --- what is forbidden; the capture is invalid then ---
// A call that a capture may forbid, depending on the modes.
void forbid_unsafe(Context& context);
// The host waits for or asks about a stream, an event or the whole device.
void forbid_waiting(Context& context, StreamHandle stream);
void forbid_waiting(Context& context, const Event& event);
void forbid_waiting(Context& context);
// The stream is destroyed.
void leave_capture(Context& context, StreamHandle stream);

}  // namespace warpsim::cuda
