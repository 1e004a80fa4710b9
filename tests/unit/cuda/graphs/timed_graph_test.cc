// Launches of graphs on a device with time, through the driver's functions.
#include <catch2/catch.hpp>
#include <memory>
#include <vector>

#include "cuda/calls.h"
#include "cuda/current_device.h"
#include "cuda/device/simulated_device.h"
#include "cuda/driver/driver_api.h"
#include "cuda/driver/driver_graph_api.h"
#include "cuda/graphs/graph_launch.h"
#include "cuda/graphs/graph_run.h"
#include "cuda/memory/memory_calls.h"

namespace warpsim::cuda {
namespace {

// `turn` takes time; `count` sets the condition at `handle` to the word, which it counts down.
constexpr const char* kKernels = R"(.version 8.0
.target sm_60
.address_size 64
.extern .func cudaGraphSetConditional(.param .b64 handle, .param .b32 value);
.visible .entry turn(.param .u64 word, .param .u64 rounds) {
  .reg .b64 %q<2>; .reg .pred %p;
  ld.param.u64 %q1, [rounds];
AGAIN:
  sub.u64 %q1, %q1, 1;
  setp.ne.u64 %p, %q1, 0;
  @%p bra AGAIN;
  ret;
}
.visible .entry count(.param .u64 word, .param .u64 handle) {
  .reg .b64 %q<3>; .reg .b32 %r<2>;
  ld.param.u64 %q1, [word];
  ld.param.u64 %q2, [handle];
  ld.global.u32 %r1, [%q1];
  sub.u32 %r1, %r1, 1;
  st.global.u32 [%q1], %r1;
  { .param .b64 a; .param .b32 b; st.param.b64 [a], %q2; st.param.b32 [b], %r1;
    call.uni cudaGraphSetConditional, (a, b); }
  ret;
}
)";

struct TimedGraph {
  ModuleHandle module = nullptr;
  KernelHandle turn = nullptr;
  KernelHandle count = nullptr;
  GraphHandle graph = nullptr;
  std::uint64_t word = 0;
  StreamHandle first = nullptr;
  StreamHandle second = nullptr;

  TimedGraph() {
    process_context().use_device(
        std::make_unique<SimulatedDevice>(WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml", DeviceOptions{}));
    enter_primary_context();
    REQUIRE(cuModuleLoadData(&module, kKernels) == kSuccess);
    REQUIRE(cuModuleGetFunction(&turn, module, "turn") == kSuccess);
    REQUIRE(cuModuleGetFunction(&count, module, "count") == kSuccess);
    REQUIRE(cuMemAlloc_v2(&word, 4) == kSuccess);
    REQUIRE(cuGraphCreate(&graph, 0) == kSuccess);
    REQUIRE(cuStreamCreate(&first, 1) == kSuccess);
    REQUIRE(cuStreamCreate(&second, 1) == kSuccess);
  }
  ~TimedGraph() { process_context().use_device(nullptr); }
  TimedGraph(const TimedGraph&) = delete;
  TimedGraph& operator=(const TimedGraph&) = delete;

  NodeHandle add(GraphHandle into, KernelHandle kernel, std::uint64_t argument,
                 const std::vector<NodeHandle>& before = {}) {
    void* arguments[] = {&word, &argument};
    const abi::KernelNodeParameters parameters = {kernel, {1, 1, 1}, {32, 1, 1}, 0, arguments, nullptr};
    NodeHandle node = nullptr;
    REQUIRE(cuGraphAddKernelNode(&node, into, before.data(), before.size(), &parameters) == kSuccess);
    return node;
  }
  ExecHandle instantiate() {
    ExecHandle exec = nullptr;
    REQUIRE(cuGraphInstantiateWithFlags(&exec, graph, 0) == kSuccess);
    return exec;
  }
  // From the call to the end of the device's work.
  double run(ExecHandle exec) {
    DeviceQueue& queue = process_context().device().queue();
    REQUIRE(cuCtxSynchronize() == kSuccess);
    const double before_ns = queue.now_ns();
    REQUIRE(cuGraphLaunch(exec, first) == kSuccess);
    REQUIRE(cuCtxSynchronize() == kSuccess);
    return queue.now_ns() - before_ns;
  }
};

TEST_CASE("Timed graph: nodes of a line start earlier after each other than those of branches") {
  double line_ns = 0;
  double branched_ns = 0;
  for (const bool branched : {false, true}) {
    TimedGraph timed;
    const NodeHandle top = timed.add(timed.graph, timed.turn, 500);
    const NodeHandle middle = timed.add(timed.graph, timed.turn, 500, {top});
    // The second edge changes no order.
    timed.add(timed.graph, timed.turn, 500,
              branched ? std::vector<NodeHandle>{middle, top} : std::vector<NodeHandle>{middle});
    const ExecHandle exec = timed.instantiate();
    timed.run(exec);
    (branched ? branched_ns : line_ns) = timed.run(exec);
  }
  constexpr double kHeadStartNs = 50;  // of the description, for each of two edges
  CHECK(branched_ns - line_ns == Approx(2 * kHeadStartNs).margin(4));
}

TEST_CASE("Timed graph: a graph is not launched beside itself") {
  const auto both_ns = [](bool same) {
    TimedGraph timed;
    timed.add(timed.graph, timed.turn, 5000);
    const ExecHandle exec = timed.instantiate();
    const ExecHandle other = same ? exec : timed.instantiate();
    const double alone_ns = timed.run(exec);
    REQUIRE(cuGraphLaunch(exec, timed.first) == kSuccess);
    const double begin_ns = process_context().device().queue().now_ns();
    REQUIRE(cuGraphLaunch(other, timed.second) == kSuccess);
    REQUIRE(cuCtxSynchronize() == kSuccess);
    return (process_context().device().queue().now_ns() - begin_ns) / alone_ns;
  };
  CHECK(both_ns(true) > 1.8);
  CHECK(both_ns(false) < 1.4);
}

TEST_CASE("Timed graph: the body of a loop is done while the host waits, without its calls") {
  TimedGraph timed;
  std::uint64_t handle = 0;
  REQUIRE(cuGraphConditionalHandleCreate(&handle, timed.graph, nullptr, 1, 1) == kSuccess);
  abi::NodeParameters parameters = {};
  parameters.type = 13;
  parameters.conditional = {handle, 1, 1, nullptr, nullptr};
  NodeHandle loop = nullptr;
  REQUIRE(cuGraphAddNode_v2(&loop, timed.graph, nullptr, nullptr, 0, &parameters) == kSuccess);
  timed.add(parameters.conditional.graphs[0], timed.count, handle);
  timed.add(timed.graph, timed.turn, 1, {loop});
  const ExecHandle exec = timed.instantiate();
  const auto ns_of = [&](std::uint32_t rounds) {
    REQUIRE(cuMemcpyHtoD_v2(timed.word, &rounds, sizeof rounds) == kSuccess);
    const double ns = timed.run(exec);
    std::uint32_t left = 1;
    REQUIRE(cuMemcpyDtoH_v2(&left, timed.word, sizeof left) == kSuccess);
    CHECK(left == 0);
    return ns;
  };
  const double once_ns = ns_of(1);
  const double more_ns = ns_of(5);
  CHECK(more_ns > once_ns + 400);
}

}  // namespace
}  // namespace warpsim::cuda
