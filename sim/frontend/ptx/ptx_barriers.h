// Operations of PTX on barriers in shared memory (mbarriers), passed to the core when they issue: arrivals, expected
// bytes, bulk copies that report bytes, waits.
//
// The emulator executes them at once, the core models their time. A wait whose phase the emulator has completed is held
// by the core until the arrivals and copies that completed it have taken their time; a wait that finds its phase open
// is not held, and the program tries again. Waits depend only on operations issued before them, so none waits forever.
// Excluded are kernels with unknown operations on their barriers (BarrierRole::kUnknown: tensor copies, stores that
// report, copies between blocks, arrivals that drop). Evidence: tests/hardware/mbarrier,
// tests/hardware/tma, through the core.
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
  struct Entries {
    std::vector<AsyncOperation> ring;  // empty until the warp has some
    std::size_t begin = 0;             // start of the operation's entries
    std::size_t end = 0;
  };

  void add_at_barriers(WarpContext& context, const Warp::Next& next, Entries& entries) const;
  void add_copies(const WarpContext& context, const Warp::Next& next, Entries& entries) const;
  static void add(const AsyncOperation& operation, Entries& entries);

  std::uint32_t in_flight_;
  std::vector<Entries> warps_;
};

}  // namespace warpsim
