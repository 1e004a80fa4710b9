#include "core/sub_core/completion.h"

#include <catch2/catch.hpp>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

TEST_CASE("A result releases the instructions that wait for it") {
  KernelBuilder k;
  k.mufu(4, 1).writes(0);
  k.iadd(5, 4, 1).waits(0);
  k.exit();
  SubCoreParts parts;
  ResidentWarp& warp = parts.start(k, 100);
  warp.dependences.issued(warp.info(), warp.instruction(), 100);
  parts.warp_events.result_written(0, warp, 0, 120);
  parts.skip(0, 100);
  parts.readiness.examine(0, warp, 110);
  CHECK(parts.states.reason(0) == StallReason::kShortScoreboard);
  parts.complete(110, 120);
  CHECK(warp.in_flight == 0);
  CHECK(warp.dependences.counter(0) == 0);
  CHECK(parts.is_due(0, 120));
}

TEST_CASE("A result that meets an occupied write port is a cycle late") {
  KernelBuilder k;
  k.mufu(4, 1).writes(0);
  k.exit();
  SubCoreParts parts;
  ResidentWarp& warp = parts.start(k, 100);
  warp.dependences.issued(warp.info(), warp.instruction(), 100);
  parts.warp_events.result_written(0, warp, 0, 120);
  parts.results.book(warp.infos[0].result, 120, 110);
  parts.complete(110, 120);
  CHECK(warp.dependences.counter(0) == 1);
  CHECK(warp.stats->result_conflicts.value() == 1);
  parts.complete(121, 121);
  CHECK(warp.dependences.counter(0) == 0);
}

TEST_CASE("The end of a barrier lets a warp go on, deferred or not") {
  KernelBuilder k;
  k.lds(5, {.base = 0});
  k.exit();
  for (const bool deferred : {false, true}) {
    SubCoreParts parts;
    ResidentWarp& warp = parts.start(k, 100);
    warp.at_barrier = deferred;
    warp.hold = deferred ? StallReason::kSelected : StallReason::kBarrier;
    warp.expect();
    parts.readiness.examine(0, warp, 100);
    CHECK(parts.states.reason(0) == StallReason::kBarrier);
    parts.completion.handle({SmEvent::Kind::kBarrierDone, 0, 0, 0, 0}, warp, 110);
    CHECK_FALSE(warp.at_barrier);
    CHECK_FALSE(warp.held());
    CHECK(parts.is_due(0, 110));
  }
}

TEST_CASE("A commit completes at once if its copies have, else with the last of them") {
  KernelBuilder k;
  k.ldgsts({.base = 0x1000}).stall(2);
  k.commit(3);
  k.exit();
  for (const bool copied_before : {true, false}) {
    SubCoreParts parts;
    ResidentWarp& warp = parts.start(k, 100);
    const std::uint8_t group = warp.copies.copy_issued();
    warp.expect();
    parts.skip(0, 100);
    const SmEvent copied{SmEvent::Kind::kResultWritten, 0, 0, group, 0};
    if (copied_before) {
      parts.completion.handle(copied, warp, 101);
    }
    warp.dependences.issued(warp.info(), warp.instruction(), 102);
    parts.completion.commit_copies(warp, 102);
    CHECK(warp.dependences.counter(3) == (copied_before ? 0 : 1));
    if (!copied_before) {
      parts.completion.handle(copied, warp, 130);
    }
    CHECK(warp.dependences.counter(3) == 0);
    CHECK(warp.in_flight == 0);
  }
}

}  // namespace
}  // namespace warpsim::test
