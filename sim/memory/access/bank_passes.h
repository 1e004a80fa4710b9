// The passes that one access of a warp needs through 32 banks of 4 bytes: the data array of L1 and shared memory as
// measured on Hopper.
//
// Modelled: equal words are broadcast; accesses of 8 and 16 bytes are served by groups of lanes; loads of shared memory
// combine two under the conditions below, those of L1 take the passes of stores. Evidence: L1 and shared throughput
// over strides in the measurements that the H200 config names, tests/hardware/shared_wavefronts, global_wavefronts.
#pragma once

#include <cstdint>

#include "base/lane_addresses.h"
#include "base/types.h"

namespace warpsim {

// Banks of shared memory and L1 data on GPUs that this file models, and the bytes that each serves in a pass.
constexpr std::uint32_t kBanks = 32;
constexpr std::uint32_t kBankBytes = 4;

// Passes of one access through the banks (Nsight Compute: wavefronts), and the minimum for its width; passes
// above the minimum are bank conflicts.
struct BankPasses {
  std::uint32_t passes = 1;
  std::uint32_t least = 1;
};
// Loads and stores merge equal words. Accesses of 8 bytes go by half warps, of 16 by quarter warps; a load takes
// two neighbouring groups at once if everywhere lanes i and i^1, or everywhere lanes i and i^2, have one address or one
// of the two is inactive. Measured: tests/hardware/shared_wavefronts.
BankPasses load_bank_passes(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes);
BankPasses store_bank_passes(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes);
// Shared atomics: lanes on one word are served one after another.
BankPasses atomic_bank_passes(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes);

}  // namespace warpsim
