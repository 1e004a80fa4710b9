// Blocks that have left an SM to make room for the grids that they wait for (cudaDeviceSynchronize() in kernels).
//
// Modelled: a block leaves when all of its warps wait, at barriers or for grids, and at least one for grids; it gives
// its registers, shared memory and slots back when they have been saved. When one of its warps can go on, it asks for a
// place on the same SM, and restores them. The time of both is that of its registers and shared memory at the SM's part
// of the rate of DRAM. Not modelled: the memory that the state takes, the accesses to it, a return on another SM, what
// the driver's programs do in between; blocks of clusters stay. Evidence: CUDA C++ programming guide, dynamic
// parallelism ("swapped out"); the rate: Tanasic et al., ISCA 2014. Neither was measured.
// State: the blocks, and what the SM has to tell the block scheduler about them.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <string>
#include <vector>

#include "core/blocks/block_scheduler.h"
#include "core/sm/block_barriers.h"
#include "core/sm/resident_block.h"
#include "engine/link.h"

namespace warpsim {

class SuspendedBlocks {
 public:
  // `bytes_per_cycle` at which state is saved and restored; 0: at once.
  explicit SuspendedBlocks(double bytes_per_cycle) : bytes_per_cycle_(bytes_per_cycle) {}

  struct State {
    BlockBarriers::Suspended barriers;
    std::uint64_t bytes = 0;  // of registers and shared memory
    bool has_triggered = false;
  };
  // The block in this slot leaves, with its warps in `to_resume`; the scheduler learns so when its state is saved.
  void put(ResidentBlock block, std::uint32_t slot, const State& state, Cycle now);
  // One of its warps can go on at `at`. Returns the cycle from which on there is a message for the scheduler; kNever:
  // no such block has left, or it is on its way back.
  Cycle call(LaunchSeat seat, std::uint64_t linear_index, Cycle at);
  // The block comes back. `state` is what it left with.
  ResidentBlock take(LaunchSeat seat, std::uint64_t linear_index, State& state);
  Cycle restore_cycles(const State& state) const { return cycles_of(state.bytes); }

  // Messages to the scheduler, which keep `reserve` slots of the link free for others.
  void send(Link<BlockDone>& link, std::size_t reserve, Cycle now);
  Cycle next_send(Cycle now) const { return messages_.empty() ? kNever : std::max(messages_.front().at, now + 1); }

  bool empty() const { return blocks_.empty(); }
  bool holds(LaunchSeat seat) const;
  std::string describe_stall() const;

 private:
  struct Entry {
    ResidentBlock block;
    State state;
    bool is_called = false;
  };
  struct Message {
    BlockDone done;
    Cycle at = 0;
  };
  Cycle cycles_of(std::uint64_t bytes) const;
  std::vector<Entry>::iterator find(LaunchSeat seat, std::uint64_t linear_index);
  void tell(const BlockDone& done, Cycle at);

  double bytes_per_cycle_;
  std::vector<Entry> blocks_;
  std::deque<Message> messages_;  // in the order of their cycles
};

}  // namespace warpsim
