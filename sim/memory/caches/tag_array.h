// Tags of a sectored, set-associative cache: which lines are present and which of their sectors are valid and dirty.
//
// Modelled: sets, ways, replacement by LRU, FIFO, random or an exchangeable mechanism (warpsim/replacement.h),
// insertion as least recently used for lines that should be replaced first. The owner chooses the set (set_of() is the
// usual hash). No timing and no data: L1, L2 and the constant and instruction caches use this class. Invariant: a line
// is in at most one way of its set, and only in that set.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "base/types.h"
#include "base/zeroed_array.h"
#include "memory/fast_divider.h"
#include "warpsim/replacement.h"

namespace warpsim {

enum class Replacement : std::uint8_t { kLru, kFifo, kRandom, kMechanism };

class TagArray {
 public:
  static constexpr std::uint32_t kNoSlot = 0xffffffffU;

  // One way of one set; slots are numbered set * ways + way.
  struct Slot {
    std::uint32_t stamp = 0;   // of the last use (LRU) or of the insertion (FIFO); smallest is replaced first
    std::uint8_t valid = 0;    // bit i: sector i is valid
    std::uint8_t dirty = 0;    // bit i: sector i must be written back
    std::uint8_t partial = 0;  // bit i: some bytes of sector i were written and the others are unknown
    std::uint8_t mark = 0;     // for the owner's use
  };

  // The owner of an array with kMechanism calls replace_by() before any other function.
  TagArray(std::uint32_t sets, std::uint32_t ways, Replacement replacement);
  // `name`: of the mechanism, for messages.
  void replace_by(std::unique_ptr<mechanism::Replacement> mechanism, const std::string& name) {
    mechanism_ = std::move(mechanism);
    mechanism_name_ = name;
  }

  std::uint32_t sets() const { return divider_.divisor(); }
  std::uint32_t ways() const { return ways_; }

  // Consecutive lines go to consecutive sets, rotated by a hash of the upper part of the
  // address: every aligned block of `sets` lines covers each set once, and power-of-two strides spread.
  std::uint32_t set_of_line_number(std::uint64_t number) const {
    const std::uint64_t block = divider_.quotient(number);
    return divider_.remainder(number + mix_bits(block) % 65536);
  }
  std::uint32_t set_of(Address line) const { return set_of_line_number(line / kLineBytes); }

  // The slot that holds the line, or kNoSlot. Does not count as a use.
  std::uint32_t find(std::uint32_t set, Address line) const {
    const std::uint64_t tag = line | kPresent;
    const std::uint64_t* tags = &tags_[std::size_t{set} * ways_];
    for (std::uint32_t way = 0; way < ways_; ++way) {
      if (tags[way] == tag) {
        return set * ways_ + way;
      }
    }
    return kNoSlot;
  }
  std::uint32_t find(Address line) const { return find(set_of(line), line); }

  // Marks the line as used now.
  void touch(std::uint32_t slot) {
    if (replacement_ == Replacement::kLru) {
      slots_[slot].stamp = ++clock_;
    } else if (mechanism_) {
      slots_[slot].stamp = ++clock_;  // the owner may ask for the oldest line
      mechanism_->used(place(slot), line(slot));
    }
  }
  // A further part of the line has arrived: a use for LRU, but not for mechanisms.
  void refresh(std::uint32_t slot) {
    if (replacement_ == Replacement::kLru) {
      slots_[slot].stamp = ++clock_;
    }
  }
  // The slot to be filled next in a set: an empty slot, or the one to be replaced, which insert() follows.
  std::uint32_t victim(std::uint32_t set) const;
  // The slot whose line has the smallest stamp of those for which may_leave(slot) holds; kNoSlot: there is none.
  template <typename MayLeave>
  std::uint32_t oldest_of(std::uint32_t set, MayLeave&& may_leave) const {
    std::uint32_t oldest = kNoSlot;
    for (std::uint32_t slot = set * ways_; slot < (set + 1) * ways_; ++slot) {
      if (present(slot) && may_leave(slot) && (oldest == kNoSlot || slots_[slot].stamp < slots_[oldest].stamp)) {
        oldest = slot;
      }
    }
    return oldest;
  }
  // The slot whose line leaves for want of another kind of room, with or without empty slots beside it. Not for
  // kMechanism, which chooses among full sets. kNoSlot: the set is empty.
  std::uint32_t victim_of_lines(std::uint32_t set) const;
  bool present(std::uint32_t slot) const { return tags_[slot] != 0; }
  Address line(std::uint32_t slot) const { return tags_[slot] & ~kPresent; }
  // Puts a line without valid sectors into a slot; its previous line is removed. `keep` false: it is replaced first.
  void insert(std::uint32_t slot, Address line, bool keep = true) {
    used_blocks_ |= std::uint64_t{1} << (slot >> block_shift_);
    tags_[slot] = line | kPresent;
    slots_[slot] = Slot{};
    slots_[slot].stamp = keep ? ++clock_ : 0;
    if (mechanism_) [[unlikely]] {
      mechanism_->inserted(place(slot), line, !keep);
    }
  }
  void remove(std::uint32_t slot) {
    tags_[slot] = 0;
    slots_[slot] = Slot{};
    if (mechanism_) [[unlikely]] {
      mechanism_->removed(place(slot));
    }
  }

  Slot& operator[](std::uint32_t slot) { return slots_[slot]; }
  const Slot& operator[](std::uint32_t slot) const { return slots_[slot]; }
  std::uint32_t num_slots() const { return static_cast<std::uint32_t>(slots_.size()); }

  // Calls visit(slot) for each line that is present; also for empty slots.
  template <typename Visit>
  void for_each_used(Visit&& visit) const {
    for (std::uint64_t blocks = used_blocks_; blocks != 0; blocks &= blocks - 1) {
      const Range range = block(static_cast<std::uint32_t>(std::countr_zero(blocks)));
      for (std::uint32_t slot = range.begin; slot < range.end; ++slot) {
        visit(slots_[slot]);
      }
    }
  }
  // Costs time for what was used since the array was last empty.
  void clear();
  // Of all slots.
  void clear_marks(std::uint8_t bits);

 private:
  struct Range {
    std::uint32_t begin;
    std::uint32_t end;
  };
  Range block(std::uint32_t number) const {
    return {number << block_shift_, std::min((number + 1) << block_shift_, num_slots())};
  }

  mechanism::Way place(std::uint32_t slot) const { return {slot / ways_, slot % ways_}; }
  std::uint32_t victim_of_mechanism(std::uint32_t set) const;

  static constexpr std::uint64_t kPresent = 1;  // lines are 128-byte aligned: bit 0 is free

  std::uint32_t ways_;
  Replacement replacement_;
  FastDivider divider_;  // by the number of sets
  std::uint32_t clock_ = 0;
  ZeroedArray<std::uint64_t> tags_;  // line | kPresent, 0 when empty
  ZeroedArray<Slot> slots_;
  std::uint64_t used_blocks_ = 0;                      // bit i: block i of up to 64 has had lines
  std::uint32_t block_shift_ = 0;                      // slots of a block: a power of two
  std::unique_ptr<mechanism::Replacement> mechanism_;  // of kMechanism
  std::string mechanism_name_;
};

}  // namespace warpsim
