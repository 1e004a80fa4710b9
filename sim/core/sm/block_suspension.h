// Takes blocks that wait for grids that they have launched off an SM, and brings them back (suspended_blocks.h).
//
// Modelled: a block leaves when all of its warps only wait, at barriers or for grids, and at least one for grids. Not
// modelled: blocks of clusters, and with warpgroups, which stay, since others access their shared memory, or their
// state is not only that of warps. Evidence: as in suspended_blocks.h. State: the warps that wait, the blocks that have
// left. Uses the parts that hold the state of a block.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "core/async/async_unit.h"
#include "core/launch/launch.h"
#include "core/sm/block_barriers.h"
#include "core/sm/grid_dependences.h"
#include "core/sm/launch_waits.h"
#include "core/sm/suspended_blocks.h"
#include "core/sub_core/sub_core.h"

namespace warpsim {

class BlockSuspension {
 public:
  struct Parts {
    BlockBarriers& barriers;
    GridDependences& grids;
    AsyncUnit& async;
    LaunchWaits& waits;
    const std::vector<std::unique_ptr<SubCore>>& sub_cores;
  };
  // The parts outlive it. `bytes_per_cycle`: as in SuspendedBlocks.
  BlockSuspension(double bytes_per_cycle, const Parts& parts) : parts_(parts), suspended_(bytes_per_cycle) {}

  // Whether the block in this slot, whose warps have all started, can leave.
  bool can_leave(const ResidentBlock& block, std::uint32_t slot, const Launch& launch) const;
  void leave(ResidentBlock& block, std::uint32_t slot, const Launch& launch, Cycle now);
  // Brings back the block of an assignment, which has left. Returns the cycles by which its first warp starts later
  // than that of a new block.
  Cycle come_back(ResidentBlock& block, const BlockAssignment& assignment);

  // Of a block that has left: see SuspendedBlocks::call().
  Cycle call(LaunchSeat seat, std::uint64_t block, Cycle at) { return suspended_.call(seat, block, at); }
  void send(Link<BlockDone>& link, std::size_t reserve, Cycle now) {
    if (!suspended_.empty()) {
      suspended_.send(link, reserve, now);
    }
  }
  Cycle next_send(Cycle now) const { return suspended_.next_send(now); }
  bool empty() const { return suspended_.empty(); }
  bool holds(LaunchSeat seat) const { return suspended_.holds(seat); }
  std::string describe_stall() const { return suspended_.describe_stall(); }

 private:
  Parts parts_;
  SuspendedBlocks suspended_;
};

}  // namespace warpsim
