// Round robin in fetch groups of a fixed size: the warps of one group issue in turn until none of them is ready, then
// those of the next group, so that groups reach long latencies at different times.
//
// Source: Narasiman et al., "Improving GPU Performance via Large Warps and Two-Level Warp Scheduling", MICRO 2011.
// Modelled: group g has the slots from g * group_size on; the groups take turns, and in each group the warps do. A
// group whose ready warps are refused by units keeps its turn, although warps of the next groups issue meanwhile. Not
// modelled: the fetch stage, to which the paper's groups apply.
// State: the current group, and the warp of each group that issued last. Invariant: a group without candidates is
// passed over.
#pragma once

#include <array>
#include <cstdint>

#include "warpsim/warp_scheduler.h"

namespace warpsim::mechanism {

class TwoLevelGroups final : public WarpScheduler {
 public:
  struct Settings {
    std::uint32_t group_size = 8;  // paper: Narasiman et al., MICRO 2011, with 32 warps of an SM

    void describe(Keys& keys);
  };

  TwoLevelGroups(const Settings& settings, const WarpSchedulerSite& site, Counters& counters);

  void warp_arrived(std::uint32_t slot, std::uint64_t block, Cycle now) override;
  void warp_left(std::uint32_t slot) override;
  std::uint32_t pick(WarpMask candidates, Cycle now) const override;
  void issued(const IssuedInstruction& instruction) override;

 private:
  WarpMask members(std::uint32_t group) const;

  std::uint32_t group_size_;
  std::uint32_t groups_;
  std::uint32_t current_ = 0;
  std::array<std::uint32_t, kMaxWarpSlots> last_{};  // slot that issued last in each group; its last slot at first
  Counter group_changes_;
};

}  // namespace warpsim::mechanism
