#include "stats/timeline_part.h"

#include <algorithm>
#include <utility>

namespace warpsim {

TimelinePart::Track TimelinePart::add_track(TrackInfo info) {
  tracks_.push_back(std::move(info));
  last_.push_back(SIZE_MAX);
  return static_cast<Track>(tracks_.size()) - 1;
}

TimelinePart::Name TimelinePart::name(const std::string& text) {
  const auto [entry, is_new] = numbers_.emplace(text, static_cast<Name>(names_.size()));
  if (is_new) {
    names_.push_back(text);
  }
  return entry->second;
}

void TimelinePart::state(Track track, Name name, Cycle from, Cycle to, std::uint32_t instruction) {
  std::vector<Slice>& slices = events_.slices;
  const std::size_t last = last_[track];
  if (recording_->open && last != SIZE_MAX && slices[last].name == name && slices[last].instruction == instruction &&
      slices[last].to == from) {
    slices[last].to = std::max(from, std::min(to, recording_->window(tracks_[track].clock).to));
  } else {
    slice(track, name, from, to, instruction);
  }
}

void TimelinePart::slice(Track track, Name name, Cycle from, Cycle to, std::uint32_t instruction) {
  if (!recording_->open) {
    return;
  }
  std::vector<Slice>& slices = events_.slices;
  const Window& window = recording_->window(tracks_[track].clock);
  from = std::max(from, window.from);
  to = std::min(to, window.to);
  std::size_t& last = last_[track];
  if (last != SIZE_MAX) {
    from = std::max(from, slices[last].from);
  }
  if (from >= to) {
    return;
  }
  if (last != SIZE_MAX) {
    slices[last].to = std::min(slices[last].to, from);
  }
  last = slices.size();
  slices.push_back({track, name, instruction, from, to});
}

void TimelinePart::value(Track track, Cycle at, std::uint64_t value) {
  const Window& window = recording_->window(tracks_[track].clock);
  if (!recording_->open || at < window.from || at > window.to) {
    return;
  }
  std::size_t& last = last_[track];
  if (last != SIZE_MAX && events_.values[last].value == value) {
    return;
  }
  last = events_.values.size();
  events_.values.push_back({track, at, value});
}

TimelinePart::Events TimelinePart::take_events() {
  std::ranges::fill(last_, SIZE_MAX);
  return std::exchange(events_, {});
}

}  // namespace warpsim
