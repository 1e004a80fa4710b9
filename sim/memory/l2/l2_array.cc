#include "memory/l2/l2_array.h"

namespace warpsim {

L2Array::L2Array(const L2Config& config, const AddressMap& map, LaunchStats<L2SliceStats>& stats)
    : keeps_lines_(config.keeps_lines),
      keep_far_writes_near_(config.keep_far_writes_near),
      perfect_(config.perfect),
      lines_(config.line_bytes),
      compression_(config.compression, stats),
      store_(config, map, compression_, stats),
      stats_(&stats) {}

void L2Array::carry_out(const L2Store::Consequence& consequence, LaunchSeat seat) {
  if (consequence.evicted != 0) {
    (*stats_)[seat].evictions += consequence.evicted;
  }
  for (const L2Store::Writeback& back : consequence.writebacks) {
    if (compression_) [[unlikely]] {
      if (const std::uint8_t moved = compression_.moved(back.line); moved != 0) {
        write_compressed(back, moved, seat);
        continue;
      }
    }
    if (back.incomplete != 0) {
      (*stats_)[seat].completion_sectors += sector_count(back.incomplete);
      writebacks_.push({back.line, 0, back.incomplete, false, false, seat});
    }
    if (back.sectors != 0) {
      pass_on_write(back.line, back.sectors, seat);
    }
  }
}

void L2Array::write_compressed(const L2Store::Writeback& back, std::uint8_t moved, LaunchSeat seat) {
  const std::uint8_t lacking = back.sectors != 0 ? back.absent : back.incomplete;
  (*stats_)[seat].completion_sectors += sector_count(back.incomplete);
  if (lacking != 0) {
    writebacks_.push({.line = back.line, .sector_mask = lacking, .seat = seat, .compressed = moved});
  }
  if (back.sectors != 0) {
    (*stats_)[seat].writeback_sectors += sector_count(back.sectors);
    compression_.count_write(back.sectors, moved, lacking != 0, seat);
    writebacks_.push(
        {.line = back.line, .sector_mask = back.sectors, .write = true, .seat = seat, .compressed = moved});
  }
}

void L2Array::pass_on_write(Address line, std::uint8_t sectors, LaunchSeat seat) {
  (*stats_)[seat].writeback_sectors += sector_count(sectors);
  writebacks_.push({line, 0, sectors, true, false, seat});
}

void L2Array::fill(std::uint64_t line_number, Address line, std::uint8_t sectors, LinePriority priority,
                   LaunchSeat seat) {
  if (keeps_lines_) {
    store_.select(seat);
    apply(store_.fill(line_number, line, sectors, priority), seat);
  }
}

void L2Array::write(const MemRequest& request, const L2Place& place) {
  if (perfect_) {
    return;  // nothing to store
  }
  if (!keeps_lines_) {
    if (place.at_home) {
      pass_on_write(request.line, request.sector_mask, request.seat);
    }
  } else if (place.at_home || keep_far_writes_near_) {
    store_.select(request.seat);
    apply(store_.write(place.home.line_number, request, place.at_home), request.seat);
  } else {
    store_.forget(place.home.line_number, request.line, request.sector_mask);
  }
}

void L2Array::change(std::uint64_t line_number, Address line, std::uint8_t sectors, LaunchSeat seat) {
  if (keeps_lines_) {
    apply(store_.make_dirty(line_number, line, sectors), seat);
  } else {
    pass_on_write(line, sectors, seat);
  }
}

void L2Array::place(std::uint64_t line_number, Address line) {
  if (keeps_lines_) {
    lines_.for_each(line, 0xf, [this, line_number](Address part, std::uint8_t sectors) {
      store_.fill(line_number, part, sectors, LinePriority::kUnstated);
    });
  }
}

}  // namespace warpsim
