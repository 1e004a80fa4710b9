#include "core/load_store/store_buffer.h"

#include <algorithm>

#include "memory/access/coalescer.h"
#include "memory/slice_message.h"

namespace warpsim {

void describe(ConfigSection& section, StoreBufferConfig& config) {
  section.integer(
      "lines", config.lines, 1, 1024,
      "lines that stores have written and that wait to be sent; stores join them, unless there is only one");
  section.integer("line_cycles", config.line_cycles, 1, 16,
                  "time to write a line of a store; a line that joins none occupies the SM's stage so long, a store at "
                  "least so long");
  section.integer("wait_cycles", config.wait_cycles, 1, 1000,
                  "time from the end of the last store to a line until it is sent");
  section.integer("longest_cycles", config.longest_cycles, 1, 100000,
                  "time after which a line is sent although stores join it");
}

std::uint32_t StoreBuffer::line_for(const MemRequest& store) const {
  if (config_.lines == 1) {
    return kNone;
  }
  for (std::uint32_t place = 0; place < lines_.size(); ++place) {
    const MemRequest& earlier = lines_.at(place).request;
    if (earlier.line == store.line && earlier.seat == store.seat && earlier.wants_ack == store.wants_ack &&
        earlier.priority == store.priority && earlier.system_scope == store.system_scope &&
        (!store.wants_ack || earlier.tag == store.tag)) {
      return place;
    }
  }
  return kNone;
}

std::uint8_t StoreBuffer::add(const MemRequest& store, std::uint32_t place, Cycle written_at, Cycle now) {
  if (place == kNone) {
    lines_.push({store, written_at + config_.wait_cycles, now + config_.longest_cycles});
    return store.sector_mask;
  }
  Line& line = lines_.at(place);
  line.due = written_at + config_.wait_cycles;
  MemRequest& earlier = line.request;
  const auto added = static_cast<std::uint8_t>(store.sector_mask & ~earlier.sector_mask);
  earlier.sector_mask = static_cast<std::uint8_t>(earlier.sector_mask | added);
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    earlier.byte_mask[sector] |= store.byte_mask[sector];
  }
  return added;
}

Cycle StoreBuffer::next_send() const {
  if (empty()) {
    return kNever;
  }
  if (full()) {
    return free_at_;
  }
  return std::max(free_at_, std::min(lines_.front().due, lines_.front().latest));
}

MemRequest StoreBuffer::take(Cycle now) {
  const MemRequest request = lines_.front().request;
  lines_.pop();
  free_at_ = now + sector_count(request.sector_mask) + (covers_sectors(request) ? 0 : 1);
  return request;
}

}  // namespace warpsim
