#include "memory/l2/l2_store.h"

#include <algorithm>

#include "memory/l2/l2_access.h"
#include "memory/slice_message.h"

namespace warpsim {
namespace {

constexpr std::uint32_t kAllBytes = 0xffffffffU;

// All bytes of these sectors are known from now on.
void complete(TagArray::Slot& state, std::uint8_t sectors) {
  state.valid = static_cast<std::uint8_t>(state.valid | sectors);
  state.partial = without(state.partial, sectors);
}

std::uint8_t absent_of(const TagArray::Slot& state) {
  return without(0xf, state.valid);
}

}  // namespace

L2Store::L2Store(const L2Config& config, const AddressMap& map, const CompressionMechanism& compression,
                 LaunchStatsNode& parent)
    : replacement_(config.replacement_mechanism, mechanism::CacheLevel::kL2, parent),
      mechanisms_({config.sector_fetch, config.write_policy}, mechanism::CacheLevel::kL2, parent),
      tags_(config.num_sets, CompressedRoom::tags_of_set(config), config.replacement),
      room_(config, compression),
      lines_(config.line_bytes),
      map_(&map),
      max_dirty_ways_(config.max_dirty_ways),
      writeback_lines_(config.writeback_lines),
      max_partial_sectors_(config.masked_writes ? 0 : config.max_partial_sectors),
      masked_writes_(config.masked_writes),
      set_aside_(std::max(config.persistence.first_sixteenths, 1U)),
      bytes_(tags_.num_slots()) {
  replacement_.apply(tags_);
  mechanisms_.empty(tags_.num_slots());
}

L2Store::Lookup L2Store::look_up(std::uint64_t line_number, Address line) const {
  const std::uint32_t slot = tags_.find(tags_.set_of_line_number(line_number), line);
  return {slot, slot == TagArray::kNoSlot ? std::uint8_t{0} : tags_[slot].valid};
}

void L2Store::clean(std::uint32_t slot) {
  TagArray::Slot& state = tags_[slot];
  if (state.dirty != 0) {
    const auto incomplete = static_cast<std::uint8_t>(masked_writes_ ? 0 : state.dirty & state.partial);
    writebacks_.push_back({tags_.line(slot), state.dirty, incomplete, absent_of(state)});
    complete(state, incomplete);
    state.dirty = 0;
  }
}

void L2Store::clean_neighbourhood(std::uint32_t slot) {
  if (writeback_lines_ == 1) {
    clean(slot);
    return;
  }
  AddressMap::Home home = map_->home_of(tags_.line(slot));
  home.line_number -= home.line_number % writeback_lines_;
  for (std::uint32_t i = 0; i < writeback_lines_; ++i, ++home.line_number) {
    const std::uint32_t set = tags_.set_of_line_number(home.line_number);
    lines_.for_each(map_->line_of(home), 0xf, [this, set](Address line, std::uint8_t) {
      const std::uint32_t neighbour = tags_.find(set, line);
      if (neighbour != TagArray::kNoSlot) {
        clean(neighbour);
      }
    });
  }
}

std::uint32_t L2Store::obtain(std::uint32_t set, Address line, LinePriority priority, std::uint32_t& slot, bool fill) {
  const bool keep = priority != LinePriority::kFirst;
  slot = tags_.find(set, line);
  if (slot != TagArray::kNoSlot) {
    if (keep) {
      fill ? tags_.refresh(slot) : tags_.touch(slot);
    }
    if (priority >= LinePriority::kNormal) [[unlikely]] {
      use_as(set, slot, priority);
    }
    return 0;
  }
  const bool beside = has_persisting_ || priority == LinePriority::kPersisting;
  slot = beside ? victim_beside(set, priority) : tags_.victim(set);
  std::uint32_t replaced = tags_.present(slot) ? 1 : 0;
  if (room_) [[unlikely]] {
    replaced = make_room(set, slot, line);
  } else {
    vacate(slot);
  }
  tags_.insert(slot, line, keep);
  if (priority >= LinePriority::kNormal) [[unlikely]] {
    use_as(set, slot, priority);
  }
  return replaced;
}

void L2Store::vacate(std::uint32_t slot) {
  if (tags_[slot].dirty != 0) {
    clean_neighbourhood(slot);
  }
  if (mechanisms_) [[unlikely]] {
    leave(slot);
  }
}

// --- lines that are kept compressed ---

std::uint32_t L2Store::make_room(std::uint32_t set, std::uint32_t slot, Address line) {
  std::uint32_t left = 0;
  const auto drop = [&](std::uint32_t leaving) {
    vacate(leaving);
    remove(set, leaving);
    ++left;
  };
  if (tags_.present(slot)) {
    drop(slot);
  }
  while (!room_.fits(set, line)) {
    drop(next_of_lines(set));
  }
  room_.enter(set, line);
  return left;
}

std::uint32_t L2Store::next_of_lines(std::uint32_t set) const {
  if (!has_persisting_) {
    return tags_.victim_of_lines(set);
  }
  const std::uint32_t usual = oldest_usual(set);
  return usual == TagArray::kNoSlot ? persisting_in(set).oldest : usual;
}

void L2Store::remove(std::uint32_t set, std::uint32_t slot) {
  if (room_) [[unlikely]] {
    room_.leave(set, tags_.line(slot));
  }
  tags_.remove(slot);
}

// --- persisting lines ---

L2Store::Persisting L2Store::persisting_in(std::uint32_t set, std::uint32_t except) const {
  Persisting found;
  const std::uint32_t first = set * tags_.ways();
  for (std::uint32_t slot = first; slot < first + tags_.ways(); ++slot) {
    if (persists(slot)) {
      ++found.count;
      if (slot != except && (found.oldest == TagArray::kNoSlot || tags_[slot].stamp < tags_[found.oldest].stamp)) {
        found.oldest = slot;
      }
    }
  }
  return found;
}

std::uint32_t L2Store::victim_beside(std::uint32_t set, LinePriority priority) const {
  const Persisting persisting = persisting_in(set);
  const std::uint32_t most = most_persisting(set);
  if (priority == LinePriority::kPersisting ? persisting.count >= most : persisting.count > most) {
    return persisting.oldest == TagArray::kNoSlot ? tags_.victim(set) : persisting.oldest;
  }
  const std::uint32_t first = set * tags_.ways();
  for (std::uint32_t slot = first; slot < first + tags_.ways(); ++slot) {
    if (!tags_.present(slot)) {
      return slot;
    }
  }
  const std::uint32_t usual = oldest_usual(set);
  return usual == TagArray::kNoSlot ? persisting.oldest : usual;
}

std::uint32_t L2Store::oldest_usual(std::uint32_t set) const {
  return tags_.oldest_of(set, [this](std::uint32_t slot) { return !persists(slot); });
}

void L2Store::use_as(std::uint32_t set, std::uint32_t slot, LinePriority priority) {
  if (priority == LinePriority::kNormal) {
    unmark(slot, kPersists);
  }
  if (priority != LinePriority::kPersisting || persists(slot)) {
    return;
  }
  has_persisting_ = true;
  mark(slot, kPersists);
  const Persisting now = persisting_in(set, slot);
  if (now.count > most_persisting(set) && now.oldest != TagArray::kNoSlot) {
    unmark(now.oldest, kPersists);
  }
}

void L2Store::end_persistence() {
  if (has_persisting_) {
    tags_.clear_marks(kPersists);
    has_persisting_ = false;
  }
}

void L2Store::mark_dirty(std::uint32_t set, std::uint32_t slot, std::uint8_t sectors) {
  const bool was_clean = tags_[slot].dirty == 0;
  tags_[slot].dirty = static_cast<std::uint8_t>(tags_[slot].dirty | sectors);
  if (!was_clean || max_dirty_ways_ == 0) {
    return;
  }
  const std::uint32_t first = set * tags_.ways();
  std::uint32_t dirty = 0;
  std::uint32_t oldest = slot;
  for (std::uint32_t other = first; other < first + tags_.ways(); ++other) {
    if (tags_[other].dirty != 0) {
      ++dirty;
      oldest = tags_[other].stamp < tags_[oldest].stamp ? other : oldest;
    }
  }
  if (dirty > max_dirty_ways_) {
    clean_neighbourhood(oldest);
  }
}

void L2Store::note_partial(Address line, std::uint8_t sectors) {
  if (sectors == 0 || max_partial_sectors_ == 0) {
    return;
  }
  partials_.push({line, sectors});
  partial_sectors_ += sector_count(sectors);
  while (partial_sectors_ > max_partial_sectors_) {
    const Partial oldest = partials_.front();
    partials_.pop();
    partial_sectors_ -= sector_count(oldest.sectors);
    const std::uint32_t slot =
        tags_.find(tags_.set_of_line_number(map_->home_of(oldest.line).line_number), oldest.line);
    if (slot == TagArray::kNoSlot) {
      continue;
    }
    TagArray::Slot& state = tags_[slot];
    const std::uint8_t incomplete = static_cast<std::uint8_t>(state.partial & oldest.sectors);
    if (incomplete != 0) {
      writebacks_.push_back({oldest.line, 0, incomplete, absent_of(state)});
      complete(state, incomplete);
    }
  }
}

L2Store::Consequence L2Store::fill(std::uint64_t line_number, Address line, std::uint8_t sectors,
                                   LinePriority priority) {
  writebacks_.clear();
  std::uint32_t slot = 0;
  const std::uint32_t evicted = obtain(tags_.set_of_line_number(line_number), line, priority, slot, true);
  complete(tags_[slot], sectors);
  return {evicted, writebacks_};
}

std::uint8_t L2Store::merge(std::uint32_t slot, const MemRequest& request) {
  TagArray::Slot& state = tags_[slot];
  std::uint8_t fresh_partial = 0;
  for (std::uint32_t s = 0; s < kSectorsPerLine; ++s) {
    const std::uint8_t bit = static_cast<std::uint8_t>(1U << s);
    if ((request.sector_mask & bit) == 0 || (state.valid & bit) != 0) {
      continue;
    }
    const bool known = (state.partial & bit) != 0;
    const std::uint32_t bytes = request.byte_mask[s] | (known ? bytes_[slot][s] : 0);
    if (bytes == kAllBytes) {
      complete(state, bit);
    } else {
      bytes_[slot][s] = bytes;
      state.partial = static_cast<std::uint8_t>(state.partial | bit);
      fresh_partial = static_cast<std::uint8_t>(fresh_partial | (known ? 0 : bit));
    }
  }
  return fresh_partial;
}

L2Store::Consequence L2Store::write(std::uint64_t line_number, const MemRequest& request, bool dirty) {
  writebacks_.clear();
  const bool by_policy = dirty && mechanisms_.write_policy();
  if (by_policy) [[unlikely]] {
    const mechanism::WriteWay way = way_of(line_number, request);
    if (way != mechanism::WriteWay::kBack) {
      return write_past(line_number, request, way);
    }
  }
  const std::uint32_t set = tags_.set_of_line_number(line_number);
  std::uint32_t slot = 0;
  const std::uint32_t evicted =
      obtain(set, request.line, dirty ? request.priority : of_copy(request.priority), slot, false);
  const std::uint8_t fresh_partial = merge(slot, request);
  if (dirty) {
    mark_dirty(set, slot, request.sector_mask);
    note_partial(request.line, fresh_partial);
  }
  if (by_policy) [[unlikely]] {
    mechanisms_.write_policy().stay(slot, request.sector_mask);
  }
  return {evicted, writebacks_};
}

// --- writes by a mechanism ---

mechanism::WriteWay L2Store::way_of(std::uint64_t line_number, const MemRequest& request) {
  const std::uint32_t slot = look_up(line_number, request.line).slot;
  const TagArray::Slot state = slot != TagArray::kNoSlot ? tags_[slot] : TagArray::Slot{};
  return mechanisms_.write_policy().way_of(
      {slice_address(line_number, request.line), request.sector_mask, complete_sectors(request),
       slot != TagArray::kNoSlot, state.valid, state.dirty},
      slot, seat_);
}

L2Store::Consequence L2Store::write_past(std::uint64_t line_number, const MemRequest& request,
                                         mechanism::WriteWay way) {
  const std::uint8_t sectors = request.sector_mask;
  const bool present = look_up(line_number, request.line).slot != TagArray::kNoSlot;
  if (!present && way != mechanism::WriteWay::kThrough) {
    const std::uint8_t incomplete = masked_writes_ ? std::uint8_t{0} : without(sectors, complete_sectors(request));
    writebacks_.push_back({request.line, sectors, incomplete, without(0xf, complete_sectors(request))});
    return {0, writebacks_};
  }
  std::uint32_t slot = 0;
  const std::uint32_t evicted =
      obtain(tags_.set_of_line_number(line_number), request.line, request.priority, slot, false);
  merge(slot, request);
  TagArray::Slot& state = tags_[slot];
  const auto incomplete = static_cast<std::uint8_t>(masked_writes_ ? 0 : sectors & state.partial);
  writebacks_.push_back({request.line, sectors, incomplete, absent_of(state)});
  complete(state, incomplete);
  state.dirty = without(state.dirty, sectors);
  if (way != mechanism::WriteWay::kInvalidate) {
    mechanisms_.write_policy().stay(slot, sectors);
    return {evicted, writebacks_};
  }
  state.valid = without(state.valid, sectors);
  state.partial = without(state.partial, sectors);
  if ((state.valid | state.partial) == 0) {
    leave(slot);
    remove(tags_.set_of_line_number(line_number), slot);
  }
  return {evicted, writebacks_};
}

void L2Store::leave(std::uint32_t slot) {
  if (tags_.present(slot)) {
    const Address line = tags_.line(slot);
    mechanisms_.leave(slot, slice_address(map_->home_of(line).line_number, line), tags_[slot].valid, seat_);
  }
}

L2Store::Consequence L2Store::make_dirty(std::uint64_t line_number, Address line, std::uint8_t sectors) {
  writebacks_.clear();
  const std::uint32_t set = tags_.set_of_line_number(line_number);
  const std::uint32_t slot = tags_.find(set, line);
  if (slot != TagArray::kNoSlot) {
    mark_dirty(set, slot, sectors);
  }
  return {0, writebacks_};
}

void L2Store::forget(std::uint64_t line_number, Address line, std::uint8_t sectors) {
  const std::uint32_t slot = tags_.find(tags_.set_of_line_number(line_number), line);
  if (slot != TagArray::kNoSlot) {
    tags_[slot].valid = without(tags_[slot].valid, sectors);
    tags_[slot].partial = without(tags_[slot].partial, sectors);
  }
}

std::uint64_t L2Store::clear() {
  std::uint64_t dirty = 0;
  tags_.for_each_used([&dirty](const TagArray::Slot& slot) { dirty += sector_count(slot.dirty); });
  tags_.clear();
  room_.clear();
  mechanisms_.empty(tags_.num_slots());
  partials_ = {};
  partial_sectors_ = 0;
  has_persisting_ = false;
  return dirty;
}

}  // namespace warpsim
