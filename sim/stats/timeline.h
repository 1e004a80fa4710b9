// The events of a window of a launch for a viewer: slices on tracks and values over time.
//
// Each component that records has a part (timeline_part.h). When the window closes, the parts are put together in their
// order, so that the result depends neither on threads nor on the order of ticks. Tracks and names get the numbers of
// the whole when enumerate() is called, in the order of the parts; if that happens at fixed times, the numbers do not
// depend on threads either.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "stats/timeline_part.h"

namespace warpsim {

class Timeline {
 public:
  using Track = TimelinePart::Track;
  using Name = TimelinePart::Name;
  using TrackInfo = TimelinePart::TrackInfo;
  using Slice = TimelinePart::Slice;
  using Value = TimelinePart::Value;
  using Window = TimelinePart::Window;
  using Clock = TimelinePart::Clock;
  static constexpr Track kNoTrack = TimelinePart::kNoTrack;
  static constexpr std::uint32_t kNoInstruction = TimelinePart::kNoInstruction;
  // A line of the launch's code.
  struct Instruction {
    std::uint64_t address = 0;  // in the kernel's code
    std::string text;           // as disassembled: opcode and operands
    std::string source;         // "file:line"; empty: not known
  };

  Timeline() = default;
  Timeline(const Timeline&) = delete;
  Timeline& operator=(const Timeline&) = delete;

  // For one component; lives as long as the timeline.
  TimelinePart& add_part();
  // The code that slices may refer to, by instruction.
  void set_instructions(std::vector<Instruction> instructions) { instructions_ = std::move(instructions); }

  // While no component runs: from now on, events inside the windows are kept.
  void open(const Window& core, const Window& dram);
  // While no component runs: numbers the tracks and names that were added since the last call.
  void enumerate();
  // While no component runs: ends the recording, if it is open, and puts the parts together.
  void close();

  // --- the whole, after close() ---
  const std::vector<TrackInfo>& tracks() const { return tracks_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Instruction>& instructions() const { return instructions_; }
  // Part by part, each in the order of recording; the events of a track are together in one part.
  const std::vector<Slice>& slices() const { return slices_; }
  const std::vector<Value>& values() const { return values_; }
  // Core cycles since the beginning of the window.
  double core_cycle(Track track, Cycle cycle) const;

 private:
  struct Part {
    explicit Part(const TimelinePart::Recording& recording) : events(recording) {}
    TimelinePart events;
    std::vector<Track> tracks;  // numbers in the whole, by number in the part
    std::vector<Name> names;
  };
  Name number_of(const std::string& name);

  TimelinePart::Recording recording_;
  std::vector<std::unique_ptr<Part>> parts_;
  std::vector<TrackInfo> tracks_;
  std::vector<std::string> names_;
  std::map<std::string, Name> numbers_;
  std::vector<Instruction> instructions_;
  std::vector<Slice> slices_;
  std::vector<Value> values_;
};

}  // namespace warpsim
