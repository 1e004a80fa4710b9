// Instantiated graphs: updates, nodes that are switched off, events, memory of graphs.
#include "cuda/memory/memory_pool_api.h"
#include "support/graph_program.h"

namespace warpsim::cuda {
namespace {

using test::GraphProgram;

TEST_CASE("Graph exec: parameters change without a change of the graph") {
  GraphProgram program;
  GraphHandle graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
  const NodeHandle node = program.add_kernel(graph, {}, 1);
  const ExecHandle exec = program.instantiate(graph);
  abi::KernelNodeParameters kernel = {};
  REQUIRE(cudaGraphKernelNodeGetParams(node, &kernel) == kSuccess);
  std::uint32_t mark = 5;
  void* arguments[] = {kernel.arguments[0], kernel.arguments[1], &mark};
  kernel.arguments = arguments;
  REQUIRE(cudaGraphExecKernelNodeSetParams(exec, node, &kernel) == kSuccess);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  REQUIRE(cudaGraphLaunch(program.instantiate(graph), program.stream) == kSuccess);
  CHECK(program.marks() == std::vector<std::uint32_t>{5, 1});
  const NodeHandle later = program.add_kernel(graph, {}, 2);
  CHECK(cudaGraphExecKernelNodeSetParams(exec, later, &kernel) == kInvalidValue);
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, node, program.data, program.data, 4, 3) == kInvalidValue);
}

TEST_CASE("Graph exec: copies keep their direction and have one dimension") {
  GraphProgram program;
  GraphHandle graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
  int word = 3;
  NodeHandle node = nullptr;
  REQUIRE(cudaGraphAddMemcpyNode1D(&node, graph, nullptr, 0, program.data, &word, 4, 1) == kSuccess);
  const ExecHandle exec = program.instantiate(graph);
  int other = 4;
  CHECK(cudaGraphExecMemcpyNodeSetParams1D(exec, node, &other, program.data, 4, 2) == kInvalidValue);
  REQUIRE(cudaGraphExecMemcpyNodeSetParams1D(exec, node, program.data, &other, 4, 1) == kSuccess);
  abi::Memcpy3d plane = {};
  REQUIRE(cudaGraphMemcpyNodeGetParams(node, &plane) == kSuccess);
  plane.extent = {2, 2, 1};
  CHECK(cudaGraphExecMemcpyNodeSetParams(exec, node, &plane) == kInvalidValue);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  int read = 0;
  REQUIRE(cudaMemcpy(&read, program.data, 4, 2) == kSuccess);
  CHECK(read == 4);
}

TEST_CASE("Graph exec: an update needs the same nodes and edges") {
  GraphProgram program;
  const auto line = [&](std::uint32_t mark, bool joined) {
    GraphHandle graph = nullptr;
    REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
    const NodeHandle first = program.add_kernel(graph, {}, mark);
    program.add_kernel(graph, joined ? std::vector<NodeHandle>{first} : std::vector<NodeHandle>{}, mark + 1);
    return graph;
  };
  const ExecHandle exec = program.instantiate(line(1, true));
  abi::UpdateResult update = {};
  REQUIRE(cudaGraphExecUpdate(exec, line(5, true), &update) == kSuccess);
  CHECK(update.result == 0);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  CHECK(program.marks() == std::vector<std::uint32_t>{5, 6});
  const GraphHandle apart = line(7, false);
  CHECK(cudaGraphExecUpdate(exec, apart, &update) == kGraphUpdateFailure);
  CHECK(update.result == 2);
  CHECK(update.error_node == program.nodes(apart)[1]);
  GraphHandle other = nullptr;
  REQUIRE(cudaGraphCreate(&other, 0) == kSuccess);
  const NodeHandle first = program.add_kernel(other, {}, 8);
  NodeHandle empty = nullptr;
  REQUIRE(cudaGraphAddEmptyNode(&empty, other, &first, 1) == kSuccess);
  CHECK(cudaGraphExecUpdate(exec, other, &update) == kGraphUpdateFailure);
  CHECK(update.result == 3);
  CHECK(update.error_node == empty);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  CHECK(program.marks() == std::vector<std::uint32_t>{5, 6, 5, 6});
}

TEST_CASE("Graph exec: a node that is switched off does nothing") {
  GraphProgram program;
  GraphHandle graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
  const NodeHandle node = program.add_kernel(graph, {}, 1);
  program.add_kernel(graph, {node}, 2);
  NodeHandle empty = nullptr;
  REQUIRE(cudaGraphAddEmptyNode(&empty, graph, nullptr, 0) == kSuccess);
  const ExecHandle exec = program.instantiate(graph);
  REQUIRE(cudaGraphNodeSetEnabled(exec, node, 0) == kSuccess);
  unsigned enabled = 1;
  REQUIRE(cudaGraphNodeGetEnabled(exec, node, &enabled) == kSuccess);
  CHECK(enabled == 0);
  CHECK(cudaGraphNodeSetEnabled(exec, empty, 0) == kInvalidValue);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  CHECK(program.marks() == std::vector<std::uint32_t>{2});
  REQUIRE(cudaGraphNodeSetEnabled(exec, node, 1) == kSuccess);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  CHECK(program.marks() == std::vector<std::uint32_t>{2, 1, 2});
}

TEST_CASE("Graph exec: flags that cannot be are refused") {
  GraphProgram program;
  GraphHandle graph = nullptr;
  REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
  ExecHandle exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, graph, 4) == kInvalidValue);  // an empty graph for kernels
  CHECK(cudaGraphInstantiate(&exec, graph, 64) == kInvalidValue);
  exec = program.instantiate(graph, 8);
  std::uint64_t flags = 0;
  REQUIRE(cudaGraphExecGetFlags(exec, &flags) == kSuccess);
  CHECK(flags == 8);
  REQUIRE(cudaGraphUpload(exec, program.stream) == kSuccess);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  REQUIRE(cudaGraphExecDestroy(exec) == kSuccess);
  CHECK(cudaGraphLaunch(exec, program.stream) == kInvalidValue);
}

struct MemoryProgram : GraphProgram {
  GraphHandle graph = nullptr;
  void* memory = nullptr;

  // A graph that allocates memory, and frees it.
  explicit MemoryProgram(bool frees) {
    begin();
    REQUIRE(cudaMallocAsync(&memory, 4 << 20, stream) == kSuccess);
    REQUIRE(cudaMemsetAsync(memory, 1, 64, stream) == kSuccess);
    if (frees) {
      REQUIRE(cudaFreeAsync(memory, stream) == kSuccess);
    }
    graph = end();
  }
  std::uint64_t counter(int number) const {
    std::uint64_t value = 0;
    REQUIRE(cudaDeviceGetGraphMemAttribute(0, number, &value) == kSuccess);
    return value;
  }
};

constexpr std::uint64_t kFourMiB = 4U << 20U;

TEST_CASE("Graph memory: a graph that frees its memory is launched again and again") {
  MemoryProgram program(true);
  const ExecHandle exec = program.instantiate(program.graph);
  CHECK(program.counter(2) == 0);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  CHECK(program.counter(0) == 0);
  CHECK(program.counter(1) == kFourMiB);
  CHECK(program.counter(2) == kFourMiB);
  REQUIRE(cudaDeviceGraphMemTrim(0) == kSuccess);
  CHECK(program.counter(2) == 0);
  CHECK(program.counter(3) == kFourMiB);
  std::uint64_t zero = 0;
  REQUIRE(cudaDeviceSetGraphMemAttribute(0, 3, &zero) == kSuccess);
  CHECK(program.counter(3) == 0);
  CHECK(cudaDeviceSetGraphMemAttribute(0, 0, &zero) == kInvalidValue);
}

TEST_CASE("Graph memory: what a graph leaves allocated must be freed before its next launch") {
  MemoryProgram program(false);
  const ExecHandle exec = program.instantiate(program.graph);
  CHECK(cudaFree(program.memory) == kInvalidValue);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  CHECK(program.counter(0) == kFourMiB);
  CHECK(cudaGraphLaunch(exec, program.stream) == kInvalidValue);
  REQUIRE(cudaFreeAsync(program.memory, program.stream) == kSuccess);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  REQUIRE(cudaFree(program.memory) == kSuccess);
  CHECK(program.counter(0) == 0);
  REQUIRE(cudaGraphExecDestroy(exec) == kSuccess);
  const ExecHandle frees = program.instantiate(program.graph, 1);
  REQUIRE(cudaGraphLaunch(frees, program.stream) == kSuccess);
  REQUIRE(cudaGraphLaunch(frees, program.stream) == kSuccess);
  CHECK(program.counter(0) == kFourMiB);
}

TEST_CASE("Graph memory: memory in use stays when its graph is gone") {
  MemoryProgram program(false);
  const ExecHandle exec = program.instantiate(program.graph);
  REQUIRE(cudaGraphLaunch(exec, program.stream) == kSuccess);
  REQUIRE(cudaGraphExecDestroy(exec) == kSuccess);
  REQUIRE(cudaGraphDestroy(program.graph) == kSuccess);
  program.device->queue().works.clear();
  char byte = 0;
  REQUIRE(cudaMemcpy(&byte, program.memory, 1, 2) == kSuccess);
  CHECK(byte == 1);
  REQUIRE(cudaFree(program.memory) == kSuccess);
  CHECK(cudaFree(program.memory) == kInvalidValue);
}

TEST_CASE("Graph memory: such a graph is not copied, and has one instance") {
  MemoryProgram program(true);
  GraphHandle clone = nullptr;
  CHECK(cudaGraphClone(&clone, program.graph) == kNotSupported);
  CHECK(cudaGraphDestroyNode(program.nodes(program.graph)[1]) == kNotSupported);
  const ExecHandle exec = program.instantiate(program.graph);
  ExecHandle second = nullptr;
  CHECK(cudaGraphInstantiate(&second, program.graph, 0) == kNotSupported);
  REQUIRE(cudaGraphExecDestroy(exec) == kSuccess);
  CHECK(cudaGraphInstantiate(&second, program.graph, 0) == kSuccess);
  program.begin();
  CHECK(cudaFreeAsync(program.data, program.stream) == kInvalidValue);
  CHECK(program.end_code() == kStreamCaptureInvalidated);
}

}  // namespace
}  // namespace warpsim::cuda
