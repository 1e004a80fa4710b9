// Graphs made node by node: edges, lists, clones, parameters of nodes, objects of the program.
#include "support/graph_program.h"

namespace warpsim::cuda {
namespace {

using test::GraphProgram;
using Edge = Dependence::Edge;
using Edges = std::vector<std::pair<std::uint32_t, Edge>>;

struct Diamond : GraphProgram {
  GraphHandle graph = nullptr;
  NodeHandle top = nullptr;
  NodeHandle left = nullptr;
  NodeHandle right = nullptr;
  NodeHandle bottom = nullptr;
  Diamond() {
    REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
    top = add_kernel(graph, {}, 1);
    left = add_kernel(graph, {top}, 2);
    right = add_kernel(graph, {top}, 3);
    bottom = add_kernel(graph, {left, right}, 4);
  }
};

TEST_CASE("Graph: nodes and edges are listed as they were made") {
  Diamond d;
  CHECK(d.nodes(d.graph) == std::vector<NodeHandle>{d.top, d.left, d.right, d.bottom});
  NodeHandle roots[2] = {d.left, d.left};
  std::size_t count = 2;
  REQUIRE(cudaGraphGetRootNodes(d.graph, roots, &count) == kSuccess);
  CHECK(count == 1);
  CHECK(roots[0] == d.top);
  CHECK(roots[1] == nullptr);
  NodeHandle from[4] = {};
  NodeHandle to[4] = {};
  count = 4;
  REQUIRE(cudaGraphGetEdges(d.graph, from, to, nullptr, &count) == kSuccess);
  CHECK(count == 4);
  CHECK(from[3] == d.right);
  CHECK(to[3] == d.bottom);
  NodeHandle before[2] = {};
  count = 2;
  REQUIRE(cudaGraphNodeGetDependencies(d.bottom, before, nullptr, &count) == kSuccess);
  CHECK(before[1] == d.right);
  count = 0;
  REQUIRE(cudaGraphNodeGetDependentNodes(d.top, nullptr, nullptr, &count) == kSuccess);
  CHECK(count == 2);
}

TEST_CASE("Graph: launches are in the order of the edges") {
  Diamond d;
  REQUIRE(cudaGraphRemoveDependencies(d.graph, &d.top, &d.left, nullptr, 1) == kSuccess);
  REQUIRE(cudaGraphAddDependencies(d.graph, &d.bottom, &d.left, nullptr, 1) == kSuccess);
  REQUIRE(cudaGraphRemoveDependencies(d.graph, &d.left, &d.bottom, nullptr, 1) == kSuccess);
  REQUIRE(cudaGraphLaunch(d.instantiate(d.graph), d.stream) == kSuccess);
  CHECK(d.marks() == std::vector<std::uint32_t>{1, 3, 4, 2});
  CHECK(d.before(2) == Edges{{4, Edge::kGraph}});
}

TEST_CASE("Graph: edges that cannot be are refused") {
  Diamond d;
  CHECK(cudaGraphAddDependencies(d.graph, &d.top, &d.left, nullptr, 1) == kInvalidValue);
  CHECK(cudaGraphAddDependencies(d.graph, &d.top, &d.top, nullptr, 1) == kInvalidValue);
  CHECK(cudaGraphRemoveDependencies(d.graph, &d.top, &d.bottom, nullptr, 1) == kInvalidValue);
  GraphHandle other = nullptr;
  REQUIRE(cudaGraphCreate(&other, 0) == kSuccess);
  const NodeHandle foreign = d.add_kernel(other, {}, 9);
  CHECK(cudaGraphAddDependencies(d.graph, &d.top, &foreign, nullptr, 1) == kInvalidValue);
  NodeHandle node = nullptr;
  CHECK(cudaGraphAddEmptyNode(&node, d.graph, &foreign, 1) == kInvalidValue);
  const NodeHandle twice[2] = {d.top, d.top};
  CHECK(cudaGraphAddEmptyNode(&node, d.graph, twice, 2) == kInvalidValue);
  REQUIRE(cudaGraphDestroy(other) == kSuccess);
  CHECK(cudaGraphDestroy(other) == kInvalidValue);
  int type = 0;
  CHECK(cudaGraphNodeGetType(foreign, &type) == kInvalidValue);
  // A cycle is found when the graph is instantiated.
  REQUIRE(cudaGraphAddDependencies(d.graph, &d.bottom, &d.top, nullptr, 1) == kSuccess);
  ExecHandle exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, d.graph, 0) == kInvalidValue);
  abi::InstantiateParameters parameters = {};
  CHECK(cudaGraphInstantiateWithParams(&exec, d.graph, &parameters) == kInvalidValue);
  CHECK(parameters.result == 2);
}

TEST_CASE("Graph: edges of dependent launches have data") {
  Diamond d;
  abi::EdgeData programmatic = {1, 0, 1, {}};
  REQUIRE(cudaGraphRemoveDependencies(d.graph, &d.right, &d.bottom, nullptr, 1) == kSuccess);
  REQUIRE(cudaGraphRemoveDependencies(d.graph, &d.left, &d.bottom, nullptr, 1) == kSuccess);
  REQUIRE(cudaGraphAddDependencies(d.graph, &d.left, &d.bottom, &programmatic, 1) == kSuccess);
  NodeHandle before[1] = {};
  abi::EdgeData data = {};
  std::size_t count = 1;
  CHECK(cudaGraphNodeGetDependencies(d.bottom, before, nullptr, &count) == kLossyQuery);
  REQUIRE(cudaGraphNodeGetDependencies(d.bottom, before, &data, &count) == kSuccess);
  CHECK(data.type == 1);
  REQUIRE(cudaGraphLaunch(d.instantiate(d.graph), d.stream) == kSuccess);
  CHECK(d.before(4) == Edges{{2, Edge::kProgrammatic}});
  abi::EdgeData unknown = {7, 0, 0, {}};
  CHECK(cudaGraphAddDependencies(d.graph, &d.right, &d.bottom, &unknown, 1) == kInvalidValue);
  NodeHandle empty = nullptr;
  REQUIRE(cudaGraphAddEmptyNode(&empty, d.graph, nullptr, 0) == kSuccess);
  CHECK(cudaGraphAddDependencies(d.graph, &empty, &d.bottom, &programmatic, 1) == kInvalidValue);
  // The trigger and the programmatic type belong together; the beginning of all blocks goes with both types.
  const abi::EdgeData wrong[] = {{1, 0, 0, {}}, {0, 0, 1, {}}, {0, 1, 0, {}}, {2, 0, 2, {}}};
  for (const abi::EdgeData& edge : wrong) {
    CHECK(cudaGraphAddDependencies(d.graph, &d.right, &d.bottom, &edge, 1) == kInvalidValue);
  }
}

TEST_CASE("Graph: edges that begin with the beginning of all blocks make the kernel report it") {
  Diamond d;
  const abi::EdgeData begin = {2, 0, 0, {}};
  const abi::EdgeData awaited = {2, 0, 1, {}};
  REQUIRE(cudaGraphRemoveDependencies(d.graph, &d.left, &d.bottom, nullptr, 1) == kSuccess);
  REQUIRE(cudaGraphRemoveDependencies(d.graph, &d.right, &d.bottom, nullptr, 1) == kSuccess);
  REQUIRE(cudaGraphAddDependencies(d.graph, &d.left, &d.bottom, &begin, 1) == kSuccess);
  REQUIRE(cudaGraphAddDependencies(d.graph, &d.right, &d.bottom, &awaited, 1) == kSuccess);
  REQUIRE(cudaGraphLaunch(d.instantiate(d.graph), d.stream) == kSuccess);
  CHECK(d.before(4) == Edges{{2, Edge::kBegin}, {3, Edge::kProgrammaticBegin}});
  for (const test::RecordedLaunch& launch : d.device->launches) {
    const auto mark = launch.parameter<std::uint32_t>(12);
    CHECK(launch.place.reports_begin == (mark == 2 || mark == 3));
  }
}

TEST_CASE("Graph: a clone is separate, and its nodes are found") {
  Diamond d;
  GraphHandle clone = nullptr;
  REQUIRE(cudaGraphClone(&clone, d.graph) == kSuccess);
  NodeHandle own = nullptr;
  REQUIRE(cudaGraphNodeFindInClone(&own, d.left, clone) == kSuccess);
  CHECK(own == d.nodes(clone)[1]);
  CHECK(cudaGraphNodeFindInClone(&own, d.left, d.graph) == kInvalidValue);
  REQUIRE(cudaGraphDestroyNode(d.bottom) == kSuccess);
  CHECK(d.nodes(d.graph).size() == 3);
  CHECK(d.nodes(clone).size() == 4);
  REQUIRE(cudaGraphDestroy(d.graph) == kSuccess);
  REQUIRE(cudaGraphLaunch(d.instantiate(clone), d.stream) == kSuccess);
  CHECK(d.marks() == std::vector<std::uint32_t>{1, 2, 3, 4});
}

TEST_CASE("Graph: a child graph is a part of the whole") {
  Diamond d;
  GraphHandle outer = nullptr;
  REQUIRE(cudaGraphCreate(&outer, 0) == kSuccess);
  const NodeHandle first = d.add_kernel(outer, {}, 10);
  NodeHandle child = nullptr;
  REQUIRE(cudaGraphAddChildGraphNode(&child, outer, &first, 1, d.graph) == kSuccess);
  d.add_kernel(outer, {child}, 11);
  GraphHandle inside = nullptr;
  REQUIRE(cudaGraphChildGraphNodeGetGraph(child, &inside) == kSuccess);
  CHECK(inside != d.graph);
  CHECK(d.nodes(inside).size() == 4);
  CHECK(cudaGraphDestroy(inside) == kInvalidValue);
  REQUIRE(cudaGraphLaunch(d.instantiate(outer), d.stream) == kSuccess);
  CHECK(d.marks() == std::vector<std::uint32_t>{10, 1, 2, 3, 4, 11});
  CHECK(d.before(1) == Edges{{10, Edge::kGraph}});
  CHECK(d.before(11) == Edges{{4, Edge::kGraph}});
}

TEST_CASE("Graph: a child graph can be moved to its parent, but not into itself") {
  Diamond d;
  GraphHandle outer = nullptr;
  REQUIRE(cudaGraphCreate(&outer, 0) == kSuccess);
  abi::NodeParameters parameters = {};
  parameters.type = 4;
  parameters.child = {d.graph, 1};
  NodeHandle child = nullptr;
  CHECK(cudaGraphAddNode(&child, d.graph, nullptr, nullptr, 0, &parameters) == kInvalidValue);
  REQUIRE(cudaGraphAddNode(&child, outer, nullptr, nullptr, 0, &parameters) == kSuccess);
  GraphHandle inside = nullptr;
  REQUIRE(cudaGraphChildGraphNodeGetGraph(child, &inside) == kSuccess);
  CHECK(inside == d.graph);
  CHECK(cudaGraphDestroy(d.graph) == kInvalidValue);
  parameters.child = {outer, 1};
  CHECK(cudaGraphAddNode(&child, d.graph, nullptr, nullptr, 0, &parameters) == kInvalidValue);
  REQUIRE(cudaGraphLaunch(d.instantiate(outer), d.stream) == kSuccess);
  CHECK(d.marks() == std::vector<std::uint32_t>{1, 2, 3, 4});
}

TEST_CASE("Graph: several first nodes follow the beginning of the launch") {
  GraphProgram program;
  GraphHandle graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
  program.add_kernel(graph, {}, 1);
  program.add_kernel(graph, {}, 2);
  REQUIRE(cudaGraphLaunch(program.instantiate(graph), program.stream) == kSuccess);
  for (const test::RecordedLaunch& launch : program.device->launches) {
    REQUIRE(launch.place.after.size() == 1);
    CHECK(launch.place.after[0].edge == Edge::kGraphBranch);
    CHECK(launch.place.after[0].work == program.device->queue().handles[0]);
  }
}

TEST_CASE("Graph: parameters of nodes are given back and changed") {
  Diamond d;
  abi::KernelNodeParameters kernel = {};
  REQUIRE(cudaGraphKernelNodeGetParams(d.left, &kernel) == kSuccess);
  CHECK(kernel.function == &d.scale_stub);
  CHECK(kernel.block.x == 128);
  CHECK(*static_cast<std::uint32_t*>(kernel.arguments[2]) == 2);
  kernel.grid = {7, 1, 1};
  REQUIRE(cudaGraphKernelNodeSetParams(d.left, &kernel) == kSuccess);
  kernel.block = {0, 1, 1};
  CHECK(cudaGraphKernelNodeSetParams(d.left, &kernel) == kInvalidConfiguration);
  REQUIRE(cudaGraphLaunch(d.instantiate(d.graph), d.stream) == kSuccess);
  CHECK(d.device->launches[1].grid == Dim3{7, 1, 1});

  abi::FillParameters fill = {d.data, 0, 9, 4, 8, 1};
  NodeHandle node = nullptr;
  REQUIRE(cudaGraphAddMemsetNode(&node, d.graph, nullptr, 0, &fill) == kSuccess);
  fill.element_bytes = 3;
  CHECK(cudaGraphMemsetNodeSetParams(node, &fill) == kInvalidValue);
  REQUIRE(cudaGraphMemsetNodeGetParams(node, &fill) == kSuccess);
  CHECK(fill.element_bytes == 4);
  CHECK(fill.value == 9);
  abi::HostParameters host = {};
  CHECK(cudaGraphHostNodeGetParams(node, &host) == kInvalidValue);
  int word = 0;
  REQUIRE(cudaGraphAddMemcpyNode1D(&node, d.graph, nullptr, 0, &word, d.data, 4, 2) == kSuccess);
  abi::Memcpy3d copy = {};
  REQUIRE(cudaGraphMemcpyNodeGetParams(node, &copy) == kSuccess);
  CHECK(copy.target.data == &word);
  CHECK(copy.extent.width == 4);
  CHECK(cudaGraphAddMemcpyNode1D(&node, d.graph, nullptr, 0, d.data, &word, 2000, 1) == kInvalidValue);
  REQUIRE(cudaGraphAddMemcpyNodeToSymbol(&node, d.graph, nullptr, 0, &d.counters, &word, 4, 4, 1) == kSuccess);
  CHECK(cudaGraphAddMemcpyNodeToSymbol(&node, d.graph, nullptr, 0, &d.counters, &word, 4, 32, 1) == kInvalidValue);
}

TEST_CASE("Graph: attributes of kernels are set and copied") {
  Diamond d;
  abi::LaunchAttribute attribute = {};
  attribute.value.dimensions = {2, 1, 1};
  REQUIRE(cudaGraphKernelNodeSetAttribute(d.left, 4, &attribute.value) == kSuccess);
  attribute.value.dimensions = {3, 1, 1};
  CHECK(cudaGraphKernelNodeSetAttribute(d.left, 4, &attribute.value) == kInvalidConfiguration);
  attribute.value.integer = -2;
  REQUIRE(cudaGraphKernelNodeSetAttribute(d.left, 8, &attribute.value) == kSuccess);
  REQUIRE(cudaGraphKernelNodeCopyAttributes(d.right, d.left) == kSuccess);
  attribute = {};
  REQUIRE(cudaGraphKernelNodeGetAttribute(d.right, 4, &attribute.value) == kSuccess);
  CHECK(attribute.value.dimensions.x == 2);
  REQUIRE(cudaGraphLaunch(d.instantiate(d.graph), d.stream) == kSuccess);
  CHECK(d.device->launches[2].cluster == Dim3{2, 1, 1});
  CHECK(d.device->launches[2].place.priority == -2);
  CHECK(d.device->launches[3].place.priority == 0);
}

TEST_CASE("Graph: objects of the program live as long as the graphs that keep them") {
  GraphProgram program;
  static int destroyed = 0;
  destroyed = 0;
  UserObjectHandle object = nullptr;
  const auto destroy = [](void*) { ++destroyed; };
  CHECK(cudaUserObjectCreate(&object, nullptr, destroy, 1, 0) == kInvalidValue);
  REQUIRE(cudaUserObjectCreate(&object, nullptr, destroy, 1, 1) == kSuccess);
  GraphHandle graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
  constexpr unsigned kMove = 1;
  REQUIRE(cudaGraphRetainUserObject(graph, object, 1, kMove) == kSuccess);
  CHECK(cudaGraphReleaseUserObject(graph, object, 2) == kInvalidValue);
  const ExecHandle exec = program.instantiate(graph);
  REQUIRE(cudaGraphDestroy(graph) == kSuccess);
  CHECK(destroyed == 0);
  REQUIRE(cudaGraphExecDestroy(exec) == kSuccess);
  CHECK(destroyed == 1);
  CHECK(cudaUserObjectRelease(object, 1) == kInvalidValue);
}

TEST_CASE("Graph: nodes of any type have one structure") {
  GraphProgram program;
  GraphHandle graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
  abi::NodeParameters parameters = {};
  parameters.type = 2;
  parameters.fill = {program.data, 0, 3, 1, 16, 1};
  NodeHandle fill = nullptr;
  REQUIRE(cudaGraphAddNode(&fill, graph, nullptr, nullptr, 0, &parameters) == kSuccess);
  parameters = {};
  parameters.type = 8;
  NodeHandle node = nullptr;
  CHECK(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters) == kNotSupported);
  parameters = {};
  parameters.type = 2;
  parameters.fill = {program.data, 0, 4, 1, 16, 1};
  const ExecHandle exec = program.instantiate(graph);
  REQUIRE(cudaGraphExecNodeSetParams(exec, fill, &parameters) == kSuccess);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  char byte = 0;
  REQUIRE(cudaMemcpy(&byte, program.data, 1, 2) == kSuccess);
  CHECK(byte == 4);
  REQUIRE(cudaGraphNodeSetParams(fill, &parameters) == kSuccess);
  abi::FillParameters read = {};
  REQUIRE(cudaGraphMemsetNodeGetParams(fill, &read) == kSuccess);
  CHECK(read.value == 4);
}

}  // namespace
}  // namespace warpsim::cuda
