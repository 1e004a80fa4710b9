// The exchangeable mechanisms of a cache that hear of the use of each line and of its end: which sectors misses fetch,
// and what becomes of writes.
//
// Not modelled here: when they are asked; the cache does that. Invariant: a cache whose description chooses neither
// does no more than look at the conversion to bool.
#pragma once

#include <cstdint>

#include "memory/caches/sector_fetch_mechanism.h"
#include "memory/caches/write_policy_mechanism.h"

namespace warpsim {

class LineMechanisms {
 public:
  struct Choices {
    const SectorFetchMechanism::Choice& sector_fetch;
    const WritePolicyMechanism::Choice& write_policy;
  };
  // Counters are groups below `parent`.
  LineMechanisms(const Choices& choices, mechanism::CacheLevel cache, LaunchStatsNode& parent)
      : sector_fetch_(choices.sector_fetch, cache, parent),
        write_policy_(choices.write_policy, cache, parent),
        any_(sector_fetch_ || write_policy_) {}

  explicit operator bool() const { return any_; }
  SectorFetchMechanism& sector_fetch() { return sector_fetch_; }
  WritePolicyMechanism& write_policy() { return write_policy_; }
  const WritePolicyMechanism& write_policy() const { return write_policy_; }

  // The cache has so many slots, all empty.
  void empty(std::uint32_t slots) {
    if (sector_fetch_) {
      sector_fetch_.empty(slots);
    }
    if (write_policy_) {
      write_policy_.empty(slots);
    }
  }
  // A load or an atomic finds sectors in a slot.
  void use(std::uint32_t slot, std::uint8_t sectors) {
    if (sector_fetch_) {
      sector_fetch_.use(slot, sectors);
    }
    if (write_policy_) {
      write_policy_.use(slot, sectors);
    }
  }
  // The line of a slot with its sectors `present` leaves, or another one takes the slot.
  void leave(std::uint32_t slot, Address line, std::uint8_t present, LaunchSeat seat) {
    if (sector_fetch_) {
      sector_fetch_.leave(slot, line, present, seat);
    }
    if (write_policy_) {
      write_policy_.leave(slot, line, seat);
    }
  }

 private:
  SectorFetchMechanism sector_fetch_;
  WritePolicyMechanism write_policy_;
  bool any_;
};

}  // namespace warpsim
