#include "stats/timeline.h"

#include <catch2/catch.hpp>

using namespace warpsim;

namespace {

TEST_CASE("timeline: nothing is kept before it opens and after it closes") {
  Timeline timeline;
  TimelinePart& part = timeline.add_part();
  const TimelinePart::Track track = part.add_track({"t"});
  const TimelinePart::Name name = part.name("a");
  part.slice(track, name, 0, 10);
  timeline.open({0, 100, 1}, {});
  part.slice(track, name, 10, 20);
  CHECK(part.is_open());
  timeline.close();
  CHECK_FALSE(part.is_open());
  part.slice(track, name, 20, 30);
  timeline.close();
  REQUIRE(timeline.slices().size() == 1);
  CHECK(timeline.slices()[0].from == 10);
}

TEST_CASE("timeline: parts are put together in their order, whichever recorded first") {
  Timeline timeline;
  TimelinePart& first = timeline.add_part();
  TimelinePart& second = timeline.add_part();
  const TimelinePart::Track a = first.add_track({"a"});
  const TimelinePart::Track b = second.add_track({"b"});
  const TimelinePart::Track below = second.add_track({"below b", b});
  const TimelinePart::Track values = second.add_track({"values", b, TimelinePart::Clock::kCore, "entries"});
  timeline.open({0, 100, 1}, {});
  second.slice(below, second.name("y"), 0, 5);
  second.slice(b, second.name("x"), 5, 10);
  first.slice(a, first.name("x"), 20, 30);
  first.slice(a, first.name("z"), 30, 40, 7);
  second.value(values, 50, 3);
  timeline.close();
  REQUIRE(timeline.tracks().size() == 4);
  CHECK(timeline.tracks()[0].name == "a");
  CHECK(timeline.tracks()[1].name == "b");
  CHECK(timeline.tracks()[1].parent == Timeline::kNoTrack);
  CHECK(timeline.tracks()[2].name == "below b");
  CHECK(timeline.tracks()[2].parent == 1);
  CHECK(timeline.names() == std::vector<std::string>{"x", "z", "y"});
  std::vector<std::string> slices;
  for (const Timeline::Slice& slice : timeline.slices()) {
    slices.push_back(timeline.tracks()[slice.track].name + " " + timeline.names()[slice.name] + " " +
                     std::to_string(slice.from));
  }
  CHECK(slices == std::vector<std::string>{"a x 20", "a z 30", "below b y 0", "b x 5"});
  CHECK(timeline.slices()[1].instruction == 7);
  REQUIRE(timeline.values().size() == 1);
  CHECK(timeline.values()[0].track == 3);
}

TEST_CASE("timeline: tracks and names keep the numbers that an enumeration gave them") {
  Timeline timeline;
  TimelinePart& first = timeline.add_part();
  TimelinePart& second = timeline.add_part();
  second.add_track({"early"});
  (void)second.name("old");
  timeline.open({0, 100, 1}, {});
  first.add_track({"late"});
  (void)first.name("old");
  (void)first.name("new");
  timeline.enumerate();
  first.add_track({"latest"});
  timeline.close();
  REQUIRE(timeline.tracks().size() == 3);
  CHECK(timeline.tracks()[0].name == "early");
  CHECK(timeline.tracks()[1].name == "late");
  CHECK(timeline.tracks()[2].name == "latest");
  CHECK(timeline.names() == std::vector<std::string>{"old", "new"});
}

TEST_CASE("timeline: cycles of DRAM are shown as core cycles since the window began") {
  Timeline timeline;
  TimelinePart& part = timeline.add_part();
  const TimelinePart::Track core = part.add_track({"core"});
  const TimelinePart::Track dram = part.add_track({"dram", core, TimelinePart::Clock::kDram});
  timeline.open({1000, 2000, 1}, {500, 1000, 2});
  timeline.close();
  CHECK(timeline.core_cycle(core, 1010) == 10);
  CHECK(timeline.core_cycle(dram, 505) == 10);
}

}  // namespace
