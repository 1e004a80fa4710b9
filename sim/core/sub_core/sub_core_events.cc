// How the sub-core handles events: results written, sources read, waits that end.
#include <algorithm>

#include "base/check.h"
#include "core/sub_core/sub_core.h"

namespace warpsim {

void SubCore::finish_copies(Warp& warp, Cycle now) {
  warp.copies.finish_groups([&](std::uint32_t instruction, const AsyncOperation* reports) {
    warp.dependences.result_written(warp.infos[instruction], warp.statics[instruction], now);
    --warp.in_flight;
    if (reports != nullptr) {
      neighbours_.async.copied_by_warp(warp.start.block_slot, *reports, now);
    }
  });
}

void SubCore::result_written(Warp& warp, const SmEvent& event, Cycle now) {
  const IssueInfo& info = warp.infos[event.payload];
  warp.dependences.result_written(info, warp.statics[event.payload], now);
  if (info.kind == OpKind::kAsyncCopy) {
    warp.copies.copy_done(event.group);
    finish_copies(warp, now);
  }
}

void SubCore::end_hold(Warp& warp) {
  // A warp may end with the instruction that held it.
  warp.hold = warp.stream.next == warp.stream.end ? StallReason::kDrain : StallReason::kSelected;
}

void SubCore::handle(const SmEvent& event, Cycle now) {
  if (event.kind == SmEvent::Kind::kInstructionLine) {
    fetch_.line_arrived(event.payload);
    wake_ = std::min(wake_, now);
    return;
  }
  if (event.kind == SmEvent::Kind::kConstantLine) {
    examine_all(wait_constant_, now);
    return;
  }
  Warp& warp = warps_[event.warp];
  if (event.kind == SmEvent::Kind::kResultWritten && !results_.take(warp.infos[event.payload].result, now)) {
    ++warp.stats->result_conflicts;
    neighbours_.events.add(now + 1, event);
    return;
  }
  SIM_CHECK(warp.in_flight != 0, "an event for a warp without outstanding events");
  --warp.in_flight;
  if (event.kind == SmEvent::Kind::kResultWritten) {
    result_written(warp, event, now);
  } else if (event.kind == SmEvent::Kind::kSourcesRead) {
    warp.dependences.sources_read(warp.infos[event.payload]);
  } else if (event.payload == kUntilWritesAcknowledged && fence_goes_on(event.warp, now)) {
    return;
  } else if (event.kind == SmEvent::Kind::kBarrierDone && warp.at_barrier) {
    warp.at_barrier = false;
  } else if (warp.suspended) {
    resume(event.warp, now);
  } else {
    end_hold(warp);
  }
  const WarpMask waits_elsewhere = wait_queue_ | wait_constant_ | wait_fetch_;
  if (states_.waiting(event.warp) && (waits_elsewhere & bit(event.warp)) == 0) {
    examine_later(event.warp, now);
  }
}

bool SubCore::fence_goes_on(std::uint32_t slot, Cycle now) {
  if (!neighbours_.lsu.writes().none(index_ * kMaxWarpsPerSubCore + slot)) {
    wait_writes_ |= bit(slot);
    return true;
  }
  const Cycle acknowledged = warps_[slot].writes_acknowledged_at;
  if (acknowledged == 0 || acknowledged + config_.membar_acknowledged_cycles <= now) {
    return false;
  }
  hold(slot, StallReason::kMembar, 0, acknowledged + config_.membar_acknowledged_cycles);
  return true;
}

void SubCore::queue_freed(Cycle now) {
  next_in_memory_line(now);
}

void SubCore::writes_acknowledged(std::uint32_t slot, Cycle now) {
  Warp& warp = warps_[slot];
  warp.writes_acknowledged_at = now;
  if ((wait_writes_ & bit(slot)) == 0) {
    return;
  }
  wait_writes_ &= ~bit(slot);
  if (config_.membar_acknowledged_cycles != 0) {
    hold(slot, StallReason::kMembar, 0, now + config_.membar_acknowledged_cycles);
    return;
  }
  if (warp.suspended) {
    resume(slot, now);
  } else {
    end_hold(warp);
  }
  examine_later(slot, now);
}

}  // namespace warpsim
