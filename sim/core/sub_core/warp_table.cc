#include "core/sub_core/warp_table.h"

#include "base/check.h"

namespace warpsim {

ResidentWarp& WarpTable::start(std::uint32_t slot, const WarpStart& start, Cycle now) {
  ++(*stats_)[start.seat].warps_launched;
  return resume(slot, start, now);
}

ResidentWarp& WarpTable::resume(std::uint32_t slot, const WarpStart& start, Cycle now) {
  SIM_CHECK(slot < warps_.size(), "no free warp slot");
  active_.enter(start.seat, now);
  ResidentWarp& warp = warps_[slot];
  warp.begin(start, (*stats_)[start.seat], now);
  return warp;
}

void WarpTable::leave(std::uint32_t slot, Cycle now) {
  suspend(slot, now);
  exited_.push_back(warps_[slot].start.block_slot);
}

void WarpTable::suspend(std::uint32_t slot, Cycle now) {
  const ResidentWarp& warp = warps_[slot];
  warp.stats->cycles_active += active_.leave(warp.start.seat, now);
}

void WarpTable::close_accounts(Cycle now) {
  active_.close(now, [this](LaunchSeat seat, Cycle cycles) { (*stats_)[seat].cycles_active += cycles; });
}

}  // namespace warpsim
