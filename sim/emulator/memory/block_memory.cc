#include "emulator/memory/block_memory.h"

#include <algorithm>

namespace warpsim {

BlockMemory::BlockMemory(std::uint32_t shared_bytes, std::uint32_t local_bytes, std::uint32_t warps)
    : shared_(shared_bytes),
      written_(shared_bytes),
      local_(std::size_t{warps} * kWarpSize * local_bytes),
      local_bytes_(local_bytes) {}

void BlockMemory::reset() {
  std::ranges::fill(written_, std::uint8_t{0});
}

void BlockMemory::mark_written(std::uint32_t offset, std::uint32_t bytes) {
  std::fill_n(written_.begin() + offset, bytes, std::uint8_t{1});
}

bool BlockMemory::is_written(std::uint32_t offset, std::uint32_t bytes) const {
  return std::all_of(written_.begin() + offset, written_.begin() + offset + bytes,
                     [](std::uint8_t written) { return written != 0; });
}

}  // namespace warpsim
