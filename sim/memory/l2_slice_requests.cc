// The lookups of an L2 slice: the result of a request, and its requests to the next level.
#include <algorithm>

#include "memory/l2_slice.h"

namespace warpsim {
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

bool L2Slice::fetch(const SliceRequest& message, const Place& place, const Waiter& waiter, std::uint8_t valid,
                    Cycle now) {
  const Address line = message.mem.line;
  MshrTable<Waiter>& mshrs = place.at_home ? home_mshrs_ : far_mshrs_;
  std::uint32_t entry = config_.keeps_lines ? mshrs.find(line) : MshrTable<Waiter>::kNone;
  const bool known = entry != MshrTable<Waiter>::kNone;
  if (known ? !mshrs.can_merge(entry) : mshrs.full()) {
    return false;  // a fill will free it
  }
  const std::uint8_t pending = known ? mshrs[entry].pending : std::uint8_t{0};
  const std::uint8_t fresh = without(waiter.sectors, pending);
  const std::uint8_t asked = without(with_neighbours(fresh), static_cast<std::uint8_t>(valid | pending));
  if (asked != 0 && !(place.at_home ? links_.dram_requests->can_send(now) : links_.fabric_out->can_send(now))) {
    return false;
  }
  if (!known) {
    entry = config_.keeps_lines ? mshrs.allocate(line, now) : mshrs.allocate_apart(line, now);
    const bool leaves_first = waiter.from_fabric && config_.far_reads_leave_home_first;
    mshrs[entry].mark = leaves_first || message.mem.evict_first ? 1 : 0;
  } else if (!waiter.from_fabric && !message.mem.evict_first) {
    mshrs[entry].mark = 0;
  }
  mshrs[entry].pending = static_cast<std::uint8_t>(pending | asked);
  mshrs.add_waiter(entry, waiter);
  L2SourceStats& source = source_stats(message, waiter.from_fabric);
  source.miss_sectors += sector_count(asked);
  source.hit_sectors += sector_count(without(waiter.sectors, fresh));
  stats_.merged_sectors += sector_count(without(waiter.sectors, fresh));
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
  const std::uint8_t found = static_cast<std::uint8_t>(wanted & valid);
  if (missing != 0) {
    Waiter waiter = waiter_of(message, missing, from_fabric);
    waiter.held = from_fabric ? found : std::uint8_t{0};
    if (!fetch(message, place, waiter, valid, now)) {
      return false;
    }
  }
  if (!from_fabric && !message.mem.evict_first) {
    store_.touch(lookup);
  }
  L2SourceStats& source = source_stats(message, from_fabric);
  source.read_sectors += sector_count(wanted);
  source.hit_sectors += sector_count(found);
  if (found != 0 && (missing == 0 || !from_fabric)) {
    reply(waiter_of(message, found, from_fabric), found, from_fabric ? ServedBy::kL2Far : ServedBy::kL2Near, now);
  }
  return true;
}

bool L2Slice::write(const SliceRequest& message, const Place& place, bool from_fabric, Cycle now) {
  if (!place.at_home && !forward(message, place, now)) {
    return false;
  }
  const std::uint8_t sectors = message.mem.sector_mask;
  L2SourceStats& source = source_stats(message, from_fabric);
  source.write_sectors += sector_count(sectors);
  source.hit_sectors += sector_count(sectors);
  if (place.at_home) {
    write_port_.use(now, std::uint64_t{kSectorBytes} * sector_count(sectors));
  }
  if (config_.perfect) {
    // nothing to store
  } else if (!config_.keeps_lines) {
    if (place.at_home) {
      pass_on_write(message.mem.line, sectors);
    }
  } else if (place.at_home || config_.keep_far_writes_near) {
    apply(store_.write(place.home.line_number, message.mem, place.at_home));
  } else {
    store_.forget(place.home.line_number, message.mem.line, sectors);
  }
  if (place.at_home && message.mem.wants_ack) {
    reply(waiter_of(message, sectors, from_fabric), sectors, from_fabric ? ServedBy::kL2Far : ServedBy::kL2Near, now);
  }
  return true;
}

std::uint32_t L2Slice::atomic_parts(const MemRequest& request) const {
  std::uint32_t parts = 0;
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    if ((request.sector_mask >> sector & 1U) != 0) {
      parts += request.byte_mask[sector] == 0xffffffffU ? atomic_full_sector_parts_ : atomic_sector_parts_;
    }
  }
  return parts;
}

bool L2Slice::atomic(const SliceRequest& message, const Place& place, bool from_fabric, Cycle now) {
  const std::uint8_t sectors = message.mem.sector_mask;
  L2SourceStats& source = source_stats(message, from_fabric);
  if (!place.at_home) {
    if (!forward(message, place, now)) {
      return false;
    }
    store_.forget(place.home.line_number, message.mem.line, sectors);
    source.hit_sectors += sector_count(sectors);
  } else {
    if (atomic_unit_.backlog(now) >= config_.atomic_queue_cycles) {
      return false;
    }
    const L2Store::Lookup lookup = look_up(message, place);
    const std::uint8_t valid = lookup.valid;
    const std::uint8_t missing = without(sectors, valid);
    const std::uint8_t found = static_cast<std::uint8_t>(sectors & valid);
    Waiter waiter = waiter_of(message, missing, from_fabric);
    const std::uint32_t parts = atomic_parts(message.mem);
    waiter.atomic_parts = missing != 0 ? parts : 0;
    if (missing != 0 && !fetch(message, place, waiter, valid, now)) {
      return false;
    }
    store_.touch(lookup);
    source.hit_sectors += sector_count(found);
    if (found != 0) {
      waiter.atomic_parts = missing == 0 ? parts : 0;
      execute_atomic(waiter, message.mem.line, found, now);
      if (waiter.answered) {
        reply(waiter, found, from_fabric ? ServedBy::kL2Far : ServedBy::kL2Near, now);
      }
    }
  }
  (message.mem.op == MemOp::kAtomic ? source.atomic_sectors : source.reduction_sectors) += sector_count(sectors);
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
    ++source_stats(message, from_fabric).requests;
    if (message.mem.op != MemOp::kRead && place.at_home) {
      last_write_ = now + (message.mem.op == MemOp::kWrite ? 0 : atomic_unit_.backlog(now));
    }
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

}  // namespace warpsim
