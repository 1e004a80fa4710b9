// What a crossbar counts.
#pragma once

#include "stats/stat_group.h"

namespace warpsim {

struct CrossbarStats : StatGroup {
  using StatGroup::StatGroup;
  Counter requests{*this, "requests", Unit::kRequests, "requests taken from the ports"};
  Counter request_bytes{*this, "request_bytes", Unit::kBytes, "bytes of requests that entered L2"};
  Counter merged_requests{*this, "merged_requests", Unit::kRequests,
                          "reads answered by an outstanding read of the same GPC (L2 request coalescer)"};
  Counter merged_sectors{*this, "merged_sectors", Unit::kSectors, "sectors of these reads"};
  Counter responses{*this, "responses", Unit::kRequests, "responses handed to the ports"};
  Counter response_bytes{*this, "response_bytes", Unit::kBytes, "bytes of responses handed to the ports"};
  Counter faulting_requests{*this, "faulting_requests", Unit::kRequests,
                            "requests that waited for managed memory to be moved or copied to the GPU"};
  Histogram request_wait{*this, "request_wait", Unit::kCycles, "cycles a request waited to enter the crossbar"};
  Histogram response_wait{*this, "response_wait", Unit::kCycles, "cycles a response waited to leave its slice"};
};

}  // namespace warpsim
