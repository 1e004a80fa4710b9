#include "core/sub_core/fences.h"

namespace warpsim {

Fences::Fences(std::uint32_t sub_core, const SubCoreConfig& config, const PendingWrites& writes, WarpStreams& streams,
               WarpEvents& events, WarpStates& states)
    : first_warp_(sub_core * kMaxWarpsPerSubCore),
      block_cycles_(config.membar_block_cycles),
      device_cycles_(config.membar_device_cycles),
      acknowledged_cycles_(config.membar_acknowledged_cycles),
      writes_(&writes),
      streams_(&streams),
      events_(&events),
      states_(&states) {}

void Fences::begin(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now) {
  if (info.block_scope) {
    events_->hold(slot, warp, StallReason::kMembar, 0, now + block_cycles_);
  } else {
    events_->hold(slot, warp, StallReason::kMembar, kUntilWritesAcknowledged, now + device_cycles_);
  }
}

bool Fences::waits_for_writes(std::uint32_t slot, ResidentWarp& warp, Cycle now) {
  if (!writes_->none(first_warp_ + slot)) {
    wait_writes_ |= WarpStates::bit(slot);
    return true;
  }
  const Cycle acknowledged = warp.writes_acknowledged_at;
  if (acknowledged == 0 || acknowledged + acknowledged_cycles_ <= now) {
    return false;
  }
  events_->hold(slot, warp, StallReason::kMembar, 0, acknowledged + acknowledged_cycles_);
  return true;
}

void Fences::writes_acknowledged(std::uint32_t slot, ResidentWarp& warp, Cycle now) {
  warp.writes_acknowledged_at = now;
  if ((wait_writes_ & WarpStates::bit(slot)) == 0) {
    return;
  }
  wait_writes_ &= ~WarpStates::bit(slot);
  if (acknowledged_cycles_ != 0) {
    events_->hold(slot, warp, StallReason::kMembar, 0, now + acknowledged_cycles_);
    return;
  }
  streams_->end_wait(slot, warp, now);
  states_->examine_later(slot, now);
}

}  // namespace warpsim
