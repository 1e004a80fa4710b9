#include "memory/access/coalescer.h"

#include <algorithm>
#include <bit>

namespace warpsim {

namespace {

// Mask of bytes [first, first + count) of a sector.
constexpr std::uint32_t byte_range(std::uint32_t first, std::uint32_t count) {
  const std::uint64_t ones = (std::uint64_t{1} << count) - 1;
  return static_cast<std::uint32_t>(ones << first);
}

// The entry of a line among those from `first` on.
LineAccess& line_entry(CoalescedAccess& out, std::uint32_t first, Address line) {
  // Neighbouring lanes mostly share a line: examine the latest first.
  for (std::uint32_t i = out.line_count; i-- > first;) {
    if (out.lines[i].line == line) {
      return out.lines[i];
    }
  }
  LineAccess& entry = out.lines[out.line_count++];
  entry = LineAccess{};
  entry.line = line;
  return entry;
}

void touch_bytes(CoalescedAccess& out, std::uint32_t first, Address begin, std::uint64_t count, bool byte_masks) {
  const Address end = begin + count;
  for (Address at = begin; at < end;) {
    const Address sector_end = (at / kSectorBytes + 1) * kSectorBytes;
    const std::uint32_t run = static_cast<std::uint32_t>(std::min(sector_end, end) - at);
    LineAccess& entry = line_entry(out, first, line_of(at));
    const std::uint32_t sector = sector_in_line(at);
    entry.sector_mask = static_cast<std::uint8_t>(entry.sector_mask | 1U << sector);
    if (byte_masks) {
      entry.byte_mask[sector] |= byte_range(static_cast<std::uint32_t>(at % kSectorBytes), run);
    }
    at += run;
  }
}

void count_sectors(CoalescedAccess& out) {
  for (std::uint32_t i = 0; i < out.line_count; ++i) {
    out.sector_count += static_cast<std::uint32_t>(std::popcount(out.lines[i].sector_mask));
  }
}

}  // namespace

void coalesce(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, AccessNeeds needs,
              CoalescedAccess& out) {
  out.line_count = 0;
  out.sector_count = 0;
  out.request_count = 1;
  const bool byte_masks = needs == AccessNeeds::kByteMasks;
  if (is_dense(addresses, bytes)) {
    const auto count = static_cast<std::uint64_t>(std::popcount(active));
    touch_bytes(out, 0, addresses.base, count * bytes, byte_masks);
    count_sectors(out);
    return;
  }
  LaneArray lanes;
  const std::uint32_t count = expand(addresses, active, lanes);
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    touch_bytes(out, 0, lanes[lane], bytes, byte_masks);
  }
  count_sectors(out);
}

void coalesce_groups(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, AccessNeeds needs,
                     CoalescedAccess& out) {
  constexpr std::uint32_t kRequestBytes = 128;
  out.line_count = 0;
  out.sector_count = 0;
  out.request_count = 0;
  if (addresses.kind == LaneAddresses::Kind::kNone) {
    return;
  }
  const LaneArray lanes = expand_by_lane(addresses, active);
  const std::uint32_t width = std::min(kWarpSize, kRequestBytes / bytes);
  for (std::uint32_t begin = 0; begin < kWarpSize; begin += width) {
    const LaneMask group = active & (kAllLanes >> (kWarpSize - width) << begin);
    const std::uint32_t first = out.line_count;
    for (LaneMask mask = group; mask != 0; mask &= mask - 1) {
      const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
      touch_bytes(out, first, lanes[lane], bytes, needs == AccessNeeds::kByteMasks);
    }
    out.request_count += group != 0 ? 1 : 0;
  }
  count_sectors(out);
}

}  // namespace warpsim
