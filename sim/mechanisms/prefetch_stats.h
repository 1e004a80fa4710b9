// What becomes of the lines that a prefetcher names.
#pragma once

#include "base/types.h"
#include "stats/stat_group.h"

namespace warpsim {

// Addresses from here on are not those of a program: an offset went below zero.
inline constexpr Address kPrefetchableBytes = Address{1} << 57U;
// Prefetches of L1 stay in the page of the load: caches work on physical addresses. 2 MiB is the size of the pages that
// the driver gives to cudaMalloc (CUDA driver API, cuMemGetAllocationGranularity).
inline constexpr Address kPrefetchPageBytes = Address{2} << 20U;
inline constexpr std::uint8_t kPrefetchableSectors = 0xf;

struct PrefetchStats : StatGroup {
  using StatGroup::StatGroup;
  Counter requests{*this, "requests", Unit::kRequests, "prefetches sent to the next level"};
  Counter sectors{*this, "sectors", Unit::kSectors, "sectors that they requested"};
  Counter present{*this, "present", Unit::kRequests, "prefetches of lines that were present or on their way"};
  Counter dropped{*this, "dropped", Unit::kRequests,
                  "prefetches without a free miss entry or space for a request, or beyond the 16 lines of an access"};
  Counter out_of_range{*this, "out_of_range", Unit::kRequests, "prefetches of lines beyond the page of the access"};
};

// L1 also knows what becomes of the lines. Slices of L2 have no mark for them.
struct L1PrefetchStats : PrefetchStats {
  using PrefetchStats::PrefetchStats;
  Counter useful{*this, "useful", Unit::kRequests, "prefetched lines that a load found in the cache"};
  Counter late{*this, "late", Unit::kRequests, "prefetched lines that a load found on their way"};
};

}  // namespace warpsim
