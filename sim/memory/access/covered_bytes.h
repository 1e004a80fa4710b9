// The part of a range of bytes that is in the line of a request.
#pragma once

#include <algorithm>
#include <cstdint>

#include "memory/mem_message.h"

namespace warpsim {

// The bytes of a sector that are in [begin, end), as a mask.
constexpr std::uint32_t bytes_covered(Address sector, Address begin, Address end) {
  const Address first = std::max(sector, begin);
  const Address last = std::min(sector + kSectorBytes, end);
  if (first >= last) {
    return 0;
  }
  return static_cast<std::uint32_t>(((std::uint64_t{1} << (last - first)) - 1) << (first - sector));
}

// Requests of its line the sectors that have bytes in [begin, end); only a request that is no read has their bytes.
inline void request_bytes(MemRequest& request, Address begin, Address end) {
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    const std::uint32_t bytes = bytes_covered(request.line + Address{sector} * kSectorBytes, begin, end);
    if (bytes == 0) {
      continue;
    }
    request.sector_mask = static_cast<std::uint8_t>(request.sector_mask | 1U << sector);
    if (request.op != MemOp::kRead) {
      request.byte_mask[sector] = bytes;
    }
  }
}

}  // namespace warpsim
