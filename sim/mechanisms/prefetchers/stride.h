// Prefetch of lines at a constant distance: a table remembers for each load and warp its last line and its stride.
//
// Source: the reference prediction table of Chen and Baer, "Effective Hardware-Based Data Prefetching for
// High-Performance Processors", IEEE Transactions on Computers 1995; separate strides for each warp after Lee et al.,
// "Many-Thread Aware Prefetching Mechanisms for GPGPU Applications", MICRO 2010. Modelled: a table without search, in
// which the latest load and warp takes an entry; it learns from the first line of each load, unless it is the same line
// again, and further lines of the load move by the same stride. Requests without a pc, as in L2, are distinguished by
// their region of 4 KiB instead. The sectors are those of the lookup.
// State: table_entries entries. Invariant: an entry requests only after `threshold` equal strides in a row.
#pragma once

#include <cstdint>
#include <vector>

#include "warpsim/prefetcher.h"

namespace warpsim::mechanism {

class Stride final : public Prefetcher {
 public:
  struct Settings {
    std::uint32_t table_entries = 64;  // assumed: a small table
    std::uint32_t degree = 1;          // assumed: the least
    std::uint32_t distance = 1;        // assumed: the least
    std::uint32_t threshold = 2;       // paper: Chen and Baer, 1995, steady after two equal strides

    void describe(Keys& keys);
  };

  Stride(const Settings& settings, const PrefetcherSite& site, Counters& counters);

  void access(const LineLookup& lookup, PrefetchList& wanted) override;

 private:
  // A load of a warp, or a region.
  struct Source {
    Address pc_or_region = 0;
    std::uint32_t warp = 0;
    bool operator==(const Source&) const = default;
  };
  struct Entry {
    Source source;
    Address last_line = 0;
    std::int64_t stride = 0;    // in bytes; 0: none yet
    std::uint32_t strides = 0;  // equal ones in a row, at most the threshold
    bool used = false;
  };

  // Whether the lookup continues with the stride often enough.
  bool learn(Entry& entry, const Source& source, Address line);

  Settings settings_;
  std::vector<Entry> table_;
  Counter predictions_;
  Counter strides_confirmed_;
};

}  // namespace warpsim::mechanism
