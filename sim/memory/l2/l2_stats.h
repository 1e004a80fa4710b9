// Statistics of an L2 slice. Requests and sectors are counted at every slice they are looked up in, as the lts__
// metrics do: a request whose home is far counts at the near slice (from_l1, from_cache or from_translation) and, if it
// continues, at the home slice (from_fabric). Then
//   lts__t_sectors_srcunit_tex       = from_l1 read + write + atomic + reduction sectors
//   lts__t_sectors_srcunit_ltcfabric = from_fabric ...
//   lts__t_sectors_srcnode_gpc       = from_l1 + from_cache ...
//   lts__t_sectors_op_*, lookup_hit, lookup_miss = sums over the four sources; walks of page tables only read
//
// Each event counts for the launch of the request that causes it: what is found and fetched for the request that is
// looked up; a fill and its latency for the first request of the miss; replaced lines, write-backs and completions for
// the request whose data take the place; sectors flushed between launches for seat 0.
#pragma once

#include "memory/slice_message.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct L2SourceStats : StatGroup {
  using StatGroup::StatGroup;
  Counter requests{*this, "requests", Unit::kRequests, "requests looked up; lanes on one address count one by one"};
  Counter read_sectors{*this, "read_sectors", Unit::kSectors, "sectors requested by reads"};
  Counter write_sectors{*this, "write_sectors", Unit::kSectors, "sectors written"};
  Counter atomic_sectors{*this, "atomic_sectors", Unit::kSectors,
                         "sectors of atomics with a result; lanes on one address count one by one"};
  Counter reduction_sectors{*this, "reduction_sectors", Unit::kSectors,
                            "sectors of atomics without a result; lanes on one address count one by one"};
  Counter hit_sectors{*this, "hit_sectors", Unit::kSectors,
                      "sectors that caused no fetch: valid, already requested, written, or of forwarded atomics"};
  Counter miss_sectors{*this, "miss_sectors", Unit::kSectors,
                       "sectors fetched from the next level, including neighbours fetched with them"};
};

struct L2SliceStats : StatGroup {
  using StatGroup::StatGroup;
  L2SourceStats from_l1{*this, "from_l1"};          // Nsight: srcunit tex
  L2SourceStats from_cache{*this, "from_cache"};    // instruction and constant caches
  L2SourceStats from_fabric{*this, "from_fabric"};  // Nsight: srcunit ltcfabric
  // Page tables in memory. They are in no srcunit and srcnode, which is assumed.
  L2SourceStats from_translation{*this, "from_translation"};
  Counter merged_sectors{*this, "merged_sectors", Unit::kSectors, "read sectors that were already requested"};
  Counter dram_fill_sectors{*this, "dram_fill_sectors", Unit::kSectors, "sectors filled from DRAM"};
  Counter fabric_fill_sectors{*this, "fabric_fill_sectors", Unit::kSectors, "sectors filled from the other partition"};
  Counter completion_sectors{*this, "completion_sectors", Unit::kSectors,
                             "partly written sectors read from DRAM to complete them before write-back"};
  Counter removed_copies{*this, "removed_copies", Unit::kEvents,
                         "copies of lines that were removed because the line changed at its home"};
  Counter evictions{*this, "evictions", Unit::kEvents, "lines replaced"};
  Counter writeback_sectors{*this, "writeback_sectors", Unit::kSectors, "dirty sectors written to DRAM"};
  Counter flushed_sectors{*this, "flushed_sectors", Unit::kSectors,
                          "dirty sectors written back between launches, without timing"};
  Counter atomic_operations{*this, "atomic_operations", Unit::kEvents, "atomic operations executed in this slice"};
  Histogram request_wait{*this, "request_wait", Unit::kCycles, "cycles a request waited for its lookup"};
  Histogram miss_latency{*this, "miss_latency", Unit::kCycles, "cycles from a miss to its last fill"};

  // The counters that a request belongs to.
  L2SourceStats& source(const SliceRequest& message, bool fabric) {
    if (fabric) {
      return from_fabric;
    }
    switch (message.mem.client) {
      case MemClient::kL1:
        return from_l1;
      case MemClient::kTranslation:
        return from_translation;
      case MemClient::kInstruction:
      case MemClient::kConstant:
        break;
    }
    return from_cache;
  }
};

}  // namespace warpsim
