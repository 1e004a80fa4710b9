#include "core/sub_core/fences.h"

namespace warpsim {

Fences::Fences(std::uint32_t sub_core, const SubCoreConfig& config, const PendingWrites& writes, WarpStreams& streams,
               WarpEvents& events, WarpStates& states)
    : first_warp_(sub_core * kMaxWarpsPerSubCore),
      block_cycles_(config.membar_block_cycles),
      device_cycles_(config.membar_device_cycles),
      system_cycles_(config.membar_system_cycles),
      acknowledged_cycles_(config.membar_acknowledged_cycles),
      writes_(&writes),
      streams_(&streams),
      events_(&events),
      states_(&states) {}

void Fences::begin(std::uint32_t slot, ResidentWarp& warp, const IssueInfo& info, Cycle now) {
  if (info.block_scope) {
    events_->hold(slot, warp, StallReason::kMembar, 0, now + block_cycles_);
  } else if (info.system_scope) {
    events_->hold(slot, warp, StallReason::kMembar, kUntilWritesArrived, now + system_cycles_);
  } else {
    events_->hold(slot, warp, StallReason::kMembar, kUntilWritesAcknowledged, now + device_cycles_);
  }
}

bool Fences::waits_for_writes(std::uint32_t slot, ResidentWarp& warp, bool anywhere, Cycle now) {
  const std::uint32_t number = first_warp_ + slot;
  if (anywhere ? !writes_->none_anywhere(number) : !writes_->none(number)) {
    wait_writes_ |= WarpStates::bit(slot);
    wait_arrivals_ |= anywhere ? WarpStates::bit(slot) : WarpMask{0};
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
  end(slot, warp, now);
}

void Fences::writes_arrived(std::uint32_t slot, ResidentWarp& warp, Cycle now) {
  if ((wait_arrivals_ & WarpStates::bit(slot)) != 0) {
    end(slot, warp, now);
  }
}

// Ends the fence of a warp that waits for its writes, if there is one and nothing else to wait for.
void Fences::end(std::uint32_t slot, ResidentWarp& warp, Cycle now) {
  const WarpMask bit = WarpStates::bit(slot);
  const bool arrives = (wait_arrivals_ & bit) != 0;
  if ((wait_writes_ & bit) == 0 || (arrives && !writes_->none_anywhere(first_warp_ + slot))) {
    return;
  }
  wait_writes_ &= ~bit;
  wait_arrivals_ &= ~bit;
  if (acknowledged_cycles_ != 0) {
    events_->hold(slot, warp, StallReason::kMembar, 0, now + acknowledged_cycles_);
    return;
  }
  streams_->end_wait(slot, warp, now);
  states_->examine_later(slot, now);
}

}  // namespace warpsim
