// The interface of memory compression: how many sectors a line takes in DRAM, and, if the description says so, in L2
// and between its partitions.
//
// A line that takes fewer than four sectors is one unit for DRAM: a read brings all of it, whatever was missed, and a
// write-back writes all of it, after a read if L2 lacks some of its sectors. Other lines are read and written by
// sectors. So does an H200 with memory that was allocated as compressible, whose lines take one, two or four sectors
// (tests/hardware/compression). With `l2.compressed_ways` a set of L2 has tags for more lines than it has data for, and
// a line takes the same sectors of its data; with `l2_fabric.compressed_lines` whole lines cross between the partitions
// as these sectors. On the way between SMs and L2 they are not compressed, unlike there. The simulator has no data; how
// well a line compresses is for the mechanism to say.
#pragma once

#include <cstdint>

#include "warpsim/mechanism.h"

namespace warpsim::mechanism {

// A slice of L2.
struct CompressionSite {};

class Compression {
 public:
  using Interface = Compression;
  using Site = CompressionSite;
  using Settings = NoSettings;

  virtual ~Compression() = default;
  // Sectors of the compressed line, 1 to 4; `line`: address of the program. The same for each call, in every slice.
  virtual std::uint32_t sectors(Address line) const = 0;
  // Cycles of L2 from the arrival of a compressed line to its use, at most 10,000. The same for each call.
  virtual std::uint32_t decompression_cycles() const = 0;
};

}  // namespace warpsim::mechanism
