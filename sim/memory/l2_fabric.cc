#include "memory/l2_fabric.h"

#include <algorithm>

namespace warpsim {
namespace {

std::uint32_t sector_bytes(std::uint8_t mask) {
  return kSectorBytes * sector_count(mask);
}
std::uint32_t data_bytes(const SliceRequest& message) {
  switch (message.mem.op) {
    case MemOp::kRead:
      return 0;
    case MemOp::kWrite:
      return sector_bytes(message.mem.sector_mask);
    case MemOp::kAtomic:
    case MemOp::kReduction:
      break;
  }
  return kSectorBytes * sector_count(message.mem.sector_mask);
}
std::uint32_t data_bytes(const SliceResponse& message) {
  const bool data = message.mem.op == MemOp::kRead || message.mem.op == MemOp::kAtomic;
  return data ? sector_bytes(message.mem.sector_mask) : 0;
}

}  // namespace

void describe(ConfigSection& section, L2FabricConfig& config) {
  section.integer("request_latency_cycles", config.request_latency_cycles, 2, 10000,
                  "L2 cycles from a near slice to the home slice");
  section.integer("response_latency_cycles", config.response_latency_cycles, 2, 10000,
                  "L2 cycles from the home slice back");
  section.real("bytes_per_cycle", config.bytes_per_cycle, 0.01, 1e6, "bytes that leave a partition per L2 cycle");
  section.integer("request_bytes", config.request_bytes, 0, 128, "bytes of a message in addition to its data");
  section.integer("queue_entries", config.queue_entries, 1, 65536, "messages that wait at a slice, each direction");
  section.boolean("zero_latency", config.zero_latency, "idealisation: every hop takes one cycle");
  section.boolean("unlimited_bandwidth", config.unlimited_bandwidth, "idealisation: rates do not limit");
}

L2Fabric::L2Fabric(const L2FabricConfig& config, const std::vector<SliceLinks>& slices, LaunchStatsNode& parent)
    : config_(config),
      slices_(slices),
      request_inputs_(static_cast<std::uint32_t>(slices.size())),
      response_inputs_(static_cast<std::uint32_t>(slices.size())),
      stats_(parent, "l2_fabric") {
  std::uint32_t partitions = 0;
  for (const SliceLinks& slice : slices) {
    partitions = std::max(partitions, slice.partition + 1);
  }
  rate_.assign(partitions, RateLimiter(config.unlimited_bandwidth ? 0 : config.bytes_per_cycle));
}

void L2Fabric::connect(WakeHandle self) {
  for (std::uint32_t slice = 0; slice < slices_.size(); ++slice) {
    request_inputs_.connect(slice, *slices_[slice].requests_in, self);
    response_inputs_.connect(slice, *slices_[slice].responses_in, self);
    slices_[slice].requests_out->connect_sender(self);
    slices_[slice].responses_out->connect_sender(self);
  }
}

template <typename Message>
Cycle L2Fabric::pass(std::uint32_t slice, Link<Message>& from, Link<Message>& to, Cycle now) {
  RateLimiter& rate = rate_[slices_[slice].partition];
  if (!rate.ready(now)) {
    return rate.ready_at();
  }
  if (!to.can_send(now)) {
    return InputSet<Message>::kWaitForLink;
  }
  const std::uint32_t bytes = config_.request_bytes + data_bytes(from.front());
  rate.use(now, bytes);
  stats_[from.front().mem.seat].bytes += bytes;
  to.send(from.front(), now);
  return InputSet<Message>::kTaken;
}

Cycle L2Fabric::tick(Cycle now) {
  const Cycle responses = response_inputs_.serve_all(now, [&](std::uint32_t slice, Link<SliceResponse>& link) {
    const Cycle result = pass(slice, link, *slices_[link.front().near_slice].responses_out, now);
    if (result == InputSet<SliceResponse>::kTaken) {
      L2FabricStats& stats = stats_[link.front().mem.seat];
      ++stats.responses;
      stats.response_wait.add(now - link.next_arrival());
      link.pop(now);
    }
    return result;
  });
  const Cycle requests = request_inputs_.serve_all(now, [&](std::uint32_t slice, Link<SliceRequest>& link) {
    const Cycle result = pass(slice, link, *slices_[link.front().home_slice].requests_out, now);
    if (result == InputSet<SliceRequest>::kTaken) {
      L2FabricStats& stats = stats_[link.front().mem.seat];
      ++stats.requests;
      stats.request_wait.add(now - link.next_arrival());
      link.pop(now);
    }
    return result;
  });
  return std::min(responses, requests);
}

std::string L2Fabric::describe_stall() const {
  std::string text;
  if (!request_inputs_.empty()) {
    text += "requests wait for home slices or bandwidth; ";
  }
  if (!response_inputs_.empty()) {
    text += "responses wait for near slices or bandwidth; ";
  }
  return text;
}

}  // namespace warpsim
