// Why a resident warp does not issue, in Nsight Compute's terms. Each cycle of each resident warp is spent in exactly
// one of these states; smsp__average_warps_issue_stalled_<name>_per_issue_active is the state's share.
#pragma once

#include <cstdint>

namespace warpsim {

enum class StallReason : std::uint8_t {
  kSelected,          // issues
  kNotSelected,       // eligible, another warp was chosen
  kWait,              // fixed stall count of its previous instruction
  kBarrier,           // waits at a block barrier
  kBranchResolving,   // next PC not known yet
  kDispatch,          // dispatch held back (register port conflicts)
  kDrain,             // exited, its stores are still in the SM
  kGmma,              // waits for warpgroup MMA
  kImcMiss,           // immediate constant cache miss
  kLgThrottle,        // local/global queue full
  kLongScoreboard,    // waits for a load from L1, L2 or DRAM
  kMathPipeThrottle,  // its pipe is busy
  kMembar,
  kMioThrottle,      // memory input/output queue full
  kMisc,             // waits for kernels: before its own (griddepcontrol.wait), or that its block has launched
  kNoInstruction,    // instruction not fetched yet
  kShortScoreboard,  // waits for shared memory, XU, shuffle, special register
  kSleeping,
  kTexThrottle,
};
inline constexpr std::uint32_t kStallReasonCount = 19;

// Nsight Compute's name of the state ("long_scoreboard").
const char* to_string(StallReason reason);

}  // namespace warpsim
