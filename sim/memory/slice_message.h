// Messages between crossbar, L2 slices, the fabric between the partitions and the DRAM channels.
#pragma once

#include <cstdint>

#include "memory/mem_message.h"
#include "warpsim/dram_scheduler.h"

namespace warpsim {

// A request on its way to a slice: to the near one through the crossbar, or from there to the home slice through the
// fabric.
struct SliceRequest {
  MemRequest mem;
  std::uint16_t home_slice = 0;  // fabric: destination
  std::uint16_t near_slice = 0;  // fabric: origin
  std::uint16_t merged = 0;      // crossbar: 1 + entry of the GPC's request coalescer, 0 if it has none
  std::uint16_t bytes = 0;       // packets on the crossbar: data and mask, or a request to read
  // Fabric: from the home slice of `mem.line`, which `mem` has changed; the copy in the slice of destination is out of
  // date. Has no answer.
  bool removes_copy = false;
  std::uint8_t compressed = 0;  // fabric: sectors that the line takes compressed, as a mask; 0: it is not compressed
};

struct SliceResponse {
  MemResponse mem;
  std::uint16_t near_slice = 0;  // fabric: destination
  std::uint16_t merged = 0;      // as in the request
  std::uint8_t compressed = 0;   // the same
};

struct DramRequest {
  Address line = 0;
  std::uint32_t tag = 0;
  std::uint8_t sector_mask = 0;
  bool write = false;
  bool wants_reply = false;  // reads that only complete a partly written sector have none
  LaunchSeat seat = 0;       // of the launch whose request causes this one
  std::uint16_t requester = mechanism::DramAccess::kNobody;  // port of the crossbar, for schedulers of DRAM
  std::uint8_t compressed = 0;  // sectors that move instead of sector_mask, as a mask; 0: the line is not compressed

  constexpr std::uint8_t moved() const { return compressed != 0 ? compressed : sector_mask; }
};

struct DramResponse {
  std::uint32_t tag = 0;
  std::uint8_t sector_mask = 0;
};

// Of a response without data.
inline constexpr std::uint32_t kAckBytes = 8;

constexpr std::uint8_t without(std::uint8_t sectors, std::uint8_t others) {
  return static_cast<std::uint8_t>(sectors & ~others);
}
// Number of sectors in a mask; a table, because not every target has an instruction for it.
constexpr std::uint32_t sector_count(std::uint8_t mask) {
  constexpr std::uint8_t kCounts[16] = {0, 1, 1, 2, 1, 2, 2, 3, 1, 2, 2, 3, 2, 3, 3, 4};
  return kCounts[mask & 0xfU];
}
// Data of a response, or of an acknowledgement.
constexpr std::uint32_t bytes_of(const MemResponse& response) {
  const bool data = response.op == MemOp::kRead || response.op == MemOp::kAtomic;
  return data ? kSectorBytes * sector_count(response.sector_mask) : kAckBytes;
}
// Sectors of a write of which it covers all bytes.
constexpr std::uint8_t complete_sectors(const MemRequest& write) {
  std::uint32_t sectors = 0;
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    sectors |= write.byte_mask[sector] == 0xffffffffU ? 1U << sector : 0U;
  }
  return static_cast<std::uint8_t>(sectors & write.sector_mask);
}
constexpr bool covers_sectors(const MemRequest& write) {
  return complete_sectors(write) == write.sector_mask;
}

}  // namespace warpsim
