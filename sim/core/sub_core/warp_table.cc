#include "core/sub_core/warp_table.h"

#include "base/check.h"

namespace warpsim {

ResidentWarp& WarpTable::start(std::uint32_t slot, const WarpStart& start, Cycle now) {
  SIM_CHECK(slot < warps_.size(), "no free warp slot");
  if (launches_.size() <= start.seat) {
    launches_.resize(start.seat + std::size_t{1});
  }
  Presence& launch = launches_[start.seat];
  if (launch.warps++ == 0) {
    launch.since = now;
  }
  SubCoreStats& stats = (*stats_)[start.seat];
  ++stats.warps_launched;
  ResidentWarp& warp = warps_[slot];
  warp.begin(start, stats, now);
  return warp;
}

void WarpTable::leave(std::uint32_t slot, Cycle now) {
  const ResidentWarp& warp = warps_[slot];
  Presence& launch = launches_[warp.start.seat];
  if (--launch.warps == 0) {
    warp.stats->cycles_active += now - launch.since;
  }
  exited_.push_back(warp.start.block_slot);
}

void WarpTable::close_accounts(Cycle now) {
  for (std::size_t seat = 0; seat < launches_.size(); ++seat) {
    if (Presence& launch = launches_[seat]; launch.warps != 0) {
      (*stats_)[static_cast<LaunchSeat>(seat)].cycles_active += now - launch.since;
      launch.since = now;
    }
  }
}

}  // namespace warpsim
