#include "core/sm/sm_instruction_cache.h"

#include <algorithm>

#include "memory/code_window.h"

namespace warpsim {

void describe(ConfigSection& section, SmInstructionCacheConfig& config) {
  section.integer("kib", config.kib, 1, 4096, "capacity");
  section.integer("ways", config.ways, 1, 64, "associativity");
  section.integer("hit_latency_cycles", config.hit_latency_cycles, 1, 1000, "from a sub-core's request to its L0");
  section.integer("line_interval_cycles", config.line_interval_cycles, 1, 1000, "between lines to one sub-core");
}

SmInstructionCache::SmInstructionCache(const SmInstructionCacheConfig& config, SmEvents& events,
                                       Link<GpcRequest>& to_gpc, LaunchStatsNode& parent)
    : config_(config),
      events_(&events),
      to_gpc_(&to_gpc),
      stats_(parent, "instruction_cache"),
      tags_(config.kib * 1024U, config.ways) {}

void SmInstructionCache::deliver(std::uint32_t sub_core, std::uint32_t line_number, Cycle earliest) {
  Cycle& port = port_free_at_[sub_core];
  const Cycle at = std::max(earliest, port);
  port = at + config_.line_interval_cycles;
  events_->add(at, {SmEvent::Kind::kInstructionLine, static_cast<std::uint8_t>(sub_core), 0, 0, line_number});
}

void SmInstructionCache::request(std::uint32_t sub_core, std::uint32_t line_number, LaunchSeat seat, Cycle now) {
  ++stats_[seat].requests;
  if (tags_.access(line_number)) {
    ++stats_[seat].hits;
    deliver(sub_core, line_number, now + config_.hit_latency_cycles);
    return;
  }
  ++stats_[seat].misses;
  const auto bit = static_cast<std::uint8_t>(1U << sub_core);
  for (Pending& pending : pending_) {
    if (pending.line_number == line_number) {
      pending.sub_cores = static_cast<std::uint8_t>(pending.sub_cores | bit);
      return;
    }
  }
  pending_.push_back({line_number, bit, false, seat});
  send_pending(now);
}

bool SmInstructionCache::send_pending(Cycle now) {
  for (Pending& pending : pending_) {
    if (!pending.sent) {
      if (!to_gpc_->can_send(now)) {
        return true;
      }
      to_gpc_->send({code_line_address(pending.line_number), MemClient::kInstruction, pending.seat}, now);
      pending.sent = true;
    }
  }
  return false;
}

void SmInstructionCache::line_arrived(std::uint32_t line_number, Cycle now) {
  tags_.insert(line_number);
  const auto pending =
      std::find_if(pending_.begin(), pending_.end(), [&](const Pending& p) { return p.line_number == line_number; });
  SIM_CHECK(pending != pending_.end(), "an instruction line that was not requested");
  for (std::uint32_t sub_core = 0; sub_core < kMaxSubCores; ++sub_core) {
    if ((pending->sub_cores >> sub_core & 1U) != 0) {
      deliver(sub_core, line_number, now + 1);
    }
  }
  pending_.erase(pending);
}

}  // namespace warpsim
