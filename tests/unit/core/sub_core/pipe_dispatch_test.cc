#include "core/sub_core/pipe_dispatch.h"

#include <catch2/catch.hpp>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

struct PipeBench : SubCoreParts {
  explicit PipeBench(const Overrides& overrides = {})
      : SubCoreParts(overrides),
        pipes(config, gpu.sm.execution, {units, adu, issue_slots, results, states, warp_events}, address_unit) {}
  SharedPipe address_unit;
  PipeDispatch pipes;
};

TEST_CASE("A pipe accepts the next instruction after its initiation interval") {
  KernelBuilder k;
  k.op("DADD", 4, {1, 2});
  k.exit();
  PipeBench bench;
  ResidentWarp& warp = bench.start(k, 100);
  const IssueInfo& info = warp.info();
  REQUIRE(info.initiation_cycles > 1);
  CHECK_FALSE(bench.pipes.blocked(0, info, 100));
  CHECK(bench.pipes.dispatch(0, warp, info, 100) == 0);
  CHECK_FALSE(bench.pipes.accepts(0, info, 101));
  CHECK(bench.pipes.blocked(0, info, 101));
  CHECK(bench.states.reason(0) == StallReason::kMathPipeThrottle);
  CHECK(bench.states.next_timer() == 100U + info.initiation_cycles);
  CHECK(bench.pipes.accepts(0, info, 100U + info.initiation_cycles));
}

TEST_CASE("Conflicts of register ports hold the next dispatch back") {
  KernelBuilder k;
  k.ffma(1, 2, 4, 6);
  k.exit();
  PipeBench bench;
  ResidentWarp& warp = bench.start(k, 100);
  std::uint32_t held_back = 0;
  for (Cycle now = 100; now < 103; ++now) {
    held_back += bench.pipes.dispatch(0, warp, warp.info(), now);
  }
  CHECK(held_back > 0);
}

TEST_CASE("Warps get a pipe with a line in order of arrival") {
  KernelBuilder k;
  k.mufu(4, 1).writes(0);
  k.exit();
  PipeBench bench;
  ResidentWarp& first = bench.start(k, 100);
  ResidentWarp& second = bench.start(k, 100);
  bench.pipes.dispatch(0, first, first.info(), 100);
  CHECK(bench.pipes.blocked(1, second.info(), 101));
  CHECK(bench.states.reason(1) == StallReason::kMioThrottle);
  const Cycle free = bench.states.next_timer();
  CHECK(bench.pipes.blocked(0, first.info(), 101));
  CHECK(bench.is_due(1, free));
  CHECK_FALSE(bench.pipes.accepts(0, first.info(), free));
  CHECK_FALSE(bench.pipes.blocked(1, second.info(), free));
  bench.pipes.dispatch(1, second, second.info(), free);
  // The other one is first in line now and has a time.
  CHECK(bench.states.next_timer() > free);
  CHECK(bench.states.next_timer() != kNever);
}

TEST_CASE("Collectors delay an instruction until one is free") {
  KernelBuilder k;
  k.ffma(1, 2, 4, 6);
  k.exit();
  PipeBench bench({"sm.sub_core.register_file.operand_collectors=1"});
  ResidentWarp& warp = bench.start(k, 100);
  CHECK(bench.pipes.collect(0, warp.info(), 100) > 0);
  CHECK_FALSE(bench.pipes.accepts(0, warp.info(), 101));
  CHECK(bench.pipes.blocked(0, warp.info(), 101));
  CHECK(bench.states.reason(0) == StallReason::kDispatch);
}

}  // namespace
}  // namespace warpsim::test
