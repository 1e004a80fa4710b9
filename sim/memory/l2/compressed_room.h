// The room of the sets of an L2 slice that keeps lines compressed: a set has tags for more lines than it has data for.
//
// Modelled: a line takes the sectors that it takes in DRAM, by the same mechanism (compression_mechanism.h), all four
// if it is not compressed; the sectors of a set are those of `num_ways` lines, wherever they are. Not modelled: places
// of lines within a set, the time to move them, a line that takes another size after a write. State: the sectors in use
// of each set. Used by the store, which decides what leaves. Invariant: a set with room for a line has at least its
// sectors free; without compression or without further tags every line takes a way and nothing is counted.
#pragma once

#include <cstdint>
#include <vector>

#include "base/check.h"
#include "memory/l2/compression_mechanism.h"
#include "memory/l2/l2_config.h"

namespace warpsim {

class CompressedRoom {
 public:
  // The mechanism outlives this.
  CompressedRoom(const L2Config& config, const CompressionMechanism& compression);

  // Tags of a set of a slice.
  static std::uint32_t tags_of_set(const L2Config& config);

  // False: every line takes a way.
  explicit operator bool() const { return !used_.empty(); }

  bool fits(std::uint32_t set, Address line) const { return used_[set] + sectors(line) <= capacity_; }
  void enter(std::uint32_t set, Address line) {
    used_[set] += sectors(line);
    SIM_CHECK(used_[set] <= capacity_, "a set of compressed lines has more sectors than data");
  }
  void leave(std::uint32_t set, Address line) { used_[set] -= sectors(line); }
  void clear() { used_.assign(used_.size(), 0); }

 private:
  std::uint32_t sectors(Address line) const;

  const CompressionMechanism* compression_;
  std::uint32_t capacity_;           // of a set
  std::vector<std::uint32_t> used_;  // by set; empty: nothing is counted
};

}  // namespace warpsim
