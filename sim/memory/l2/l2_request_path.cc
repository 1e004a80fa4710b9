#include "memory/l2/l2_request_path.h"

#include <algorithm>

namespace warpsim {
namespace {

// The source of data that a slice has.
ServedBy served_here(bool from_fabric) {
  return from_fabric ? ServedBy::kL2Far : ServedBy::kL2Near;
}

}  // namespace

L2RequestPath::L2RequestPath(const L2Config& config, const AddressMap& map, std::uint32_t partition, const Links& links,
                             const Parts& parts)
    : partition_(partition),
      perfect_(config.perfect),
      unlimited_bandwidth_(config.unlimited_bandwidth),
      reply_queue_entries_(config.reply_queue_entries),
      writeback_queue_entries_(config.writeback_queue_entries),
      map_(&map),
      links_(links),
      array_(&parts.array),
      atomic_unit_(&parts.atomic_unit),
      replies_(&parts.replies),
      misses_(&parts.misses),
      copies_(&parts.copies),
      prefetch_(parts.prefetch),
      stats_(&parts.stats),
      lines_(config.line_bytes),
      input_(config.unlimited_bandwidth ? 0 : config.request_bytes_per_cycle),
      written_(parts.stats.seats()) {}

// --- choice of a request ---

Cycle L2RequestPath::take(Cycle now) {
  while (visible(now)) {
    if (lookup_free_ > now && !unlimited_bandwidth_) {
      return lookup_free_;
    }
    if (array_->writebacks() >= writeback_queue_entries_) {
      return kNever;  // the slice tries again when they shrink
    }
    const Cycle data_backlog = replies_->data_backlog(now);
    if (data_backlog >= reply_queue_entries_) {
      return now + 1 + data_backlog - reply_queue_entries_;
    }
    const Cycle input_backlog = input_.backlog(now);
    const bool input_free = input_backlog < reply_queue_entries_;
    if (!take_one(input_free, now)) {
      // Links wake the slice, and it tries again when replies have left; the atomic unit and the input need a timer.
      const Cycle room = atomic_unit_->full(now) ? atomic_unit_->room_at(now) : kNever;
      return input_free ? room : std::min(room, now + 1 + input_backlog - reply_queue_entries_);
    }
    lookup_free_ = now + 1;
  }
  return kNever;
}

bool L2RequestPath::take_one(bool input_free, Cycle now) {
  Link<SliceRequest>* const fabric = links_.from_fabric;
  const bool near_visible = input_free && copies_->waiting() == 0 &&
                            replies_->waiting_for_crossbar() < reply_queue_entries_ &&
                            links_.from_crossbar->has_message(now);
  const bool fabric_visible =
      fabric != nullptr && replies_->waiting_for_fabric() < reply_queue_entries_ && fabric->has_message(now);
  const bool prefers_fabric = fabric_visible && (fabric_first_ || !near_visible);
  if (fabric_visible && prefers_fabric && take_from(*fabric, true, now)) {
    fabric_first_ = false;
    return true;
  }
  if (near_visible && take_from(*links_.from_crossbar, false, now)) {
    fabric_first_ = true;
    return true;
  }
  if (fabric_visible && !prefers_fabric && take_from(*fabric, true, now)) {
    fabric_first_ = false;
    return true;
  }
  return false;
}

bool L2RequestPath::take_from(Link<SliceRequest>& link, bool from_fabric, Cycle now) {
  const SliceRequest& message = link.front();
  if (message.removes_copy) [[unlikely]] {
    remove_copy(message, place_of(message, true));
    link.pop(now);
    return true;
  }
  if (lines_.divided()) [[unlikely]] {
    return take_part(link, from_fabric, now);
  }
  if (!look_up(message, from_fabric, &message, now)) {
    return false;
  }
  end_message(link, from_fabric, now);
  return true;
}

bool L2RequestPath::take_part(Link<SliceRequest>& link, bool from_fabric, Cycle now) {
  std::uint8_t& taken_sectors = taken_sectors_[from_fabric ? 1 : 0];
  SliceRequest part = link.front();
  const std::uint8_t left = without(part.mem.sector_mask, taken_sectors);
  const LineParts::Part first = lines_.first_of(part.mem.line, left);
  part.mem.line = first.address;
  part.mem.sector_mask = first.sectors;
  const bool last = part.mem.sector_mask == left;
  if (!look_up(part, from_fabric, last ? &link.front() : nullptr, now)) {
    return false;
  }
  taken_sectors = static_cast<std::uint8_t>(taken_sectors | part.mem.sector_mask);
  if (last) {
    taken_sectors = 0;
    end_message(link, from_fabric, now);
  }
  return true;
}

L2Place L2RequestPath::place_of(const SliceRequest& message, bool from_fabric) const {
  L2Place place{map_->home_of(message.mem.line), false};
  place.at_home = from_fabric || perfect_ || place.home.partition == partition_;
  return place;
}

bool L2RequestPath::look_up(const SliceRequest& message, bool from_fabric, const SliceRequest* whole, Cycle now) {
  const L2Place place = place_of(message, from_fabric);
  if (message.mem.op == MemOp::kRead) {
    return read(message, place, from_fabric, now);
  }
  const bool writes = message.mem.op == MemOp::kWrite;
  if (!(writes ? write(message, place, from_fabric, whole, now) : atomic(message, place, from_fabric, whole, now))) {
    return false;
  }
  if (place.at_home && whole != nullptr) {
    written_.add(message.mem, writes ? now : atomic_unit_->executed_at(now));
  }
  return true;
}

void L2RequestPath::end_message(Link<SliceRequest>& link, bool from_fabric, Cycle now) {
  const SliceRequest& message = link.front();
  L2SliceStats& stats = (*stats_)[message.mem.seat];
  ++stats.source(message, from_fabric).requests;
  stats.request_wait.add(now - link.next_arrival());
  if (!from_fabric) {
    input_.use(now, message.bytes);
  }
  link.pop(now);
}

Cycle L2RequestPath::next_arrival(Cycle now) const {
  const auto future = [now](Cycle arrival) { return arrival > now ? arrival : kNever; };
  const Cycle next = future(links_.from_crossbar->next_arrival());
  return links_.from_fabric == nullptr ? next : std::min(next, future(links_.from_fabric->next_arrival()));
}

// --- lookups ---

bool L2RequestPath::read(const SliceRequest& message, const L2Place& place, bool from_fabric, Cycle now) {
  const std::uint8_t wanted = message.mem.sector_mask;
  const L2Store::Lookup lookup = array_->look_up(place.home, message.mem.line);
  const std::uint8_t missing = without(wanted, lookup.valid);
  const std::uint8_t found = static_cast<std::uint8_t>(wanted & lookup.valid);
  if (missing != 0) {
    L2Waiter waiter = waiter_of(message, missing, from_fabric);
    waiter.held = from_fabric ? found : std::uint8_t{0};
    if (!misses_->fetch(message, place, waiter, lookup.valid, now)) {
      return false;
    }
  }
  if (!from_fabric && message.mem.priority != LinePriority::kFirst) {
    array_->touch(lookup, message.mem.seat);
  }
  array_->use(lookup, wanted);
  if (place.at_home) {
    array_->prioritise(place.home.line_number, lookup, message.mem.priority);
    if (from_fabric) {
      copies_->note(lookup);
    }
  }
  L2SourceStats& source = (*stats_)[message.mem.seat].source(message, from_fabric);
  source.read_sectors += sector_count(wanted);
  source.hit_sectors += sector_count(found);
  if (found != 0 && (missing == 0 || !from_fabric)) {
    replies_->add(waiter_of(message, found, from_fabric), found, served_here(from_fabric), now);
  }
  if (prefetch_ != nullptr && place.at_home) [[unlikely]] {
    prefetch_->after_read(message, place, missing == 0, now);
  }
  return true;
}

void L2RequestPath::remove_copy(const SliceRequest& message, const L2Place& place) {
  ++(*stats_)[message.mem.seat].removed_copies;
  array_->forget(place.home.line_number, message.mem.line, 0xf);
  misses_->outdate(message.mem.line);
}

bool L2RequestPath::write(const SliceRequest& message, const L2Place& place, bool from_fabric,
                          const SliceRequest* whole, Cycle now) {
  if (!place.at_home && whole != nullptr && !misses_->forward(*whole, place, now)) {
    return false;
  }
  const std::uint8_t sectors = message.mem.sector_mask;
  L2SourceStats& source = (*stats_)[message.mem.seat].source(message, from_fabric);
  source.write_sectors += sector_count(sectors);
  source.hit_sectors += sector_count(sectors);
  array_->write(message.mem, place);
  if (place.at_home && copies_->possible()) {
    const L2Store::Lookup lookup = array_->look_up(place.home, message.mem.line);
    copies_->change(message, place, lookup, from_fabric);
    if (from_fabric) {
      copies_->note(lookup);
    }
  }
  if (place.at_home && message.mem.wants_ack) {
    replies_->add(waiter_of(message, sectors, from_fabric), sectors, served_here(from_fabric), now);
  }
  return true;
}

bool L2RequestPath::atomic(const SliceRequest& message, const L2Place& place, bool from_fabric,
                           const SliceRequest* whole, Cycle now) {
  const std::uint8_t sectors = message.mem.sector_mask;
  L2SourceStats& source = (*stats_)[message.mem.seat].source(message, from_fabric);
  if (place.at_home) {
    if (!atomic_at_home(message, place, from_fabric, now)) {
      return false;
    }
  } else {
    if (whole != nullptr && !misses_->forward(*whole, place, now)) {
      return false;
    }
    array_->forget(place.home.line_number, message.mem.line, 0xf);
    source.hit_sectors += sector_count(sectors);
  }
  (message.mem.op == MemOp::kAtomic ? source.atomic_sectors : source.reduction_sectors) += sector_count(sectors);
  return true;
}

bool L2RequestPath::atomic_at_home(const SliceRequest& message, const L2Place& place, bool from_fabric, Cycle now) {
  if (atomic_unit_->full(now)) {
    return false;
  }
  const std::uint8_t sectors = message.mem.sector_mask;
  const L2Store::Lookup lookup = array_->look_up(place.home, message.mem.line);
  const std::uint8_t missing = without(sectors, lookup.valid);
  const std::uint8_t found = static_cast<std::uint8_t>(sectors & lookup.valid);
  L2Waiter waiter = waiter_of(message, missing, from_fabric);
  const std::uint32_t parts = atomic_unit_->parts_of(message.mem);
  waiter.atomic_parts = missing != 0 ? parts : 0;
  if (missing != 0 && !misses_->fetch(message, place, waiter, lookup.valid, now)) {
    return false;
  }
  copies_->change(message, place, lookup, from_fabric);
  array_->touch(lookup, message.mem.seat);
  array_->use(lookup, sectors);
  array_->prioritise(place.home.line_number, lookup, message.mem.priority);
  (*stats_)[message.mem.seat].source(message, from_fabric).hit_sectors += sector_count(found);
  if (found != 0) {
    waiter.atomic_parts = missing == 0 ? parts : 0;
    atomic_unit_->execute(waiter, place.home.line_number, message.mem.line, found, now);
    if (waiter.answered) {
      replies_->add(waiter, found, served_here(from_fabric), atomic_unit_->answer_at(now));
    }
  }
  return true;
}

}  // namespace warpsim
