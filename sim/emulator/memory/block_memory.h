// Shared and local memory of a block, and the identity of the block.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <vector>

#include "base/types.h"

namespace warpsim {

// The shared memory of a block, for translated code (host_code/).
struct SharedBytes {
  static constexpr std::uint32_t kWordIsWritten = 0x01010101;  // marks of a word

  std::byte* begin = nullptr;
  std::uint8_t* marks = nullptr;  // of each byte: 1 if it is written, else 0
  std::uint32_t bytes = 0;
  std::uint32_t written_prefix = 0;  // so many of the first ones are known to be written
};

class BlockMemory {
 public:
  // `local_bytes` per thread; `threads` is rounded up to warps.
  BlockMemory(std::uint32_t shared_bytes, std::uint32_t local_bytes, std::uint32_t warps);
  // For the next block: shared memory counts as uninitialised.
  void reset();

  std::byte* shared(std::uint32_t offset) { return shared_.data() + offset; }
  std::uint32_t shared_bytes() const { return static_cast<std::uint32_t>(shared_.size()); }
  SharedBytes& shared_view() { return shared_view_; }
  // Looks for further written bytes after the prefix: at a barrier, after which threads read what others wrote.
  void extend_written_prefix();
  void mark_written(std::uint32_t offset, std::uint32_t bytes) {
    if (bytes == sizeof(std::uint32_t)) {  // words are most accesses: all marks at once
      std::memcpy(written_.data() + offset, &kWordIsWritten, sizeof kWordIsWritten);
    } else {
      std::memset(written_.data() + offset, 1, bytes);
    }
  }
  bool is_written(std::uint32_t offset, std::uint32_t bytes) const {
    const std::uint8_t* const begin = written_.data() + offset;
    if (bytes % sizeof(std::uint32_t) != 0) {
      return std::all_of(begin, begin + bytes, [](std::uint8_t written) { return written != 0; });
    }
    std::uint32_t all = kWordIsWritten;
    for (std::uint32_t i = 0; i < bytes; i += sizeof(std::uint32_t)) {
      std::uint32_t word = 0;
      std::memcpy(&word, begin + i, sizeof word);
      all &= word;
    }
    return all == kWordIsWritten;
  }
  // Whether all bytes from `low` to those of `high` are written, for a warp's accesses of so many bytes each. Only
  // where they are few, so that the test is faster than one for each lane; else, and with low > high, false.
  bool is_written_between(std::uint32_t low, std::uint32_t high, std::uint32_t bytes) const {
    return low <= high && high - low < 4 * kWarpSize * bytes && is_written(low, high - low + bytes);
  }

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
  static constexpr std::uint32_t kWordIsWritten = SharedBytes::kWordIsWritten;
  std::vector<std::uint8_t> written_;  // one byte each, 0 or 1
  SharedBytes shared_view_;
  std::vector<std::byte> local_;
  std::uint32_t local_bytes_;
};

}  // namespace warpsim
