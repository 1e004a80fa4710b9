// The warps of one sub-core by slot, and the statistics of their launches.
//
// Modelled: the time for which each launch has warps in the sub-core. Not modelled: which slot a warp takes; its caller
// knows the free ones. Evidence: none of its own.
// State: the warps, the number of warps of each launch, the blocks of warps that have left. Uses no other part.
// Invariant: a launch is active from the start of its first warp here until its last one leaves.
#pragma once

#include <cstdint>
#include <vector>

#include "core/sub_core/resident_warp.h"
#include "core/sub_core/sub_core_stats.h"
#include "stats/active_times.h"
#include "stats/launch_stats.h"

namespace warpsim {

class WarpTable {
 public:
  // The statistics must outlive the table.
  WarpTable(std::uint32_t slots, LaunchStats<SubCoreStats>& stats) : warps_(slots), stats_(&stats) {}

  ResidentWarp& operator[](std::uint32_t slot) { return warps_[slot]; }
  const ResidentWarp& operator[](std::uint32_t slot) const { return warps_[slot]; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(warps_.size()); }

  // The slot must be free.
  ResidentWarp& start(std::uint32_t slot, const WarpStart& start, Cycle now);
  void leave(std::uint32_t slot, Cycle now);
  // The same for a warp that comes back, and for one that will.
  ResidentWarp& resume(std::uint32_t slot, const WarpStart& start, Cycle now);
  void suspend(std::uint32_t slot, Cycle now);
  // Attributes all time of resident launches up to `now`.
  void close_accounts(Cycle now);

  // Block slots of warps that have left since the last call of clear_exited().
  const std::vector<std::uint32_t>& exited() const { return exited_; }
  void clear_exited() { exited_.clear(); }

 private:
  std::vector<ResidentWarp> warps_;
  LaunchStats<SubCoreStats>* stats_;
  ActiveTimes active_;  // by warps
  std::vector<std::uint32_t> exited_;
};

}  // namespace warpsim
