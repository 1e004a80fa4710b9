// Compression of all lines to one size: the question what a ratio would be worth.
//
// Source: none, a limit. Evidence: on an H200 all lines of zeros, of equal words and of consecutive integers take one
// sector, and all lines of words below 256 take two (tests/hardware/compression, `read.dram_read`). Modelled: a number
// of sectors for every line. State: none.
#pragma once

#include <cstdint>

#include "warpsim/compression.h"

namespace warpsim::mechanism {

class EqualSizes final : public Compression {
 public:
  struct Settings {
    std::uint32_t sectors = 2;               // assumed: half
    std::uint32_t decompression_cycles = 0;  // a limit

    void describe(Keys& keys) {
      keys.integer("sectors", sectors, 1, kSectorsPerLine, "sectors of each line in DRAM");
      keys.integer("decompression_cycles", decompression_cycles, 0, 10000,
                   "cycles of L2 from the arrival of a compressed line to its use");
    }
  };

  EqualSizes(const Settings& settings, const CompressionSite& /*site*/, Counters& /*counters*/) : settings_(settings) {}

  std::uint32_t sectors(Address /*line*/) const override { return settings_.sectors; }
  std::uint32_t decompression_cycles() const override { return settings_.decompression_cycles; }

 private:
  Settings settings_;
};

}  // namespace warpsim::mechanism
