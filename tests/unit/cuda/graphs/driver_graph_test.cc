// What is different in the driver's functions about graphs, and in those of older toolkits.
#include "cuda/driver/driver_graph_api.h"

#include "cuda/device_calls.h"
#include "cuda/driver/driver_api.h"
#include "cuda/memory/memory_calls.h"
#include "support/graph_program.h"

namespace warpsim::cuda {
namespace {

using test::GraphProgram;

constexpr int kHost = 1;
constexpr int kDevice = 2;
constexpr int kArray = 3;

TEST_CASE("Driver graph: kernels are functions or kernels of a library") {
  GraphProgram program;
  KernelHandle kernel = nullptr;
  REQUIRE(cudaGetFuncBySymbol(&kernel, &program.scale_stub) == kSuccess);
  GraphHandle graph = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == kSuccess);
  std::uint64_t word = 7;
  void* arguments[] = {&word, &word, &word};
  abi::DriverKernelNodeParameters parameters = {};
  parameters.common = {nullptr, {2, 1, 1}, {32, 1, 1}, 0, arguments, nullptr};
  NodeHandle node = nullptr;
  CHECK(cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &parameters) == kInvalidHandle);
  parameters.kernel = kernel;
  REQUIRE(cuGraphAddKernelNode_v2(&node, graph, nullptr, 0, &parameters) == kSuccess);
  REQUIRE(cuGraphKernelNodeGetParams_v2(node, &parameters) == kSuccess);
  CHECK(parameters.common.function == kernel);
  CHECK(parameters.common.grid.x == 2);
  CHECK(*static_cast<std::uint64_t*>(parameters.common.arguments[0]) == 7);
}

TEST_CASE("Driver graph: a copy has the same parameters in both interfaces") {
  GraphProgram program;
  GraphHandle graph = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == kSuccess);
  char text[64] = {};
  abi::DriverMemcpy3d copy = {};
  copy.source_type = kHost;
  copy.source_host = text;
  copy.source_x = 4;
  copy.target_type = kDevice;
  copy.target_device = to_address(program.data);
  copy.width = 16;
  copy.height = 1;
  copy.depth = 1;
  NodeHandle node = nullptr;
  REQUIRE(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, nullptr) == kSuccess);
  abi::Memcpy3d runtime = {};
  REQUIRE(cudaGraphMemcpyNodeGetParams(node, &runtime) == kSuccess);
  CHECK(runtime.source_position.x == 4);
  CHECK(runtime.kind == 1);
  CHECK(runtime.target.data == program.data);
  abi::DriverMemcpy3d back = {};
  REQUIRE(cuGraphMemcpyNodeGetParams(node, &back) == kSuccess);
  CHECK(back.source_type == kHost);
  CHECK(back.source_host == text);
  CHECK(back.source_x == 4);
  CHECK(back.target_type == kDevice);
  CHECK(back.width == 16);

  abi::ArrayDescriptor descriptor = {8, 2, 0x20, 1};  // floats
  ArrayHandle array = nullptr;
  REQUIRE(cuArrayCreate_v2(&array, &descriptor) == kSuccess);
  copy = {};
  copy.source_type = kArray;
  copy.source_array = array;
  copy.source_x = 8;
  copy.target_type = kHost;
  copy.target_host = text;
  copy.width = 8;
  copy.height = 1;
  copy.depth = 1;
  REQUIRE(cuGraphAddMemcpyNode(&node, graph, nullptr, 0, &copy, nullptr) == kSuccess);
  REQUIRE(cudaGraphMemcpyNodeGetParams(node, &runtime) == kSuccess);
  CHECK(runtime.source_position.x == 2);  // elements
  CHECK(runtime.extent.width == 2);
  REQUIRE(cuGraphMemcpyNodeGetParams(node, &back) == kSuccess);
  CHECK(back.source_x == 8);
  CHECK(back.width == 8);
}

TEST_CASE("Driver graph: older forms of instantiation, update and lists") {
  GraphProgram program;
  GraphHandle graph = nullptr;
  REQUIRE(cuGraphCreate(&graph, 0) == kSuccess);
  const NodeHandle first = program.add_kernel(graph, {}, 1);
  const NodeHandle second = program.add_kernel(graph, {first}, 2);
  NodeHandle error = first;
  char log[8] = "text";
  ExecHandle exec = nullptr;
  REQUIRE(cuGraphInstantiate_v2(&exec, graph, &error, log, sizeof log) == kSuccess);
  CHECK(error == nullptr);
  CHECK(log[0] == '\0');
  int update = -1;
  REQUIRE(cuGraphExecUpdate(exec, graph, &error, &update) == kSuccess);
  CHECK(update == 0);
  NodeHandle before = nullptr;
  std::size_t count = 1;
  REQUIRE(cuGraphNodeGetDependencies(second, &before, &count) == kSuccess);
  CHECK(before == first);
  NodeHandle empty = nullptr;
  REQUIRE(cuGraphAddEmptyNode(&empty, graph, nullptr, 0) == kSuccess);
  CHECK(cuGraphExecUpdate(exec, graph, &error, &update) == kGraphUpdateFailure);
  CHECK(update == 2);
}

TEST_CASE("Driver graph: a captured stream, asked about in all versions") {
  GraphProgram program;
  REQUIRE(cuStreamBeginCapture(program.stream) == kSuccess);
  REQUIRE(program.launch(program.stream, 1) == kSuccess);
  int status = 0;
  unsigned long long number = 0;
  REQUIRE(cuStreamGetCaptureInfo(program.stream, &status, &number) == kSuccess);
  CHECK(status == 1);
  GraphHandle graph = nullptr;
  const NodeHandle* nodes = nullptr;
  const abi::EdgeData* edges = nullptr;
  std::size_t count = 0;
  REQUIRE(cuStreamGetCaptureInfo_v3(program.stream, &status, nullptr, &graph, &nodes, &edges, &count) == kSuccess);
  REQUIRE(count == 1);
  CHECK(edges[0].type == 0);
  NodeHandle node = nodes[0];
  constexpr unsigned kReplace = 1;
  CHECK(cuStreamUpdateCaptureDependencies(program.stream, &node, 1, kReplace) == kSuccess);
  CHECK(cuStreamUpdateCaptureDependencies(program.stream, &node, 1, 2) == kInvalidValue);
  GraphHandle ended = nullptr;
  REQUIRE(cuStreamEndCapture(program.stream, &ended) == kSuccess);
  CHECK(ended == graph);
  std::uint64_t data = 0;
  REQUIRE(cuStreamBeginCapture_v2(program.stream, 0) == kSuccess);
  CHECK(cuMemAlloc_v2(&data, 16) == kStreamCaptureUnsupported);
  CHECK(cuStreamEndCapture(program.stream, &ended) == kStreamCaptureInvalidated);
  CHECK(cuStreamEndCapture(program.stream, &ended) == kIllegalState);
}

}  // namespace
}  // namespace warpsim::cuda
