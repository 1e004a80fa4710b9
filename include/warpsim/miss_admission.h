// The interface that decides when a miss may have one of a cache's entries for outstanding lines (MSHRs): in L1, or in
// a slice of L2 for lines that are at home there.
//
// The simulator asks for each miss of a load, or of an atomic in L2, for which the table has room. A miss that is not
// admitted waits, and what follows it in its queue waits behind it; it is offered again when sectors have arrived, or
// earlier. Prefetches have entries without being asked about.
#pragma once

#include <cstdint>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism {

struct MissAdmissionSite {
  CacheLevel cache = CacheLevel::kL1;
  std::uint32_t entries = 1;  // of the table; 0: any number
};

struct MissOffer {
  Address line = 0;           // as in prefetcher.h
  SectorMask sectors = 0;     // that are absent
  std::uint32_t used = 0;     // entries in use, also by prefetches
  bool joins = false;         // the line has an entry, perhaps a prefetch's: the miss begins none
  std::uint32_t waiting = 0;  // requests that wait for the line's entry
  std::uint32_t requester =
      0;           // L1: the number of the warp in the SM; L2: the port of the crossbar, an SM's or another
  Address pc = 0;  // of the load; L2: 0
};

class MissAdmission {
 public:
  using Interface = MissAdmission;
  using Site = MissAdmissionSite;
  using Settings = NoSettings;

  virtual ~MissAdmission() = default;
  // True if no entry is in use: nothing else would end the wait. `const`, since an offer may be repeated any number of
  // times.
  virtual bool admits(const MissOffer& miss) const = 0;
  // An admitted miss begins an entry. The numbers of entries in use differ, and are less than their maximum number so
  // far.
  virtual void begins(std::uint32_t entry, const MissOffer& miss) = 0;
  // All sectors of the entry have arrived.
  virtual void ends(std::uint32_t entry) = 0;
};

}  // namespace warpsim::mechanism
