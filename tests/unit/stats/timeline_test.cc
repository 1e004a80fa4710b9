#include "stats/timeline.h"

#include <catch2/catch.hpp>

using namespace warpsim;

namespace {

using Spans = std::vector<std::array<Cycle, 2>>;

Spans spans(const Timeline& timeline, Timeline::Track track) {
  Spans found;
  for (const Timeline::Slice& slice : timeline.slices()) {
    if (slice.track == track) {
      found.push_back({slice.from, slice.to});
    }
  }
  return found;
}

TEST_CASE("timeline: only events in an open window are kept") {
  Timeline timeline;
  const Timeline::Track track = timeline.add_track({"t"});
  const Timeline::Track values = timeline.add_track({"v"});
  const Timeline::Name name = timeline.name("a");
  timeline.slice(track, name, 0, 100);
  timeline.value(values, 50, 1);
  timeline.open({10, 50, 1}, {});
  timeline.slice(track, name, 0, 10);
  timeline.slice(track, name, 5, 20);
  timeline.slice(track, name, 40, 90);
  timeline.slice(track, name, 50, 60);
  timeline.value(values, 9, 2);
  timeline.value(values, 10, 3);
  timeline.value(values, 20, 3);
  timeline.value(values, 50, 4);
  timeline.value(values, 51, 5);
  timeline.close();
  timeline.slice(track, name, 20, 30);
  timeline.state(track, name, 50, 60);
  timeline.value(values, 30, 6);
  CHECK(spans(timeline, track) == Spans{{10, 20}, {40, 50}});
  REQUIRE(timeline.values().size() == 2);
  CHECK(timeline.values()[0].value == 3);
  CHECK(timeline.values()[1].value == 4);
}

TEST_CASE("timeline: slices of a track do not overlap, states continue") {
  Timeline timeline;
  const Timeline::Track track = timeline.add_track({"t"});
  const Timeline::Track states = timeline.add_track({"s"});
  const Timeline::Name a = timeline.name("a");
  const Timeline::Name b = timeline.name("b");
  CHECK(timeline.name("a") == a);
  timeline.open({0, 100, 1}, {});
  timeline.slice(track, a, 0, 10);
  timeline.slice(track, a, 10, 20);
  timeline.slice(track, b, 15, 30);
  timeline.slice(track, a, 5, 40);  // reported late
  CHECK(spans(timeline, track) == Spans{{0, 10}, {10, 15}, {15, 15}, {15, 40}});
  timeline.state(states, a, 0, 10);
  timeline.state(states, a, 10, 20);
  timeline.state(states, b, 20, 30);
  timeline.state(states, b, 30, 200);
  timeline.state(states, b, 200, 210);
  CHECK(spans(timeline, states) == Spans{{0, 20}, {20, 100}});
}

TEST_CASE("timeline: a state continues only with the same instruction") {
  Timeline timeline;
  const Timeline::Track track = timeline.add_track({"t"});
  const Timeline::Name wait = timeline.name("wait");
  timeline.set_instructions({{0, "IADD3 R1, R2, R3, RZ", ""}, {16, "EXIT", ""}});
  timeline.open({0, 100, 1}, {});
  timeline.state(track, wait, 0, 10, 0);
  timeline.state(track, wait, 10, 20, 0);
  timeline.state(track, wait, 20, 30, 1);
  timeline.state(track, wait, 30, 40);
  CHECK(spans(timeline, track) == Spans{{0, 20}, {20, 30}, {30, 40}});
  CHECK(timeline.slices()[0].instruction == 0);
  CHECK(timeline.slices()[1].instruction == 1);
  CHECK(timeline.slices()[2].instruction == Timeline::kNoInstruction);
}

TEST_CASE("timeline: cycles of DRAM are shown as core cycles since the window began") {
  Timeline timeline;
  const Timeline::Track core = timeline.add_track({"core"});
  const Timeline::Track dram = timeline.add_track({"dram", core, Timeline::Clock::kDram});
  timeline.open({1000, 2000, 1}, {500, 1000, 2});
  CHECK(timeline.core_cycle(core, 1010) == 10);
  CHECK(timeline.core_cycle(dram, 505) == 10);
}

}  // namespace
