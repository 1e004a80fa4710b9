// The prefetcher of an L2 slice: which lines the slice requests from DRAM before a read needs them.
//
// Modelled: a mechanism (warpsim/prefetcher.h) sees the reads of lines that are at home in the slice, in its own order
// of lines; each line that it names and that is absent takes an entry of the miss table and a request to DRAM at once,
// or is dropped. Not modelled: a queue of prefetches, prefetches of lines of other slices. Evidence: none, no GPU is
// known to do so. State: the mechanism, its counters. Uses the array and the miss path.
#pragma once

#include <memory>
#include <string>

#include "base/types.h"
#include "mechanisms/mechanism_choice.h"
#include "mechanisms/prefetch_stats.h"
#include "memory/address_map.h"
#include "memory/caches/line_parts.h"
#include "memory/l2/l2_access.h"
#include "memory/l2/l2_array.h"
#include "memory/l2/l2_config.h"
#include "memory/l2/l2_misses.h"
#include "memory/slice_message.h"
#include "stats/launch_stats.h"

namespace warpsim {

class L2Prefetch {
 public:
  struct Parts {
    L2Array& array;
    L2Misses& misses;
  };
  // The counters are a group `prefetcher` below `parent`. Map and parts must outlive this object.
  L2Prefetch(const L2Config& config, const AddressMap& map, const Parts& parts, LaunchStatsNode& parent);

  // A read of a line that is at home here was accepted.
  void after_read(const SliceRequest& message, const L2Place& place, bool hit, Cycle now);

 private:
  // Sectors of one line of the slice.
  void request(const L2Place& where, Address line, std::uint8_t sectors, LaunchSeat seat, Cycle now);

  const AddressMap* map_;
  L2Array* array_;
  L2Misses* misses_;
  LaunchStats<PrefetchStats> stats_;
  MechanismCounters counters_;
  std::unique_ptr<mechanism::Prefetcher> mechanism_;
  std::string name_;
  mechanism::PrefetchList wanted_;
  LineParts lines_;
};

}  // namespace warpsim
