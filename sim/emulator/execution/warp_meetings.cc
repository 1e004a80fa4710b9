// Where the paths of a warp's threads diverge and meet.
#include <algorithm>
#include <utility>

#include "base/check.h"
#include "emulator/execution/warp.h"

namespace warpsim {

void Warp::arrived_at_meeting() {
  while (true) {
    Split& split = splits_[current_];
    if (split.meeting < 0) {
      return;
    }
    Meeting& meeting = meetings_[static_cast<std::size_t>(split.meeting)];
    if (meeting.at != split.at || meeting.frame != split.frame) {
      return;
    }
    meeting.arrived |= split.lanes;
    if (meeting.arrived != meeting.expected && !meeting.given_up) {
      // The others continue these lanes; frame and meeting stay in use by them.
      stopped_ = {split.frame->code, split.at, split.lanes, split.lanes};
      leave_meeting(split.meeting);
      leave_frame(split.frame);
      remove_current();
      return;
    }
    split.lanes = meeting.arrived;
    meeting.expected &= ~meeting.arrived;
    meeting.arrived = 0;
    const std::int32_t outer = meeting.outer;
    const std::int32_t left = split.meeting;
    if (outer >= 0) {
      ++meetings_[static_cast<std::size_t>(outer)].users;
    }
    split.meeting = outer;
    leave_meeting(left);
  }
}

Warp::Next Warp::take_stopped() {
  return std::exchange(stopped_, {});
}

void Warp::remove_current() {
  splits_.erase(splits_.begin() + static_cast<std::ptrdiff_t>(current_));
  if (splits_.empty()) {
    return;
  }
  current_ = current_ == 0 ? splits_.size() - 1 : current_ - 1;
  enter(splits_[current_]);
}

// Threads of a kernel do not wait for each other where they end: those that continue may reach a barrier first.
bool Warp::threads_end_at(const Frame& frame, std::uint32_t at) {
  const Operation& operation = frame.code->operations[at];
  return frame.caller == nullptr && operation.guard == kNoPlace &&
         (operation.control == Control::kReturn || operation.control == Control::kExit);
}

// The last given path continues first.
void Warp::part(const std::vector<std::pair<std::uint32_t, LaneMask>>& ways, std::uint32_t meet_at) {
  const Split whole = splits_[current_];
  std::int32_t meeting = whole.meeting;
  const bool same = meeting >= 0 && meetings_[static_cast<std::size_t>(meeting)].at == meet_at &&
                    meetings_[static_cast<std::size_t>(meeting)].frame == whole.frame;
  if (!same && !whole.frame->code->has_convergence_barriers && !threads_end_at(*whole.frame, meet_at)) {
    meeting = add_meeting(whole.lanes, meet_at, whole.frame, whole.meeting);  // takes the split's use of the outer one
    meetings_[static_cast<std::size_t>(meeting)].users = 1;
  }
  if (meeting >= 0) {
    meetings_[static_cast<std::size_t>(meeting)].users += static_cast<std::uint32_t>(ways.size()) - 1;
  }
  whole.frame->users += static_cast<std::uint32_t>(ways.size()) - 1;
  for (std::size_t i = 0; i < ways.size(); ++i) {
    Split split = whole;
    split.at = ways[i].first;
    split.lanes = ways[i].second;
    split.meeting = meeting;
    if (i == 0) {
      splits_[current_] = split;
    } else {
      splits_.insert(splits_.begin() + static_cast<std::ptrdiff_t>(current_ + i), split);
    }
  }
  // A path that leads directly to the meeting has arrived. From the last to the first, so that indices stay valid.
  const std::size_t first = current_;
  for (std::size_t i = ways.size(); i-- > 0;) {
    current_ = first + i;
    go_to(ways[i].first);
  }
  current_ = std::min(first + ways.size() - 1, splits_.size() - 1);
  enter(splits_[current_]);
}

std::int32_t Warp::add_meeting(LaneMask expected, std::uint32_t at, Frame* frame, std::int32_t outer) {
  Meeting meeting;
  meeting.expected = expected;
  meeting.at = at;
  meeting.frame = frame;
  meeting.outer = outer;
  if (free_meetings_.empty()) {
    meetings_.push_back(meeting);
    return static_cast<std::int32_t>(meetings_.size()) - 1;
  }
  const std::int32_t number = free_meetings_.back();
  free_meetings_.pop_back();
  meetings_[static_cast<std::size_t>(number)] = meeting;
  return number;
}

void Warp::leave_meeting(std::int32_t meeting) {
  while (meeting >= 0) {
    Meeting& place = meetings_[static_cast<std::size_t>(meeting)];
    SIM_CHECK(place.users != 0, "an unused meeting is left");
    if (--place.users != 0) {
      return;
    }
    free_meetings_.push_back(meeting);
    meeting = place.outer;
  }
}

// Arrived splits no longer wait.
void Warp::go_on(Meeting& place) {
  Split split;
  split.lanes = place.arrived;
  split.at = place.at;
  split.frame = place.frame;
  split.meeting = place.outer;
  place.expected &= ~place.arrived;
  place.arrived = 0;
  ++split.frame->users;
  if (split.meeting >= 0) {
    ++meetings_[static_cast<std::size_t>(split.meeting)].users;
  }
  const LaneMask running = splits_.empty() ? split.lanes : splits_[current_].lanes;
  splits_.push_back(split);
  current_ = splits_.size() - 1;
  go_to(split.at);
  back_to(running);
}

// The innermost meeting at which a split waits.
void Warp::part_from_waiting(std::int32_t meeting) {
  while (meeting >= 0) {
    Meeting& place = meetings_[static_cast<std::size_t>(meeting)];
    if (place.arrived != 0) {
      go_on(place);
      return;
    }
    meeting = place.outer;
  }
}

// `lanes` repeat a loop, or sleep: they may wait for other lanes of the warp.
void Warp::let_others_go_on(LaneMask lanes) {
  polled_ = true;
  const auto going = std::ranges::find_if(
      splits_, [lanes](const Split& split) { return (split.lanes & lanes) != 0 && split.state == State::kReady; });
  if (!launch_.independent_threads || going == splits_.end()) {
    return;
  }
  going->turns = kTurns;
  if (going->frame->code->has_convergence_barriers) {
    pass_convergence_barriers(false);
    return;
  }
  for (std::int32_t meeting = going->meeting; meeting >= 0;) {
    Meeting& place = meetings_[static_cast<std::size_t>(meeting)];
    meeting = place.outer;
    if (place.arrived != 0) {
      place.given_up = true;
      go_on(place);
    }
  }
}

// Lanes of `lanes` that reached the same place on different paths become one split again.
void Warp::join(LaneMask lanes) {
  for (std::size_t i = 0; i < splits_.size(); ++i) {
    for (std::size_t k = splits_.size(); (splits_[i].lanes & lanes) != 0 && --k > i;) {
      const Split other = splits_[k];
      if ((other.lanes & lanes) != 0 && other.at == splits_[i].at && other.frame == splits_[i].frame &&
          other.meeting == splits_[i].meeting) {
        splits_[i].lanes |= other.lanes;
        splits_.erase(splits_.begin() + static_cast<std::ptrdiff_t>(k));
        leave_meeting(other.meeting);
        leave_frame(other.frame);
      }
    }
  }
}

// No split waits for lanes that have ended. If all others have arrived, they continue as one split.
void Warp::lanes_left_meetings(std::int32_t meeting, LaneMask lanes) {
  while (meeting >= 0) {
    Meeting& place = meetings_[static_cast<std::size_t>(meeting)];
    const std::int32_t outer = place.outer;
    place.expected &= ~lanes;
    if (place.expected != 0 && place.arrived == place.expected) {
      go_on(place);
    }
    meeting = outer;
  }
}

}  // namespace warpsim
