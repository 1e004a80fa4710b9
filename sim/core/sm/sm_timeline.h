// What a timeline shows of an SM: its blocks by slot, and the states of its warps.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "core/launch/timeline_request.h"
#include "core/sm/resident_block.h"
#include "core/sub_core/sub_core.h"
#include "stats/timeline.h"

namespace warpsim {

class SmTimeline {
 public:
  // `sub_cores` outlives it.
  SmTimeline(std::uint32_t sm, std::uint32_t block_slots, std::vector<std::unique_ptr<SubCore>>& sub_cores)
      : sm_(sm), block_slots_(block_slots), sub_cores_(&sub_cores) {}

  // From now on blocks and the states of each warp are recorded on tracks of their own.
  void show(const ShownSm& shown);
  bool shows_warps() const { return shows_warps_; }
  // A block begins: with the first one of its grid, more may be recorded.
  void begin_block(ResidentBlock& block, Cycle now);
  // It was in the slot until now.
  void show_block(ResidentBlock& block, std::uint32_t slot, Cycle now);

 private:
  void show_parts(ShownSm::When when);

  std::uint32_t sm_;
  std::uint32_t block_slots_;
  std::vector<std::unique_ptr<SubCore>>* sub_cores_;
  ShownSm shown_;
  TimelinePart::Track track_ = TimelinePart::kNoTrack;
  std::vector<TimelinePart::Track> block_tracks_;  // by block slot; empty: blocks are not recorded
  bool shows_warps_ = false;
};

}  // namespace warpsim
