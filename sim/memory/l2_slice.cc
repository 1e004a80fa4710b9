#include "memory/l2_slice.h"

#include <algorithm>
#include <cmath>

#include "base/check.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kAtomicParts = 1024;  // parts of a cycle, the unit in which atomics are charged

}  // namespace

L2Slice::L2Slice(const L2Config& config, const AddressMap& map, std::uint32_t partition, std::uint32_t number,
                 const Links& links, StatGroup& parent)
    : config_(config),
      map_(&map),
      partition_(partition),
      number_(number),
      links_(links),
      store_(config, map),
      home_mshrs_({config.mshr_entries, config.mshr_waiters, config.unlimited_mshrs}),
      far_mshrs_({config.far_mshr_entries, config.mshr_waiters, config.unlimited_mshrs}),
      data_port_(config.unlimited_bandwidth ? 0 : config.data_bytes_per_cycle),
      write_port_(config.unlimited_bandwidth ? 0 : config.write_bytes_per_cycle),
      atomic_unit_(kAtomicParts),
      atomic_reply_port_(kAtomicParts),
      atomic_sector_parts_(static_cast<std::uint32_t>(std::lround(config.atomic_sector_cycles * kAtomicParts))),
      atomic_full_sector_parts_(
          static_cast<std::uint32_t>(std::lround(config.atomic_full_sector_cycles * kAtomicParts))),
      atomic_reply_parts_(static_cast<std::uint32_t>(std::lround(config.atomic_reply_cycles * kAtomicParts))),
      stats_(parent, "l2_slice", number) {}

void L2Slice::connect(WakeHandle self) {
  links_.requests->connect_receiver(self);
  links_.responses->connect_sender(self);
  links_.dram_requests->connect_sender(self);
  links_.dram_responses->connect_receiver(self);
  if (links_.fabric_out != nullptr) {
    links_.fabric_out->connect_sender(self);
    links_.fabric_answers->connect_receiver(self);
    links_.fabric_in->connect_receiver(self);
    links_.fabric_replies->connect_sender(self);
  }
}

void L2Slice::apply(const L2Store::Consequence& consequence) {
  if (consequence.evicted) {
    ++stats_.evictions;
  }
  for (const L2Store::Writeback& back : consequence.writebacks) {
    if (back.incomplete != 0) {
      stats_.completion_sectors += sector_count(back.incomplete);
      writebacks_.push({back.line, 0, back.incomplete, false, false});
    }
    if (back.sectors != 0) {
      stats_.writeback_sectors += sector_count(back.sectors);
      writebacks_.push({back.line, 0, back.sectors, true, false});
    }
  }
}

// Directly to DRAM, whose data mask protects bytes that are not written.
void L2Slice::pass_on_write(Address line, std::uint8_t sectors) {
  stats_.writeback_sectors += sector_count(sectors);
  writebacks_.push({line, 0, sectors, true, false});
}

void L2Slice::reply(const Waiter& waiter, std::uint8_t sectors, ServedBy served_by, Cycle now) {
  Reply answer;
  answer.message.mem = {waiter.tag, waiter.source, waiter.op, sectors, served_by};
  answer.message.near_slice = waiter.near_slice;
  answer.message.merged = waiter.merged;
  const bool data = waiter.op == MemOp::kRead || waiter.op == MemOp::kAtomic;
  answer.bytes = data ? kSectorBytes * sector_count(sectors) : kAckBytes;
  answer.to_fabric = waiter.from_fabric;
  if (waiter.op == MemOp::kAtomic || waiter.op == MemOp::kReduction) {
    answer.ready = now + atomic_unit_.backlog(now) + config_.atomic_latency_cycles;
    atomic_replies_.push(answer);
  } else {
    replies_.push(answer);
  }
}

// --- fills ---

void L2Slice::take_fills(Cycle now) {
  while (links_.dram_responses->has_message(now)) {
    const DramResponse response = links_.dram_responses->front();
    links_.dram_responses->pop(now);
    fill(response.tag, response.sector_mask, ServedBy::kDram, true, now);
  }
  while (links_.fabric_answers != nullptr && links_.fabric_answers->has_message(now)) {
    const SliceResponse response = links_.fabric_answers->front();
    links_.fabric_answers->pop(now);
    if (response.mem.op == MemOp::kRead) {
      fill(response.mem.tag, response.mem.sector_mask, response.mem.served_by, false, now);
    } else {  // of a forwarded write or atomic: goes directly to the requester
      Reply answer;
      answer.message = response;
      answer.bytes = kAckBytes;
      (response.mem.op == MemOp::kAtomic ? far_atomic_replies_ : replies_).push(answer);
    }
  }
}

void L2Slice::fill(std::uint32_t entry, std::uint8_t sectors, ServedBy served_by, bool from_dram, Cycle now) {
  MshrTable<Waiter>& mshrs = from_dram ? home_mshrs_ : far_mshrs_;
  const Address line = mshrs[entry].line;
  const bool keep = mshrs[entry].mark == 0;
  const AddressMap::Home home = map_->home_of(line);
  (from_dram ? stats_.dram_fill_sectors : stats_.fabric_fill_sectors) += sector_count(sectors);
  if (config_.keeps_lines) {
    apply(store_.fill(home.line_number, line, sectors, keep));
  }
  if (mshrs[entry].pending == sectors) {
    stats_.miss_latency.add(now - mshrs[entry].since);
  }
  mshrs.fill(entry, sectors, [&](Waiter& waiter, std::uint8_t arrived) {
    if (waiter.op != MemOp::kRead) {
      execute_atomic(waiter, line, arrived, now);
    }
    if (waiter.from_fabric && waiter.op == MemOp::kRead) {
      waiter.held = static_cast<std::uint8_t>(waiter.held | arrived);
      if (waiter.sectors == 0) {
        reply(waiter, waiter.held, served_by, now);
      }
    } else if (waiter.answered) {
      reply(waiter, arrived, served_by, now);
    }
  });
}

void L2Slice::execute_atomic(Waiter& waiter, Address line, std::uint8_t sectors, Cycle now) {
  // An atomic whose sectors arrive in parts is charged once, with the first part.
  if (waiter.atomic_parts != 0) {
    atomic_unit_.use(now, waiter.atomic_parts);
    waiter.atomic_parts = 0;
  }
  stats_.atomic_operations += sector_count(sectors);
  if (config_.keeps_lines) {
    apply(store_.make_dirty(map_->home_of(line).line_number, line, sectors));
  } else {
    pass_on_write(line, sectors);
  }
}

Cycle L2Slice::take_requests(Cycle now) {
  while (request_visible(now)) {
    if (lookup_free_ > now && !config_.unlimited_bandwidth) {
      return lookup_free_;
    }
    if (replies_.size() >= config_.reply_queue_entries || writebacks_.size() >= config_.writeback_queue_entries) {
      return kNever;  // tick() returns here when they shrink
    }
    const Cycle data_backlog = std::max(data_port_.backlog(now), write_port_.backlog(now));
    if (data_backlog >= config_.reply_queue_entries) {
      return now + 1 + data_backlog - config_.reply_queue_entries;
    }
    if (!take_one_request(now)) {
      // Links wake the slice; only the atomic unit needs a timer.
      const Cycle atomic_backlog = atomic_unit_.backlog(now);
      const Cycle limit = config_.atomic_queue_cycles;
      return atomic_backlog >= limit ? now + 1 + atomic_backlog - limit : kNever;
    }
    lookup_free_ = now + 1;
  }
  return kNever;
}

// --- replies and write-backs ---

bool L2Slice::send_first(GrowQueue<Reply>& queue, Cycle now, Cycle& next) {
  if (queue.empty()) {
    return false;
  }
  const Reply& answer = queue.front();
  const bool atomic = answer.message.mem.op == MemOp::kAtomic && !answer.to_fabric;
  const RateLimiter& port = atomic && !atomic_reply_port_.ready(now) ? atomic_reply_port_ : data_port_;
  if (answer.ready > now || !port.ready(now)) {
    next = std::min(next, std::max(answer.ready, port.ready_at()));
    return false;
  }
  Link<SliceResponse>& link = answer.to_fabric ? *links_.fabric_replies : *links_.responses;
  if (!link.can_send(now)) {
    return false;  // the link wakes the slice
  }
  data_port_.use(now, answer.bytes);
  if (atomic) {
    atomic_reply_port_.use(now, std::uint64_t{sector_count(answer.message.mem.sector_mask)} * atomic_reply_parts_);
  }
  link.send(answer.message, now);
  queue.pop();
  return true;
}

Cycle L2Slice::send_replies(Cycle now) {
  Cycle next = kNever;
  while (send_first(atomic_replies_, now, next)) {
  }
  while (send_first(far_atomic_replies_, now, next)) {
  }
  while (send_first(replies_, now, next)) {
  }
  return next;
}

void L2Slice::send_writebacks(Cycle now) {
  while (!writebacks_.empty() && links_.dram_requests->can_send(now)) {
    links_.dram_requests->send(writebacks_.front(), now);
    writebacks_.pop();
  }
}

Cycle L2Slice::next_arrival(Cycle now) const {
  const auto future = [now](Cycle arrival) { return arrival > now ? arrival : kNever; };
  const Cycle next = std::min(future(links_.requests->next_arrival()), future(links_.dram_responses->next_arrival()));
  if (links_.fabric_in == nullptr) {
    return next;
  }
  return std::min({next, future(links_.fabric_in->next_arrival()), future(links_.fabric_answers->next_arrival())});
}

Cycle L2Slice::tick(Cycle now) {
  take_fills(now);
  Cycle next = take_requests(now);
  const std::size_t held = replies_.size() + writebacks_.size();
  next = std::min(next, send_replies(now));
  send_writebacks(now);
  if (replies_.size() + writebacks_.size() < held && request_visible(now)) {
    next = now + 1;  // space was freed after a request may have been refused
  }
  return std::min(next, next_arrival(now));
}

std::size_t L2Slice::requests_waiting() const {
  return links_.requests->size() + (links_.fabric_in != nullptr ? links_.fabric_in->size() : 0);
}

bool L2Slice::idle() const {
  return settled() && writebacks_.empty();
}

bool L2Slice::settled() const {
  const bool fabric_idle = links_.fabric_in == nullptr || (links_.fabric_in->empty() && links_.fabric_answers->empty());
  return fabric_idle && links_.requests->empty() && links_.dram_responses->empty() && home_mshrs_.empty() &&
         far_mshrs_.empty() && replies_.empty() && atomic_replies_.empty() && far_atomic_replies_.empty();
}

std::string L2Slice::describe_stall() const {
  if (idle()) {
    return {};
  }
  return std::to_string(links_.requests->size()) + " requests queued, " +
         std::to_string(home_mshrs_.used() + far_mshrs_.used()) + " outstanding lines, " +
         std::to_string(replies_.size() + atomic_replies_.size() + far_atomic_replies_.size()) + " replies and " +
         std::to_string(writebacks_.size()) + " write-backs to send";
}

void L2Slice::invalidate() {
  SIM_CHECK(idle(), "an L2 slice is invalidated while it works");
  stats_.flushed_sectors += store_.clear();
}

void L2Slice::place(std::uint64_t line_number, Address line) {
  if (config_.keeps_lines) {
    store_.fill(line_number, line, 0xf, true);
  }
}

}  // namespace warpsim
