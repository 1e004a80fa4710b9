#include "codegen/run_graph.h"

#include <catch2/catch.hpp>
#include <utility>
#include <vector>

#include "unit/codegen/passes.h"

namespace warpsim::test {
namespace {

using Dependences = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

TEST_CASE("Run graph: readers depend on writers with their latency, and writers on earlier readers") {
  Kernel kernel("ld.global.f32 %f1, [%rd1]; add.f32 %f2, %f1, %f1; mov.f32 %f1, %f3; st.global.f32 [%rd2], %f1; ret;");
  const ptx::FlowGraph graph = ptx::make_flow_graph(*kernel.function);
  const codegen::RegisterPressure pressure(*kernel.function, graph, 90);
  const codegen::RunGraph run(*kernel.function, pressure, 0, 4);
  REQUIRE(run.nodes().size() == 4);
  CHECK(run.nodes()[0].before.empty());
  CHECK(run.nodes()[1].before.front() == std::pair<std::uint32_t, std::uint32_t>(0, 300));
  CHECK(run.nodes()[1].depth == 300);
  CHECK(std::ranges::count(run.nodes()[2].before, std::pair<std::uint32_t, std::uint32_t>(1, 0)) != 0);
  CHECK(run.memory_uses()[3].effect == codegen::Effect::kStore);
  // The store may write what the load reads.
  CHECK(std::ranges::count(run.nodes()[3].before, std::pair<std::uint32_t, std::uint32_t>(0, 1)) == 1);
}

TEST_CASE("Run graph: accesses stay on their side of a barrier, arithmetic does not") {
  Kernel kernel("ld.shared.f32 %f1, [%r1]; bar.sync 0; ld.shared.f32 %f2, [%r2]; add.f32 %f3, %f4, %f5; ret;");
  const ptx::FlowGraph graph = ptx::make_flow_graph(*kernel.function);
  const codegen::RegisterPressure pressure(*kernel.function, graph, 90);
  const codegen::RunGraph run(*kernel.function, pressure, 0, 4);
  CHECK(run.nodes()[1].before == Dependences{{0, 0}});
  CHECK(run.nodes()[2].before == Dependences{{1, 1}});
  CHECK(run.nodes()[3].before.empty());
}

}  // namespace
}  // namespace warpsim::test
