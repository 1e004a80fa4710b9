// Statistics of a GPU's accesses to memory that is not its own. Each event counts for the launch that accesses; what a
// GPU sends and receives for launches of others counts for its seat for guests.
#pragma once

#include "memory/slice_message.h"
#include "stats/launch_stats.h"

namespace warpsim {

// Where a machine knows homes of memory, no launch has this seat: requests of other GPUs and of copies have it.
inline constexpr LaunchSeat kGuestSeat = 1;

struct RemoteMemoryStats : StatGroup {
  using StatGroup::StatGroup;
  Counter requests{*this, "requests", Unit::kRequests, "requests sent"};
  Counter read_sectors{*this, "read_sectors", Unit::kSectors, "sectors requested by reads"};
  Counter write_sectors{*this, "write_sectors", Unit::kSectors, "sectors written"};
  Counter atomic_sectors{*this, "atomic_sectors", Unit::kSectors, "sectors of atomics with a result"};
  Counter reduction_sectors{*this, "reduction_sectors", Unit::kSectors, "sectors of atomics without a result"};
  Histogram request_wait{*this, "request_wait", Unit::kCycles, "cycles a request waited for the link"};
  Histogram latency{*this, "latency", Unit::kCycles, "cycles from the sending of a request to its last answer"};

  void count(const MemRequest& request) {
    ++requests;
    Counter& sectors = request.op == MemOp::kRead     ? read_sectors
                       : request.op == MemOp::kWrite  ? write_sectors
                       : request.op == MemOp::kAtomic ? atomic_sectors
                                                      : reduction_sectors;
    sectors += sector_count(request.sector_mask);
  }
};

struct RemoteLinkStats : StatGroup {
  using StatGroup::StatGroup;
  Counter bytes_sent{*this, "bytes_sent", Unit::kBytes, "bytes sent, headers included"};
  Counter bytes_received{*this, "bytes_received", Unit::kBytes, "bytes received, headers included"};
};

struct RemoteGateStats : StatGroup {
  using StatGroup::StatGroup;
  RemoteMemoryStats peer{*this, "peer"};  // memory of other GPUs
  RemoteMemoryStats host{*this, "host"};
  RemoteLinkStats nvlink{*this, "nvlink"};
  RemoteLinkStats pcie{*this, "pcie"};
};

}  // namespace warpsim
