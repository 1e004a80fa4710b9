#include "core/sm/constant_caches.h"

#include <algorithm>

#include "base/check.h"
#include "memory/access/lane_array.h"
#include "memory/code_window.h"

namespace warpsim {

namespace {
constexpr std::uint32_t kNoLine = 0xffffffffU;

// That banks differ is measured (constant_streams: a line of bank 0 does not replace one of four of bank 3 with the
// same number), how is assumed.
std::uint32_t operand_set(Address stated, std::uint32_t sets) {
  return (constant_line_number(stated) + constant_bank(stated)) % sets;
}
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
  section.integer("word_interval_cycles", config.word_interval_cycles, 1, 1000,
                  "between different words that the lanes of LDCs read");
  section.boolean("perfect", config.perfect, "every lookup hits");
}

ConstantCaches::ConstantCaches(const ConstantCachesConfig& config, std::uint32_t sub_cores, SmEvents& events,
                               Link<GpcRequest>& to_gpc, LaunchStatsNode& parent)
    : config_(config),
      events_(&events),
      to_gpc_(&to_gpc),
      stats_(parent, "constant_caches"),
      latest_operand_line_(sub_cores, {0, kNoLine}),
      indexed_(config.indexed_bytes, config.indexed_ways, kConstantLineBytes) {
  for (std::uint32_t i = 0; i < sub_cores; ++i) {
    immediate_.emplace_back(config.immediate_bytes, config.immediate_ways, kConstantLineBytes);
  }
}

ConstantCaches::Pending* ConstantCaches::find_pending(std::uint32_t cache, std::uint32_t line_number,
                                                      std::uint32_t set) {
  const auto found = std::ranges::find_if(pending_, [&](const Pending& pending) {
    return pending.cache == cache && pending.line_number == line_number && pending.set == set;
  });
  return found == pending_.end() ? nullptr : &*found;
}

bool ConstantCaches::operand_present(std::uint32_t sub_core, Address stated, Address address, Cycle now) {
  const LaunchSeat seat = constant_seat(address);
  PresenceCache& cache = immediate_[sub_core];
  const OperandLine line{operand_set(stated, cache.sets()), constant_line_number(address)};
  if (config_.perfect || latest_operand_line_[sub_core] == line) {
    ++stats_[seat].immediate_requests;
    return true;
  }
  if (cache.access(line.set, line.line_number)) {
    ++stats_[seat].immediate_requests;
    latest_operand_line_[sub_core] = line;
    return true;
  }
  // A warp that asks again while the line is in flight is the same request.
  if (find_pending(sub_core, line.line_number, line.set) == nullptr) {
    ++stats_[seat].immediate_requests;
    ++stats_[seat].immediate_misses;
    pending_.push_back({sub_core, line.line_number, line.set, {}, false});
    send_pending(now);
  }
  return false;
}

// Of a load's lanes: collects the lines that are missing. Returns the number of different words.
std::uint32_t ConstantCaches::look_up(const MemoryInstruction& instruction) {
  const Address stated = instruction.info->constant_address;
  words_.clear();
  missing_lines_.clear();
  const LaneAddresses& lanes = instruction.addresses;
  if (lanes.kind == LaneAddresses::Kind::kNone) {
    words_.push_back(stated);
  } else {
    LaneArray offsets;
    const std::uint32_t count = expand(lanes, instruction.active, offsets);
    for (std::uint32_t i = 0; i < count; ++i) {
      words_.push_back(in_constant_bank_of(stated, offsets[i]));
    }
    std::ranges::sort(words_);
    words_.erase(std::unique(words_.begin(), words_.end()), words_.end());
  }
  for (const Address word : words_) {
    const std::uint32_t line = constant_line_number(word);
    if (!indexed_.access(line) && (missing_lines_.empty() || missing_lines_.back() != line)) {
      missing_lines_.push_back(line);
    }
  }
  return static_cast<std::uint32_t>(words_.size());
}

void ConstantCaches::load(const MemoryInstruction& instruction, Cycle since, Cycle now) {
  ConstantCachesStats& stats = stats_[instruction.seat];
  ++stats.indexed_requests;
  const std::uint32_t words = look_up(instruction);
  const Cycle begin = std::max(now, load_port_free_);
  load_port_free_ = begin + Cycle{words} * config_.word_interval_cycles;
  if (config_.perfect || missing_lines_.empty()) {
    ++stats.indexed_hits;
    const Cycle waited = begin - now + Cycle{words - 1} * config_.word_interval_cycles;
    const Cycle done = std::max(since + config_.load_latency_cycles, now + 1) + waited;
    stats.load_latency.add(done - since);
    post_result(*events_, instruction, done);
    return;
  }
  ++stats.indexed_misses;
  for (const std::uint32_t line : missing_lines_) {
    if (find_pending(kIndexed, line, 0) == nullptr) {
      pending_.push_back({kIndexed, line, 0, {}, false});
    }
  }
  // The last line arrives last, unless an earlier load waits for it.
  find_pending(kIndexed, missing_lines_.back(), 0)
      ->loads.push_back({instruction.sub_core, instruction.warp, instruction.instruction, since});
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
  const auto found = std::ranges::find_if(pending_, [line](const Pending& pending) {
    return pending.sent && line_of(constant_line_address(pending.line_number)) == line;
  });
  SIM_CHECK(found != pending_.end(), "a constant line that nobody requested");
  if (found->cache == kIndexed) {
    indexed_.insert(found->line_number);
    for (const Load& load : found->loads) {
      const Cycle done = now + config_.load_replay_cycles;
      stats_[constant_seat(line)].load_latency.add(done - load.since);
      events_->add(done, {SmEvent::Kind::kResultWritten, load.sub_core, load.warp, 0, load.instruction});
    }
  } else {
    immediate_[found->cache].insert(found->set, found->line_number);
    latest_operand_line_[found->cache] = {0, kNoLine};
    events_->add(now + 1,
                 {SmEvent::Kind::kConstantLine, static_cast<std::uint8_t>(found->cache), 0, 0, found->line_number});
  }
  pending_.erase(found);
}

void ConstantCaches::invalidate(LaunchSeat seat) {
  const std::uint32_t first = constant_line_number(constant_address(0, 0, seat));
  const std::uint32_t end =
      first + static_cast<std::uint32_t>(kConstantBanks * kConstantBankBytes / kConstantLineBytes);
  for (PresenceCache& tags : immediate_) {
    tags.invalidate(first, end);
  }
  latest_operand_line_.assign(latest_operand_line_.size(), {0, kNoLine});
  indexed_.invalidate(first, end);
}

}  // namespace warpsim
