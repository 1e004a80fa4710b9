#include "core/sub_core/dispatch.h"

#include <catch2/catch.hpp>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

struct DispatchBench : SubCoreParts {
  Dispatch dispatch{0,
                    config,
                    gpu.sm.execution,
                    {lsu, warpgroups, barriers, async, grids},
                    {units, adu, issue_slots, results, states, warp_events},
                    fences,
                    completion};
  // Which of the paths the first instruction of a warp takes, by their traces.
  ResidentWarp& dispatched(const KernelBuilder& builder) {
    ResidentWarp& warp = start(builder, 100);
    CHECK_FALSE(dispatch.blocked(0, warp, warp.info(), 100));
    dispatch.dispatch(0, warp, warp.info(), 100);
    return warp;
  }
};

TEST_CASE("Memory instructions go to the memory pipeline, others do not") {
  KernelBuilder load;
  load.lds(4, {.base = 0}).writes(0);
  load.exit();
  DispatchBench memory;
  memory.dispatched(load);
  CHECK_FALSE(memory.lsu.idle());
  KernelBuilder addition;
  addition.iadd(4, 1, 2);
  addition.exit();
  DispatchBench pipe;
  const ResidentWarp& warp = pipe.dispatched(addition);
  CHECK(pipe.lsu.idle());
  CHECK(warp.stats->pipe[static_cast<std::size_t>(Pipe::kAlu)].value() == 1);
}

TEST_CASE("A barrier takes its pipe and then waits") {
  KernelBuilder k;
  k.bar();
  k.exit();
  DispatchBench bench;
  const ResidentWarp& warp = bench.dispatched(k);
  CHECK(warp.at_barrier);
  CHECK_FALSE(bench.dispatch.accepts(0, warp.info(), 100));
}

TEST_CASE("Operands of memory instructions are not collected") {
  KernelBuilder k;
  k.lds(4, {.base = 0}).writes(0);
  k.exit();
  DispatchBench bench;
  const ResidentWarp& warp = bench.start(k, 100);
  CHECK(bench.dispatch.collect(0, warp.info(), 100) == 0);
}

}  // namespace
}  // namespace warpsim::test
