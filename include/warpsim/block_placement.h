// The interface of block placement: which SM gets the next thread block of a grid.
//
// There is one object for each GPU. It is asked whenever the block scheduler has a block to place and an SM has room
// for it. Grids with clusters are placed as the description's own policy `gpc_batches` does, and do not ask.
#pragma once

#include <cstdint>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism {

struct BlockPlacementSite {
  std::uint32_t sms = 1;
  std::uint32_t gpcs = 1;  // SMs that belong to no GPC of their own count as one more
  // By number of the SM; valid as long as the object lives.
  const std::uint32_t* gpc_of_sm = nullptr;
  const std::uint32_t* tpc_of_sm = nullptr;
};

struct SmSpace {
  std::uint32_t resident = 0;  // blocks of all grids
  std::uint32_t room = 0;      // blocks of this grid that still fit
};

class BlockPlacement {
 public:
  using Interface = BlockPlacement;
  using Site = BlockPlacementSite;
  using Settings = NoSettings;

  virtual ~BlockPlacement() = default;
  // The next blocks are of a grid: a new one, or one that continues after others.
  virtual void grid_begins() {}
  // Number of an SM with room for the next of `left` blocks. `sms` has one entry for each SM, and at least one has
  // room. The block is placed there.
  virtual std::uint32_t choose(const SmSpace* sms, std::uint64_t left) = 0;
};

}  // namespace warpsim::mechanism
