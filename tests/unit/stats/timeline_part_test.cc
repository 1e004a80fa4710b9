#include "stats/timeline_part.h"

#include <array>
#include <catch2/catch.hpp>

using namespace warpsim;

namespace {

using Spans = std::vector<std::array<Cycle, 2>>;

Spans spans(const TimelinePart::Events& events, TimelinePart::Track track) {
  Spans found;
  for (const TimelinePart::Slice& slice : events.slices) {
    if (slice.track == track) {
      found.push_back({slice.from, slice.to});
    }
  }
  return found;
}

TEST_CASE("timeline part: only events in an open window are kept") {
  TimelinePart::Recording recording;
  TimelinePart part(recording);
  const TimelinePart::Track track = part.add_track({"t"});
  const TimelinePart::Track values = part.add_track({"v"});
  const TimelinePart::Name name = part.name("a");
  part.slice(track, name, 0, 100);
  part.value(values, 50, 1);
  CHECK_FALSE(part.is_open());
  recording = {true, {{{10, 50, 1}, {}}}};
  CHECK(part.is_open());
  part.slice(track, name, 0, 10);
  part.slice(track, name, 5, 20);
  part.slice(track, name, 40, 90);
  part.slice(track, name, 50, 60);
  part.value(values, 9, 2);
  part.value(values, 10, 3);
  part.value(values, 20, 3);
  part.value(values, 50, 4);
  part.value(values, 51, 5);
  recording.open = false;
  part.slice(track, name, 20, 30);
  part.state(track, name, 50, 60);
  part.value(values, 30, 6);
  const TimelinePart::Events events = part.take_events();
  CHECK(spans(events, track) == Spans{{10, 20}, {40, 50}});
  REQUIRE(events.values.size() == 2);
  CHECK(events.values[0].value == 3);
  CHECK(events.values[1].value == 4);
}

TEST_CASE("timeline part: slices of a track do not overlap, states continue") {
  const TimelinePart::Recording recording{true, {{{0, 100, 1}, {}}}};
  TimelinePart part(recording);
  const TimelinePart::Track track = part.add_track({"t"});
  const TimelinePart::Track states = part.add_track({"s"});
  const TimelinePart::Name a = part.name("a");
  const TimelinePart::Name b = part.name("b");
  CHECK(part.name("a") == a);
  part.slice(track, a, 0, 10);
  part.slice(track, a, 10, 20);
  part.slice(track, b, 15, 30);
  part.slice(track, a, 5, 40);  // reported late
  part.state(states, a, 0, 10);
  part.state(states, a, 10, 20);
  part.state(states, b, 20, 30);
  part.state(states, b, 30, 200);
  part.state(states, b, 200, 210);
  const TimelinePart::Events events = part.take_events();
  CHECK(spans(events, track) == Spans{{0, 10}, {10, 15}, {15, 15}, {15, 40}});
  CHECK(spans(events, states) == Spans{{0, 20}, {20, 100}});
}

TEST_CASE("timeline part: a state continues only with the same instruction") {
  const TimelinePart::Recording recording{true, {{{0, 100, 1}, {}}}};
  TimelinePart part(recording);
  const TimelinePart::Track track = part.add_track({"t"});
  const TimelinePart::Name wait = part.name("wait");
  part.state(track, wait, 0, 10, 0);
  part.state(track, wait, 10, 20, 0);
  part.state(track, wait, 20, 30, 1);
  part.state(track, wait, 30, 40);
  const TimelinePart::Events events = part.take_events();
  CHECK(spans(events, track) == Spans{{0, 20}, {20, 30}, {30, 40}});
  CHECK(events.slices[0].instruction == 0);
  CHECK(events.slices[1].instruction == 1);
  CHECK(events.slices[2].instruction == TimelinePart::kNoInstruction);
}

TEST_CASE("timeline part: events are taken once, and later ones do not continue them") {
  const TimelinePart::Recording recording{true, {{{0, 100, 1}, {}}}};
  TimelinePart part(recording);
  const TimelinePart::Track track = part.add_track({"t"});
  const TimelinePart::Name wait = part.name("wait");
  part.state(track, wait, 0, 10);
  CHECK(part.take_events().slices.size() == 1);
  part.state(track, wait, 10, 20);
  CHECK(spans(part.take_events(), track) == Spans{{10, 20}});
  CHECK(part.take_events().slices.empty());
}

}  // namespace
