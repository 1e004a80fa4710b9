// Compression of a share of the lines: each region of memory has a size that is drawn for it.
//
// Source: base-delta-immediate compression (Pekhimenko et al., PACT 2012) finds sizes that differ from line to line,
// and are alike within an array; its hardware decompresses in one cycle. Evidence: an H200 takes 12 core cycles more
// for a line of two sectors and no more for one of one sector, and has no lines of three (tests/hardware/compression,
// `latency` and `read.dram_read`). The default shares are assumed. Modelled: shares of regions with one, two and three
// sectors, the rest not compressed; the size of a region follows from a hash of its address. Not modelled: data.
// State: none.
#pragma once

#include <cstdint>

#include "warpsim/compression.h"

namespace warpsim::mechanism {

class DrawnSizes final : public Compression {
 public:
  struct Settings {
    double one_sector_share = 0.2;           // assumed
    double two_sectors_share = 0.2;          // assumed
    double three_sectors_share = 0.2;        // assumed
    std::uint32_t region_lines = 1;          // assumed: each line by itself
    std::uint32_t decompression_cycles = 1;  // base-delta-immediate

    void describe(Keys& keys);
  };

  // std::invalid_argument if the shares are more than 1.
  DrawnSizes(const Settings& settings, const CompressionSite& site, Counters& counters);

  std::uint32_t sectors(Address line) const override;
  std::uint32_t decompression_cycles() const override { return settings_.decompression_cycles; }

 private:
  Settings settings_;
};

}  // namespace warpsim::mechanism
