// What one component adds to a timeline: slices on tracks and values over time.
//
// Components of different engines run at the same time, so each has a part of its own; timeline.h puts the parts
// together. Components add events in cycles of their own clock domain and need not know whether the window is open.
// Tracks form a tree within the part. Slices of one track do not overlap. Tracks and names are numbered within the
// part.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "base/types.h"

namespace warpsim {

class TimelinePart {
 public:
  using Track = std::uint32_t;
  using Name = std::uint32_t;
  static constexpr Track kNoTrack = 0xffffffffU;
  static constexpr std::uint32_t kNoInstruction = 0xffffffffU;

  enum class Clock : std::uint8_t { kCore, kDram };
  struct TrackInfo {
    std::string name;
    Track parent = kNoTrack;
    Clock clock = Clock::kCore;
    const char* unit = nullptr;  // for a track of values
  };
  struct Slice {
    Track track = kNoTrack;
    Name name = 0;
    std::uint32_t instruction = kNoInstruction;  // that the slice refers to
    Cycle from = 0;
    Cycle to = 0;
  };
  struct Value {
    Track track = kNoTrack;
    Cycle at = 0;
    std::uint64_t value = 0;
  };
  // Cycles of a clock domain since the simulation began.
  struct Window {
    Cycle from = 0;
    Cycle to = 0;
    double core_cycles = 1;  // per cycle of the domain
  };
  // Shared by all parts of a timeline; changed only while no component runs.
  struct Recording {
    bool open = false;
    std::array<Window, 2> windows{};  // by Clock
    const Window& window(Clock clock) const { return windows[static_cast<std::size_t>(clock)]; }
  };
  struct Events {
    std::vector<Slice> slices;
    std::vector<Value> values;
  };

  // `recording` outlives it.
  explicit TimelinePart(const Recording& recording) : recording_(&recording) {}

  Track add_track(TrackInfo info);
  // The number of a text; the same for the same text.
  Name name(const std::string& text);
  bool is_open() const { return recording_->open; }

  // Only the part inside the window is kept. A slice ends where the next one of its track begins.
  void slice(Track track, Name name, Cycle from, Cycle to, std::uint32_t instruction = kNoInstruction);
  // As slice(); extends the track's last slice if that has the same name and instruction and ends here.
  void state(Track track, Name name, Cycle from, Cycle to, std::uint32_t instruction = kNoInstruction);
  // Only changes are kept.
  void value(Track track, Cycle at, std::uint64_t value);

  const std::vector<TrackInfo>& tracks() const { return tracks_; }
  const std::vector<std::string>& names() const { return names_; }
  // The events in the order in which they were recorded; none remain.
  Events take_events();

 private:
  const Recording* recording_;
  std::vector<TrackInfo> tracks_;
  std::vector<std::size_t> last_;  // by track: its last entry in slices or values; SIZE_MAX: none
  std::vector<std::string> names_;
  std::map<std::string, Name> numbers_;
  Events events_;
};

}  // namespace warpsim
