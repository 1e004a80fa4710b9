// From the lanes' addresses of one memory instruction to the 128-byte lines and 32-byte sectors it touches, and to the
// passes it needs through the banks of the L1/shared data array.
//
// Modelled: sector coalescing over the whole warp (5.x and later), accesses that cross sectors or lines, byte masks of
// stores, bank passes: 32 banks of 4 bytes; equal words are broadcast. Global atomics are split in atomic_packets.h.
// Evidence: request and sector counts equal Nsight Compute's on the recorded launches; L1 and shared throughput over
// strides in the measurements that the H200 config names.
#pragma once

#include <array>
#include <cstdint>

#include "base/lane_addresses.h"
#include "base/types.h"

namespace warpsim {

struct LineAccess {
  Address line = 0;
  std::uint8_t sector_mask = 0;
  bool single_lane = false;  // atomics: one flit takes address and operand
  std::array<std::uint32_t, kSectorsPerLine> byte_mask{};
};

struct CoalescedAccess {
  static constexpr std::uint32_t kMaxLines = 2 * kWarpSize;  // each lane may cross a line
  std::uint32_t line_count = 0;
  std::uint32_t sector_count = 0;
  std::array<LineAccess, kMaxLines> lines;  // in order of first touch
};

enum class AccessNeeds : std::uint8_t {
  kSectors,    // loads: which sectors
  kByteMasks,  // stores: also which bytes
};

// `bytes` per lane: 1 to 16. Results are written into `out` (its previous content is lost).
void coalesce(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, AccessNeeds needs,
              CoalescedAccess& out);

// Addresses of the active lanes in ascending lane order; returns their number.
std::uint32_t expand(const LaneAddresses& addresses, LaneMask active, std::array<Address, kWarpSize>& out);

// Passes of one access through the banks (Nsight Compute: wavefronts), and the least that its width needs; what lies
// above that are bank conflicts.
struct BankPasses {
  std::uint32_t passes = 1;
  std::uint32_t least = 1;
};
// Loads and stores merge equal words. Accesses of 8 bytes go by half warps, of 16 bytes by quarter warps; a load takes
// two neighbouring groups at once if everywhere lanes i and i^1, or everywhere lanes i and i^2, have one address or one
// of the two is inactive. Measured: tests/hardware/shared_wavefronts.
BankPasses load_bank_passes(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes);
BankPasses store_bank_passes(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes);
// Shared atomics: lanes on one word go one after another.
BankPasses atomic_bank_passes(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes);

}  // namespace warpsim
