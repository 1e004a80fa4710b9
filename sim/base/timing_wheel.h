// Events at known future cycles, of one component. Events less than `kSlots` cycles ahead are in a wheel of intrusive
// lists with a bitmap of occupied slots; later ones wait in a heap. Events of one cycle are returned in the order of
// their insertion. No allocation once the pool has grown to its working size.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <vector>

#include "base/check.h"
#include "base/types.h"

namespace warpsim {

template <typename Event>
class TimingWheel {
 public:
  static constexpr std::uint32_t kSlots = 512;

  bool empty() const { return count_ == 0; }
  std::size_t size() const { return count_; }
  // Cycle of the earliest event, kNever if there is none.
  Cycle next() const { return next_; }

  // `cycle` must not be earlier than the last cycle drained.
  void add(Cycle cycle, const Event& event) {
    SIM_CHECK(cycle >= base_, "an event in the past");
    ++count_;
    next_ = std::min(next_, cycle);
    if (cycle - base_ < kSlots) {
      append(static_cast<std::uint32_t>(cycle % kSlots), event);
    } else {
      far_.push_back({cycle, sequence_++, event});
      std::push_heap(far_.begin(), far_.end(), later);
    }
  }

  // Calls `handle(event)` for every event due at `now` or before, in order of cycle. Handlers may add events later than
  // `now`.
  template <typename Handler>
  void drain(Cycle now, Handler&& handle) {
    if (next_ > now) {
      if (now >= base_) {
        advance_to(now + 1);
      }
      return;
    }
    while (next_ <= now) {
      advance_to(next_);
      const std::uint32_t slot = static_cast<std::uint32_t>(base_ % kSlots);
      std::uint32_t index = head_[slot];
      head_[slot] = kNil;
      occupied_[slot / 64] &= ~(std::uint64_t{1} << (slot % 64));
      while (index != kNil) {
        const Event event = pool_[index].event;
        const std::uint32_t following = pool_[index].next;
        pool_[index].next = free_;
        free_ = index;
        --count_;
        handle(event);
        index = following;
      }
      next_ = find_next();
    }
    if (now + 1 > base_) {
      advance_to(now + 1);
    }
  }

 private:
  static constexpr std::uint32_t kNil = 0xffffffffU;
  struct Node {
    Event event;
    std::uint32_t next;
  };
  struct Far {
    Cycle cycle;
    std::uint64_t sequence;
    Event event;
  };
  static bool later(const Far& a, const Far& b) {
    return a.cycle != b.cycle ? a.cycle > b.cycle : a.sequence > b.sequence;
  }

  void append(std::uint32_t slot, const Event& event) {
    std::uint32_t index = free_;
    if (index != kNil) {
      free_ = pool_[index].next;
    } else {
      index = static_cast<std::uint32_t>(pool_.size());
      pool_.emplace_back();
    }
    pool_[index] = {event, kNil};
    if (head_[slot] == kNil) {
      head_[slot] = index;
      occupied_[slot / 64] |= std::uint64_t{1} << (slot % 64);
    } else {
      pool_[tail_[slot]].next = index;
    }
    tail_[slot] = index;
  }

  // Moves the start of the window and moves events from the heap that are now inside into the wheel.
  void advance_to(Cycle cycle) {
    base_ = cycle;
    if (!far_.empty()) {
      take_near();
    }
  }
  void take_near() {
    while (!far_.empty() && far_.front().cycle - base_ < kSlots) {
      std::pop_heap(far_.begin(), far_.end(), later);
      append(static_cast<std::uint32_t>(far_.back().cycle % kSlots), far_.back().event);
      far_.pop_back();
    }
  }

  Cycle find_next() const {
    if (count_ == 0) {
      return kNever;
    }
    const std::uint32_t start = static_cast<std::uint32_t>(base_ % kSlots);
    constexpr std::uint32_t kWords = kSlots / 64;
    for (std::uint32_t step = 0; step <= kWords; ++step) {
      const std::uint32_t word = (start / 64 + step) % kWords;
      std::uint64_t bits = occupied_[word];
      if (step == 0) {
        bits &= ~std::uint64_t{0} << (start % 64);
      } else if (step == kWords) {
        bits &= ~(~std::uint64_t{0} << (start % 64));
      }
      if (bits != 0) {
        const std::uint32_t slot = word * 64 + static_cast<std::uint32_t>(std::countr_zero(bits));
        return base_ + (slot + kSlots - start) % kSlots;
      }
    }
    return far_.front().cycle;
  }

  static constexpr std::array<std::uint32_t, kSlots> all_nil() {
    std::array<std::uint32_t, kSlots> nil{};
    nil.fill(kNil);
    return nil;
  }

  Cycle base_ = 0;
  Cycle next_ = kNever;
  std::size_t count_ = 0;
  std::uint64_t sequence_ = 0;
  std::uint32_t free_ = kNil;
  std::array<std::uint32_t, kSlots> head_ = all_nil();
  std::array<std::uint32_t, kSlots> tail_ = all_nil();
  std::array<std::uint64_t, kSlots / 64> occupied_{};
  std::vector<Node> pool_;
  std::vector<Far> far_;
};

}  // namespace warpsim
