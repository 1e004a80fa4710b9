// Which of the coalescing rules a GPU follows, and the memory transactions that follow from it.
#pragma once

#include <cstdint>
#include <string_view>

#include "config/config_section.h"
#include "memory/access/coalescer.h"

namespace warpsim {

enum class CoalescingRule : std::uint8_t {
  kWarpSectors,       // sectors of the whole warp, for all widths
  kRequests,          // 2.x to 6.x: words of 8 and 16 bytes by half and quarter warps
  kHalfWarpSegments,  // 1.2, 1.3
  kHalfWarpStrict,    // 1.0, 1.1
};
void describe_coalescing(ConfigSection& section, std::string_view key, CoalescingRule& rule);

void coalesce_by(CoalescingRule rule, const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes,
                 AccessNeeds needs, CoalescedAccess& out);

// Transactions of one access, by size.
struct Transactions {
  std::uint32_t of_32_bytes = 0;
  std::uint32_t of_64_bytes = 0;
  std::uint32_t of_128_bytes = 0;
  std::uint32_t bytes() const { return 32 * of_32_bytes + 64 * of_64_bytes + 128 * of_128_bytes; }
};
// `whole_lines`: a cache fetches whole lines for the access. Otherwise from 2.x on each sector is a transaction.
Transactions transactions_of(CoalescingRule rule, const CoalescedAccess& access, bool whole_lines);

}  // namespace warpsim
