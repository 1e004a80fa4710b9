#include "memory/access/coalescing_rule.h"

#include <bit>

#include "memory/access/half_warp_coalescer.h"

namespace warpsim {

void describe_coalescing(ConfigSection& section, std::string_view key, CoalescingRule& rule) {
  section.choice(
      key, rule,
      {{"warp_sectors", CoalescingRule::kWarpSectors},
       {"requests", CoalescingRule::kRequests},
       {"half_warp_segments", CoalescingRule::kHalfWarpSegments},
       {"half_warp_strict", CoalescingRule::kHalfWarpStrict}},
      "how the lanes of an access to global or local memory share transactions: sectors over the whole warp; "
      "over requests of 128 bytes (2.x to 6.x); segments of a half warp (1.2, 1.3); half warps in order or "
      "lane by lane (1.0, 1.1)");
}

void coalesce_by(CoalescingRule rule, const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes,
                 AccessNeeds needs, CoalescedAccess& out) {
  switch (rule) {
    case CoalescingRule::kWarpSectors:
      coalesce(addresses, active, bytes, needs, out);
      break;
    case CoalescingRule::kRequests:
      coalesce_groups(addresses, active, bytes, needs, out);
      break;
    case CoalescingRule::kHalfWarpSegments:
      coalesce_segments(addresses, active, bytes, needs, out);
      break;
    case CoalescingRule::kHalfWarpStrict:
      coalesce_strict(addresses, active, bytes, needs, out);
      break;
  }
}

Transactions transactions_of(CoalescingRule rule, const CoalescedAccess& access, bool whole_lines) {
  if (whole_lines) {
    return {.of_128_bytes = access.line_count};
  }
  if (rule == CoalescingRule::kWarpSectors || rule == CoalescingRule::kRequests) {
    return {.of_32_bytes = access.sector_count};
  }
  Transactions result;
  for (std::uint32_t i = 0; i < access.line_count; ++i) {
    const int sectors = std::popcount(access.lines[i].sector_mask);
    ++(sectors == 1 ? result.of_32_bytes : sectors == 2 ? result.of_64_bytes : result.of_128_bytes);
  }
  return result;
}

}  // namespace warpsim
