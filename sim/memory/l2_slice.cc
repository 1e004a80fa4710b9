#include "memory/l2_slice.h"

#include <algorithm>
#include <bit>

#include "base/check.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kAckBytes = 8;

std::uint64_t count(std::uint8_t sectors) {
  return static_cast<std::uint64_t>(std::popcount(sectors));
}
std::uint8_t without(std::uint8_t mask, std::uint8_t bits) {
  return static_cast<std::uint8_t>(mask & ~bits);
}
// Requests that Nsight counts: lanes on one address arrive one by one.
std::uint32_t request_count(const MemRequest& request) {
  std::uint32_t most = 1;
  for (std::uint32_t s = 0; s < kSectorsPerLine; ++s) {
    if ((request.sector_mask >> s & 1U) != 0) {
      most = std::max<std::uint32_t>(most, request.atomic_depth[s]);
    }
  }
  return most;
}

}  // namespace

L2Slice::L2Slice(const L2Config& config, const AddressMap& map, std::uint32_t partition, std::uint32_t number,
                 const Links& links, StatGroup& parent)
    : config_(config),
      map_(&map),
      partition_(partition),
      number_(number),
      links_(links),
      store_(config),
      mshrs_({config.mshr_entries, config.mshr_waiters, config.unlimited_mshrs}),
      data_port_(config.unlimited_bandwidth ? 0 : config.data_bytes_per_cycle),
      // One operation is a byte of this limiter.
      atomic_unit_(config.atomic_cycles_per_operation > 0 ? 1 / config.atomic_cycles_per_operation : 0),
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

L2SourceStats& L2Slice::source_stats(const SliceRequest& message, bool from_fabric) {
  if (from_fabric) {
    return stats_.from_fabric;
  }
  return message.mem.client == MemClient::kL1 ? stats_.from_l1 : stats_.from_cache;
}

L2Slice::Waiter L2Slice::waiter_of(const SliceRequest& message, std::uint8_t sectors, bool from_fabric) const {
  Waiter waiter;
  waiter.tag = message.mem.tag;
  waiter.source = message.mem.source;
  waiter.near_slice = message.near_slice;
  waiter.merged = message.merged;
  waiter.sectors = sectors;
  waiter.op = message.mem.op;
  waiter.from_fabric = from_fabric;
  waiter.answered = message.mem.op == MemOp::kRead || message.mem.op == MemOp::kAtomic || message.mem.wants_ack;
  return waiter;
}

std::uint8_t L2Slice::with_neighbours(std::uint8_t sectors) const {
  if (config_.fill_bytes == kSectorBytes || sectors == 0) {
    return sectors;
  }
  if (config_.fill_bytes == kLineBytes) {
    return 0xf;
  }
  const std::uint32_t lower = (sectors & 0x3U) != 0 ? 0x3U : 0U;
  const std::uint32_t upper = (sectors & 0xcU) != 0 ? 0xcU : 0U;
  return static_cast<std::uint8_t>(lower | upper);
}

void L2Slice::apply(const L2Store::Consequence& consequence) {
  if (consequence.evicted) {
    ++stats_.evictions;
  }
  for (std::uint32_t i = 0; i < consequence.count; ++i) {
    const L2Store::Writeback& back = consequence.writebacks[i];
    if (back.incomplete != 0) {
      stats_.completion_sectors += count(back.incomplete);
      writebacks_.push({back.line, 0, back.incomplete, false, false});
    }
    stats_.writeback_sectors += count(back.sectors);
    writebacks_.push({back.line, 0, back.sectors, true, false});
  }
}

void L2Slice::reply(const Waiter& waiter, std::uint8_t sectors, ServedBy served_by) {
  Reply answer;
  answer.message.mem = {waiter.tag, waiter.source, waiter.op, sectors, served_by};
  answer.message.near_slice = waiter.near_slice;
  answer.message.merged = waiter.merged;
  const bool data = waiter.op == MemOp::kRead || waiter.op == MemOp::kAtomic;
  answer.bytes = data ? kSectorBytes * static_cast<std::uint32_t>(count(sectors)) : kAckBytes;
  answer.to_fabric = waiter.from_fabric;
  replies_.push(answer);
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
    } else {  // of a write or atomic that was passed on: goes straight to the requester
      Reply answer;
      answer.message = response;
      answer.bytes = kAckBytes;
      replies_.push(answer);
    }
  }
}

void L2Slice::fill(std::uint32_t entry, std::uint8_t sectors, ServedBy served_by, bool from_dram, Cycle now) {
  const Address line = mshrs_[entry].line;
  const bool keep = mshrs_[entry].mark == 0;
  const AddressMap::Home home = map_->home_of(line);
  (from_dram ? stats_.dram_fill_sectors : stats_.fabric_fill_sectors) += count(sectors);
  apply(store_.fill(home.line_number, line, sectors, keep));
  if (mshrs_[entry].pending == sectors) {
    stats_.miss_latency.add(now - mshrs_[entry].since);
  }
  mshrs_.fill(entry, sectors, [&](Waiter& waiter, std::uint8_t arrived) {
    if (waiter.op != MemOp::kRead) {
      execute_atomic(waiter, line, arrived, now);
    }
    if (waiter.answered) {
      reply(waiter, arrived, served_by);
    }
  });
}

void L2Slice::execute_atomic(Waiter& waiter, Address line, std::uint8_t sectors, Cycle now) {
  // An atomic whose sectors arrive in parts is charged once, with the first part.
  if (waiter.operations != 0) {
    atomic_unit_.use(now, waiter.operations);
    stats_.atomic_operations += waiter.operations;
    waiter.operations = 0;
  }
  apply(store_.make_dirty(map_->home_of(line).line_number, line, sectors));
}

// --- requests ---

bool L2Slice::fetch(const SliceRequest& message, const Place& place, const Waiter& waiter, std::uint8_t valid,
                    Cycle now) {
  const Address line = message.mem.line;
  std::uint32_t entry = mshrs_.find(line);
  const bool known = entry != MshrTable<Waiter>::kNone;
  if (known ? !mshrs_.can_merge(entry) : mshrs_.full()) {
    return false;  // a fill will free it
  }
  const std::uint8_t pending = known ? mshrs_[entry].pending : std::uint8_t{0};
  const std::uint8_t fresh = without(waiter.sectors, pending);
  const std::uint8_t asked = without(with_neighbours(fresh), static_cast<std::uint8_t>(valid | pending));
  if (asked != 0 && !(place.at_home ? links_.dram_requests->can_send(now) : links_.fabric_out->can_send(now))) {
    return false;
  }
  if (!known) {
    entry = mshrs_.allocate(line, now);
    const bool leaves_first = waiter.from_fabric && config_.far_reads_leave_home_first;
    mshrs_[entry].mark = leaves_first || message.mem.evict_first ? 1 : 0;
  } else if (!waiter.from_fabric && !message.mem.evict_first) {
    mshrs_[entry].mark = 0;
  }
  mshrs_[entry].pending = static_cast<std::uint8_t>(pending | asked);
  mshrs_.add_waiter(entry, waiter);
  L2SourceStats& source = source_stats(message, waiter.from_fabric);
  source.miss_sectors += count(asked);
  source.hit_sectors += count(without(waiter.sectors, fresh));
  stats_.merged_sectors += count(without(waiter.sectors, fresh));
  if (asked == 0) {
    return true;
  }
  if (place.at_home) {
    links_.dram_requests->send({line, entry, asked, false, true}, now);
  } else {
    SliceRequest onward = message;
    onward.mem.op = MemOp::kRead;
    onward.mem.tag = entry;
    onward.mem.sector_mask = asked;
    onward.near_slice = static_cast<std::uint16_t>(number_);
    onward.home_slice =
        static_cast<std::uint16_t>(map_->slice_number(place.home.partition, place.home.slice_in_partition));
    onward.merged = 0;
    links_.fabric_out->send(onward, now);
  }
  return true;
}

bool L2Slice::forward(const SliceRequest& message, const Place& place, Cycle now) {
  if (!links_.fabric_out->can_send(now)) {
    return false;
  }
  SliceRequest onward = message;
  onward.near_slice = static_cast<std::uint16_t>(number_);
  onward.home_slice =
      static_cast<std::uint16_t>(map_->slice_number(place.home.partition, place.home.slice_in_partition));
  links_.fabric_out->send(onward, now);
  return true;
}

L2Store::Lookup L2Slice::look_up(const SliceRequest& message, const Place& place) const {
  if (config_.perfect) {
    return {TagArray::kNoSlot, 0xf};
  }
  return store_.look_up(place.home.line_number, message.mem.line);
}

bool L2Slice::read(const SliceRequest& message, const Place& place, bool from_fabric, Cycle now) {
  const std::uint8_t wanted = message.mem.sector_mask;
  const L2Store::Lookup lookup = look_up(message, place);
  const std::uint8_t valid = lookup.valid;
  const std::uint8_t missing = without(wanted, valid);
  if (missing != 0 && !fetch(message, place, waiter_of(message, missing, from_fabric), valid, now)) {
    return false;
  }
  if (!from_fabric && !message.mem.evict_first) {
    store_.touch(lookup);
  }
  const std::uint8_t found = static_cast<std::uint8_t>(wanted & valid);
  L2SourceStats& source = source_stats(message, from_fabric);
  source.read_sectors += count(wanted);
  source.hit_sectors += count(found);
  if (found != 0) {
    reply(waiter_of(message, found, from_fabric), found, from_fabric ? ServedBy::kL2Far : ServedBy::kL2Near);
  }
  return true;
}

bool L2Slice::write(const SliceRequest& message, const Place& place, bool from_fabric, Cycle now) {
  if (!place.at_home && !forward(message, place, now)) {
    return false;
  }
  const std::uint8_t sectors = message.mem.sector_mask;
  L2SourceStats& source = source_stats(message, from_fabric);
  source.write_sectors += count(sectors);
  source.hit_sectors += count(sectors);
  data_port_.use(now, kSectorBytes * count(sectors));
  if (config_.perfect) {
    // nothing to remember
  } else if (place.at_home || config_.keep_far_writes_near) {
    apply(store_.write(place.home.line_number, message.mem, place.at_home));
  } else {
    store_.forget(place.home.line_number, message.mem.line, sectors);
  }
  if (place.at_home && message.mem.wants_ack) {
    reply(waiter_of(message, sectors, from_fabric), sectors, from_fabric ? ServedBy::kL2Far : ServedBy::kL2Near);
  }
  return true;
}

bool L2Slice::atomic(const SliceRequest& message, const Place& place, bool from_fabric, Cycle now) {
  const std::uint8_t sectors = message.mem.sector_mask;
  const std::uint32_t operations = atomic_operations(message.mem);
  L2SourceStats& source = source_stats(message, from_fabric);
  if (!place.at_home) {
    if (!forward(message, place, now)) {
      return false;
    }
    store_.forget(place.home.line_number, message.mem.line, sectors);
    source.hit_sectors += operations;
  } else {
    if (atomic_unit_.backlog(now) >= config_.atomic_queue_cycles) {
      return false;
    }
    const L2Store::Lookup lookup = look_up(message, place);
    const std::uint8_t valid = lookup.valid;
    const std::uint8_t missing = without(sectors, valid);
    const std::uint8_t found = static_cast<std::uint8_t>(sectors & valid);
    Waiter waiter = waiter_of(message, missing, from_fabric);
    waiter.operations = missing != 0 ? operations : 0;
    if (missing != 0 && !fetch(message, place, waiter, valid, now)) {
      return false;
    }
    store_.touch(lookup);
    source.hit_sectors += operations - count(missing);
    if (found != 0) {
      waiter.operations = missing == 0 ? operations : 0;
      execute_atomic(waiter, message.mem.line, found, now);
      if (waiter.answered) {
        reply(waiter, found, from_fabric ? ServedBy::kL2Far : ServedBy::kL2Near);
      }
    }
  }
  (message.mem.op == MemOp::kAtomic ? source.atomic_sectors : source.reduction_sectors) += operations;
  return true;
}

bool L2Slice::take_request(Link<SliceRequest>& link, bool from_fabric, Cycle now) {
  const SliceRequest& message = link.front();
  Place place{map_->home_of(message.mem.line), false};
  place.at_home = from_fabric || config_.perfect || place.home.partition == partition_;
  bool taken = false;
  if (message.mem.op == MemOp::kRead) {
    taken = read(message, place, from_fabric, now);
  } else if (message.mem.op == MemOp::kWrite) {
    taken = write(message, place, from_fabric, now);
  } else {
    taken = atomic(message, place, from_fabric, now);
  }
  if (taken) {
    source_stats(message, from_fabric).requests += request_count(message.mem);
    stats_.request_wait.add(now - link.next_arrival());
    link.pop(now);
  }
  return taken;
}

bool L2Slice::take_one_request(Cycle now) {
  Link<SliceRequest>* const fabric = links_.fabric_in;
  const bool near_visible = links_.requests->has_message(now);
  const bool fabric_visible = fabric != nullptr && fabric->has_message(now);
  const bool prefers_fabric = fabric_visible && (fabric_first_ || !near_visible);
  if (fabric_visible && prefers_fabric && take_request(*fabric, true, now)) {
    fabric_first_ = false;
    return true;
  }
  if (near_visible && take_request(*links_.requests, false, now)) {
    fabric_first_ = true;
    return true;
  }
  if (fabric_visible && !prefers_fabric && take_request(*fabric, true, now)) {
    fabric_first_ = false;
    return true;
  }
  return false;
}

bool L2Slice::request_visible(Cycle now) const {
  return links_.requests->has_message(now) || (links_.fabric_in != nullptr && links_.fabric_in->has_message(now));
}

Cycle L2Slice::take_requests(Cycle now) {
  while (request_visible(now)) {
    if (lookup_free_ > now && !config_.unlimited_bandwidth) {
      return lookup_free_;
    }
    if (replies_.size() >= config_.reply_queue_entries || writebacks_.size() >= config_.writeback_queue_entries) {
      return kNever;  // tick() comes back when they shrink
    }
    const Cycle data_backlog = data_port_.backlog(now);
    if (data_backlog >= config_.reply_queue_entries) {
      return now + 1 + data_backlog - config_.reply_queue_entries;
    }
    if (!take_one_request(now)) {
      // Links wake the slice; only the atomic unit is a timer.
      const Cycle atomic_backlog = atomic_unit_.backlog(now);
      const Cycle limit = config_.atomic_queue_cycles;
      return atomic_backlog >= limit ? now + 1 + atomic_backlog - limit : kNever;
    }
    lookup_free_ = now + 1;
  }
  return kNever;
}

// --- replies and write-backs ---

Cycle L2Slice::send_replies(Cycle now) {
  while (!replies_.empty()) {
    if (!data_port_.ready(now)) {
      return data_port_.ready_at();
    }
    const Reply& answer = replies_.front();
    Link<SliceResponse>& link = answer.to_fabric ? *links_.fabric_replies : *links_.responses;
    if (!link.can_send(now)) {
      return kNever;
    }
    data_port_.use(now, answer.bytes);
    link.send(answer.message, now);
    replies_.pop();
  }
  return kNever;
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
    next = now + 1;  // room was made after a request may have been refused
  }
  return std::min(next, next_arrival(now));
}

bool L2Slice::idle() const {
  const bool fabric_idle = links_.fabric_in == nullptr || (links_.fabric_in->empty() && links_.fabric_answers->empty());
  return fabric_idle && links_.requests->empty() && links_.dram_responses->empty() && mshrs_.empty() &&
         replies_.empty() && writebacks_.empty();
}

std::string L2Slice::describe_stall() const {
  if (idle()) {
    return {};
  }
  return std::to_string(links_.requests->size()) + " requests queued, " + std::to_string(mshrs_.used()) +
         " lines under way, " + std::to_string(replies_.size()) + " replies and " + std::to_string(writebacks_.size()) +
         " write-backs to send";
}

void L2Slice::invalidate() {
  SIM_CHECK(idle(), "an L2 slice is invalidated while it works");
  stats_.flushed_sectors += store_.clear();
}

void L2Slice::place(std::uint64_t line_number, Address line) {
  store_.fill(line_number, line, 0xf, true);
}

}  // namespace warpsim
