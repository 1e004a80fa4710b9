#include "memory/l2/l2_fabric.h"

#include <algorithm>
#include <type_traits>

#include "base/check.h"

namespace warpsim {
namespace {

std::uint32_t data_bytes(const SliceRequest& message) {
  if (message.removes_copy) {
    return 0;
  }
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

// Whether they can be a compressed line's.
bool covers_line(const SliceRequest& message) {
  return message.mem.op == MemOp::kWrite && complete_sectors(message.mem) == 0xf;
}
bool covers_line(const SliceResponse& message) {
  return message.mem.op == MemOp::kRead;
}

// Whether a message waits for its turn at the output of its slice.
bool takes_turn(const SliceRequest& message) {
  return message.removes_copy || data_bytes(message) != 0;
}
bool takes_turn(const SliceResponse& message) {
  return data_bytes(message) != 0;
}

}  // namespace

void describe(ConfigSection& section, L2FabricConfig& config) {
  section.integer("request_latency_cycles", config.request_latency_cycles, 2, 10000,
                  "L2 cycles from a near slice to the home slice");
  section.integer("response_latency_cycles", config.response_latency_cycles, 2, 10000,
                  "L2 cycles from the home slice back");
  section.real("slice_bytes_per_cycle", config.slice_bytes_per_cycle, 0.01, 1e6,
               "bytes of messages with data that leave a slice for the other partition per L2 cycle");
  section.integer("request_bytes", config.request_bytes, 0, 128,
                  "bytes of a message with data in addition to the data");
  section.integer("queue_entries", config.queue_entries, 1, 65536, "messages that wait at a slice, each direction");
  section.boolean(
      "compressed_lines", config.compressed_lines,
      "data of a line that l2.compression compresses take no more sectors than the compressed line; a write "
      "if it covers the line");
  section.boolean("zero_latency", config.zero_latency, "idealisation: every hop takes one cycle");
  section.boolean("unlimited_bandwidth", config.unlimited_bandwidth, "idealisation: rates do not limit");
}

L2Fabric::L2Fabric(const L2FabricConfig& config, const std::vector<SliceLinks>& slices, LaunchStatsNode& parent,
                   std::uint32_t number)
    : config_(config),
      slices_(slices),
      outputs_(slices.size(), {RateLimiter(config.unlimited_bandwidth ? 0 : config.slice_bytes_per_cycle)}),
      requests_(static_cast<std::uint32_t>(slices.size())),
      responses_(static_cast<std::uint32_t>(slices.size())),
      stats_(parent, "l2_fabric", number) {}

void L2Fabric::connect(WakeHandle self) {
  for (std::uint32_t slice = 0; slice < slices_.size(); ++slice) {
    const SliceLinks& links = slices_[slice];
    requests_.connect(slice, *links.requests_in, self);
    responses_.connect(slice, *links.responses_in, self);
    links.requests_out->connect_sender(self);
    links.responses_out->connect_sender(self);
  }
}

// There are few slices.
const L2Fabric::SliceLinks& L2Fabric::links_of(std::uint32_t number) const {
  std::size_t i = 0;
  while (slices_[i].number != number) {
    ++i;
    SIM_CHECK(i < slices_.size(), "a message of a fabric is for a slice of another one");
  }
  return slices_[i];
}

// With the data of the message; 0: it has none.
template <typename Message>
std::uint32_t L2Fabric::bytes_of_message(const Message& message) const {
  std::uint32_t data = data_bytes(message);
  if (data == 0) {
    return 0;
  }
  if (config_.compressed_lines && message.compressed != 0 && covers_line(message)) [[unlikely]] {
    data = std::min(data, kSectorBytes * sector_count(message.compressed));
  }
  return config_.request_bytes + data;
}

template <typename Message>
Cycle L2Fabric::pass(std::uint32_t slice, Link<Message>& from, Link<Message>& to, Cycle now) {
  const bool in_turn = takes_turn(from.front());
  Output& output = outputs_[slice];
  if (in_turn && !output.rate.ready(now)) {
    return output.rate.ready_at();
  }
  if (in_turn && output.turn_at > now && !config_.unlimited_bandwidth) {
    return output.turn_at;
  }
  if (!to.can_send(now)) {
    return InputSet<Message>::kWaitForLink;
  }
  if (in_turn) {
    const std::uint32_t bytes = bytes_of_message(from.front());
    output.rate.use(now, bytes);
    output.turn_at = now + 1;
    output.requests_first = std::is_same_v<Message, SliceResponse>;
    stats_[from.front().mem.seat].bytes += bytes;
  }
  to.send(from.front(), now);
  return InputSet<Message>::kTaken;
}

// Whether the oldest request of a slice takes a turn and passes if the output is free.
bool L2Fabric::passes_request(std::uint32_t slice, Cycle now) {
  const Link<SliceRequest>& link = *slices_[slice].requests_in;
  return link.has_message(now) && takes_turn(link.front()) &&
         links_of(link.front().home_slice).requests_out->can_send(now);
}

Cycle L2Fabric::pass_responses(Cycle now) {
  return responses_.serve_all(now, [&](std::uint32_t slice, Link<SliceResponse>& link) {
    Output& output = outputs_[slice];
    if (output.requests_first && takes_turn(link.front()) && output.rate.ready(now) && passes_request(slice, now)) {
      return now + 1;  // the request goes first, below
    }
    const Cycle result = pass(slice, link, *links_of(link.front().near_slice).responses_out, now);
    if (result == InputSet<SliceResponse>::kTaken) {
      L2FabricStats& stats = stats_[link.front().mem.seat];
      ++stats.responses;
      stats.response_wait.add(now - link.next_arrival());
      link.pop(now);
    }
    return result;
  });
}

Cycle L2Fabric::pass_requests(Cycle now) {
  return requests_.serve_all(now, [&](std::uint32_t slice, Link<SliceRequest>& link) {
    const Cycle result = pass(slice, link, *links_of(link.front().home_slice).requests_out, now);
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
  const Cycle responses = pass_responses(now);
  return std::min(responses, pass_requests(now));
}

bool L2Fabric::idle() const {
  return requests_.empty() && responses_.empty();
}

std::string L2Fabric::describe_stall() const {
  std::string text;
  if (!requests_.empty()) {
    text += "requests wait for home slices or bandwidth; ";
  }
  if (!responses_.empty()) {
    text += "responses wait for near slices or bandwidth; ";
  }
  return text;
}

}  // namespace warpsim
