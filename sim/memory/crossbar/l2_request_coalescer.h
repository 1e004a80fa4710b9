// The L2 request coalescer (LRC) of one GPC, between its SMs and the crossbar.
//
// Modelled: a read that goes to L2 can be joined, for a short time, by reads of the same sectors of the same line from
// other requesters of the GPC, up to a maximum; the response is copied to all of them. The next read starts a new
// request. The number of outstanding requests is limited; beyond it reads are not merged.
// Reads of system scope (volatile) are not merged (tests/hardware/hot_address: half the rate of other reads of a word,
// one per slice and L2 cycle). Not modelled: merging of writes; a delay of the coalescer.
// Evidence: tests/hardware/l2_lag: if SMs read the same line at once, L2 receives one request for four of them, for any
// SMs of a GPC and any part of the line; of two SMs that do so 32 cycles apart most merge, 64 cycles apart none. In
// public.csv the blocks of stencil5 and conv2d, which read different parts of their neighbours' lines, do not merge.
#pragma once

#include <cstdint>
#include <vector>

#include "base/slot_pool.h"
#include "config/config_section.h"
#include "memory/caches/line_index.h"
#include "memory/mem_message.h"

namespace warpsim {

struct L2RequestCoalescerConfig {
  bool enabled = false;
  std::uint32_t num_requests = 64;
  std::uint32_t requesters_per_request = 4;
  std::uint32_t merge_window_cycles = 32;
};
void describe(ConfigSection& section, L2RequestCoalescerConfig& config);

class L2RequestCoalescer {
 public:
  enum class Verdict : std::uint8_t {
    kPass,    // goes to L2 and does not concern this unit
    kLead,    // goes to L2 under the entry's number; the response is passed to collect()
    kMerged,  // is answered by a request in flight
  };
  struct Offer {
    Verdict verdict;
    std::uint32_t entry;
  };

  explicit L2RequestCoalescer(const L2RequestCoalescerConfig& config);

  Offer offer(const MemRequest& request, Cycle now);

  // Calls deliver(response) for each requester that waits for these sectors.
  template <typename Deliver>
  void collect(std::uint32_t entry, const MemResponse& response, Deliver&& deliver) {
    MemResponse copy = response;
    for (std::uint32_t i = 0; i < entries_[entry].requesters; ++i) {
      const Requester& requester = requesters_[entry * config_.requesters_per_request + i];
      copy.tag = requester.tag;
      copy.destination = requester.source;
      copy.seat = requester.seat;
      deliver(copy);
    }
    entries_[entry].pending = static_cast<std::uint8_t>(entries_[entry].pending & ~response.sector_mask);
    if (entries_[entry].pending == 0) {
      release(entry);
    }
  }

  bool empty() const { return used_ == 0; }

 private:
  struct Entry {
    Address line = 0;
    Cycle since = 0;
    std::uint8_t sectors = 0;
    std::uint8_t pending = 0;  // sectors not yet answered
    std::uint32_t requesters = 0;
  };
  struct Requester {
    std::uint32_t tag = 0;
    std::uint16_t source = 0;
    LaunchSeat seat = 0;
  };

  void join(std::uint32_t entry, const MemRequest& request);
  void release(std::uint32_t entry);

  L2RequestCoalescerConfig config_;
  SlotPool<Entry> entries_;
  std::uint32_t used_ = 0;
  std::vector<Requester> requesters_;  // by entry
  LineIndex latest_;                   // line to the entry of its latest request in flight
};

}  // namespace warpsim
