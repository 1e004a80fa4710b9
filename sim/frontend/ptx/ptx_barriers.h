// Operations on barriers in shared memory (mbarriers) and bulk and tensor copies, passed to the core when they issue:
// arrivals, expected bytes, waits, copies in both directions, stores that report bytes.
//
// The emulator executes them at once, the core models their time. A wait whose phase the emulator has completed is held
// by the core until the arrivals and copies that completed it have taken their time; a wait that finds its phase open
// is not held, and the program tries again. Waits depend only on operations issued before them, so none waits forever.
// Not modelled: the time of the copy engine for copies between blocks.
// Evidence: tests/hardware/mbarrier, tests/hardware/tma, through the core.
#pragma once

#include <cstdint>
#include <vector>

#include "core/async/async_operation.h"
#include "emulator/execution/warp.h"

namespace warpsim {

class PtxBarriers {
 public:
  // `in_flight`: operations of a warp whose entries the machine may still need.
  PtxBarriers(std::uint32_t warps, std::uint32_t in_flight);

  // Entries of the warp's next operation, which has a role and lanes; up to the entry marked as last.
  // Throws KernelFault, as the operation would.
  const AsyncOperation* entries(WarpContext& context, const Warp::Next& next);

 private:
  using Entries = std::vector<AsyncOperation>;  // of one operation
  struct WarpEntries {
    std::vector<Entries> ring;  // empty until the warp has some
    std::size_t next = 0;
  };

  static void add_at_barriers(WarpContext& context, const Warp::Next& next, Entries& entries);
  static void add_copies(const WarpContext& context, const Warp::Next& next, Entries& entries);
  static void add_boxes(WarpContext& context, const Warp::Next& next, Entries& entries);
  static void add_stores(const WarpContext& context, const Warp::Next& next, Entries& entries);
  static void add(const AsyncOperation& operation, Entries& entries);

  std::uint32_t in_flight_;
  std::vector<WarpEntries> warps_;
};

}  // namespace warpsim
