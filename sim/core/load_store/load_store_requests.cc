// The load/store unit's traffic with memory: creates and sends requests, receives responses.
#include <algorithm>
#include <bit>

#include "core/load_store/load_store_unit.h"
#include "memory/slice_message.h"

namespace warpsim {

MemRequest LoadStoreUnit::make_request(const LineAccess& line, MemOp op, std::uint32_t tag) const {
  MemRequest request{.line = line.line, .tag = tag, .source = port_, .op = op, .sector_mask = line.sector_mask};
  request.wants_ack = stage_.instruction.acknowledged;
  request.evict_first = stage_.instruction.info->cache_op == CacheOp::kEvictFirst;
  if (op != MemOp::kRead) {
    request.byte_mask = line.byte_mask;
    request.single_lane = line.single_lane;
  }
  return request;
}

void LoadStoreUnit::push_output(const MemRequest& request) {
  output_.push(request);
  if (request.op == MemOp::kAtomic || request.op == MemOp::kReduction) {
    output_atomic_sectors_ += sector_count(request.sector_mask);
  }
  if (request.op == MemOp::kRead || request.op == MemOp::kAtomic) {
    outstanding_ += static_cast<std::uint32_t>(std::popcount(request.sector_mask));
  } else if (request.wants_ack) {
    writes_.add(request.tag, static_cast<std::uint32_t>(std::popcount(request.sector_mask)));
  }
}

// Writes back local memory whose line was replaced. The sectors are complete.
MemRequest LoadStoreUnit::writeback_request() const {
  const L1Cache::Writeback& back = l1_.writebacks().front();
  MemRequest request{.line = back.line, .source = port_, .op = MemOp::kWrite, .sector_mask = back.sectors};
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    request.byte_mask[sector] = (back.sectors >> sector & 1U) != 0 ? 0xffffffffU : 0U;
  }
  return request;
}

void LoadStoreUnit::send_output(Cycle now) {
  const bool writes_back = !l1_.writebacks().empty();
  const bool pending = writes_back || !output_.empty();
  output_refused_ = pending && !to_memory_->can_send(now);
  if (!pending || output_refused_) {
    return;
  }
  if (writes_back) {  // first, so that replaced lines do not pile up
    to_memory_->send(writeback_request(), now);
    l1_.writebacks().pop();
  } else {
    const MemRequest& request = output_.front();
    if (request.op == MemOp::kAtomic || request.op == MemOp::kReduction) {
      output_atomic_sectors_ -= sector_count(request.sector_mask);
    }
    to_memory_->send(request, now);
    output_.pop();
  }
  sent_at_ = now;
}

void LoadStoreUnit::parts_arrived(std::uint32_t index, std::uint32_t parts, ServedBy served_by, Cycle now) {
  Waiting& waiting = waiting_[index];
  waiting.served_by = std::max(waiting.served_by, served_by);
  waiting.first_part = std::min(waiting.first_part, now);
  waiting.parts -= parts;
  if (waiting.parts == 0 && waiting.all_lines_sent) {
    const Cycle done = std::max(now, waiting.first_part + waiting.hand_out_cycles) + l1_.config().fill_latency_cycles +
                       copy_latency(*waiting.instruction.info);
    if (waiting.instruction.is_atomic()) {
      stage_free_at_ = std::max(stage_free_at_, now) + waiting.return_passes;
      stats_.stage_busy_cycles += waiting.return_passes;
    } else {
      passes_.deliver(waiting.return_passes, now);
    }
    note_result(waiting.instruction, waiting.served_by, done);
    post_result(waiting.instruction, done);
    waiting_.give_back(index);
  }
}

void LoadStoreUnit::note_result(const MemoryInstruction& instruction, ServedBy served_by, Cycle done) {
  stats_.record_latency(instruction.info->kind, served_by, done - instruction.issued);
  if (hot_spots_ != nullptr) {
    HotSpot& spot = (*hot_spots_)[instruction.instruction];
    spot.add_load(done - instruction.issued);
    spot.add(served_by == ServedBy::kNone   ? HotSpotColumn::kLoadsFromL1
             : served_by == ServedBy::kDram ? HotSpotColumn::kLoadsFromDram
                                            : HotSpotColumn::kLoadsFromL2);
  }
}

void LoadStoreUnit::response(const MemResponse& response, Cycle now) {
  changed_ = true;
  const auto sectors = static_cast<std::uint32_t>(std::popcount(response.sector_mask));
  if (response.op == MemOp::kWrite || response.op == MemOp::kReduction) {
    writes_.remove(response.tag, sectors);
    return;
  }
  outstanding_ -= sectors;
  if (response.op == MemOp::kAtomic) {
    parts_arrived(response.tag, sectors, response.served_by, now);
    return;
  }
  const bool read_only = (response.tag & kReadOnlyTag) != 0;
  (read_only ? *read_only_ : l1_).fill(response.tag & ~kReadOnlyTag, response.sector_mask, [&](std::uint32_t index) {
    parts_arrived(index, 1, response.served_by, now);
  });
}

}  // namespace warpsim
