#include "core/async/tma_engine.h"

#include <algorithm>
#include <bit>

#include "memory/access/covered_bytes.h"

namespace warpsim {
namespace {

using Kind = AsyncOperation::Kind;

std::uint32_t lines_of(const AsyncOperation& operation) {
  const Address last = operation.global + static_cast<std::uint32_t>(operation.bytes) - 1;
  return static_cast<std::uint32_t>((line_of(last) - line_of(operation.global)) / kLineBytes) + 1;
}

}  // namespace

void describe(ConfigSection& section, TmaConfig& config) {
  section.integer("setup_cycles", config.setup_cycles, 1, 10000, "from a bulk copy's issue to its first request");
  section.integer("copy_interval_cycles", config.copy_interval_cycles, 1, 1000,
                  "between the starts of two bulk copies");
  section.integer("tensor_setup_cycles", config.tensor_setup_cycles, 1, 10000,
                  "from the issue of a tensor copy to its first request");
  section.integer("tensor_interval_cycles", config.tensor_interval_cycles, 1, 1000,
                  "between the starts of two tensor copies");
  section.integer("line_interval_cycles", config.line_interval_cycles, 1, 1000,
                  "between two requests for lines of a bulk copy");
  section.integer("store_line_interval_cycles", config.store_line_interval_cycles, 1, 1000,
                  "between two lines that a bulk copy writes");
  section.integer("lines_under_way", config.lines_under_way, 1, 65536, "maximum outstanding lines");
  section.integer("delivery_cycles", config.delivery_cycles, 1, 10000,
                  "from the last sector of a bulk copy until its bytes count at the barrier");
  section.integer("read_cycles", config.read_cycles, 1, 10000,
                  "from the last line of a group of copies from shared memory until the group counts as read");
}

TmaEngine::TmaEngine(const TmaConfig& config, std::uint16_t port, SmEvents& events, Link<MemRequest>& to_memory,
                     LaunchStatsNode& parent)
    : config_(config), port_(port), events_(&events), to_memory_(&to_memory), stats_(parent, "tma") {}

void TmaEngine::enqueue(const MemoryInstruction& instruction, const AsyncOperation& operation, Cycle now) {
  Copy copy{instruction, operation, 0};
  if (operation.kind == Kind::kCommit) {
    copy.ready = now;
  } else {
    const bool tensor = operation.by_descriptor;
    TmaStats& stats = stats_[instruction.seat];
    if (operation.continues) {
      copy.ready = latest_ready_;
    } else {
      copy.ready = std::max(now + (tensor ? config_.tensor_setup_cycles : config_.setup_cycles), next_setup_at_);
      next_setup_at_ = copy.ready + (tensor ? config_.tensor_interval_cycles : config_.copy_interval_cycles);
      ++(operation.kind == Kind::kCopyIn ? stats.copies_in : stats.copies_out);
    }
    latest_ready_ = copy.ready;
    (operation.kind == Kind::kCopyIn ? stats.bytes_in : stats.bytes_out) += static_cast<std::uint32_t>(operation.bytes);
    if (operation.kind != Kind::kCopyIn) {
      writes_for_memory_.add(instruction.seat, lines_of(operation));
    }
  }
  queue_.push(copy);
}

MemRequest TmaEngine::request_for(const Copy& copy, std::uint32_t line) const {
  const AsyncOperation& operation = copy.operation;
  const Address begin = operation.global;
  const Address end = begin + static_cast<std::uint32_t>(operation.bytes);
  MemRequest request;
  request.line = line_of(begin) + Address{line} * kLineBytes;
  request.source = port_;
  request.seat = copy.instruction.seat;
  const bool in = operation.kind == Kind::kCopyIn;
  request.op = in ? MemOp::kRead : operation.kind == Kind::kReduceOut ? MemOp::kReduction : MemOp::kWrite;
  request.wants_ack = !in;
  request_bytes(request, begin, end);
  return request;
}

bool TmaEngine::may_send() const {
  const bool in = queue_.front().operation.kind == Kind::kCopyIn;
  return !in || reads_under_way_ + kSectorsPerLine <= config_.lines_under_way * kSectorsPerLine;
}

void TmaEngine::send_line(Cycle now) {
  const Copy& copy = queue_.front();
  MemRequest request = request_for(copy, lines_sent_);
  const auto sectors = static_cast<std::uint32_t>(std::popcount(request.sector_mask));
  const bool in = copy.operation.kind == Kind::kCopyIn;
  if (in) {
    if (lines_sent_ == 0) {
      flight_ = flights_.take({copy.instruction, copy.operation, 0, false});
    }
    flights_[flight_].sectors_left += sectors;
    reads_under_way_ += sectors;
    stats_[request.seat].sectors_in += sectors;
    request.tag = kTag | flight_;
  } else {
    writes_under_way_ += sectors;
    stats_[request.seat].sectors_out += sectors;
    request.tag = kTag;
  }
  to_memory_->send(request, now);
  next_line_at_ = now + (in ? config_.line_interval_cycles : config_.store_line_interval_cycles);
  if (++lines_sent_ == lines_of(copy.operation)) {
    lines_sent_ = 0;
    if (in) {
      flights_[flight_].all_sent = true;
    }
    queue_.pop();
  }
}

void TmaEngine::tick(Cycle now, bool port_taken) {
  while (!queue_.empty() && queue_.front().operation.kind == Kind::kCommit) {
    const MemoryInstruction& instruction = queue_.front().instruction;
    events_->add(now + config_.read_cycles,
                 {SmEvent::Kind::kSourcesRead, instruction.sub_core, instruction.warp, 0, instruction.instruction});
    queue_.pop();
  }
  refused_ = false;
  if (queue_.empty() || queue_.front().ready > now || next_line_at_ > now || port_taken || !may_send()) {
    return;
  }
  if (!to_memory_->can_send(now)) {
    refused_ = true;
    return;
  }
  send_line(now);
}

void TmaEngine::response(const MemResponse& response, Cycle now) {
  if (response.posted) {
    return;  // the engine waits until its writes have arrived
  }
  const auto sectors = static_cast<std::uint32_t>(std::popcount(response.sector_mask));
  if (response.op != MemOp::kRead) {
    writes_under_way_ -= sectors;
    return;
  }
  reads_under_way_ -= sectors;
  const std::uint32_t entry = response.tag & ~kTag;
  Flight& flight = flights_[entry];
  flight.sectors_left -= sectors;
  if (flight.sectors_left == 0 && flight.all_sent) {
    finish_flight(entry, now);
  }
}

void TmaEngine::finish_flight(std::uint32_t entry, Cycle now) {
  const MemoryInstruction& instruction = flights_[entry].instruction;
  stats_[instruction.seat].latency_in.add(now - instruction.issued);
  ++deliveries_;
  events_->add(now + config_.delivery_cycles,
               {SmEvent::Kind::kCopyDelivered, instruction.sub_core, instruction.warp, 0, entry});
}

TmaEngine::Delivery TmaEngine::take_delivery(std::uint32_t number) {
  --deliveries_;
  flights_.give_back(number);
  return {flights_[number].instruction.block_slot, flights_[number].operation};
}

Cycle TmaEngine::next_work(Cycle now) const {
  if (queue_.empty()) {
    return kNever;
  }
  if (queue_.front().operation.kind == Kind::kCommit) {
    return now + 1;
  }
  if (refused_ || !may_send()) {
    return kNever;  // only the crossbar or a response can free space
  }
  return std::max({queue_.front().ready, next_line_at_, now + 1});
}

}  // namespace warpsim
