// Which warp's miss brought each line of a cache, for a listener that hears when it is replaced.
//
// Not modelled here: when lines come and leave; the cache says so. State: the warp of each outstanding miss and of each
// line. Invariant: lines that stores and prefetches bring have no owner.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/caches/l1_listener.h"

namespace warpsim {

class LineOwners {
 public:
  explicit operator bool() const { return listener_ != nullptr; }
  // The cache has so many slots; see empty(). The listener must outlive this.
  void listen(L1Listener& listener, std::uint32_t slots) {
    listener_ = &listener;
    empty(slots);
  }
  // The cache has so many slots, all empty.
  void empty(std::uint32_t slots) { of_slot_.assign(slots, kNobody); }
  // An entry of the miss table is taken.
  void begin(std::uint32_t entry, std::uint32_t warp) {
    if (entry >= of_entry_.size()) {
      of_entry_.resize(entry + std::size_t{1}, kNobody);
    }
    of_entry_[entry] = warp;
  }
  void begin_without(std::uint32_t entry) { begin(entry, kNobody); }
  // Sectors of an entry arrive in a slot.
  void arrive(std::uint32_t entry, std::uint32_t slot) {
    if (of_slot_[slot] == kNobody) {
      of_slot_[slot] = of_entry_[entry];
    }
  }
  // The line of a slot makes room for one of the launch `seat`.
  void replace(std::uint32_t slot, Address line, LaunchSeat seat) {
    if (of_slot_[slot] != kNobody) {
      listener_->replaced(of_slot_[slot], line, seat);
    }
    remove(slot);
  }
  void remove(std::uint32_t slot) { of_slot_[slot] = kNobody; }

 private:
  static constexpr std::uint32_t kNobody = 0xffffffffU;

  L1Listener* listener_ = nullptr;
  std::vector<std::uint32_t> of_slot_;
  std::vector<std::uint32_t> of_entry_;
};

}  // namespace warpsim
