#include "emulator/memory/block_memory.h"

#include <algorithm>
#include <cstring>

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
  if (bytes == sizeof(std::uint32_t)) {
    constexpr std::uint32_t kFour = 0x01010101U;
    std::memcpy(written_.data() + offset, &kFour, sizeof kFour);
    return;
  }
  std::fill_n(written_.begin() + offset, bytes, std::uint8_t{1});
}

bool BlockMemory::is_written(std::uint32_t offset, std::uint32_t bytes) const {
  // Each is 0 or 1: accesses of the usual sizes compare all at once.
  const std::uint8_t* const begin = written_.data() + offset;
  if (bytes == sizeof(std::uint32_t)) {
    std::uint32_t four = 0;
    std::memcpy(&four, begin, sizeof four);
    return four == 0x01010101U;
  }
  if (bytes % sizeof(std::uint64_t) == 0) {
    constexpr std::uint64_t kAll = 0x0101010101010101U;
    std::uint64_t all = kAll;
    for (std::uint32_t i = 0; i < bytes; i += sizeof(std::uint64_t)) {
      std::uint64_t eight = 0;
      std::memcpy(&eight, begin + i, sizeof eight);
      all &= eight;
    }
    return all == kAll;
  }
  return std::all_of(begin, begin + bytes, [](std::uint8_t written) { return written != 0; });
}

}  // namespace warpsim
