// Launches with attributes of programmatic dependent launch: the edges of captured nodes, and what streams wait for.
#include <array>

#include "support/graph_program.h"

namespace warpsim::cuda {
namespace {

using test::GraphProgram;
using Edge = Dependence::Edge;
using Edges = std::vector<std::pair<std::uint32_t, Edge>>;

constexpr int kSerialization = 6;
constexpr int kProgrammaticEvent = 7;
constexpr int kCompletionEvent = 12;

abi::LaunchAttribute serialization(int allowed = 1) {
  abi::LaunchAttribute attribute = {};
  attribute.id = kSerialization;
  attribute.value.integer = allowed;
  return attribute;
}
abi::LaunchAttribute event_attribute(int id, EventHandle event, int at_start = 0) {
  abi::LaunchAttribute attribute = {};
  attribute.id = id;
  attribute.value.event = {event, 0, at_start};
  return attribute;
}

struct Program : GraphProgram {
  int launch_with(StreamHandle into, std::uint32_t count, abi::LaunchAttribute attribute) {
    std::uint64_t address = 0;
    float factor = 0;
    void* arguments[] = {&address, &factor, &count};
    const abi::LaunchConfig config = {{4, 1, 1}, {128, 1, 1}, 0, into, &attribute, 1};
    return cudaLaunchKernelExC(&config, &scale_stub, arguments);
  }
  // The only edge to this node.
  abi::EdgeData edge_to(NodeHandle node) {
    NodeHandle before[2] = {};
    abi::EdgeData data[2] = {};
    std::size_t count = 2;
    REQUIRE(cudaGraphNodeGetDependencies(node, before, data, &count) == kSuccess);
    REQUIRE(count == 1);
    return data[0];
  }
};

bool is(const abi::EdgeData& data, int port, int type) {
  return data.from_port == port && data.type == type && data.to_port == 0;
}

TEST_CASE("Programmatic edges: a captured dependent launch follows the trigger of the kernel before it") {
  Program program;
  program.begin();
  REQUIRE(program.launch(program.stream, 1) == kSuccess);
  REQUIRE(program.launch_with(program.stream, 2, serialization()) == kSuccess);
  REQUIRE(program.launch_with(program.stream, 3, serialization(0)) == kSuccess);
  REQUIRE(cudaMemsetAsync(program.data, 7, 16, program.stream) == kSuccess);
  REQUIRE(program.launch_with(program.stream, 4, serialization()) == kSuccess);
  const GraphHandle graph = program.end();
  const auto nodes = program.nodes(graph);
  REQUIRE(nodes.size() == 5);
  CHECK(is(program.edge_to(nodes[1]), 1, 1));
  CHECK(is(program.edge_to(nodes[2]), 0, 0));
  CHECK(is(program.edge_to(nodes[4]), 0, 0));  // the node before it is no kernel
  REQUIRE(cudaGraphLaunch(program.instantiate(graph), program.stream) == kSuccess);
  CHECK(program.before(2) == Edges{{1, Edge::kProgrammatic}});
  CHECK(program.before(3) == Edges{{2, Edge::kGraph}});
}

TEST_CASE("Programmatic edges: a kernel that waits for several nodes waits for their ends") {
  Program program;
  program.begin();
  REQUIRE(cudaEventRecord(program.event, program.stream) == kSuccess);
  REQUIRE(cudaStreamWaitEvent(program.other, program.event, 0) == kSuccess);
  REQUIRE(program.launch(program.other, 1) == kSuccess);
  REQUIRE(cudaEventRecord(program.joined, program.other) == kSuccess);
  REQUIRE(program.launch(program.stream, 2) == kSuccess);
  REQUIRE(cudaStreamWaitEvent(program.stream, program.joined, 0) == kSuccess);
  REQUIRE(program.launch_with(program.stream, 3, serialization()) == kSuccess);
  REQUIRE(cudaGraphLaunch(program.instantiate(program.end()), program.stream) == kSuccess);
  CHECK(program.before(3) == Edges{{2, Edge::kGraphBranch}, {1, Edge::kGraphBranch}});
}

TEST_CASE("Programmatic edges: captured events of launches have the ports and types of their attributes") {
  struct Row {
    int id;
    int at_start;
    int port;
    int type;
    Edge edge;
  };
  for (const Row& row :
       {Row{kProgrammaticEvent, 0, 1, 1, Edge::kProgrammatic},
        Row{kProgrammaticEvent, 1, 2, 1, Edge::kProgrammaticBegin}, Row{kCompletionEvent, 0, 2, 0, Edge::kBegin}}) {
    CAPTURE(row.id, row.at_start);
    Program program;
    program.begin();
    const abi::LaunchAttribute attribute = event_attribute(row.id, program.event, row.at_start);
    REQUIRE(program.launch_with(program.stream, 1, attribute) == kSuccess);
    REQUIRE(cudaStreamWaitEvent(program.other, program.event, 0) == kSuccess);
    REQUIRE(program.launch(program.other, 2) == kSuccess);
    REQUIRE(cudaEventRecord(program.joined, program.other) == kSuccess);
    REQUIRE(cudaStreamWaitEvent(program.stream, program.joined, 0) == kSuccess);
    const GraphHandle graph = program.end();
    CHECK(is(program.edge_to(program.nodes(graph)[1]), row.port, row.type));
    REQUIRE(cudaGraphLaunch(program.instantiate(graph), program.stream) == kSuccess);
    CHECK(program.before(2) == Edges{{1, row.edge}});
  }
}

TEST_CASE("Programmatic edges: a node that is no kernel waits for the end of the kernel") {
  Program program;
  program.begin();
  const abi::LaunchAttribute attribute = event_attribute(kProgrammaticEvent, program.event);
  REQUIRE(program.launch_with(program.stream, 1, attribute) == kSuccess);
  REQUIRE(cudaStreamWaitEvent(program.other, program.event, 0) == kSuccess);
  REQUIRE(cudaMemsetAsync(program.data, 7, 16, program.other) == kSuccess);
  REQUIRE(cudaEventRecord(program.joined, program.other) == kSuccess);
  REQUIRE(cudaStreamWaitEvent(program.stream, program.joined, 0) == kSuccess);
  const GraphHandle graph = program.end();
  CHECK(is(program.edge_to(program.nodes(graph)[1]), 0, 0));
}

TEST_CASE("Programmatic events: they take no times, and no flags") {
  Program program;
  EventHandle timed = nullptr;
  REQUIRE(cudaEventCreate(&timed) == kSuccess);
  for (const int id : {kProgrammaticEvent, kCompletionEvent}) {
    CHECK(program.launch_with(program.stream, 1, event_attribute(id, timed)) == kInvalidValue);
    CHECK(program.launch_with(program.stream, 1, event_attribute(id, nullptr)) != kSuccess);
    abi::LaunchAttribute external = event_attribute(id, program.event);
    external.value.event.flags = 1;
    CHECK(program.launch_with(program.stream, 1, external) == kNotSupported);
    CHECK(program.device->launches.empty());
  }
  CHECK(program.launch_with(program.stream, 1, event_attribute(kCompletionEvent, program.event)) == kSuccess);
  REQUIRE(program.device->launches.size() == 1);
  CHECK(program.device->launches[0].place.reports_begin);
  CHECK(cudaEventSynchronize(program.event) == kSuccess);
}

}  // namespace
}  // namespace warpsim::cuda
