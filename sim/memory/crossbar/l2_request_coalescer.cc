#include "memory/crossbar/l2_request_coalescer.h"

namespace warpsim {

void describe(ConfigSection& section, L2RequestCoalescerConfig& config) {
  section.boolean("enabled", config.enabled, "merge equal reads by several SMs of a GPC");
  section.integer("num_requests", config.num_requests, 1, 65534, "outstanding requests that others can join, per GPC");
  section.integer("requesters_per_request", config.requesters_per_request, 1, 1024, "reads that share one response");
  section.integer("merge_window_cycles", config.merge_window_cycles, 0, 100000,
                  "L2 cycles after a read in which equal ones can join it");
}

L2RequestCoalescer::L2RequestCoalescer(const L2RequestCoalescerConfig& config) : config_(config) {}

void L2RequestCoalescer::join(std::uint32_t entry, const MemRequest& request) {
  if (const std::size_t needed = (std::size_t{entry} + 1) * config_.requesters_per_request;
      requesters_.size() < needed) {
    requesters_.resize(needed);
  }
  requesters_[entry * config_.requesters_per_request + entries_[entry].requesters] = {request.tag, request.source,
                                                                                      request.seat};
  ++entries_[entry].requesters;
}

L2RequestCoalescer::Offer L2RequestCoalescer::offer(const MemRequest& request, Cycle now) {
  if (!config_.enabled || request.op != MemOp::kRead || request.system_scope) {
    return {Verdict::kPass, 0};
  }
  const std::uint32_t latest = latest_.find(request.line);
  if (latest != LineIndex::kNone) {
    const Entry& open = entries_[latest];
    // A response in parts may already be on its way: a later requester would miss the first part.
    if (open.sectors == request.sector_mask && open.pending == open.sectors &&
        open.requesters < config_.requesters_per_request && now - open.since <= config_.merge_window_cycles) {
      join(latest, request);
      return {Verdict::kMerged, latest};
    }
  }
  if (used_ == config_.num_requests) {
    return {Verdict::kPass, 0};
  }
  const std::uint32_t entry = entries_.take({request.line, now, request.sector_mask, request.sector_mask, 0});
  ++used_;
  if (latest != LineIndex::kNone) {
    latest_.erase(request.line);
  }
  latest_.insert(request.line, entry);
  join(entry, request);
  return {Verdict::kLead, entry};
}

void L2RequestCoalescer::release(std::uint32_t entry) {
  if (latest_.find(entries_[entry].line) == entry) {
    latest_.erase(entries_[entry].line);
  }
  entries_.give_back(entry);
  --used_;
}

}  // namespace warpsim
