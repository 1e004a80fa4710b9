// Nodes of graphs that kernels change: with and without time.
#include <catch2/catch.hpp>

#include "cuda/graphs/graph_run.h"
#include "support/launching_graphs.h"

namespace warpsim::test::launching_graphs {
namespace {

struct Changeable {
  NodeHandle node = nullptr;
  std::uint64_t handle = 0;
};
Changeable changeable(const LaunchingGraphs& p, GraphHandle graph, const std::vector<NodeHandle>& before) {
  Changeable made;
  made.node = p.add_note(graph, 1, before);
  abi::LaunchAttribute attribute = {};
  attribute.value.changeable.wanted = 1;
  REQUIRE(cuGraphKernelNodeSetAttribute(made.node, kAttributeChangeable, &attribute.value) == kSuccess);
  made.handle = reinterpret_cast<std::uintptr_t>(attribute.value.changeable.node);
  REQUIRE(made.handle != 0);
  return made;
}

TEST_CASE("Node changes: a kernel changes parameters, grid and state of a node that follows") {
  for (const bool timed : {false, true}) {
    const auto noted_after = [&](std::uint64_t what, std::uint64_t value) {
      LaunchingGraphs p(timed);
      GraphHandle graph = p.graph();
      const std::uint64_t parameters[] = {0, what, value, p.errors};
      NodeHandle first = p.add(graph, p.change, {parameters[0], parameters[1], parameters[2], parameters[3]});
      const Changeable made = changeable(p, graph, {first});
      std::uint64_t values[] = {made.handle, what, value, p.errors};
      void* arguments[] = {&values[0], &values[1], &values[2], &values[3]};
      const abi::KernelNodeParameters changed = {p.change, {1, 1, 1}, {1, 1, 1}, 0, arguments, nullptr};
      REQUIRE(cuGraphKernelNodeSetParams(first, &changed) == kSuccess);
      p.add_note(graph, 9, {made.node});
      Words words = p.run(p.instantiate(graph));
      words.push_back(p.error());
      return words;
    };
    CHECK(noted_after(0, 5) == Words{5, 9, 0});
    CHECK(noted_after(1, 3) == Words{1, 1, 1, 9, 0});
    CHECK(noted_after(1, 0) == Words{1, 9, kInvalidValue});
    CHECK(noted_after(2, 0) == Words{9, 0});
    CHECK(noted_after(2, 1) == Words{1, 9, 0});
    CHECK(noted_after(3, 0) == Words{1, 9, kInvalidValue});  // an empty list
  }
}

TEST_CASE("Node changes: a node that kernels may change stays, and has one instance") {
  LaunchingGraphs p(true);
  GraphHandle graph = p.graph();
  const Changeable made = changeable(p, graph, {});
  abi::LaunchAttribute attribute = {};
  const auto set = [&](int wanted) {
    attribute.value.changeable.wanted = wanted;
    return cuGraphKernelNodeSetAttribute(made.node, kAttributeChangeable, &attribute.value);
  };
  CHECK(set(0) == kNotSupported);
  CHECK(set(1) == kInvalidValue);
  CHECK(set(2) == kInvalidValue);
  REQUIRE(cuGraphKernelNodeGetAttribute(made.node, kAttributeChangeable, &attribute.value) == kSuccess);
  CHECK(attribute.value.changeable.wanted == 1);
  CHECK(reinterpret_cast<std::uintptr_t>(attribute.value.changeable.node) == made.handle);
  NodeHandle other = p.add_note(graph, 2);
  CHECK(cuGraphKernelNodeCopyAttributes(other, made.node) == kNotSupported);
  CHECK(cuGraphDestroyNode(made.node) == kNotSupported);
  GraphHandle clone = nullptr;
  CHECK(cuGraphClone(&clone, graph) == kNotSupported);
  ExecHandle exec = p.instantiate(graph);
  ExecHandle second = nullptr;
  CHECK(cuGraphInstantiateWithFlags(&second, graph, 0) == kNotSupported);
  abi::UpdateResult result = {};
  CHECK(cuGraphExecUpdate_v2(exec, graph, &result) == kNotSupported);
  REQUIRE(cuGraphExecDestroy(exec) == kSuccess);
  CHECK(cuGraphInstantiateWithFlags(&second, graph, 0) == kSuccess);
}

TEST_CASE("Node changes: a captured launch can be changed, another one cannot") {
  LaunchingGraphs p(true);
  abi::LaunchAttribute attribute = {};
  attribute.id = kAttributeChangeable;
  attribute.value.changeable.wanted = 1;
  abi::DriverLaunchConfig config = {{1, 1, 1}, {1, 1, 1}, 0, p.stream, &attribute, 1};
  std::uint64_t values[] = {p.list, 1, 0};
  void* arguments[] = {&values[0], &values[1], &values[2]};
  CHECK(cuLaunchKernelEx(&config, p.note, arguments, nullptr) == kNotSupported);
  REQUIRE(cuStreamBeginCapture_v2(p.stream, 0) == kSuccess);
  CHECK(cuLaunchKernelEx(&config, p.note, arguments, nullptr) == kSuccess);
  CHECK(attribute.value.changeable.node != nullptr);
  GraphHandle graph = nullptr;
  REQUIRE(cuStreamEndCapture(p.stream, &graph) == kSuccess);
  CHECK(p.run(p.instantiate(graph)) == Words{1});
}

}  // namespace
}  // namespace warpsim::test::launching_graphs
