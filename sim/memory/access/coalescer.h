// From the lanes' addresses of one memory instruction to the 128-byte lines and 32-byte sectors it touches.
//
// Modelled: sector coalescing over the whole warp (7.0 and later) or over the groups of lanes that one request serves
// (2.x to 6.x), accesses that cross sectors or lines, byte masks of stores. Compute capability 1.x has rules of its own
// (half_warp_coalescer.h); global atomics are split in atomic_packets.h.
// Evidence: request and sector counts equal Nsight Compute's on the recorded launches; CUDA C programming guide 8.0,
// G.3.2, for the groups.
#pragma once

#include <array>
#include <cstdint>

#include "base/lane_addresses.h"
#include "base/types.h"
#include "memory/access/lane_array.h"

namespace warpsim {

struct LineAccess {
  Address line = 0;
  std::uint8_t sector_mask = 0;
  bool single_lane = false;  // atomics: one flit contains address and operand
  std::array<std::uint32_t, kSectorsPerLine> byte_mask{};
};

struct CoalescedAccess {
  static constexpr std::uint32_t kMaxLines = 2 * kWarpSize;  // each lane may cross a line
  std::uint32_t line_count = 0;
  std::uint32_t sector_count = 0;
  std::uint32_t request_count = 0;          // groups of lanes served together
  std::array<LineAccess, kMaxLines> lines;  // in order of first touch
};

enum class AccessNeeds : std::uint8_t {
  kSectors,    // loads: which sectors
  kByteMasks,  // stores: also which bytes
};

// `bytes` per lane: 1 to 16. Results are written into `out` (its previous content is lost).
void coalesce(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, AccessNeeds needs,
              CoalescedAccess& out);

// The same, but each request of up to 128 bytes separately: the warp for words of up to 4 bytes, half warps for 8,
// quarter warps for 16. Requests do not share lines.
void coalesce_groups(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, AccessNeeds needs,
                     CoalescedAccess& out);

}  // namespace warpsim
