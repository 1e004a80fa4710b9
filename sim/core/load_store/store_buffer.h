// The lines that stores have written and that were not sent to memory yet. A later store to such a line joins it.
//
// Modelled: a number of lines, which leave in the order in which they came, each some cycles after the last store to it
// was written; the oldest one also while all are in use, or when it has waited long. A line takes a cycle for each
// packet: a sector, or the mask of the bytes if a sector is not complete.
// Not modelled: a store that fences wait for only joins lines of its own warp; stores that remove lines from L1
// (tests/hardware/store_losses); that a load needs what waits here.
// Evidence: tests/hardware/store_merging, global_wavefronts, store_losses, partial_sectors (packets).
// State: the lines, when each was last written, when the next one can leave. Uses nothing.
// Invariant: two lines with equal addresses are of stores that cannot join each other.
#pragma once

#include <cstdint>

#include "base/ring_buffer.h"
#include "base/types.h"
#include "config/config_section.h"
#include "memory/mem_message.h"

namespace warpsim {

struct StoreBufferConfig {
  std::uint32_t lines = 2;
  std::uint32_t line_cycles = 1;      // to write each line of a store
  std::uint32_t wait_cycles = 1;      // from the last store to a line, written, until it is sent
  std::uint32_t longest_cycles = 10;  // that a line waits although stores come
};
void describe(ConfigSection& section, StoreBufferConfig& config);

class StoreBuffer {
 public:
  explicit StoreBuffer(const StoreBufferConfig& config) : config_(config), lines_(config.lines) {}

  bool empty() const { return lines_.empty(); }
  std::uint32_t line_cycles() const { return config_.line_cycles; }
  bool full() const { return lines_.full(); }
  // The place of the line that the store joins, counted from the oldest, until a line is taken; kNone: there is none.
  static constexpr std::uint32_t kNone = 0xffffffffU;
  std::uint32_t line_for(const MemRequest& store) const;

  // A store joins the line at `place`, or is a new line if that is kNone; then the buffer must not be full.
  // `written_at`: when all lines of the store are written. Returns the sectors of the store that the line did not have.
  std::uint8_t add(const MemRequest& store, std::uint32_t place, Cycle written_at, Cycle now);

  // From when on the oldest line can be sent, if no other store comes; kNever: there is none.
  Cycle next_send() const;
  // A line, which must be due: next_send() <= now.
  MemRequest take(Cycle now);

 private:
  struct Line {
    MemRequest request;
    Cycle due = 0;     // if no other store joins
    Cycle latest = 0;  // although stores join
  };

  StoreBufferConfig config_;
  RingBuffer<Line> lines_;
  Cycle free_at_ = 0;  // for the next line to leave
};

}  // namespace warpsim
