// Shared and local memory of a block, and the identity of the block.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.h"

namespace warpsim {

class BlockMemory {
 public:
  // `local_bytes` per thread; `threads` is rounded up to warps.
  BlockMemory(std::uint32_t shared_bytes, std::uint32_t local_bytes, std::uint32_t warps);
  // For the next block: shared memory counts as uninitialised.
  void reset();

  std::byte* shared(std::uint32_t offset) { return shared_.data() + offset; }
  std::uint32_t shared_bytes() const { return static_cast<std::uint32_t>(shared_.size()); }
  void mark_written(std::uint32_t offset, std::uint32_t bytes);
  bool is_written(std::uint32_t offset, std::uint32_t bytes) const;

  std::byte* local(std::uint32_t warp, std::uint32_t lane, std::uint32_t offset) {
    return local_.data() + (std::size_t{warp} * kWarpSize + lane) * local_bytes_ + offset;
  }
  std::uint32_t local_bytes() const { return local_bytes_; }

  Dim3 index;  // blockIdx
  std::uint64_t linear_index = 0;
  std::uint32_t sm = 0;
  std::uint32_t rank_in_cluster = 0;
  // Blocks of its cluster by rank, including itself; empty without clusters.
  std::vector<BlockMemory*> cluster;

 private:
  std::vector<std::byte> shared_;
  std::vector<std::uint8_t> written_;  // one byte each
  std::vector<std::byte> local_;
  std::uint32_t local_bytes_;
};

}  // namespace warpsim
