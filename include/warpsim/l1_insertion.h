// The interface that decides how a line that a load misses enters L1.
//
// The simulator asks for lines of global and local loads that miss and that the GPU's own rules (sm.l1.policy) would
// keep.
#pragma once

#include <cstdint>

#include "warpsim/mechanism.h"
#include "warpsim/prefetcher.h"

namespace warpsim::mechanism {

struct L1InsertionSite {
  std::uint32_t sets = 1;
};

enum class Insertion : std::uint8_t {
  kKeep,        // as the GPU does
  kLeaveFirst,  // it enters and is the first to be replaced
  kBypass,      // it does not enter
};

class L1Insertion {
 public:
  using Interface = L1Insertion;
  using Site = L1InsertionSite;
  using Settings = NoSettings;

  virtual ~L1Insertion() = default;
  // Called for each line that a load looks up, whether it misses or not. The answer counts only for a miss.
  virtual Insertion access(const LineLookup& lookup) = 0;
};

}  // namespace warpsim::mechanism
