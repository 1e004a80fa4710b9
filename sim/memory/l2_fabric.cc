#include "memory/l2_fabric.h"

#include <fmt/format.h>

#include <algorithm>
#include <type_traits>
#include <utility>

namespace warpsim {
namespace {

std::uint32_t data_bytes(const SliceRequest& message) {
  switch (message.mem.op) {
    case MemOp::kRead:
      return 0;
    case MemOp::kWrite:
      return message.bytes;
    case MemOp::kAtomic:
    case MemOp::kReduction:
      break;
  }
  return kSectorBytes * sector_count(message.mem.sector_mask);
}
std::uint32_t data_bytes(const SliceResponse& message) {
  const bool data = message.mem.op == MemOp::kRead || message.mem.op == MemOp::kAtomic;
  return data ? kSectorBytes * sector_count(message.mem.sector_mask) : 0;
}

}  // namespace

void describe(ConfigSection& section, L2FabricConfig& config) {
  section.integer("request_latency_cycles", config.request_latency_cycles, 2, 10000,
                  "L2 cycles from a near slice to the home slice");
  section.integer("response_latency_cycles", config.response_latency_cycles, 2, 10000,
                  "L2 cycles from the home slice back");
  section.real("bytes_per_cycle", config.bytes_per_cycle, 0.01, 1e6,
               "bytes of messages with data that leave a partition per L2 cycle");
  section.integer("request_bytes", config.request_bytes, 0, 128,
                  "bytes of a message with data in addition to the data");
  section.integer("queue_entries", config.queue_entries, 1, 65536, "messages that wait at a slice, each direction");
  section.boolean("zero_latency", config.zero_latency, "idealisation: every hop takes one cycle");
  section.boolean("unlimited_bandwidth", config.unlimited_bandwidth, "idealisation: rates do not limit");
}

L2Fabric::Side::Side(std::vector<std::uint32_t> numbers, double bytes_per_cycle)
    : slices(std::move(numbers)),
      requests(static_cast<std::uint32_t>(slices.size())),
      responses(static_cast<std::uint32_t>(slices.size())),
      rate(bytes_per_cycle) {}

L2Fabric::L2Fabric(const L2FabricConfig& config, const std::vector<SliceLinks>& slices, LaunchStatsNode& parent)
    : config_(config), slices_(slices), stats_(parent, "l2_fabric") {
  std::vector<std::vector<std::uint32_t>> numbers;
  for (std::uint32_t slice = 0; slice < slices.size(); ++slice) {
    numbers.resize(std::max<std::size_t>(numbers.size(), slices[slice].partition + 1));
    numbers[slices[slice].partition].push_back(slice);
  }
  for (std::vector<std::uint32_t>& side : numbers) {
    sides_.emplace_back(std::move(side), config.unlimited_bandwidth ? 0 : config.bytes_per_cycle);
  }
}

void L2Fabric::connect(WakeHandle self) {
  for (Side& side : sides_) {
    for (std::uint32_t input = 0; input < side.slices.size(); ++input) {
      const SliceLinks& links = slices_[side.slices[input]];
      side.requests.connect(input, *links.requests_in, self);
      side.responses.connect(input, *links.responses_in, self);
      links.requests_out->connect_sender(self);
      links.responses_out->connect_sender(self);
    }
  }
}

template <typename Message>
Cycle L2Fabric::pass(Side& side, Link<Message>& from, Link<Message>& to, Cycle now) {
  const std::uint32_t data = data_bytes(from.front());
  if (data != 0 && !side.rate.ready(now)) {
    return side.rate.ready_at();
  }
  if (!to.can_send(now)) {
    return InputSet<Message>::kWaitForLink;
  }
  if (data != 0) {
    const std::uint32_t bytes = config_.request_bytes + data;
    side.rate.use(now, bytes);
    side.requests_first = std::is_same_v<Message, SliceResponse>;
    stats_[from.front().mem.seat].bytes += bytes;
  }
  to.send(from.front(), now);
  return InputSet<Message>::kTaken;
}

Cycle L2Fabric::pass_responses(Side& side, Cycle now) {
  return side.responses.serve_all(now, [&](std::uint32_t /*input*/, Link<SliceResponse>& link) {
    const Cycle result = pass(side, link, *slices_[link.front().near_slice].responses_out, now);
    if (result == InputSet<SliceResponse>::kTaken) {
      L2FabricStats& stats = stats_[link.front().mem.seat];
      ++stats.responses;
      stats.response_wait.add(now - link.next_arrival());
      link.pop(now);
    }
    return result;
  });
}

Cycle L2Fabric::pass_requests(Side& side, Cycle now) {
  return side.requests.serve_all(now, [&](std::uint32_t /*input*/, Link<SliceRequest>& link) {
    const Cycle result = pass(side, link, *slices_[link.front().home_slice].requests_out, now);
    if (result == InputSet<SliceRequest>::kTaken) {
      L2FabricStats& stats = stats_[link.front().mem.seat];
      ++stats.requests;
      stats.request_wait.add(now - link.next_arrival());
      link.pop(now);
    }
    return result;
  });
}

Cycle L2Fabric::tick(Cycle now) {
  Cycle next = kNever;
  for (Side& side : sides_) {
    const bool requests_first = side.requests_first;
    if (requests_first) {
      next = std::min(next, pass_requests(side, now));
    }
    next = std::min(next, pass_responses(side, now));
    if (!requests_first) {
      next = std::min(next, pass_requests(side, now));
    }
  }
  return next;
}

bool L2Fabric::idle() const {
  return std::all_of(sides_.begin(), sides_.end(),
                     [](const Side& side) { return side.requests.empty() && side.responses.empty(); });
}

std::string L2Fabric::describe_stall() const {
  std::string text;
  for (std::size_t side = 0; side < sides_.size(); ++side) {
    if (!sides_[side].requests.empty()) {
      text += fmt::format("requests of partition {} wait for home slices or bandwidth; ", side);
    }
    if (!sides_[side].responses.empty()) {
      text += fmt::format("responses of partition {} wait for near slices or bandwidth; ", side);
    }
  }
  return text;
}

}  // namespace warpsim
