#include "memory/caches/gpc_cache.h"

#include <algorithm>
#include <utility>

#include "memory/code_window.h"

namespace warpsim {

namespace {
constexpr std::uint8_t kAllSectors = (1U << kSectorsPerLine) - 1;
constexpr std::size_t kMostMissesOfLaunch = 64;  // keeps the list short; covers the latency at one line per cycle
}  // namespace

void describe(ConfigSection& section, GpcCacheConfig& config) {
  section.integer("kib", config.kib, 1, 1U << 16, "capacity");
  section.integer("ways", config.ways, 1, 64, "associativity");
  section.integer("instruction_hit_latency_cycles", config.instruction_hit_latency_cycles, 1, 1000,
                  "instruction line: from lookup to response, without the links");
  section.integer("instruction_fill_latency_cycles", config.instruction_fill_latency_cycles, 1, 1000,
                  "instruction line: from its last sector's arrival to response, without the links");
  section.integer("constant_hit_latency_cycles", config.constant_hit_latency_cycles, 1, 1000,
                  "constant line: from lookup to response, without the links");
  section.integer("link_latency_cycles", config.link_latency_cycles, 1, 1000, "from an SM to the cache, and back");
  section.integer("nearer_cycles", config.nearer_cycles, 0, 1000,
                  "core cycles by which responses of the crossbar reach the cache earlier than an SM");
  section.integer("instruction_fill_bytes", config.instruction_fill_bytes, kLineBytes, 4096,
                  "aligned bytes that an instruction miss fetches from L2");
  section.integer("constant_interval_cycles", config.constant_interval_cycles, 1, 1000,
                  "from the lookup of a constant line to the next lookup");
  section.integer("constant_fill_bytes", config.constant_fill_bytes, kLineBytes, 4096,
                  "aligned bytes that a constant miss fetches from L2");
  section.integer("launch_constant_bytes", config.launch_constant_bytes, 0, kConstantBankBytes,
                  "first bytes of constant bank 0 that are present when a launch starts");
  section.integer("launch_code_bytes", config.launch_code_bytes, 0, 1U << 24,
                  "first bytes of a kernel's code that the launch prefetches");
  section.integer("launch_code_delay_cycles", config.launch_code_delay_cycles, 0, 1000000,
                  "from a launch to the first request for its code");
  section.boolean("perfect", config.perfect, "every lookup hits");
}

GpcCache::GpcCache(const GpcCacheConfig& config, std::uint16_t port, std::vector<SmLinks> sms,
                   Link<MemRequest>& to_memory, Link<MemResponse>& from_memory, LaunchStatsNode& parent,
                   std::uint32_t index)
    : config_(config),
      port_(port),
      sms_(std::move(sms)),
      to_memory_(&to_memory),
      from_memory_(&from_memory),
      stats_(parent, "gpc_cache", index),
      tags_(config.kib * 1024U, config.ways) {}

void GpcCache::insert_reply(const Reply& reply) {
  const auto later =
      std::find_if(replies_.begin(), replies_.end(), [&](const Reply& other) { return other.due > reply.due; });
  replies_.insert(later, reply);
}

void GpcCache::handle(std::uint32_t sm, const GpcRequest& request, Cycle now) {
  const bool instruction = request.client == MemClient::kInstruction;
  GpcCacheStats& stats = stats_[request.seat];
  ++(instruction ? stats.instruction_requests : stats.constant_requests);
  if (config_.perfect || tags_.access(request.line / kLineBytes)) {
    const Cycle latency = instruction ? config_.instruction_hit_latency_cycles : config_.constant_hit_latency_cycles;
    insert_reply({now + latency, sm, {request.line, request.client}});
    return;
  }
  ++(instruction ? stats.instruction_misses : stats.constant_misses);
  for (Miss& miss : misses_) {
    if (miss.request.line == request.line) {
      miss.waiting.push_back(sm);
      return;
    }
  }
  misses_.push_back({request, now, false, next_tag_++, 0, {sm}});
  fetch_neighbours(request, now);
}

bool GpcCache::awaited(Address line) const {
  return std::any_of(misses_.begin(), misses_.end(), [line](const Miss& miss) { return miss.request.line == line; });
}

// Requests a line for which no SM waits yet.
void GpcCache::fetch(const GpcRequest& request, Cycle now) {
  if (!awaited(request.line) && !tags_.contains(request.line / kLineBytes)) {
    misses_.push_back({request, now, false, next_tag_++, 0, {}});
  }
}

// Lines that share the missing line's aligned block.
void GpcCache::fetch_neighbours(const GpcRequest& request, Cycle now) {
  const bool instruction = request.client == MemClient::kInstruction;
  const std::uint32_t bytes = instruction ? config_.instruction_fill_bytes : config_.constant_fill_bytes;
  const Address first = request.line / bytes * bytes;
  for (Address line = first; line < first + bytes; line += kLineBytes) {
    fetch({line, request.client, request.seat}, now);
  }
}

bool GpcCache::fetches_launch_code() const {
  return !launch_code_.empty() && misses_.size() < kMostMissesOfLaunch;
}

void GpcCache::fetch_launch_code(Cycle now) {
  if (!fetches_launch_code() || now < launch_code_.front().from) {
    return;
  }
  LaunchCode& code = launch_code_.front();
  fetch({code.lines.begin, MemClient::kInstruction, code.seat}, now);
  code.lines.begin += kLineBytes;
  ++stats_[code.seat].launch_code_lines;
  if (code.lines.begin >= code.lines.end) {
    launch_code_.erase(launch_code_.begin());
  }
}

void GpcCache::look_up(Cycle now) {
  if (now < lookup_free_) {
    return;
  }
  const auto count = static_cast<std::uint32_t>(sms_.size());
  for (std::uint32_t step = 0; step < count; ++step) {
    const std::uint32_t sm = (next_sm_ + step) % count;
    if (sms_[sm].requests->has_message(now)) {
      const GpcRequest& request = sms_[sm].requests->front();
      lookup_free_ = now + (request.client == MemClient::kConstant ? config_.constant_interval_cycles : 1);
      handle(sm, request, now);
      sms_[sm].requests->pop(now);
      next_sm_ = (sm + 1) % count;
      return;  // one lookup at a time
    }
  }
}

void GpcCache::take_fills(Cycle now) {
  while (from_memory_->has_message(now)) {
    const MemResponse response = from_memory_->front();
    from_memory_->pop(now);
    const auto miss =
        std::find_if(misses_.begin(), misses_.end(), [&](const Miss& m) { return m.tag == response.tag; });
    SIM_CHECK(miss != misses_.end(), "a fill that the GPC cache did not request");
    // The line may arrive in parts; it is used when the last sector has arrived.
    miss->sectors_here |= response.sector_mask;
    if (miss->sectors_here != kAllSectors) {
      continue;
    }
    const Address line = miss->request.line;
    tags_.insert(line / kLineBytes);
    if (miss->request.client == MemClient::kConstant) {
      stats_[miss->request.seat].constant_miss_latency.add(now - miss->since);
    }
    for (const std::uint32_t sm : miss->waiting) {
      insert_reply(
          {now + (miss->request.client == MemClient::kInstruction ? config_.instruction_fill_latency_cycles : 1),
           sm,
           {line, miss->request.client}});
    }
    misses_.erase(miss);
  }
}

void GpcCache::send_misses(Cycle now) {
  for (Miss& miss : misses_) {
    if (!miss.sent) {
      if (!to_memory_->can_send(now)) {
        return;
      }
      MemRequest request;
      request.line = miss.request.line;
      request.tag = miss.tag;
      request.source = port_;
      request.client = miss.request.client;
      request.sector_mask = kAllSectors;
      request.seat = miss.request.seat;
      to_memory_->send(request, now);
      miss.sent = true;
    }
  }
}

void GpcCache::send_replies(Cycle now) {
  std::size_t kept = 0;
  for (const Reply& reply : replies_) {
    Link<GpcResponse>& link = *sms_[reply.sm].responses;
    if (reply.due <= now && link.can_send(now)) {
      link.send(reply.response, now);
    } else {
      replies_[kept++] = reply;
    }
  }
  replies_.resize(kept);
}

Cycle GpcCache::tick(Cycle now) {
  take_fills(now);
  look_up(now);
  fetch_launch_code(now);
  send_misses(now);
  send_replies(now);
  Cycle next = from_memory_->next_arrival();
  for (const SmLinks& sm : sms_) {
    const Cycle arrival = sm.requests->next_arrival();
    next = std::min(next, arrival == kNever ? kNever : std::max(arrival, lookup_free_));
  }
  for (const Reply& reply : replies_) {
    next = std::min(next, reply.due);
  }
  if (fetches_launch_code()) {
    next = std::min(next, launch_code_.front().from);
  }
  return next == kNever ? kNever : std::max(next, now + 1);
}

bool GpcCache::idle() const {
  return misses_.empty() && replies_.empty() &&
         std::all_of(sms_.begin(), sms_.end(), [](const SmLinks& sm) { return sm.requests->empty(); });
}

std::string GpcCache::describe_stall() const {
  if (idle()) {
    return {};
  }
  return std::to_string(misses_.size()) + " lines awaited from L2, " + std::to_string(replies_.size()) +
         " replies to be sent";
}

void GpcCache::begin_launch(const CodeRange& code, LaunchSeat seat, Cycle now) {
  const Address begin = constant_address(0, 0, seat);
  for (Address line = begin; line < begin + config_.launch_constant_bytes; line += kLineBytes) {
    tags_.insert(line / kLineBytes);
  }
  // The launch that had the seat has ended: it needs no more code.
  std::erase_if(launch_code_, [seat](const LaunchCode& other) { return other.seat == seat; });
  const CodeRange lines{code.begin / kLineBytes * kLineBytes,
                        std::min(code.end, code.begin + config_.launch_code_bytes)};
  if (lines.begin < lines.end) {
    launch_code_.push_back({lines, now + config_.launch_code_delay_cycles, seat});
  }
}

}  // namespace warpsim
