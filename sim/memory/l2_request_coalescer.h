// The L2 request coalescer (LRC) of one GPC, between its SMs and the crossbar.
//
// Modelled: while a read of a line is under way, reads of sectors that it brings by other requesters of the GPC wait
// for it instead of going to L2; the answer is copied to all. Limited lines and requesters per line; when full, reads
// pass by unmerged.
// Not modelled: merging of writes; any delay of its own.
// Evidence: Nsight Compute names the unit; in public.csv lts__t_sectors_srcunit_tex of kernels whose SMs read the same
// lines at once (nbody, matmul_*) is 40 to 65 % of the sectors that missed L1.
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "memory/mem_message.h"
#include "memory/mshr_table.h"

namespace warpsim {

struct L2RequestCoalescerConfig {
  bool enabled = false;
  std::uint32_t num_lines = 64;
  std::uint32_t requesters_per_line = 16;
};
void describe(ConfigSection& section, L2RequestCoalescerConfig& config);

class L2RequestCoalescer {
 public:
  enum class Verdict : std::uint8_t {
    kPass,    // goes to L2 and is no business of this unit
    kLead,    // goes to L2 under the entry's number; the answer is handed to collect()
    kMerged,  // is answered by a request under way
  };
  struct Offer {
    Verdict verdict;
    std::uint32_t entry;
  };

  explicit L2RequestCoalescer(const L2RequestCoalescerConfig& config)
      : enabled_(config.enabled), table_({config.num_lines, config.requesters_per_line, false}) {}

  Offer offer(const MemRequest& request, Cycle now) {
    if (!enabled_ || request.op != MemOp::kRead) {
      return {Verdict::kPass, 0};
    }
    const std::uint32_t entry = table_.find(request.line);
    if (entry == Table::kNone) {
      if (table_.full()) {
        return {Verdict::kPass, 0};
      }
      const std::uint32_t fresh = table_.allocate(request.line, now);
      table_[fresh].pending = request.sector_mask;
      table_.add_waiter(fresh, {request.tag, request.source, request.sector_mask});
      return {Verdict::kLead, fresh};
    }
    if ((table_[entry].pending & request.sector_mask) != request.sector_mask || !table_.can_merge(entry)) {
      return {Verdict::kPass, 0};
    }
    table_.add_waiter(entry, {request.tag, request.source, request.sector_mask});
    return {Verdict::kMerged, entry};
  }

  // Calls deliver(response) for each requester that waits for some of these sectors.
  template <typename Deliver>
  void collect(std::uint32_t entry, const MemResponse& response, Deliver&& deliver) {
    table_.fill(entry, response.sector_mask, [&](const Waiter& waiter, std::uint8_t sectors) {
      MemResponse copy = response;
      copy.tag = waiter.tag;
      copy.destination = waiter.source;
      copy.sector_mask = sectors;
      deliver(copy);
    });
  }

  bool empty() const { return table_.empty(); }

 private:
  struct Waiter {
    std::uint32_t tag = 0;
    std::uint16_t source = 0;
    std::uint8_t sectors = 0;
  };
  using Table = MshrTable<Waiter>;

  bool enabled_;
  Table table_;
};

}  // namespace warpsim
