// The part of a launch that a timeline shows.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include "base/types.h"
#include "stats/timeline.h"

namespace warpsim {

// Some of a GPU's SMs.
struct SmSelection {
  enum class Kind : std::uint8_t {
    kFirstBlock,  // the SM that runs block 0 of the launch
    kAll,
    kListed,
  };
  Kind kind = Kind::kFirstBlock;
  std::vector<std::uint32_t> numbers;  // ascending; for kListed
};

// Some of the sub-cores of an SM, or of the warp slots of a sub-core; nothing: all of them.
using NumberSelection = std::optional<std::vector<std::uint32_t>>;

inline bool is_selected(const NumberSelection& selection, std::uint32_t number) {
  return !selection || std::ranges::find(*selection, number) != selection->end();
}

struct TimelineRequest {
  Timeline* timeline = nullptr;  // null: none; outlives the GPU, whose components keep a pointer to it
  Cycle from = 0;                // core cycles since the launch began
  Cycle to = 0;
  SmSelection sms;                    // whose warps and queues are shown
  std::optional<SmSelection> blocks;  // whose blocks are shown; nothing: as `sms`
  NumberSelection sub_cores;
  NumberSelection warp_slots;
  std::vector<std::uint32_t> channels;  // of DRAM, whose commands and queues are shown
};

// The part of one SM that a timeline shows.
struct ShownSm {
  enum class When : std::uint8_t { kNever, kWithFirstBlock, kAlways };
  TimelinePart* timeline = nullptr;  // the SM's own
  When blocks = When::kNever;
  When warps = When::kNever;
  NumberSelection sub_cores;
  NumberSelection warp_slots;
};

}  // namespace warpsim
