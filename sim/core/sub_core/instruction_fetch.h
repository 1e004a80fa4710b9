// Instruction supply of one sub-core: L0 instruction cache, stream-buffer prefetch, and an instruction buffer per warp.
//
// Modelled: the fetch rate per cycle and sub-core; fetch follows the warp that issued last, then the first warp with
// space in the scheduler's order; sequential fetch past branches, discarded when the branch is taken to another
// address; L0 misses that fetch the missing line and the next ones from the SM's instruction cache, and further ones if
// warps follow one another. Not modelled: branch prediction other than not-taken. Evidence: Huerta et al., MICRO 2025
// (front end); loop and cold-pass measurements named in the H200 config. Invariant: the head of a warp's buffer is
// always the instruction that the warp executes next.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/config_section.h"
#include "core/sm/sm_instruction_cache.h"
#include "core/sub_core/warp_scheduler.h"
#include "isa/code_layout.h"
#include "memory/caches/presence_cache.h"
#include "stats/launch_stats.h"
#include "stats/stat_group.h"

namespace warpsim {

struct InstructionFetchConfig {
  std::uint32_t l0_kib = 1;
  std::uint32_t l0_ways = 1;
  std::uint32_t buffer_entries = 3;  // instructions per warp
  std::uint32_t instructions_per_cycle = 1;
  std::uint32_t decode_latency_cycles = 1;  // from fetch to issue
  std::uint32_t prefetch_lines = 0;         // lines fetched ahead of a miss; 0: none
  std::uint32_t stream_lines = 0;           // the maximum, if warps follow one another
  bool perfect = false;                     // every fetch hits L0
};
void describe(ConfigSection& section, InstructionFetchConfig& config);

struct InstructionFetchStats : StatGroup {
  using StatGroup::StatGroup;
  Counter fetched{*this, "fetched", Unit::kInstructions, "instructions put into instruction buffers"};
  Counter flushed{*this, "flushed", Unit::kInstructions, "fetched instructions discarded after a taken branch"};
  Counter l0_hits{*this, "l0_line_hits", Unit::kRequests, "line lookups that hit the L0 instruction cache"};
  Counter l0_misses{*this, "l0_line_misses", Unit::kRequests, "line lookups that missed the L0 instruction cache"};
  Counter prefetches{*this, "prefetches", Unit::kRequests, "lines requested ahead of use"};
};

class InstructionFetch {
 public:
  static constexpr std::uint32_t kMaxBufferEntries = 8;

  InstructionFetch(std::uint32_t sub_core, const InstructionFetchConfig& config, SmInstructionCache& next_level,
                   LaunchStatsNode& parent);

  // `base` is the address of the program's first byte.
  struct Code {
    Address base = 0;
    CodeLayout layout;
    std::uint32_t instruction_count = 0;
  };
  // `seat` of the warp's launch.
  void start(std::uint32_t warp, const Code& code, std::uint32_t first_instruction, LaunchSeat seat, Cycle now);
  void stop(std::uint32_t warp);

  // When the next instruction of the warp is decoded; kNever: it has not been fetched.
  Cycle head_ready_at(std::uint32_t warp) const { return head_ready_[warp]; }
  // The head was issued. `next` is the instruction that follows in execution; if that is not the next in memory, the
  // buffer is flushed and fetch continues there at `redirect_at`.
  void consume(std::uint32_t warp, std::uint32_t next, Cycle redirect_at);
  // The warp continues elsewhere than after the instruction that was consumed last: as in consume().
  void redirect(std::uint32_t warp, std::uint32_t next, Cycle redirect_at);

  // Fetches at most one instruction. Returns the warp that got one, or kNone.
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t tick(Cycle now, const WarpScheduler& scheduler) {
    return wanting_ == 0 ? kNone : fetch(now, scheduler);
  }
  // First cycle at which tick() has something to do; kNever if it waits for a line.
  Cycle next_fetch(Cycle now) const {
    if ((wanting_ & ~redirected_) != 0) {
      return now;
    }
    return wanting_ == 0 ? kNever : next_redirected(now);
  }

  // A requested line has arrived in L0.
  void line_arrived(std::uint32_t line_number);

  const InstructionFetchStats& stats(LaunchSeat seat) const { return stats_[seat]; }

 private:
  struct Warp {
    Code code;
    std::uint32_t fetch_index = 0;   // next instruction to fetch
    std::uint32_t issued_index = 0;  // instruction at the head of the buffer
    std::uint32_t line = kNone;      // line number of the latest hit
    std::uint32_t line_begin = 0;    // its instructions, as far as they are known to be in it
    std::uint32_t line_end = 0;
    std::uint32_t waits_for = kNone;  // line number of a pending miss
    std::uint8_t buffered = 0;
    std::uint8_t head = 0;
    LaunchSeat seat = 0;  // of its launch
    std::array<Cycle, kMaxBufferEntries> ready{};
    Cycle fetch_from = 0;  // a redirect holds fetch back until then
  };

  bool wants_fetch(const Warp& warp) const {
    return warp.buffered < config_.buffer_entries && warp.fetch_index < warp.code.instruction_count;
  }
  void update_want(std::uint32_t warp);
  void update_head(std::uint32_t warp) {
    const Warp& state = warps_[warp];
    head_ready_[warp] = state.buffered == 0 ? kNever : state.ready[state.head];
  }
  std::uint32_t fetch(Cycle now, const WarpScheduler& scheduler);
  Cycle next_redirected(Cycle now) const;
  bool line_present(std::uint32_t warp, Cycle now) {
    const Warp& state = warps_[warp];
    return state.fetch_index - state.line_begin < state.line_end - state.line_begin || config_.perfect ||
           find_line(warp, now);
  }
  bool find_line(std::uint32_t warp, Cycle now);
  static std::uint32_t line_of(const Warp& state, std::uint32_t instruction);
  static void enter_line(Warp& state, std::uint32_t line);
  void request_ahead(std::uint32_t line_number, LaunchSeat seat, Cycle now);
  bool is_pending(std::uint32_t line_number) const;
  // False: it is already in flight.
  bool request(std::uint32_t line_number, LaunchSeat seat, Cycle now);
  void ask(std::uint32_t line_number, LaunchSeat seat, Cycle now);

  std::uint32_t sub_core_;
  InstructionFetchConfig config_;
  SmInstructionCache* next_level_;
  LaunchStats<InstructionFetchStats> stats_;
  PresenceCache l0_;
  std::vector<std::uint32_t> pending_lines_;
  std::array<Cycle, kMaxWarpsPerSubCore> head_ready_{};
  std::array<Warp, kMaxWarpsPerSubCore> warps_;
  WarpMask wanting_ = 0;     // has space in the buffer and does not wait for a line
  WarpMask waiting_ = 0;     // waits for a line
  WarpMask redirected_ = 0;  // a redirect may still hold its fetch back
};

}  // namespace warpsim
