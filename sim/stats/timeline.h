// The events of a window of a launch for a viewer: slices on tracks and values over time.
//
// Components add events in cycles of their own clock domain and need not know whether the window is open. Tracks form a
// tree. Slices of one track do not overlap.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "base/types.h"

namespace warpsim {

class Timeline {
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
  // A line of the launch's code.
  struct Instruction {
    std::uint64_t address = 0;  // in the kernel's code
    std::string text;           // as disassembled: opcode and operands
    std::string source;         // "file:line"; empty: not known
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

  Track add_track(TrackInfo info);
  // The number of a text; the same for the same text.
  Name name(const std::string& text);
  // The code that slices may refer to, by instruction.
  void set_instructions(std::vector<Instruction> instructions) { instructions_ = std::move(instructions); }

  // From now on, events inside the windows are kept.
  void open(const Window& core, const Window& dram);
  void close();
  bool is_open() const { return open_; }

  // Only the part inside the window is kept. A slice ends where the next one of its track begins.
  void slice(Track track, Name name, Cycle from, Cycle to, std::uint32_t instruction = kNoInstruction);
  // As slice(); extends the track's last slice if that has the same name and instruction and ends here.
  void state(Track track, Name name, Cycle from, Cycle to, std::uint32_t instruction = kNoInstruction);
  // Only changes are kept.
  void value(Track track, Cycle at, std::uint64_t value);

  const std::vector<TrackInfo>& tracks() const { return tracks_; }
  const std::vector<std::string>& names() const { return names_; }
  const std::vector<Instruction>& instructions() const { return instructions_; }
  const std::vector<Slice>& slices() const { return slices_; }
  const std::vector<Value>& values() const { return values_; }
  // Core cycles since the beginning of the window.
  double core_cycle(Track track, Cycle cycle) const;

 private:
  struct Last {
    std::size_t entry = SIZE_MAX;  // of the track, in slices_ or values_
  };

  bool open_ = false;
  std::array<Window, 2> windows_{};
  std::vector<TrackInfo> tracks_;
  std::vector<Last> last_;  // by track
  std::vector<std::string> names_;
  std::map<std::string, Name> numbers_;
  std::vector<Instruction> instructions_;
  std::vector<Slice> slices_;
  std::vector<Value> values_;
};

}  // namespace warpsim
