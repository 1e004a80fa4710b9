// Greedy on the most critical warp: the one that its block will wait for.
//
// Source: Lee and Wu, "CAWS: Criticality-Aware Warp Scheduling for GPGPU Workloads", PACT 2014; Lee, Arunkumar and Wu,
// "CAWA", ISCA 2015, whose criticality is remaining instructions times the average CPI, plus stall cycles. Modelled:
// the instructions that a warp is behind the warp of its block in this sub-core that has issued most, times a fixed
// CPI, plus the cycles since it issued last; the older warp comes first if equal. Not modelled: remaining instructions
// of taken branches, warps of the block in other sub-cores, and the cache policy of CAWA. State: instructions and last
// issue of each slot. Invariant: a slot's `most_issued` is at least its `issued`.
#pragma once

#include <array>
#include <cstdint>

#include "warpsim/warp_scheduler.h"

namespace warpsim::mechanism {

class CriticalityAware final : public WarpScheduler {
 public:
  struct Settings {
    // assumed: 16 ready warps that share an issue slot; the paper measures it for each warp
    std::uint32_t cycles_per_instruction = 16;

    void describe(Keys& keys);
  };

  CriticalityAware(const Settings& settings, const WarpSchedulerSite& site, Counters& counters);

  void warp_arrived(std::uint32_t slot, std::uint64_t block, Cycle now) override;
  void warp_left(std::uint32_t slot) override;
  std::uint32_t pick(WarpMask candidates, Cycle now) const override;
  void issued(const IssuedInstruction& instruction) override;

 private:
  struct Warp {
    std::uint64_t block = 0;
    std::uint64_t arrival = 0;
    std::uint64_t issued = 0;
    std::uint64_t most_issued = 0;  // by a warp of the block that is or was in this sub-core
    Cycle last_issue = 0;           // or arrival
  };

  std::uint64_t criticality(const Warp& warp, Cycle now) const {
    return (warp.most_issued - warp.issued) * cycles_per_instruction_ + (now - warp.last_issue);
  }
  bool more_critical(const Warp& warp, const Warp& than, Cycle now) const;

  std::uint64_t cycles_per_instruction_;
  std::array<Warp, kMaxWarpSlots> warps_{};
  WarpMask resident_ = 0;
  WarpMask greedy_ = 0;  // the warp that issued last, none after it has yielded or left
  std::uint64_t arrivals_ = 0;
  Counter changes_;
};

}  // namespace warpsim::mechanism
