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

TEST_CASE("Run graph: accesses at known distances from one base do not wait for each other") {
  const auto waits = [](const std::string& first, const std::string& second) {
    Kernel kernel(first + "; " + second + "; ret;");
    const ptx::FlowGraph graph = ptx::make_flow_graph(*kernel.function);
    const codegen::RegisterPressure pressure(*kernel.function, graph, 90);
    const auto end = static_cast<std::uint32_t>(kernel.function->body.size()) - 1;
    const codegen::RunGraph run(*kernel.function, pressure, 0, end);
    const auto depends = [&](const auto& dependence) { return dependence.first == end - 2; };
    return std::ranges::any_of(run.nodes()[end - 1].before, depends);
  };
  const std::string store = "st.global.v2.f32 [%rd1+8], {%f1, %f2}";
  CHECK_FALSE(waits(store, "ld.global.f32 %f3, [%rd1+16]"));
  CHECK_FALSE(waits(store, "ld.global.f32 %f3, [%rd1+4]"));
  CHECK(waits(store, "ld.global.f32 %f3, [%rd1+12]"));
  CHECK(waits(store, "ld.global.f64 %d3, [%rd1+4]"));
  CHECK(waits(store, "ld.global.f32 %f3, [%rd2+64]"));
  CHECK_FALSE(waits("st.local.f32 [%rd1], %f1", "ld.global.f32 %f3, [%rd2]"));
  CHECK(waits("st.local.f32 [%rd1], %f1", "ld.f32 %f3, [%rd2]"));
}

TEST_CASE("Run graph: the base of an access may change") {
  Kernel kernel("st.local.f32 [%rd1+4], %f1; add.s64 %rd1, %rd1, 4; ld.local.f32 %f3, [%rd1]; ret;");
  const ptx::FlowGraph graph = ptx::make_flow_graph(*kernel.function);
  const codegen::RegisterPressure pressure(*kernel.function, graph, 90);
  const codegen::RunGraph run(*kernel.function, pressure, 0, 3);
  CHECK(std::ranges::count(run.nodes()[2].before, std::pair<std::uint32_t, std::uint32_t>(0, 1)) == 1);
}

TEST_CASE("Run graph: texture fetches pass stores and barriers, accesses to surfaces do not") {
  const auto waits = [](const std::string& access) {
    Kernel kernel("bar.sync 0; " + access + " ret;");
    const ptx::FlowGraph graph = ptx::make_flow_graph(*kernel.function);
    const codegen::RegisterPressure pressure(*kernel.function, graph, 90);
    const codegen::RunGraph run(*kernel.function, pressure, 0, 2);
    return !run.nodes()[1].before.empty();
  };
  CHECK_FALSE(waits("tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%rd1, {%r1}];"));
  CHECK(waits("suld.b.1d.b32.trap %r1, [%rd1, {%r2}];"));
  CHECK(waits("sust.b.1d.b32.trap [%rd1, {%r2}], %r1;"));
}

}  // namespace
}  // namespace warpsim::test
