// Fewer warps load while warps lose data in L1 that they would have used again.
//
// Source: Rogers, O'Connor and Aamodt, "Cache-Conscious Wavefront Scheduling", MICRO 2012. Modelled: for each warp the
// tags of lines that it brought and that were replaced; a miss that finds its tag there has lost locality, and raises
// the warp's score to
//
//     lost / issued * throttle * cutoff,  cutoff = warps * base_score
//
// with all losses and instructions of the sub-core so far. A score falls by 1 a cycle to base_score. Warps are ordered
// by score, and as long as the sum from the first one on is within the cutoff they may load; the first one always may.
// Otherwise as gto: the warp that issued last, else the oldest. Differs: a sub-core has scores of its own, not the SM;
// the tags of a warp are in one set with LRU (the paper: eight ways of a set). State: scores and tags of each slot.
// Invariant: `settled_at` is the cycle from which on all scores have the base value.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "warpsim/warp_scheduler.h"

namespace warpsim::mechanism {

class CacheConscious final : public WarpScheduler {
 public:
  struct Settings {
    // paper: Rogers et al., MICRO 2012; assumed, not verified with its table of the configuration
    std::uint32_t victim_tags = 16;
    std::uint32_t base_score = 100;
    std::uint32_t throttle = 8;

    void describe(Keys& keys);
  };

  CacheConscious(const Settings& settings, const WarpSchedulerSite& site, Counters& counters);

  void warp_arrived(std::uint32_t slot, std::uint64_t block, Cycle now) override;
  void warp_left(std::uint32_t slot) override;
  std::uint32_t pick(WarpMask candidates, Cycle now) const override;
  void issued(const IssuedInstruction& instruction) override;
  bool watches_l1() const override { return true; }
  void looked_up(const L1Lookup& lookup) override;
  void lost(const L1Loss& loss) override;
  bool withholds() const override { return true; }
  WarpMask withheld(WarpMask loads, Cycle now) const override;

 private:
  struct Warp {
    std::uint64_t arrival = 0;
    std::uint64_t score = 0;  // at `scored`
    Cycle scored = 0;
    std::uint32_t tags = 0;  // used ones
  };

  std::uint64_t cutoff() const;
  std::uint64_t score(const Warp& warp, Cycle now) const;
  // Of a slot, the latest first.
  Address* tags_of(std::uint32_t slot) { return &tags_[std::size_t{slot} * victim_tags_]; }
  bool take_tag(std::uint32_t slot, Address line);

  std::uint32_t victim_tags_;
  std::uint64_t base_score_;
  std::uint64_t throttle_;
  std::array<Warp, kMaxWarpSlots> warps_{};
  std::vector<Address> tags_;
  WarpMask resident_ = 0;
  std::uint32_t last_ = 0;  // slot that issued last
  std::uint64_t arrivals_ = 0;
  std::uint64_t issued_ = 0;
  std::uint64_t losses_ = 0;  // of locality
  Cycle settled_at_ = 0;
  Counter lost_hits_;
};

}  // namespace warpsim::mechanism
