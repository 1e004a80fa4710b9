// The ranges that a program has named for profilers (NVTX), as a device sees them.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "stats/range_record.h"

namespace warpsim::cuda {

class HostRanges {
 public:
  virtual ~HostRanges() = default;

  // Numbers of the ranges that are open for the calling thread: those that any thread has started, and those that it
  // has pushed itself, outermost first. They are kept, to be stored.
  virtual std::vector<std::uint64_t> open_ranges() = 0;
  // Whether one of them has this name. An empty domain is the default one.
  virtual bool is_open(std::string_view domain, std::string_view name) = 0;
  // Those that open_ranges() has returned.
  virtual std::vector<RangeRecord> kept_ranges() = 0;
};

}  // namespace warpsim::cuda
