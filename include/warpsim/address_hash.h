// The interface of address hashes: how lines are spread over the L2 partitions, and over the slices of a partition.
//
// Memory is cut into blocks of as many chunks as there are places (slices, or partitions). A block has one chunk for
// each place; the hash says by how many places the chunks of a block are shifted. So every hash maps each line to
// exactly one place, and aligned runs cover all places evenly; it decides what strides do.
//
// There is one object for the partitions and one for the slices. Objects have no state that changes: many threads may
// ask one object, and it counts nothing.
#pragma once

#include <cstdint>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism {

struct AddressHashSite {
  std::uint32_t places = 1;
};

class AddressHash {
 public:
  using Interface = AddressHash;
  using Site = AddressHashSite;
  using Settings = NoSettings;

  virtual ~AddressHash() = default;
  // In [0, places). Always the same for the same block.
  virtual std::uint32_t shift_of(std::uint64_t block) const = 0;
};

}  // namespace warpsim::mechanism
