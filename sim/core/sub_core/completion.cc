#include "core/sub_core/completion.h"

#include "base/check.h"

namespace warpsim {

void Completion::handle(const SmEvent& event, ResidentWarp& warp, Cycle now) {
  const std::uint32_t slot = event.warp;
  if (event.kind == SmEvent::Kind::kResultWritten && !parts_.results.take(warp.infos[event.payload].result, now)) {
    ++warp.stats->result_conflicts;
    parts_.events.put_off(event, now + 1);
    return;
  }
  SIM_CHECK(warp.in_flight != 0, "an event for a warp without outstanding events");
  --warp.in_flight;
  if (event.kind == SmEvent::Kind::kResultWritten) {
    result_written(warp, event, now);
  } else if (event.kind == SmEvent::Kind::kSourcesRead) {
    warp.dependences.sources_read(warp.infos[event.payload]);
  } else if (parts_.fences.goes_on(slot, warp, event, now)) {
    return;
  } else if (event.kind == SmEvent::Kind::kBarrierDone && warp.at_barrier) {
    warp.at_barrier = false;
  } else {
    parts_.streams.end_wait(slot, warp, now);
  }
  if (parts_.states.waits_for_event(slot)) {
    parts_.states.examine_later(slot, now);
  }
}

void Completion::result_written(ResidentWarp& warp, const SmEvent& event, Cycle now) {
  const IssueInfo& info = warp.infos[event.payload];
  warp.dependences.result_written(info, warp.statics[event.payload], now);
  if (info.kind == OpKind::kAsyncCopy) {
    warp.copies.copy_done(event.group);
    finish_copies(warp, now);
  }
}

void Completion::commit_copies(ResidentWarp& warp, Cycle now) {
  const WarpInstruction& record = *warp.stream.next;
  warp.expect();
  warp.copies.close_group(record.index, record.operation != 0 ? warp.start.source->operations(record) : nullptr);
  finish_copies(warp, now);
}

void Completion::finish_copies(ResidentWarp& warp, Cycle now) {
  warp.copies.finish_groups([&](const AsyncCopies::Group& group) {
    for (const AsyncOperation& arrival : group.arrivals) {
      parts_.async.copies_arrived(warp.start.block_slot, arrival, now);
    }
    if (!group.commits) {
      return;
    }
    warp.dependences.result_written(warp.infos[group.instruction], warp.statics[group.instruction], now);
    --warp.in_flight;
    if (group.reports != nullptr) {
      parts_.async.copied_by_warp(warp.start.block_slot, *group.reports, now);
    }
  });
}

}  // namespace warpsim
