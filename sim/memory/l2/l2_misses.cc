#include "memory/l2/l2_misses.h"

namespace warpsim {

L2Misses::L2Misses(const L2Config& config, const AddressMap& map, std::uint32_t number, const Links& links,
                   const Parts& parts)
    : keeps_lines_(config.keeps_lines),
      far_reads_leave_home_first_(config.far_reads_leave_home_first),
      lines_(config.line_bytes),
      fills_(config.fill_bytes),
      number_(static_cast<std::uint16_t>(number)),
      map_(&map),
      links_(links),
      array_(&parts.array),
      atomic_unit_(&parts.atomic_unit),
      replies_(&parts.replies),
      stats_(&parts.stats),
      home_mshrs_({config.mshr_entries, config.mshr_waiters, config.unlimited_mshrs}),
      far_mshrs_({config.far_mshr_entries, config.mshr_waiters, config.unlimited_mshrs}),
      admission_(config.miss_admission, mechanism::CacheLevel::kL2, config.unlimited_mshrs ? 0 : config.mshr_entries,
                 parts.stats) {}

// --- misses ---

SliceRequest L2Misses::addressed(const SliceRequest& message, const L2Place& place) const {
  SliceRequest onward = message;
  onward.near_slice = number_;
  onward.compressed = compressed(message.mem.line);
  onward.home_slice =
      static_cast<std::uint16_t>(map_->slice_number(place.home.partition, place.home.slice_in_partition));
  return onward;
}

void L2Misses::request(const SliceRequest& message, const L2Place& place, std::uint32_t entry, std::uint8_t sectors,
                       Cycle now) {
  if (place.at_home) {
    const std::uint8_t moved = compressed(message.mem.line);
    if (moved != 0) [[unlikely]] {
      array_->compression().count_read(sectors, moved, message.mem.seat);
    }
    links_.dram_requests->send(
        {message.mem.line, entry, sectors, false, true, message.mem.seat, message.mem.source, moved}, now);
    return;
  }
  SliceRequest onward = addressed(message, place);
  onward.mem.op = MemOp::kRead;
  onward.mem.tag = entry;
  onward.mem.sector_mask = sectors;
  onward.merged = 0;
  links_.fabric_out->send(onward, now);
}

std::uint8_t L2Misses::fetched_by_mechanism(const L2Place& place, const L2Waiter& waiter, const Miss& miss) {
  SectorFetchMechanism& mechanism = array_->sector_fetch();
  std::uint8_t asked = 0;
  if (miss.fresh != 0) {
    const Address line = home_mshrs_[miss.entry].line;
    const std::uint32_t slot = array_->look_up(place.home, line).slot;
    asked = mechanism.fetch(
        {slice_address(place.home.line_number, line), miss.fresh, without(lines_.covered(line), miss.known_sectors)},
        {miss.entry, miss.new_entry, slot}, waiter.seat);
  }
  mechanism.wait_for(miss.entry, waiter.sectors);
  return asked;
}

mechanism::MissOffer L2Misses::offer_of(const SliceRequest& message, const L2Place& place, std::uint32_t entry,
                                        std::uint8_t sectors) const {
  const bool joins = entry != Table::kNone;
  return {.line = slice_address(place.home.line_number, message.mem.line),
          .sectors = sectors,
          .used = home_mshrs_.used(),
          .joins = joins,
          .waiting = joins ? home_mshrs_[entry].waiters : 0,
          .requester = message.mem.source};
}

bool L2Misses::fetch(const SliceRequest& message, const L2Place& place, const L2Waiter& waiter, std::uint8_t valid,
                     Cycle now) {
  const Address line = message.mem.line;
  Table& mshrs = place.at_home ? home_mshrs_ : far_mshrs_;
  std::uint32_t entry = keeps_lines_ ? mshrs.find(line) : Table::kNone;
  const bool known = entry != Table::kNone;
  if (known ? !mshrs.can_merge(entry) : mshrs.full()) {
    return false;  // a fill will free it
  }
  const std::uint8_t pending = known ? mshrs[entry].pending : std::uint8_t{0};
  const std::uint8_t fresh = without(waiter.sectors, pending);
  const auto known_sectors = static_cast<std::uint8_t>(valid | pending);
  if (fresh != 0 && !(place.at_home ? links_.dram_requests->can_send(now) : links_.fabric_out->can_send(now))) {
    return false;
  }
  mechanism::MissOffer offer;
  const bool offered = admission_ && place.at_home;
  if (offered) [[unlikely]] {
    offer = offer_of(message, place, entry, waiter.sectors);
    if (!admission_.admits(offer, message.mem.seat)) {
      return false;  // the end of an entry lets the slice try again
    }
  }
  if (!known) {
    entry = keeps_lines_ ? mshrs.allocate(line, now) : mshrs.allocate_apart(line, now);
    const bool leaves_first = waiter.from_fabric && far_reads_leave_home_first_;
    const LinePriority stated = message.mem.priority;
    mshrs[entry].mark =
        static_cast<std::uint8_t>(leaves_first && stated < LinePriority::kNormal ? LinePriority::kFirst : stated);
    mshrs[entry].seat = message.mem.seat;
    if (offered) [[unlikely]] {
      admission_.begin(entry, offer, message.mem.seat);
    }
  } else if (!waiter.from_fabric || message.mem.priority >= LinePriority::kNormal) {
    const LinePriority priority = std::max(priority_of(mshrs[entry]), message.mem.priority);
    mshrs[entry].mark =
        static_cast<std::uint8_t>((mshrs[entry].mark & kOutdated) | static_cast<std::uint8_t>(priority));
  }
  const bool by_mechanism = place.at_home && array_->sector_fetch();
  std::uint8_t asked = by_mechanism ? fetched_by_mechanism(place, waiter, {entry, !known, fresh, known_sectors})
                                    : without(fills_.around(fresh), known_sectors);
  if (asked != 0 && place.at_home && compressed(line) != 0) [[unlikely]] {
    asked = without(0xf, known_sectors);  // all that is not here yet comes with it
  }
  mshrs[entry].pending = static_cast<std::uint8_t>(pending | asked);
  mshrs.add_waiter(entry, waiter);
  L2SliceStats& stats = (*stats_)[message.mem.seat];
  L2SourceStats& source = stats.source(message, waiter.from_fabric);
  source.miss_sectors += sector_count(asked);
  source.hit_sectors += sector_count(without(waiter.sectors, fresh));
  stats.merged_sectors += sector_count(without(waiter.sectors, fresh));
  if (asked != 0) {
    request(message, place, entry, asked, now);
  }
  return true;
}

bool L2Misses::prefetch(Address line, std::uint8_t sectors, LaunchSeat seat, Cycle now) {
  if (home_mshrs_.full() || !links_.dram_requests->can_send(now)) {
    return false;
  }
  const std::uint32_t entry = home_mshrs_.allocate(line, now);
  home_mshrs_[entry].mark = static_cast<std::uint8_t>(LinePriority::kUnstated);
  home_mshrs_[entry].seat = seat;
  home_mshrs_[entry].pending = sectors;
  if (array_->sector_fetch()) [[unlikely]] {
    array_->sector_fetch().begin_without(entry);
  }
  const std::uint8_t moved = compressed(line);
  if (moved != 0) [[unlikely]] {
    array_->compression().count_read(sectors, moved, seat);
  }
  links_.dram_requests->send(
      {.line = line, .tag = entry, .sector_mask = sectors, .wants_reply = true, .seat = seat, .compressed = moved},
      now);
  return true;
}

bool L2Misses::forward(const SliceRequest& message, const L2Place& place, Cycle now) {
  if (!links_.fabric_out->can_send(now)) {
    return false;
  }
  links_.fabric_out->send(addressed(message, place), now);
  return true;
}

// --- fills ---

void L2Misses::take_fills(Cycle now) {
  while (links_.dram_responses->has_message(now)) {
    const DramResponse response = links_.dram_responses->front();
    links_.dram_responses->pop(now);
    if (compressed(home_mshrs_[response.tag].line) != 0) [[unlikely]] {
      decompressed_.push({response, now + array_->compression().decompression_cycles()});
      decompressed_at_ = decompressed_.front().ready;
      continue;
    }
    fill(response.tag, response.sector_mask, ServedBy::kDram, true, now);
  }
  if (decompressed_at_ <= now) [[unlikely]] {
    decompress(now);
  }
  while (links_.fabric_answers != nullptr && links_.fabric_answers->has_message(now)) {
    const SliceResponse response = links_.fabric_answers->front();
    links_.fabric_answers->pop(now);
    if (response.mem.op == MemOp::kRead) {
      fill(response.mem.tag, response.mem.sector_mask, response.mem.served_by, false, now);
    } else {
      replies_->pass_on(response);
    }
  }
}

void L2Misses::decompress(Cycle now) {
  while (!decompressed_.empty() && decompressed_.front().ready <= now) {
    const DramResponse response = decompressed_.front().response;
    decompressed_.pop();
    fill(response.tag, response.sector_mask, ServedBy::kDram, true, now);
  }
  decompressed_at_ = decompressed_.empty() ? kNever : decompressed_.front().ready;
}

void L2Misses::fill(std::uint32_t entry, std::uint8_t sectors, ServedBy served_by, bool from_dram, Cycle now) {
  Table& mshrs = from_dram ? home_mshrs_ : far_mshrs_;
  const Address line = mshrs[entry].line;
  const LinePriority stated = priority_of(mshrs[entry]);
  const LinePriority priority = from_dram ? stated : of_copy(stated);
  const AddressMap::Home home = map_->home_of(line);
  const LaunchSeat seat = mshrs[entry].seat;
  L2SliceStats& stats = (*stats_)[seat];
  (from_dram ? stats.dram_fill_sectors : stats.fabric_fill_sectors) += sector_count(sectors);
  if ((mshrs[entry].mark & kOutdated) == 0) {
    array_->fill(home.line_number, line, sectors, priority, seat);
  }
  if (from_dram && array_->sector_fetch()) [[unlikely]] {
    array_->sector_fetch().arrive(entry, array_->look_up(home, line).slot);
  }
  const bool ends = mshrs[entry].pending == sectors;
  if (ends) {
    stats.miss_latency.add(now - mshrs[entry].since);
  }
  mshrs.fill(entry, sectors, [&](L2Waiter& waiter, std::uint8_t arrived) {
    if (waiter.op != MemOp::kRead) {
      atomic_unit_->execute(waiter, home.line_number, line, arrived, now);
      if (waiter.answered) {
        replies_->add(waiter, arrived, served_by, atomic_unit_->answer_at(now));
      }
    } else if (waiter.from_fabric) {
      array_->note_copied(array_->look_up(home, line));
      waiter.held = static_cast<std::uint8_t>(waiter.held | arrived);
      if (waiter.sectors == 0) {
        replies_->add(waiter, waiter.held, served_by, now);
      }
    } else {
      replies_->add(waiter, arrived, served_by, now);
    }
  });
  if (admission_ && from_dram && ends) [[unlikely]] {
    admission_.end(entry, seat);
  }
}

Cycle L2Misses::next_arrival(Cycle now) const {
  const auto future = [now](Cycle arrival) { return arrival > now ? arrival : kNever; };
  const Cycle next = std::min(future(links_.dram_responses->next_arrival()), decompressed_at_);
  return links_.fabric_answers == nullptr ? next : std::min(next, future(links_.fabric_answers->next_arrival()));
}

bool L2Misses::idle() const {
  return home_mshrs_.empty() && far_mshrs_.empty() && links_.dram_responses->empty() &&
         (links_.fabric_answers == nullptr || links_.fabric_answers->empty());
}

}  // namespace warpsim
