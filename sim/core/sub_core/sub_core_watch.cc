// What the sub-core records of its warps: time up to now, hot spots, timelines.
#include <bit>
#include <string>
#include <utility>

#include "base/check.h"
#include "core/sub_core/sub_core.h"

namespace warpsim {

void SubCore::note_issue(std::uint32_t slot, std::uint32_t instruction) {
  const Warp& warp = warps_[slot];
  HotSpot& spot = (*warp.start.hot_spots)[instruction];
  spot.add(HotSpotColumn::kExecuted);
  spot.add(HotSpotColumn::kThreadsExecuted, static_cast<std::uint64_t>(std::popcount(warp.active_lanes)));
}

// The warp has issued instruction `behind`. The next instruction may not be known yet.
void SubCore::note_next(std::uint32_t slot, std::uint32_t behind) {
  const Warp& warp = warps_[slot];
  const bool known = warp.stream.next != warp.stream.end;
  states_.attribute(slot, warp.start.hot_spots, known ? warp.stream.next->index : behind, behind);
}

void SubCore::close_accounts(Cycle now) {
  for (WarpMask mask = states_.resident(); mask != 0; mask &= mask - 1) {
    const auto slot = static_cast<std::uint32_t>(std::countr_zero(mask));
    states_.enter(slot, states_.reason(slot), now);
  }
  for (std::size_t seat = 0; seat < presences_.size(); ++seat) {
    if (Presence& launch = presences_[seat]; launch.warps != 0) {
      stats_[static_cast<LaunchSeat>(seat)].cycles_active += now - launch.since;
      launch.since = now;
    }
  }
}

void SubCore::show(TimelinePart& timeline, TimelinePart::Track parent, const NumberSelection& slots) {
  const TimelinePart::Name names = timeline.name(to_string(StallReason::kSelected));
  for (std::uint32_t reason = 1; reason < kStallReasonCount; ++reason) {
    const TimelinePart::Name name = timeline.name(to_string(static_cast<StallReason>(reason)));
    SIM_CHECK(name == names + reason, "names of stall reasons do not follow one another");
  }
  std::vector<TimelinePart::Track> tracks;
  for (std::uint32_t slot = 0; slot < config_.warp_slots; ++slot) {
    const std::string name = "sub-core " + std::to_string(index_) + ", warp slot " + std::to_string(slot);
    tracks.push_back(is_selected(slots, slot) ? timeline.add_track({name, parent}) : TimelinePart::kNoTrack);
  }
  states_.show(&timeline, std::move(tracks), names);
}

}  // namespace warpsim
