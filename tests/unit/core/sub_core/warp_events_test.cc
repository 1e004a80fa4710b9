#include "core/sub_core/warp_events.h"

#include <catch2/catch.hpp>

#include "unit/core/sub_core/sub_core_bench.h"

namespace warpsim::test {
namespace {

KernelBuilder exit_only() {
  KernelBuilder k;
  k.exit();
  return k;
}

TEST_CASE("Each event of a warp is outstanding from its post on") {
  SubCoreParts parts;
  ResidentWarp& warp = parts.start(exit_only(), 100);
  parts.warp_events.result_written(0, warp, 0, 110);
  parts.warp_events.sources_read(0, warp, 0, 104);
  CHECK(warp.in_flight == 2);
  CHECK_FALSE(warp.held());
  const auto found = parts.events_in(100, 120);
  CHECK(found ==
        std::multimap<Cycle, SmEvent::Kind>{{104, SmEvent::Kind::kSourcesRead}, {110, SmEvent::Kind::kResultWritten}});
}

TEST_CASE("A hold lasts until its event, and carries its payload") {
  SubCoreParts parts;
  ResidentWarp& warp = parts.start(exit_only(), 100);
  parts.warp_events.hold(0, warp, StallReason::kSleeping, 7, 150);
  CHECK(warp.hold == StallReason::kSleeping);
  CHECK(warp.in_flight == 1);
  parts.events.drain(150, [](const SmEvent& event) {
    CHECK(event.kind == SmEvent::Kind::kWarpReady);
    CHECK(event.payload == 7);
  });
}

TEST_CASE("An event that is put off is not one more") {
  SubCoreParts parts;
  ResidentWarp& warp = parts.start(exit_only(), 100);
  parts.warp_events.result_written(0, warp, 0, 110);
  parts.events.drain(110, [&](const SmEvent& event) { parts.warp_events.put_off(event, 111); });
  CHECK(warp.in_flight == 1);
  CHECK(parts.events_in(110, 120).count(111) == 1);
}

}  // namespace
}  // namespace warpsim::test
