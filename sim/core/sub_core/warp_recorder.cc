#include "core/sub_core/warp_recorder.h"

#include <bit>
#include <string>

#include "base/check.h"

namespace warpsim {

void WarpRecorder::attribute(std::uint32_t slot, HotSpotTable* table, std::uint32_t next, std::uint32_t issued) {
  if (instructions_.empty()) {
    if (table == nullptr) {
      return;
    }
    instructions_.resize(slots_);
    wanted_ = true;
  }
  instructions_[slot] = table != nullptr ? Instructions{table, next, issued} : Instructions{};
}

void WarpRecorder::executed(HotSpotTable& table, std::uint32_t instruction, LaneMask lanes) {
  HotSpot& spot = table[instruction];
  spot.add(HotSpotColumn::kExecuted);
  spot.add(HotSpotColumn::kThreadsExecuted, static_cast<std::uint64_t>(std::popcount(lanes)));
}

void WarpRecorder::spent(std::uint32_t slot, StallReason reason, Cycle from, Cycle until) {
  std::uint32_t instruction = kNoInstruction;
  if (!instructions_.empty()) {
    instruction = instruction_of(slot, reason);
    if (instruction != kNoInstruction) {
      HotSpot& spot = (*instructions_[slot].table)[instruction];
      spot.add_stall(static_cast<std::uint32_t>(reason), until - from);
    }
  }
  if (timeline_ != nullptr && tracks_[slot] != TimelinePart::kNoTrack) {
    const TimelinePart::Name name = reason_names_ + static_cast<TimelinePart::Name>(reason);
    timeline_->state(tracks_[slot], name, from, until, instruction);
  }
}

std::uint32_t WarpRecorder::instruction_of(std::uint32_t slot, StallReason reason) const {
  const bool held = reason == StallReason::kBarrier || reason == StallReason::kMembar ||
                    reason == StallReason::kSleeping || reason == StallReason::kMisc || reason == StallReason::kDrain;
  return held ? instructions_[slot].issued : instructions_[slot].next;
}

void WarpRecorder::show(TimelinePart& timeline, TimelinePart::Track parent, std::uint32_t sub_core,
                        const NumberSelection& slots) {
  timeline_ = &timeline;
  wanted_ = true;
  reason_names_ = timeline.name(to_string(StallReason::kSelected));
  for (std::uint32_t reason = 1; reason < kStallReasonCount; ++reason) {
    const TimelinePart::Name name = timeline.name(to_string(static_cast<StallReason>(reason)));
    SIM_CHECK(name == reason_names_ + reason, "names of stall reasons do not follow one another");
  }
  tracks_.clear();
  for (std::uint32_t slot = 0; slot < slots_; ++slot) {
    const std::string name = "sub-core " + std::to_string(sub_core) + ", warp slot " + std::to_string(slot);
    tracks_.push_back(is_selected(slots, slot) ? timeline.add_track({name, parent}) : TimelinePart::kNoTrack);
  }
}

}  // namespace warpsim
