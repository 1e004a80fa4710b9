// Captured streams: what becomes a node, how streams join a capture, and what makes it invalid.
#include <array>
#include <cstring>
#include <thread>

#include "support/graph_program.h"

namespace warpsim::cuda {
namespace {

using test::GraphProgram;
using Edge = Dependence::Edge;
using Edges = std::vector<std::pair<std::uint32_t, Edge>>;

constexpr int kRelaxed = 2;
constexpr int kThreadLocal = 1;

int status_of(StreamHandle stream) {
  int status = -1;
  REQUIRE(cudaStreamIsCapturing(stream, &status) == kSuccess);
  return status;
}

TEST_CASE("Capture: work of a captured stream is not done before the graph is launched") {
  GraphProgram program;
  program.begin();
  CHECK(status_of(program.stream) == 1);
  REQUIRE(program.launch(program.stream, 1) == kSuccess);
  REQUIRE(program.launch(program.stream, 2) == kSuccess);
  REQUIRE(cudaMemsetAsync(program.data, 7, 16, program.stream) == kSuccess);
  const GraphHandle graph = program.end();
  CHECK(status_of(program.stream) == 0);
  CHECK(program.device->launches.empty());
  CHECK(program.nodes(graph).size() == 3);
  const ExecHandle exec = program.instantiate(graph);
  REQUIRE(cudaGraphDestroy(graph) == kSuccess);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  CHECK(program.marks() == std::vector<std::uint32_t>{1, 2, 1, 2});
  CHECK(program.device->launches[1].place.in_graph);
  CHECK(program.device->queue().graphs == 2);
  char bytes[17] = {};
  REQUIRE(cudaMemcpy(bytes, program.data, 16, 2) == kSuccess);
  CHECK(std::string(bytes) == std::string(16, 7));
}

TEST_CASE("Capture: the edges of a line and of branches differ") {
  GraphProgram program;
  program.begin();
  REQUIRE(program.launch(program.stream, 1) == kSuccess);
  REQUIRE(program.launch(program.stream, 2) == kSuccess);
  REQUIRE(cudaEventRecord(program.event, program.stream) == kSuccess);
  REQUIRE(cudaStreamWaitEvent(program.other, program.event, 0) == kSuccess);
  CHECK(status_of(program.other) == 1);
  REQUIRE(program.launch(program.other, 3) == kSuccess);
  REQUIRE(program.launch(program.stream, 4) == kSuccess);
  REQUIRE(cudaEventRecord(program.joined, program.other) == kSuccess);
  REQUIRE(cudaStreamWaitEvent(program.stream, program.joined, 0) == kSuccess);
  REQUIRE(program.launch(program.stream, 5) == kSuccess);
  const ExecHandle exec = program.instantiate(program.end());
  CHECK(status_of(program.other) == 0);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  CHECK(program.before(2) == Edges{{1, Edge::kGraph}});
  CHECK(program.before(3) == Edges{{2, Edge::kGraphBranch}});
  CHECK(program.before(4) == Edges{{2, Edge::kGraphBranch}});
  CHECK(program.before(5) == Edges{{4, Edge::kGraphBranch}, {3, Edge::kGraphBranch}});
}

TEST_CASE("Capture: unjoined work of another stream is an error, and ends the capture") {
  GraphProgram program;
  program.begin();
  REQUIRE(cudaEventRecord(program.event, program.stream) == kSuccess);
  REQUIRE(cudaStreamWaitEvent(program.other, program.event, 0) == kSuccess);
  REQUIRE(program.launch(program.other, 1) == kSuccess);
  CHECK(program.end_code() == kStreamCaptureUnjoined);
  CHECK(status_of(program.stream) == 0);
  CHECK(status_of(program.other) == 0);
}

TEST_CASE("Capture: only the stream and the thread that began it end it") {
  GraphProgram program;
  GraphHandle graph = nullptr;
  CHECK(cudaStreamEndCapture(program.stream, &graph) == kIllegalState);
  program.begin();
  CHECK(cudaStreamBeginCapture(program.stream, 0) == kIllegalState);
  REQUIRE(cudaEventRecord(program.event, program.stream) == kSuccess);
  REQUIRE(cudaStreamWaitEvent(program.other, program.event, 0) == kSuccess);
  CHECK(cudaStreamEndCapture(program.other, &graph) == kStreamCaptureUnmatched);
  CHECK(program.end_code() == kStreamCaptureInvalidated);
  for (const int mode : {0, kThreadLocal, kRelaxed}) {
    program.begin(nullptr, mode);
    int code = kSuccess;
    std::thread([&] { code = cudaStreamEndCapture(program.stream, &graph); }).join();
    CHECK(code == (mode == kRelaxed ? kSuccess : kStreamCaptureWrongThread));
    CHECK((mode == kRelaxed || program.end_code() == kStreamCaptureInvalidated));
  }
}

TEST_CASE("Capture: two captures are not merged, and none depends on work outside") {
  GraphProgram program;
  REQUIRE(cudaEventRecord(program.event, program.other) == kSuccess);
  program.begin();
  CHECK(cudaStreamWaitEvent(program.stream, program.event, 0) == kStreamCaptureIsolation);
  CHECK(program.launch(program.stream, 1) == kStreamCaptureInvalidated);
  CHECK(program.end_code() == kStreamCaptureInvalidated);
  program.begin();
  program.begin(program.other);
  REQUIRE(cudaEventRecord(program.event, program.other) == kSuccess);
  CHECK(cudaStreamWaitEvent(program.stream, program.event, 0) == kStreamCaptureMerge);
  CHECK(status_of(program.stream) == 2);
  CHECK(status_of(program.other) == 2);
  CHECK(program.end_code() == kStreamCaptureInvalidated);
}

TEST_CASE("Capture: the default stream is not captured, and not used while a blocking stream is") {
  GraphProgram program;
  CHECK(cudaStreamBeginCapture(nullptr, 0) == kStreamCaptureUnsupported);
  program.begin();
  int status = 0;
  CHECK(cudaStreamIsCapturing(nullptr, &status) == kStreamCaptureImplicit);
  CHECK(status_of(program.stream) == 1);
  CHECK(program.launch(nullptr, 1) == kStreamCaptureImplicit);
  CHECK(program.end_code() == kStreamCaptureInvalidated);
  // One that does not block does not hinder it.
  REQUIRE(cudaStreamBeginCapture(program.other, 0) == kSuccess);
  CHECK(program.launch(nullptr, 1) == kSuccess);
  GraphHandle graph = nullptr;
  CHECK(cudaStreamEndCapture(program.other, &graph) == kSuccess);
}

TEST_CASE("Capture: waiting and asking make a capture invalid") {
  GraphProgram program;
  const auto fails_with = [&](int expected, const auto& call) {
    program.begin(nullptr, kRelaxed);
    REQUIRE(cudaEventRecord(program.event, program.stream) == kSuccess);
    CHECK(call() == expected);
    CHECK(program.end_code() == kStreamCaptureInvalidated);
  };
  cudaThreadExchangeStreamCaptureMode(std::array{kRelaxed}.data());
  fails_with(kStreamCaptureUnsupported, [&] { return cudaStreamSynchronize(program.stream); });
  fails_with(kStreamCaptureUnsupported, [&] { return cudaStreamQuery(program.stream); });
  fails_with(kStreamCaptureUnsupported, [&] { return cudaDeviceSynchronize(); });
  fails_with(kCapturedEvent, [&] { return cudaEventQuery(program.event); });
  fails_with(kCapturedEvent, [&] { return cudaEventSynchronize(program.event); });
  fails_with(kStreamCaptureUnsupported, [&] {
    return cudaStreamAddCallback(
        program.stream, [](StreamHandle, int, void*) {}, nullptr, 0);
  });
  CHECK(cudaStreamWaitEvent(program.stream, program.event, 0) == kCapturedEvent);
  int global = 0;
  REQUIRE(cudaThreadExchangeStreamCaptureMode(&global) == kSuccess);
  CHECK(global == kRelaxed);
}

TEST_CASE("Capture: the modes decide which threads may allocate") {
  GraphProgram program;
  const auto allocates = [&] {
    void* memory = nullptr;
    return cudaMalloc(&memory, 64);
  };
  const auto in_thread = [&](int mode) {
    int code = kSuccess;
    std::thread([&] {
      REQUIRE(cudaThreadExchangeStreamCaptureMode(&mode) == kSuccess);
      code = allocates();
    }).join();
    return code;
  };
  struct Case {
    int mode;
    int own;
    int other_global;
    int other_local;
    int other_relaxed;
  };
  for (const Case& expected : {Case{0, kStreamCaptureUnsupported, kStreamCaptureUnsupported, kSuccess, kSuccess},
                               Case{kThreadLocal, kStreamCaptureUnsupported, kSuccess, kSuccess, kSuccess},
                               Case{kRelaxed, kSuccess, kSuccess, kSuccess, kSuccess}}) {
    const auto check = [&](int code, const auto& call) {
      program.begin(nullptr, expected.mode);
      CHECK(call() == code);
      CHECK(program.end_code() == (code == kSuccess ? kSuccess : kStreamCaptureInvalidated));
    };
    check(expected.own, allocates);
    check(expected.other_global, [&] { return in_thread(0); });
    check(expected.other_local, [&] { return in_thread(kThreadLocal); });
    check(expected.other_relaxed, [&] { return in_thread(kRelaxed); });
  }
}

TEST_CASE("Capture: copies, host functions, events and launches of graphs are nodes") {
  GraphProgram program;
  static int calls = 0;
  calls = 0;
  int pageable = 5;
  program.begin();
  REQUIRE(cudaMemcpyAsync(program.data, &pageable, 4, 1, program.stream) == kSuccess);
  REQUIRE(cudaLaunchHostFunc(
              program.stream, [](void* by) { calls += *static_cast<int*>(by); }, &pageable) == kSuccess);
  REQUIRE(cudaEventRecordWithFlags(program.event, program.stream, 1) == kSuccess);
  REQUIRE(cudaStreamWaitEvent(program.stream, program.joined, 1) == kSuccess);
  const GraphHandle graph = program.end();
  std::vector<int> types;
  for (const NodeHandle node : program.nodes(graph)) {
    REQUIRE(cudaGraphNodeGetType(node, &types.emplace_back()) == kSuccess);
  }
  CHECK(types == std::vector<int>{1, 3, 7, 6});
  const ExecHandle exec = program.instantiate(graph);
  pageable = 6;  // it is read at the launch
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  CHECK(calls == 6);
  int read = 0;
  REQUIRE(cudaMemcpy(&read, program.data, 4, 2) == kSuccess);
  CHECK(read == 6);
  CHECK(cudaEventQuery(program.event) == kSuccess);
  program.begin();
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  const GraphHandle outer = program.end();
  REQUIRE(program.nodes(outer).size() == 1);
  int type = 0;
  REQUIRE(cudaGraphNodeGetType(program.nodes(outer)[0], &type) == kSuccess);
  CHECK(type == 4);
  CHECK(calls == 6);
  REQUIRE(cudaGraphLaunch(program.instantiate(outer), program.stream) == kSuccess);
  CHECK(calls == 12);
}

TEST_CASE("Capture: a program sees and changes what the next node depends on") {
  GraphProgram program;
  program.begin();
  REQUIRE(program.launch(program.stream, 1) == kSuccess);
  REQUIRE(program.launch(program.stream, 2) == kSuccess);
  int status = 0;
  unsigned long long number = 0;
  GraphHandle graph = nullptr;
  const NodeHandle* nodes = nullptr;
  std::size_t count = 0;
  REQUIRE(cudaStreamGetCaptureInfo_v2(program.stream, &status, &number, &graph, &nodes, &count) == kSuccess);
  CHECK(status == 1);
  CHECK(number != 0);
  REQUIRE(count == 1);
  const std::vector<NodeHandle> all = program.nodes(graph);
  CHECK(nodes[0] == all[1]);
  NodeHandle first = all[0];
  constexpr unsigned kReplace = 1;
  REQUIRE(cudaStreamUpdateCaptureDependencies(program.stream, &first, nullptr, 1, kReplace) == kSuccess);
  REQUIRE(program.launch(program.stream, 3) == kSuccess);
  NodeHandle second = all[1];
  REQUIRE(cudaStreamUpdateCaptureDependencies(program.stream, &second, nullptr, 1, 0) == kSuccess);
  REQUIRE(program.launch(program.stream, 4) == kSuccess);
  CHECK(program.end() == graph);
  REQUIRE(cudaGraphLaunch(program.instantiate(graph), program.stream) == kSuccess);
  CHECK(program.before(3) == Edges{{1, Edge::kGraphBranch}});
  CHECK(program.before(4) == Edges{{3, Edge::kGraphBranch}, {2, Edge::kGraphBranch}});
}

TEST_CASE("Capture: into a graph that exists") {
  GraphProgram program;
  GraphHandle graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
  const NodeHandle first = program.add_kernel(graph, {}, 1);
  REQUIRE(cudaStreamBeginCaptureToGraph(program.stream, graph, &first, nullptr, 1, 0) == kSuccess);
  REQUIRE(program.launch(program.stream, 2) == kSuccess);
  CHECK(program.end() == graph);
  REQUIRE(cudaGraphLaunch(program.instantiate(graph), program.stream) == kSuccess);
  CHECK(program.before(2) == Edges{{1, Edge::kGraph}});
}

TEST_CASE("Capture: a joined stream may be destroyed; without its own stream a capture ends") {
  GraphProgram program;
  program.begin();
  REQUIRE(cudaEventRecord(program.event, program.stream) == kSuccess);
  REQUIRE(cudaStreamWaitEvent(program.other, program.event, 0) == kSuccess);
  REQUIRE(program.launch(program.other, 1) == kSuccess);
  REQUIRE(cudaEventRecord(program.joined, program.other) == kSuccess);
  REQUIRE(cudaStreamWaitEvent(program.stream, program.joined, 0) == kSuccess);
  REQUIRE(cudaStreamDestroy(program.other) == kSuccess);
  CHECK(program.nodes(program.end()).size() == 1);
  program.begin();
  REQUIRE(cudaStreamDestroy(program.stream) == kSuccess);
  CHECK(program.launch(nullptr, 2) == kSuccess);
}

}  // namespace
}  // namespace warpsim::cuda
