#include "core/sm/constant_caches.h"

#include <algorithm>

#include "memory/code_window.h"

namespace warpsim {

namespace {
constexpr std::uint32_t kNoLine = 0xffffffffU;
}  // namespace

void describe(ConfigSection& section, ConstantCachesConfig& config) {
  section.integer("immediate_bytes", config.immediate_bytes, kConstantLineBytes, 1U << 20,
                  "capacity of a sub-core's immediate constant cache");
  section.integer("immediate_ways", config.immediate_ways, 1, 64, "its associativity");
  section.integer("indexed_bytes", config.indexed_bytes, kConstantLineBytes, 1U << 20,
                  "capacity of the SM's indexed constant cache");
  section.integer("indexed_ways", config.indexed_ways, 1, 64, "its associativity");
  section.integer("load_latency_cycles", config.load_latency_cycles, 1, 1000, "LDC that hits, from issue to use");
  section.integer("load_replay_cycles", config.load_replay_cycles, 1, 1000,
                  "LDC that missed, from the arrival of its line to use");
  section.boolean("perfect", config.perfect, "every lookup hits");
}

ConstantCaches::ConstantCaches(const ConstantCachesConfig& config, std::uint32_t sub_cores, SmEvents& events,
                               Link<GpcRequest>& to_gpc, LaunchStatsNode& parent)
    : config_(config),
      events_(&events),
      to_gpc_(&to_gpc),
      stats_(parent, "constant_caches"),
      latest_operand_line_(sub_cores, kNoLine),
      indexed_(config.indexed_bytes, config.indexed_ways, kConstantLineBytes) {
  for (std::uint32_t i = 0; i < sub_cores; ++i) {
    immediate_.emplace_back(config.immediate_bytes, config.immediate_ways, kConstantLineBytes);
  }
}

ConstantCaches::Pending& ConstantCaches::pending_line(std::uint32_t line_number) {
  for (Pending& pending : pending_) {
    if (pending.line_number == line_number) {
      return pending;
    }
  }
  pending_.push_back({line_number, 0, {}, false});
  return pending_.back();
}

bool ConstantCaches::operand_present(std::uint32_t sub_core, Address address, Cycle now) {
  const LaunchSeat seat = constant_seat(address);
  const std::uint32_t line = constant_line_number(address);
  if (config_.perfect || latest_operand_line_[sub_core] == line) {
    ++stats_[seat].immediate_requests;
    return true;
  }
  if (immediate_[sub_core].access(line)) {
    ++stats_[seat].immediate_requests;
    latest_operand_line_[sub_core] = line;
    return true;
  }
  Pending& pending = pending_line(line);
  // A warp that asks again while the line is in flight is the same request.
  if ((pending.sub_cores >> sub_core & 1U) == 0) {
    ++stats_[seat].immediate_requests;
    ++stats_[seat].immediate_misses;
    pending.sub_cores |= 1U << sub_core;
    send_pending(now);
  }
  return false;
}

void ConstantCaches::load(const MemoryInstruction& instruction, Cycle since, Cycle now) {
  ConstantCachesStats& stats = stats_[instruction.seat];
  ++stats.indexed_requests;
  const std::uint32_t line = constant_line_number(instruction.info->constant_address);
  if (config_.perfect || indexed_.access(line)) {
    ++stats.indexed_hits;
    const Cycle done = std::max(since + config_.load_latency_cycles, now + 1);
    stats.load_latency.add(done - since);
    post_result(*events_, instruction, done);
    return;
  }
  ++stats.indexed_misses;
  pending_line(line).loads.push_back({instruction.sub_core, instruction.warp, instruction.instruction, since});
  send_pending(now);
}

bool ConstantCaches::send_pending(Cycle now) {
  for (Pending& pending : pending_) {
    if (!pending.sent) {
      if (!to_gpc_->can_send(now)) {
        return true;
      }
      const Address address = constant_line_address(pending.line_number);
      to_gpc_->send({line_of(address), MemClient::kConstant, constant_seat(address)}, now);
      pending.sent = true;
    }
  }
  return false;
}

void ConstantCaches::line_arrived(Address line, Cycle now) {
  for (std::size_t i = 0; i < pending_.size();) {
    Pending& pending = pending_[i];
    if (!pending.sent || line_of(constant_line_address(pending.line_number)) != line) {
      ++i;
      continue;
    }
    for (std::uint32_t sub_core = 0; sub_core < immediate_.size(); ++sub_core) {
      if ((pending.sub_cores >> sub_core & 1U) != 0) {
        immediate_[sub_core].insert(pending.line_number);
        latest_operand_line_[sub_core] = kNoLine;
        events_->add(now + 1,
                     {SmEvent::Kind::kConstantLine, static_cast<std::uint8_t>(sub_core), 0, 0, pending.line_number});
      }
    }
    if (!pending.loads.empty()) {
      indexed_.insert(pending.line_number);
    }
    for (const Load& load : pending.loads) {
      const Cycle done = now + config_.load_replay_cycles;
      stats_[constant_seat(line)].load_latency.add(done - load.since);
      events_->add(done, {SmEvent::Kind::kResultWritten, load.sub_core, load.warp, 0, load.instruction});
    }
    pending_.erase(pending_.begin() + static_cast<std::ptrdiff_t>(i));
  }
}

void ConstantCaches::invalidate(LaunchSeat seat) {
  const std::uint32_t first = constant_line_number(constant_address(0, 0, seat));
  const std::uint32_t end =
      first + static_cast<std::uint32_t>(kConstantBanks * kConstantBankBytes / kConstantLineBytes);
  for (PresenceCache& tags : immediate_) {
    tags.invalidate(first, end);
  }
  latest_operand_line_.assign(latest_operand_line_.size(), kNoLine);
  indexed_.invalidate(first, end);
}

}  // namespace warpsim
