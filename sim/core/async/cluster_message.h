// Messages between the SMs of a cluster, through the network between SMs (cluster_network.h).
#pragma once

#include <cstdint>

#include "base/types.h"

namespace warpsim {

struct ClusterMessage {
  enum class Kind : std::uint8_t {
    kJoin,      // a block of the cluster has started; `rank`, `sm`, `slot`
    kLeave,     // and ended
    kArrived,   // all its warps have arrived at the cluster's barrier
    kRelease,   // from the network: all blocks have arrived
    kArrive,    // arrivals, or expected bytes, for a barrier of the blocks in `blocks`
    kComplete,  // bytes stored to the blocks in `blocks`
    kCopied,    // bytes of a multicast copy, now in shared memory
  };
  Kind kind = Kind::kJoin;
  std::uint8_t rank = 0;
  bool drops = false;         // arrivals that later phases do not expect
  std::uint8_t size = 1;      // number of blocks of the cluster
  std::uint16_t blocks = 0;   // addressed ranks
  std::uint16_t sm = 0;       // of the block that joins
  std::uint16_t slot = 0;     // block slot: of the block that joins; of a delivered message, of the receiver
  std::uint64_t cluster = 0;  // number of the cluster, unique while it is resident
  std::uint32_t barrier = 0;
  std::int32_t arrivals = 0;
  std::int32_t bytes = 0;
};

}  // namespace warpsim
