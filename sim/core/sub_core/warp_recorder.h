// What is recorded of the warps of one sub-core beside counters: hot spots and timelines.
//
// Modelled: nothing; observes. A warp's cycles belong to an instruction: those that an instruction holds the warp for
// after it has issued (barrier, fence, sleep, drain) to that one, all others to the one that the warp waits to issue.
// Evidence: none; which instruction a cycle belongs to is a choice of this simulator.
// State: the instructions of each warp; the timeline. Uses the launch's hot spots and the timeline.
// Invariant: nothing is recorded of a slot without table and without track.
#pragma once

#include <cstdint>
#include <vector>

#include "core/launch/timeline_request.h"
#include "core/sub_core/stall_reason.h"
#include "isa/static_instruction.h"
#include "stats/hot_spot_table.h"
#include "stats/timeline_part.h"

namespace warpsim {

static_assert(kHotSpotStalls == kStallReasonCount);

class WarpRecorder {
 public:
  static constexpr std::uint32_t kNoInstruction = TimelinePart::kNoInstruction;

  explicit WarpRecorder(std::uint32_t slots) : slots_(slots) {}

  // Whether anything is recorded of any slot.
  bool wanted() const { return wanted_; }

  // From now on the cycles of the slot's warp are also attributed to instructions of `table`: `issued` is the one that
  // may hold the warp, `next` the one that it waits to issue; to none where that is kNoInstruction, or if there is no
  // table.
  void attribute(std::uint32_t slot, HotSpotTable* table, std::uint32_t next, std::uint32_t issued);
  // The warp has issued the instruction for these lanes. There is a table.
  static void executed(HotSpotTable& table, std::uint32_t instruction, LaneMask lanes);
  // The warp has been in this state.
  void spent(std::uint32_t slot, StallReason reason, Cycle from, Cycle until);

  // The states of these warp slots are recorded from now on, each on a track of its own below `parent`.
  void show(TimelinePart& timeline, TimelinePart::Track parent, std::uint32_t sub_core, const NumberSelection& slots);

 private:
  struct Instructions {
    HotSpotTable* table = nullptr;
    std::uint32_t next = kNoInstruction;
    std::uint32_t issued = kNoInstruction;
  };
  std::uint32_t instruction_of(std::uint32_t slot, StallReason reason) const;

  std::uint32_t slots_;
  bool wanted_ = false;
  std::vector<Instructions> instructions_;  // by slot; empty unless hot spots are recorded
  TimelinePart* timeline_ = nullptr;
  std::vector<TimelinePart::Track> tracks_;  // by slot
  TimelinePart::Name reason_names_ = 0;      // of the first reason; the others follow
};

}  // namespace warpsim
