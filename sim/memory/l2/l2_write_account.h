// What the launches have written to lines whose home is one L2 slice: whether all writes of a launch have arrived.
//
// A write or reduction counts once, when its home slice accepts it; the near slice that forwards it does not count it.
// A reduction of a sector that is still on its way from DRAM counts when it is accepted too: it cannot fail any more.
// Atomics with a result do not count, because their requester waits for them, but they are among the latest writes.
// State: by seat, how many and the latest. Invariant: a seat begins before its first request arrives.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "memory/mem_message.h"

namespace warpsim {

class L2WriteAccount {
 public:
  explicit L2WriteAccount(std::size_t seats) : seats_(seats) {}

  // Another launch takes the seat.
  void begin(LaunchSeat seat) {
    seats_.resize(std::max(seats_.size(), std::size_t{seat} + 1));
    seats_[seat] = {};
  }
  // A request that is not a read. `at`: when it takes effect.
  void add(const MemRequest& request, Cycle at) {
    Sum& sum = seats_[request.seat];
    sum.latest = at;
    sum.completed += request.op == MemOp::kAtomic ? 0 : 1;
  }
  // Writes and reductions of the launch.
  std::uint64_t completed(LaunchSeat seat) const { return seats_[seat].completed; }
  // Cycle in which the latest one took effect, atomics included; 0: none.
  Cycle latest(LaunchSeat seat) const { return seats_[seat].latest; }

 private:
  struct Sum {
    std::uint64_t completed = 0;
    Cycle latest = 0;
  };

  std::vector<Sum> seats_;
};

}  // namespace warpsim
