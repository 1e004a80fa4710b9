#include "stats/timeline.h"

#include <algorithm>
#include <utility>

namespace warpsim {

Timeline::Track Timeline::add_track(TrackInfo info) {
  tracks_.push_back(std::move(info));
  last_.emplace_back();
  return static_cast<Track>(tracks_.size()) - 1;
}

Timeline::Name Timeline::name(const std::string& text) {
  const auto [entry, is_new] = numbers_.emplace(text, static_cast<Name>(names_.size()));
  if (is_new) {
    names_.push_back(text);
  }
  return entry->second;
}

void Timeline::open(const Window& core, const Window& dram) {
  windows_ = {core, dram};
  open_ = true;
}

void Timeline::close() {
  open_ = false;
}

void Timeline::state(Track track, Name name, Cycle from, Cycle to, std::uint32_t instruction) {
  const std::size_t last = last_[track].entry;
  if (open_ && last != SIZE_MAX && slices_[last].name == name && slices_[last].instruction == instruction &&
      slices_[last].to == from) {
    slices_[last].to = std::max(from, std::min(to, windows_[static_cast<std::size_t>(tracks_[track].clock)].to));
  } else {
    slice(track, name, from, to, instruction);
  }
}

void Timeline::slice(Track track, Name name, Cycle from, Cycle to, std::uint32_t instruction) {
  if (!open_) {
    return;
  }
  const Window& window = windows_[static_cast<std::size_t>(tracks_[track].clock)];
  from = std::max(from, window.from);
  to = std::min(to, window.to);
  std::size_t& last = last_[track].entry;
  if (last != SIZE_MAX) {
    from = std::max(from, slices_[last].from);
  }
  if (from >= to) {
    return;
  }
  if (last != SIZE_MAX) {
    slices_[last].to = std::min(slices_[last].to, from);
  }
  last = slices_.size();
  slices_.push_back({track, name, instruction, from, to});
}

void Timeline::value(Track track, Cycle at, std::uint64_t value) {
  const Window& window = windows_[static_cast<std::size_t>(tracks_[track].clock)];
  if (!open_ || at < window.from || at > window.to) {
    return;
  }
  std::size_t& last = last_[track].entry;
  if (last != SIZE_MAX && values_[last].value == value) {
    return;
  }
  last = values_.size();
  values_.push_back({track, at, value});
}

double Timeline::core_cycle(Track track, Cycle cycle) const {
  const Window& window = windows_[static_cast<std::size_t>(tracks_[track].clock)];
  return static_cast<double>(cycle - window.from) * window.core_cycles;
}

}  // namespace warpsim
