// From instruction to instruction: the warps of a sub-core continue in their streams, which their sources refill.
//
// Modelled: fixed stall counts; taken branches and reconvergence, after which fetch starts elsewhere; exits that end
// threads, which hold the warp whether others go on or not; fetch that runs ahead while a warp waits at a barrier,
// behind which its source does not know the path yet.
// Not modelled: branch prediction.
// Evidence: measured latencies of branches, exits and starts named in the H200 config.
// State: none but that of the warps. Uses instruction fetch, the warps' states, their events.
// Invariant: a warp without next instruction is held, until its source continues it or for good.
#pragma once

#include <cstdint>

#include "core/sm/launch_waits.h"
#include "core/sub_core/instruction_fetch.h"
#include "core/sub_core/resident_warp.h"
#include "core/sub_core/sub_core_config.h"
#include "core/sub_core/suspended_warp.h"
#include "core/sub_core/warp_events.h"
#include "core/sub_core/warp_states.h"

namespace warpsim {

class WarpStreams {
 public:
  // The other parts must outlive this one.
  WarpStreams(std::uint32_t sub_core, const SubCoreConfig& config, InstructionFetch& fetch, WarpStates& states,
              WarpEvents& events, LaunchWaits& launches);

  // To the first instruction. False: there is none.
  bool begin(std::uint32_t slot, ResidentWarp& warp, Cycle now);
  // To where a warp was that has left the SM and comes back.
  void begin_again(std::uint32_t slot, ResidentWarp& warp, const SuspendedWarp& from, Cycle now);
  // To the next one; `info` of the instruction that has been issued.
  void advance(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now);
  // What held the warp is over.
  void end_wait(std::uint32_t slot, ResidentWarp& warp, Cycle now) {
    warp.awaits_grids = false;
    if (warp.suspended) {
      resume(slot, warp, now);
    } else {
      warp.end_hold();
    }
  }

 private:
  // A source that cannot continue a warp although its barrier has released it is asked again after this time.
  static constexpr Cycle kAskAgainCycles = 64;

  // From the issue of an instruction after which the warp continues elsewhere to the fetch there.
  Cycle redirect_cycles(const IssueInfo& info) const {
    const std::uint32_t extra = info.reconverges      ? reconvergence_cycles_
                                : info.indexed_branch ? indexed_branch_cycles_
                                                      : 0;
    return branch_latency_cycles_ + extra;
  }
  // The warp has issued instruction `behind` and is examined again at `until`.
  void went_on(std::uint32_t slot, const ResidentWarp& warp, std::uint32_t behind, Cycle until, Cycle now) {
    states_->issued(slot, until, now);
    if (warp.watched) {
      attribute(slot, warp, behind);
    }
  }
  void attribute(std::uint32_t slot, const ResidentWarp& warp, std::uint32_t behind);
  void suspend(std::uint32_t slot, ResidentWarp& warp, std::uint32_t behind, Cycle now);
  void hold_until_known(std::uint32_t slot, ResidentWarp& warp, Cycle now);
  void resume(std::uint32_t slot, ResidentWarp& warp, Cycle now);

  std::uint8_t sub_core_;
  std::uint32_t branch_latency_cycles_;
  std::uint32_t indexed_branch_cycles_;
  std::uint32_t reconvergence_cycles_;
  std::uint32_t exit_cycles_;
  std::uint32_t warp_start_cycles_;
  InstructionFetch* fetch_;
  WarpStates* states_;
  WarpEvents* events_;
  LaunchWaits* launches_;
};

}  // namespace warpsim
