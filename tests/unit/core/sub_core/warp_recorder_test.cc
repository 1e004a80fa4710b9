#include "core/sub_core/warp_recorder.h"

#include <catch2/catch.hpp>

namespace warpsim {
namespace {

std::uint64_t stalled_at(HotSpotTable& table, std::uint32_t instruction, StallReason reason) {
  return table[instruction]
      .counts()[static_cast<std::size_t>(HotSpotColumn::kStalled) + static_cast<std::size_t>(reason)];
}

TEST_CASE("Nothing is recorded unless something is wanted") {
  WarpRecorder recorder(2);
  recorder.attribute(0, nullptr, 3, 2);
  CHECK_FALSE(recorder.wanted());
}

TEST_CASE("Cycles of a hold belong to the instruction that holds, all others to the next one") {
  HotSpotTable table(8);
  WarpRecorder recorder(2);
  recorder.attribute(1, &table, 3, 2);
  CHECK(recorder.wanted());
  recorder.spent(1, StallReason::kWait, 100, 104);
  recorder.spent(1, StallReason::kBarrier, 104, 120);
  recorder.spent(0, StallReason::kWait, 100, 120);  // a warp of a launch without hot spots
  CHECK(stalled_at(table, 3, StallReason::kWait) == 4);
  CHECK(stalled_at(table, 2, StallReason::kBarrier) == 16);
  CHECK(stalled_at(table, 2, StallReason::kWait) == 0);
}

TEST_CASE("Chosen warp slots have tracks, on which their states follow one another") {
  TimelinePart::Recording recording;
  recording.open = true;
  recording.windows[0] = {0, 1000, 1};
  TimelinePart timeline(recording);
  WarpRecorder recorder(3);
  recorder.show(timeline, timeline.add_track({"SM 0"}), 2, std::vector<std::uint32_t>{1});
  REQUIRE(timeline.tracks().size() == 2);
  CHECK(timeline.tracks()[1].name == "sub-core 2, warp slot 1");
  recorder.spent(1, StallReason::kWait, 100, 104);
  recorder.spent(0, StallReason::kWait, 100, 104);
  recorder.spent(1, StallReason::kBarrier, 104, 120);
  const TimelinePart::Events events = timeline.take_events();
  REQUIRE(events.slices.size() == 2);
  CHECK(timeline.names()[events.slices[1].name] == "barrier");
  CHECK(events.slices[1].from == 104);
  CHECK(events.slices[1].to == 120);
}

}  // namespace
}  // namespace warpsim
