#include "stats/timeline.h"

namespace warpsim {

TimelinePart& Timeline::add_part() {
  return parts_.emplace_back(std::make_unique<Part>(recording_))->events;
}

void Timeline::open(const Window& core, const Window& dram) {
  enumerate();
  recording_ = {true, {core, dram}};
}

Timeline::Name Timeline::number_of(const std::string& name) {
  const auto [entry, is_new] = numbers_.emplace(name, static_cast<Name>(names_.size()));
  if (is_new) {
    names_.push_back(name);
  }
  return entry->second;
}

void Timeline::enumerate() {
  for (const std::unique_ptr<Part>& part : parts_) {
    for (std::size_t i = part->tracks.size(); i < part->events.tracks().size(); ++i) {
      part->tracks.push_back(static_cast<Track>(tracks_.size()));
      TrackInfo& info = tracks_.emplace_back(part->events.tracks()[i]);
      info.parent = info.parent == kNoTrack ? kNoTrack : part->tracks[info.parent];
    }
    for (std::size_t i = part->names.size(); i < part->events.names().size(); ++i) {
      part->names.push_back(number_of(part->events.names()[i]));
    }
  }
}

void Timeline::close() {
  if (!recording_.open) {
    return;
  }
  recording_.open = false;
  enumerate();
  for (const std::unique_ptr<Part>& part : parts_) {
    const TimelinePart::Events events = part->events.take_events();
    for (Slice slice : events.slices) {
      slice.track = part->tracks[slice.track];
      slice.name = part->names[slice.name];
      slices_.push_back(slice);
    }
    for (Value value : events.values) {
      value.track = part->tracks[value.track];
      values_.push_back(value);
    }
  }
}

double Timeline::core_cycle(Track track, Cycle cycle) const {
  const Window& window = recording_.window(tracks_[track].clock);
  return static_cast<double>(cycle - window.from) * window.core_cycles;
}

}  // namespace warpsim
