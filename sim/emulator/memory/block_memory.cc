#include "emulator/memory/block_memory.h"

#include <algorithm>

namespace warpsim {

BlockMemory::BlockMemory(std::uint32_t shared_bytes, std::uint32_t local_bytes, std::uint32_t warps)
    : shared_(shared_bytes),
      written_(shared_bytes),
      local_(std::size_t{warps} * kWarpSize * local_bytes),
      local_bytes_(local_bytes) {
  shared_view_ = {shared_.data(), written_.data(), shared_bytes, 0};
}

void BlockMemory::reset() {
  std::ranges::fill(written_, std::uint8_t{0});
  shared_view_.written_prefix = 0;
}

void BlockMemory::extend_written_prefix() {
  std::uint32_t& prefix = shared_view_.written_prefix;
  while (prefix + sizeof kWordIsWritten <= written_.size() && is_written(prefix, sizeof kWordIsWritten)) {
    prefix += sizeof kWordIsWritten;
  }
}

}  // namespace warpsim
