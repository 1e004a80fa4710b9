// Greedy, then youngest: the warp that issued last goes on; when it cannot, the warp that arrived last issues.
//
// Source: the order that Huerta et al., "Dissecting and Modeling the Architecture of Modern GPU Cores", MICRO 2025,
// find for compute capabilities 7.5 and 8.x (greedy then youngest). Modelled: a warp whose instruction yields is not
// chosen for the next instruction, unless it is the only candidate. Not modelled: fetch. State: arrivals and the last
// warp. Invariant: a warp that takes a used slot does not inherit greed.
#pragma once

#include <array>
#include <cstdint>

#include "warpsim/warp_scheduler.h"

namespace warpsim::mechanism {

class YoungestFirst final : public WarpScheduler {
 public:
  using Settings = NoSettings;

  YoungestFirst(const Settings& settings, const WarpSchedulerSite& site, Counters& counters);

  void warp_arrived(std::uint32_t slot, std::uint64_t block, Cycle now) override;
  void warp_left(std::uint32_t slot) override;
  std::uint32_t pick(WarpMask candidates, Cycle now) const override;
  void issued(const IssuedInstruction& instruction) override;

 private:
  std::array<std::uint64_t, kMaxWarpSlots> arrival_{};  // of the warp in a slot: higher is younger
  std::uint64_t arrivals_ = 0;
  WarpMask greedy_ = 0;   // the warp that issued last, none after it has yielded or left
  WarpMask yielded_ = 0;  // the warp that has just yielded
};

}  // namespace warpsim::mechanism
