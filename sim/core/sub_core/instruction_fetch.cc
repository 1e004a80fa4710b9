#include "core/sub_core/instruction_fetch.h"

#include <algorithm>
#include <bit>

#include "base/check.h"
#include "memory/code_window.h"

namespace warpsim {

void describe(ConfigSection& section, InstructionFetchConfig& config) {
  section.integer("l0_kib", config.l0_kib, 1, 1024, "capacity of the L0 instruction cache");
  section.integer("l0_ways", config.l0_ways, 1, 64, "associativity of the L0 instruction cache");
  section.integer("buffer_entries", config.buffer_entries, 1, InstructionFetch::kMaxBufferEntries,
                  "decoded instructions held for each warp");
  section.integer("instructions_per_cycle", config.instructions_per_cycle, 1, 4, "fetched by a sub-core");
  section.integer("decode_latency_cycles", config.decode_latency_cycles, 1, 32, "from fetch to issue");
  section.integer("prefetch_lines", config.prefetch_lines, 0, 32,
                  "lines that the stream buffer fetches ahead of a miss");
  section.integer("stream_lines", config.stream_lines, 0, 32,
                  "maximum lines that it fetches ahead if several warps follow each other");
  section.boolean("perfect", config.perfect, "every fetch hits the L0 instruction cache");
}

InstructionFetch::InstructionFetch(std::uint32_t sub_core, const InstructionFetchConfig& config,
                                   SmInstructionCache& next_level, LaunchStatsNode& parent)
    : sub_core_(sub_core),
      config_(config),
      next_level_(&next_level),
      stats_(parent, "fetch"),
      l0_(config.l0_kib * 1024U, config.l0_ways) {}

void InstructionFetch::start(std::uint32_t warp, const Code& code, std::uint32_t first_instruction, LaunchSeat seat,
                             Cycle now) {
  Warp& state = warps_[warp];
  state = Warp{};
  state.code = code;
  state.seat = seat;
  state.fetch_index = first_instruction;
  state.issued_index = first_instruction;
  state.fetch_from = now;
  redirected_ |= WarpMask{1} << warp;
  update_head(warp);
  update_want(warp);
}

void InstructionFetch::stop(std::uint32_t warp) {
  wanting_ &= ~(WarpMask{1} << warp);
  waiting_ &= ~(WarpMask{1} << warp);
  stats_[warps_[warp].seat].flushed += warps_[warp].buffered;
  warps_[warp].buffered = 0;
  update_head(warp);
}

void InstructionFetch::update_want(std::uint32_t warp) {
  const WarpMask bit = WarpMask{1} << warp;
  if (wants_fetch(warps_[warp]) && (waiting_ & bit) == 0) {
    wanting_ |= bit;
  } else {
    wanting_ &= ~bit;
  }
}

void InstructionFetch::consume(std::uint32_t warp, std::uint32_t next, Cycle redirect_at) {
  Warp& state = warps_[warp];
  SIM_CHECK(state.buffered != 0, "issue from an empty instruction buffer");
  --state.buffered;
  state.head = static_cast<std::uint8_t>((state.head + 1) % kMaxBufferEntries);
  ++state.issued_index;
  if (next != state.issued_index) {
    redirect(warp, next, redirect_at);
  } else {
    update_head(warp);
    update_want(warp);
  }
}

void InstructionFetch::redirect(std::uint32_t warp, std::uint32_t next, Cycle redirect_at) {
  Warp& state = warps_[warp];
  stats_[state.seat].flushed += state.buffered;
  state.buffered = 0;
  state.fetch_index = next;
  state.issued_index = next;
  state.fetch_from = redirect_at;
  redirected_ |= WarpMask{1} << warp;
  waiting_ &= ~(WarpMask{1} << warp);
  state.waits_for = kNone;
  update_head(warp);
  update_want(warp);
}

Cycle InstructionFetch::next_redirected(Cycle now) const {
  Cycle earliest = kNever;
  for (WarpMask mask = wanting_; mask != 0; mask &= mask - 1) {
    const Cycle from = warps_[static_cast<std::uint32_t>(std::countr_zero(mask))].fetch_from;
    if (from <= now) {
      return now;
    }
    earliest = std::min(earliest, from);
  }
  return earliest;
}

std::uint32_t InstructionFetch::line_of(const Warp& state, std::uint32_t instruction) {
  return code_line_number(state.code.base + state.code.layout.offset(instruction));
}

// The line of the next instruction to fetch.
void InstructionFetch::enter_line(Warp& state, std::uint32_t line) {
  state.line = line;
  state.line_begin = state.fetch_index;
  state.line_end = state.fetch_index;
  while (state.line_end < state.code.instruction_count && line_of(state, state.line_end) == line) {
    ++state.line_end;
  }
}

bool InstructionFetch::find_line(std::uint32_t warp, Cycle now) {
  Warp& state = warps_[warp];
  const std::uint32_t line = line_of(state, state.fetch_index);
  if (state.line == line) {
    enter_line(state, line);
    return true;
  }
  if (l0_.access(line)) {
    ++stats_[state.seat].l0_hits;
    enter_line(state, line);
    request_ahead(line, state.seat, now);
    return true;
  }
  ++stats_[state.seat].l0_misses;
  request(line, state.seat, now);
  request_ahead(line, state.seat, now);
  state.waits_for = line;
  waiting_ |= WarpMask{1} << warp;
  wanting_ &= ~(WarpMask{1} << warp);
  return false;
}

bool InstructionFetch::is_pending(std::uint32_t line_number) const {
  return std::find(pending_lines_.begin(), pending_lines_.end(), line_number) != pending_lines_.end();
}

bool InstructionFetch::request(std::uint32_t line_number, LaunchSeat seat, Cycle now) {
  if (is_pending(line_number)) {
    return false;
  }
  ask(line_number, seat, now);
  return true;
}

void InstructionFetch::ask(std::uint32_t line_number, LaunchSeat seat, Cycle now) {
  pending_lines_.push_back(line_number);
  next_level_->request(sub_core_, line_number, seat, now);
}

// The stream buffer keeps the lines after the one in use requested. A warp that finds all of them in flight, because
// another one has been here, makes it fetch one line further.
void InstructionFetch::request_ahead(std::uint32_t line_number, LaunchSeat seat, Cycle now) {
  bool asked = false;
  bool under_way = false;
  for (std::uint32_t ahead = 1; ahead <= config_.prefetch_lines; ++ahead) {
    const std::uint32_t line = line_number + ahead;
    if (l0_.contains(line)) {
      continue;
    }
    if (is_pending(line)) {
      under_way = true;
    } else if (pending_lines_.size() <= config_.prefetch_lines) {
      ask(line, seat, now);
      ++stats_[seat].prefetches;
      asked = true;
    }
  }
  if (asked || !under_way) {
    return;
  }
  for (std::uint32_t ahead = config_.prefetch_lines + 1; ahead <= config_.stream_lines; ++ahead) {
    const std::uint32_t line = line_number + ahead;
    if (!l0_.contains(line) && request(line, seat, now)) {
      ++stats_[seat].prefetches;
      return;
    }
  }
}

std::uint32_t InstructionFetch::fetch(Cycle now, const WarpScheduler& scheduler) {
  for (WarpMask mask = wanting_ & redirected_; mask != 0; mask &= mask - 1) {
    const auto warp = static_cast<std::uint32_t>(std::countr_zero(mask));
    if (warps_[warp].fetch_from <= now) {
      redirected_ &= ~(WarpMask{1} << warp);
    }
  }
  const WarpMask candidates = wanting_ & ~redirected_;
  if (candidates == 0) {
    return kNone;
  }
  const std::uint32_t warp = scheduler.pick_for_fetch(candidates, now);
  if (!line_present(warp, now)) {
    return kNone;
  }
  Warp& state = warps_[warp];
  state.ready[(state.head + state.buffered) % kMaxBufferEntries] = now + config_.decode_latency_cycles;
  ++state.buffered;
  ++state.fetch_index;
  ++stats_[state.seat].fetched;
  update_head(warp);
  update_want(warp);
  return warp;
}

void InstructionFetch::line_arrived(std::uint32_t line_number) {
  std::erase(pending_lines_, line_number);
  l0_.insert(line_number);
  for (WarpMask mask = waiting_; mask != 0; mask &= mask - 1) {
    const auto warp = static_cast<std::uint32_t>(std::countr_zero(mask));
    Warp& state = warps_[warp];
    if (state.waits_for == line_number) {
      state.waits_for = kNone;
      enter_line(state, line_number);
      waiting_ &= ~(WarpMask{1} << warp);
      update_want(warp);
    }
  }
}

}  // namespace warpsim
