// Graphs that kernels launch: with and without time.
#include "cuda/graphs/graph_launches.h"

#include <catch2/catch.hpp>

#include "cuda/graphs/device_graph_rules.h"
#include "support/launching_graphs.h"

namespace warpsim::test::launching_graphs {
namespace {

TEST_CASE(
    "Graph launches: a tail launch follows all that the graph has launched, and comes before the rest of the "
    "stream") {
  for (const bool timed : {false, true}) {
    LaunchingGraphs p(timed);
    GraphHandle graph = p.graph();
    NodeHandle fires = p.add_start(graph, p.noting(2, 500), kFire);
    NodeHandle tails = p.add_start(graph, p.noting(3), kTail, 1, {fires});
    p.add_note(graph, 1, {tails});
    ExecHandle exec = p.instantiate(graph);
    REQUIRE(cuGraphLaunch(exec, p.stream) == kSuccess);
    p.note_in_stream(4);
    const Words words = p.noted();
    CHECK(p.error(0) == 0);
    CHECK(p.error(1) == 0);
    REQUIRE(words.size() == 4);
    CHECK(words[2] == 3);
    CHECK(words[3] == 4);
    // With time, the next node does not wait for what was launched.
    CHECK(words[0] == (timed ? 1 : 2));
  }
}

TEST_CASE("Graph launches: a tail launch does not wait for a sibling, the stream does") {
  LaunchingGraphs p(true);
  GraphHandle graph = p.graph();
  NodeHandle sibling = p.add_start(graph, p.noting(2, 3000), kSibling);
  p.add_start(graph, p.noting(3), kTail, 1, {sibling});
  ExecHandle exec = p.instantiate(graph);
  REQUIRE(cuGraphLaunch(exec, p.stream) == kSuccess);
  p.note_in_stream(4);
  CHECK(p.noted() == Words{3, 2, 4});
}

TEST_CASE("Graph launches: tail launches of a tail launch come before the rest") {
  for (const bool timed : {false, true}) {
    LaunchingGraphs p(timed);
    GraphHandle inner = p.graph();
    p.add_note(inner, 1, {p.add_start(inner, p.noting(2), kTail)});
    GraphHandle graph = p.graph();
    NodeHandle first = p.add_start(graph, p.uploaded(inner), kTail, 1);
    p.add_start(graph, p.noting(3), kTail, 2, {first});
    CHECK(p.run(p.instantiate(graph)) == Words{1, 2, 3});
  }
}

TEST_CASE("Graph launches: a graph that launches itself runs again and again") {
  for (const bool timed : {false, true}) {
    constexpr std::uint32_t kRounds = 600;  // more than calls could nest
    const std::uint32_t rounds = timed ? 5 : kRounds;
    LaunchingGraphs p(timed);
    GraphHandle graph = p.graph();
    p.add_start(graph, nullptr, kTail, 0, {p.add_note(graph, 7)}, rounds);
    CHECK(p.run(p.instantiate(graph, kDeviceLaunch)) == Words(rounds, 7));
    CHECK(p.error() == 0);
    CHECK(p.run(p.instantiate(p.graph())) == Words(rounds, 7));  // and the stream goes on
  }
}

TEST_CASE("Graph launches: what is not possible returns an error to the kernel") {
  for (const bool timed : {false, true}) {
    LaunchingGraphs p(timed);
    ExecHandle other = p.noting(1, 200);
    const auto error_of = [&](ExecHandle exec, std::uint64_t stream) {
      GraphHandle graph = p.graph();
      p.add_start(graph, exec, stream);
      REQUIRE(cuGraphLaunch(p.instantiate(graph), p.stream) == kSuccess);
      REQUIRE(cuCtxSynchronize() == kSuccess);
      return p.error();
    };
    CHECK(error_of(other, kFire) == 0);
    CHECK(error_of(other, 0) == kInvalidValue);
    CHECK(error_of(other, 1) == kInvalidValue);
    GraphHandle plain = p.graph();
    p.add_note(plain, 1);
    CHECK(error_of(p.instantiate(plain), kFire) == kInvalidValue);
    CHECK(error_of(p.instantiate(plain, kDeviceLaunch), kTail) == kInvalidValue);  // it was not uploaded
    CHECK(error_of(reinterpret_cast<ExecHandle>(8), kTail) == kInvalidValue);

    // A graph that runs or waits.
    for (const std::uint64_t stream : {kFire, kTail, kSibling}) {
      GraphHandle twice = p.graph();
      p.add_start(twice, other, stream, 1, {p.add_start(twice, other, stream)});
      p.run(p.instantiate(twice));
      CHECK(p.error(0) == 0);
      // Without time it is over before the next node.
      CHECK(p.error(1) == (timed || stream == kTail ? kInvalidValue : kSuccess));
    }
    GraphHandle itself = p.graph();
    p.add_start(itself, nullptr, kFire);
    p.run(p.instantiate(itself, kDeviceLaunch));
    CHECK(p.error() == kInvalidValue);
  }
}

TEST_CASE("Graph launches: a run of a graph launches 120 others at once") {
  LaunchingGraphs p(true);
  GraphHandle graph = p.graph();
  NodeHandle last = nullptr;
  for (std::uint64_t i = 0; i < 121; ++i) {
    last = p.add_start(graph, p.noting(i), kFire, i, last == nullptr ? std::vector<NodeHandle>{} : std::vector{last});
  }
  CHECK(p.run(p.instantiate(graph)).size() == 120);
  CHECK(p.error(119) == 0);
  CHECK(p.error(120) == kInvalidValue);
}

TEST_CASE("Graph launches: a kernel that is not part of a graph cannot launch one") {
  LaunchingGraphs p(true);
  std::uint64_t exec = reinterpret_cast<std::uintptr_t>(p.noting(1));
  std::uint64_t stream = kFire;
  std::uint64_t most = kMany;
  void* arguments[] = {&p.list, &exec, &stream, &p.errors, &most};
  REQUIRE(cuLaunchKernel(p.start, 1, 1, 1, 1, 1, 1, 0, p.stream, arguments, nullptr) == kSuccess);
  CHECK(cuCtxSynchronize() != kSuccess);
}

TEST_CASE("Graph launches: kernels launch what was uploaded last") {
  for (const bool timed : {false, true}) {
    LaunchingGraphs p(timed);
    ExecHandle other = p.noting(1);
    GraphHandle graph = p.graph();
    p.add_start(graph, other, kFire);
    ExecHandle exec = p.instantiate(graph);
    GraphHandle changed = p.graph();
    p.add_note(changed, 2);
    abi::UpdateResult result = {};
    REQUIRE(cuGraphExecUpdate_v2(other, changed, &result) == kSuccess);
    CHECK(p.run(exec) == Words{1});
    REQUIRE(cuGraphUpload(other, nullptr) == kSuccess);
    CHECK(p.run(exec) == Words{1, 2});
  }
}

TEST_CASE("Graph launches: a launch starts a time after its call, a tail launch a time after the graph") {
  const auto from_call = [](std::uint64_t stream) {
    LaunchingGraphs p(true);
    GraphHandle graph = p.graph();
    p.add_start(graph, p.noting(1), stream);
    ExecHandle exec = p.instantiate(graph);
    REQUIRE(cuCtxSynchronize() == kSuccess);
    const double before_ns = process_context().device().queue().now_ns();
    p.run(exec);
    return process_context().device().queue().now_ns() - before_ns;
  };
  // 400 from the call, of which 300 pass in the call, against 200 of a call and 300 after the end of the graph.
  const double difference_ns = from_call(kTail) - from_call(kFire);
  CHECK(difference_ns > 50);  // launches take effect when the SMs have stopped
  CHECK(difference_ns < 300);
}

TEST_CASE("Graph launches: graphs that kernels launch have kernels, copies and fills only") {
  LaunchingGraphs p(true);
  const auto result_of = [&](GraphHandle graph, std::uint64_t flags = kDeviceLaunch) {
    abi::InstantiateParameters parameters = {};
    parameters.flags = flags;
    ExecHandle exec = nullptr;
    const int error = cuGraphInstantiateWithParams(&exec, graph, &parameters);
    CHECK(error == (parameters.result == kInstantiated ? kSuccess : kInvalidValue));
    CHECK((parameters.error_node != nullptr) == (parameters.result > kInstantiateError));
    return parameters.result;
  };
  CHECK(result_of(p.graph()) == kInstantiateError);
  GraphHandle graph = p.graph();
  p.add_note(graph, 1);
  CHECK(result_of(graph) == kInstantiated);
  CHECK(result_of(graph, kDeviceLaunch | GraphExec::kFreeOnLaunch) == kInstantiateError);
  NodeHandle node = nullptr;
  GraphHandle around = p.graph();
  REQUIRE(cuGraphAddChildGraphNode(&node, around, nullptr, 0, graph) == kSuccess);
  CHECK(result_of(around) == kInstantiated);
  REQUIRE(cuGraphAddEmptyNode(&node, graph, nullptr, 0) == kSuccess);
  CHECK(result_of(graph) == kNodeNotSupported);
  REQUIRE(cuGraphAddChildGraphNode(&node, around, nullptr, 0, graph) == kSuccess);
  CHECK(result_of(around) == kNodeNotSupported);
}

}  // namespace
}  // namespace warpsim::test::launching_graphs
