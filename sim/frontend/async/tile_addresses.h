// Addresses of the boxes of tensor copies in device memory. Base addresses and strides are in descriptors that no trace
// holds, so each tensor gets a region of its own and each box a place in it that follows from its coordinates: blocks
// that copy the same box share its lines in L2, others do not.
//
// Coordinates that depend on the block in a way that the trace does not show (a division by a kernel parameter) are
// inferred: each such quantity is an axis of the grid of clusters; the axes' extents are those for which every cluster
// has its own tile and the bytes of all tiles are minimal, as libraries choose them. An axis in the coordinates
// of every tensor gains nothing from sharing and gets extent 1.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "frontend/async/copy_sizes.h"

namespace warpsim {

class TileAddresses {
 public:
  explicit TileAddresses(const KernelLaunch& launch);
  // Fills in the copies' addresses; sizes must be known.
  void assign(const std::vector<CopySizes::Member>& cluster);

  struct Axis {
    std::uint32_t origin = 0;  // static instruction whose result is the unknown quantity
    std::uint32_t extent = 1;
  };
  const std::vector<Axis>& axes() const { return axes_; }

 private:
  void find_axes(const std::vector<CopySizes::Member>& cluster);
  Address address_of(const AsyncCopyRecord& copy, const AsyncOperation& operation, const AsyncBlock& block) const;
  std::uint64_t resolve(const SymbolicValue& value, std::uint64_t cluster) const;

  std::uint64_t clusters_;
  bool found_ = false;
  std::vector<Axis> axes_;  // tiles of a cluster are numbered axis by axis
};

}  // namespace warpsim
