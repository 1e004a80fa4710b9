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

}  // namespace warpsim
