#include "core/load_store/memory_port.h"

#include <algorithm>

#include "memory/access/coalescer.h"
#include "memory/slice_message.h"

namespace warpsim {

namespace {

bool is_atomic(MemOp op) {
  return op == MemOp::kAtomic || op == MemOp::kReduction;
}

}  // namespace

MemoryPort::MemoryPort(const LoadStoreConfig& config, std::uint16_t number, Link<MemRequest>& to_memory)
    : entries_(config.output_entries),
      atomic_sectors_(config.output_atomic_sectors),
      number_(number),
      to_memory_(&to_memory),
      output_(std::max(config.output_entries, config.output_atomic_sectors) + CoalescedAccess::kMaxLines),
      stores_(config.store_buffer) {}

void MemoryPort::push_store(MemRequest request, std::uint32_t place, Cycle written_at, Cycle now) {
  request.source = number_;
  const std::uint8_t new_sectors = stores_.add(request, place, written_at, now);
  if (request.wants_ack) {
    writes_.add(request.tag, sector_count(new_sectors));
  }
  if (place == StoreBuffer::kNone) {
    writes_for_memory_.add(request.seat);
    writes_for_memory_.note_store(request.seat);
  }
}

void MemoryPort::push(MemRequest request) {
  request.source = number_;
  output_.push(request);
  const std::uint32_t sectors = sector_count(request.sector_mask);
  if (is_atomic(request.op)) {
    atomic_sectors_waiting_ += sectors;
  }
  if (request.op == MemOp::kRead || request.op == MemOp::kAtomic) {
    outstanding_ += sectors;
    return;
  }
  writes_for_memory_.add(request.seat);
  if (request.wants_ack) {
    writes_.add(request.tag, sectors);
  }
}

// The sectors are complete.
MemRequest MemoryPort::writeback_of(const L1Cache::Writeback& back) const {
  MemRequest request{.line = line_of(back.line),
                     .source = number_,
                     .op = MemOp::kWrite,
                     .sector_mask = back.sectors,
                     .seat = back.seat};
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    request.byte_mask[sector] = (back.sectors >> sector & 1U) != 0 ? 0xffffffffU : 0U;
  }
  return request;
}

void MemoryPort::send(GrowQueue<L1Cache::Writeback>& replaced, Cycle now) {
  if (next_store() <= now) {
    output_.push(stores_.take(now));
  }
  const bool writes_back = !replaced.empty();
  const bool pending = writes_back || !output_.empty();
  refused_ = pending && !to_memory_->can_send(now);
  if (!pending || refused_) {
    return;
  }
  if (writes_back) {  // first, so that replaced lines do not pile up
    to_memory_->send(writeback_of(replaced.front()), now);
    writes_for_memory_.add(replaced.front().seat);
    replaced.pop();
  } else {
    const MemRequest& request = output_.front();
    if (is_atomic(request.op)) {
      atomic_sectors_waiting_ -= sector_count(request.sector_mask);
    }
    to_memory_->send(request, now);
    output_.pop();
  }
  sent_at_ = now;
}

void MemoryPort::answered(const MemResponse& response) {
  const std::uint32_t sectors = sector_count(response.sector_mask);
  if (response.op == MemOp::kWrite || response.op == MemOp::kReduction) {
    if (response.posted) {
      writes_.post(response.tag, sectors);
    } else if (response.served_by >= ServedBy::kPeer) {
      writes_.arrive(response.tag, sectors);
    } else {
      writes_.remove(response.tag, sectors);
    }
  } else {
    outstanding_ -= sectors;
  }
}

}  // namespace warpsim
