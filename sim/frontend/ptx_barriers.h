// What PTX executed at issue does at barriers in shared memory (mbarriers), told to the core when it issues: arrivals,
// expected bytes, bulk copies that report bytes, waits.
//
// The emulator does all of it at once, the core when it is due. So a wait whose phase the emulator has ended is held by
// the core until the arrivals and copies that ended it have taken their time; one that finds its phase open is not
// held, and the program tries again. As each waits for what has been issued before, none waits for ever. Kernels for
// which not all that reports to their barriers is known (BarrierRole::kUnknown: copies of tensors, stores that report,
// copies from block to block, threads that drop out) are left without. Evidence: tests/hardware/mbarrier,
// tests/hardware/tma, by way of the core.
#pragma once

#include <cstdint>
#include <vector>

#include "core/async_operation.h"
#include "emulator/warp.h"

namespace warpsim {

class PtxBarriers {
 public:
  // `in_flight`: operations of a warp whose entries the machine may still need.
  PtxBarriers(std::uint32_t warps, std::uint32_t in_flight);

  // Of the operation that the warp executes next, which has a role and lanes; up to the entry that is marked last.
  // Throws KernelFault, as the operation would.
  const AsyncOperation* entries(WarpContext& context, const Warp::Next& next);

 private:
  struct Entries {
    std::vector<AsyncOperation> ring;  // empty until the warp has some
    std::size_t begin = 0;             // of the operation's
    std::size_t end = 0;
  };

  void add_at_barriers(WarpContext& context, const Warp::Next& next, Entries& entries) const;
  void add_copies(const WarpContext& context, const Warp::Next& next, Entries& entries) const;
  static void add(const AsyncOperation& operation, Entries& entries);

  std::uint32_t in_flight_;
  std::vector<Entries> warps_;
};

}  // namespace warpsim
