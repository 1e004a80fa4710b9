#include "core/load_store/store_buffer.h"

#include <algorithm>

#include "base/check.h"
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
  std::uint32_t place = first_;
  for (std::uint32_t i = 0; i < size_; ++i, place = place + 1 == config_.lines ? 0 : place + 1) {
    if (addresses_[place] != store.line) {
      continue;
    }
    const MemRequest& earlier = entries_[place].request;
    if (earlier.seat == store.seat && earlier.wants_ack == store.wants_ack && earlier.priority == store.priority &&
        earlier.system_scope == store.system_scope && (!store.wants_ack || earlier.tag == store.tag)) {
      return place;
    }
  }
  return kNone;
}

std::uint8_t StoreBuffer::add(const MemRequest& store, std::uint32_t place, Cycle written_at, Cycle now) {
  if (place == kNone) {
    SIM_CHECK(!full(), "a store was added to a full buffer");
    place = (first_ + size_) % config_.lines;
    addresses_[place] = store.line;
    entries_[place] = {store, written_at + config_.wait_cycles, now + config_.longest_cycles};
    ++size_;
    return store.sector_mask;
  }
  Entry& entry = entries_[place];
  entry.due = written_at + config_.wait_cycles;
  MemRequest& earlier = entry.request;
  const auto added = static_cast<std::uint8_t>(store.sector_mask & ~earlier.sector_mask);
  earlier.sector_mask = static_cast<std::uint8_t>(earlier.sector_mask | added);
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    earlier.byte_mask[sector] |= store.byte_mask[sector];
  }
  return added;
}

Cycle StoreBuffer::next_send() const {
  if (size_ == 0) {
    return kNever;
  }
  if (full()) {
    return free_at_;
  }
  return std::max(free_at_, std::min(entries_[first_].due, entries_[first_].latest));
}

MemRequest StoreBuffer::take(Cycle now) {
  const MemRequest request = entries_[first_].request;
  first_ = (first_ + 1) % config_.lines;
  --size_;
  free_at_ = now + sector_count(request.sector_mask) + (covers_sectors(request) ? 0 : 1);
  return request;
}

}  // namespace warpsim
