// Conditional nodes: which body is done, how often, and with which values.
#include <cstring>

#include "cuda/graphs/exec_calls.h"
#include "support/graph_program.h"

namespace warpsim::cuda {
namespace {

using test::FakeDevice;
using test::GraphProgram;
using test::RecordedLaunch;

constexpr int kIf = 0;
constexpr int kWhile = 1;
constexpr int kSwitch = 2;
constexpr unsigned kAssign = 1;

struct Conditional : GraphProgram {
  GraphHandle graph = nullptr;
  std::uint64_t handle = 0;
  abi::NodeParameters parameters = {};
  int remaining = 0;

  // A kernel with the mark 50 sets the condition to what is left, which it counts down.
  Conditional(int type, unsigned size, unsigned value) {
    REQUIRE(cudaGraphCreate(&graph, 0) == kSuccess);
    REQUIRE(cudaGraphConditionalHandleCreate(&handle, graph, value, kAssign) == kSuccess);
    parameters.type = 13;
    parameters.conditional = {handle, type, size, nullptr, nullptr};
    NodeHandle node = nullptr;
    REQUIRE(cudaGraphAddNode(&node, graph, nullptr, nullptr, 0, &parameters) == kSuccess);
    device->work["scale"] = [this](FakeDevice& by, const RecordedLaunch& launch) {
      if (launch.parameter<std::uint32_t>(12) == 50) {
        const std::uint32_t left = remaining > 0 ? 1 : 0;
        --remaining;
        std::memcpy(by.memory().host(handle, sizeof left), &left, sizeof left);
      }
      return Outcome{};
    };
  }
  GraphHandle body(unsigned index) const { return parameters.conditional.graphs[index]; }
};

TEST_CASE("Conditional node: if and else") {
  for (const unsigned value : {0U, 7U}) {
    Conditional one(kIf, 1, value);
    one.add_kernel(one.body(0), {}, 1);
    REQUIRE(cudaGraphLaunch(one.instantiate(one.graph), one.stream) == kSuccess);
    CHECK(one.marks() == (value == 0 ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{1}));
    Conditional two(kIf, 2, value);
    two.add_kernel(two.body(0), {}, 1);
    two.add_kernel(two.body(1), {}, 2);
    REQUIRE(cudaGraphLaunch(two.instantiate(two.graph), two.stream) == kSuccess);
    CHECK(two.marks() == std::vector<std::uint32_t>{value == 0 ? 2U : 1U});
  }
}

TEST_CASE("Conditional node: a loop goes on until its body ends it, and begins again with each launch") {
  Conditional loop(kWhile, 1, 1);
  const NodeHandle first = loop.add_kernel(loop.body(0), {}, 1);
  loop.add_kernel(loop.body(0), {first}, 50);
  const ExecHandle exec = loop.instantiate(loop.graph);
  loop.remaining = 2;
  REQUIRE(cudaGraphLaunch(exec, loop.stream) == kSuccess);
  CHECK(loop.marks() == std::vector<std::uint32_t>{1, 50, 1, 50, 1, 50});
  loop.remaining = 0;
  REQUIRE(cudaGraphLaunch(exec, loop.stream) == kSuccess);
  CHECK(loop.device->launches.size() == 8);
  loop.remaining = 100000;  // the bodies do not nest
  REQUIRE(cudaGraphLaunch(exec, loop.stream) == kSuccess);
  CHECK(loop.device->launches.size() == 8 + 2 * 100001);
}

TEST_CASE("Conditional node: a switch does the body of its value, if there is one") {
  for (const unsigned value : {0U, 2U, 3U}) {
    Conditional cases(kSwitch, 3, value);
    for (unsigned i = 0; i < 3; ++i) {
      cases.add_kernel(cases.body(i), {}, i);
    }
    REQUIRE(cudaGraphLaunch(cases.instantiate(cases.graph), cases.stream) == kSuccess);
    CHECK(cases.marks() == (value == 3 ? std::vector<std::uint32_t>{} : std::vector<std::uint32_t>{value}));
  }
}

TEST_CASE("Conditional node: handles and sizes that cannot be are refused") {
  Conditional loop(kWhile, 1, 1);
  NodeHandle node = nullptr;
  CHECK(cudaGraphAddNode(&node, loop.graph, nullptr, nullptr, 0, &loop.parameters) == kInvalidValue);
  std::uint64_t handle = 0;
  CHECK(cudaGraphConditionalHandleCreate(&handle, loop.graph, 1, 2) == kInvalidValue);
  REQUIRE(cudaGraphConditionalHandleCreate(&handle, loop.graph, 1, 0) == kSuccess);
  loop.parameters.conditional.handle = handle;
  loop.parameters.conditional.size = 2;
  CHECK(cudaGraphAddNode(&node, loop.graph, nullptr, nullptr, 0, &loop.parameters) == kInvalidValue);
  loop.parameters.conditional.size = 1;
  loop.parameters.conditional.handle = 0x1234;
  CHECK(cudaGraphAddNode(&node, loop.graph, nullptr, nullptr, 0, &loop.parameters) == kInvalidValue);
  CHECK(cudaGraphDestroy(loop.body(0)) == kInvalidValue);
}

TEST_CASE("Conditional node: a body has no calls of the host") {
  Conditional one(kIf, 1, 1);
  const abi::HostParameters host = {[](void*) {}, nullptr};
  NodeHandle node = nullptr;
  REQUIRE(cudaGraphAddHostNode(&node, one.body(0), nullptr, 0, &host) == kSuccess);
  ExecHandle exec = nullptr;
  CHECK(cudaGraphInstantiate(&exec, one.graph, 0) == kNotSupported);
}

TEST_CASE("Conditional node: a body can be captured") {
  Conditional one(kIf, 1, 1);
  REQUIRE(cudaStreamBeginCaptureToGraph(one.stream, one.body(0), nullptr, nullptr, 0, 0) == kSuccess);
  REQUIRE(one.launch(one.stream, 4) == kSuccess);
  REQUIRE(cudaStreamEndCapture(one.stream, nullptr) == kSuccess);
  REQUIRE(cudaGraphLaunch(one.instantiate(one.graph), one.stream) == kSuccess);
  CHECK(one.marks() == std::vector<std::uint32_t>{4});
}

}  // namespace
}  // namespace warpsim::cuda
