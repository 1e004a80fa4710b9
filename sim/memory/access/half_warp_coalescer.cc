#include "memory/access/half_warp_coalescer.h"

#include <algorithm>

namespace warpsim {

namespace {

constexpr std::uint32_t kHalfWarp = kWarpSize / 2;
constexpr LaneMask kFirstHalf = kAllLanes >> kHalfWarp;

// The transaction [begin, begin + size), that serves `lanes`.
void add_transaction(CoalescedAccess& out, Address begin, std::uint32_t size) {
  LineAccess& entry = out.lines[out.line_count++];
  entry = LineAccess{};
  entry.line = line_of(begin);
  const std::uint32_t sectors = size / kSectorBytes;
  entry.sector_mask = static_cast<std::uint8_t>(((1U << sectors) - 1) << sector_in_line(begin));
  out.sector_count += sectors;
}

// Bytes of the latest transaction that `mask` writes.
void mark_bytes(CoalescedAccess& out, const LaneArray& lanes, LaneMask mask, std::uint32_t bytes) {
  LineAccess& entry = out.lines[out.line_count - 1];
  const std::uint64_t ones = (std::uint64_t{1} << bytes) - 1;
  for (; mask != 0; mask &= mask - 1) {
    const Address address = lanes[first_lane(mask)];
    entry.byte_mask[sector_in_line(address)] |= static_cast<std::uint32_t>(ones << address % kSectorBytes);
  }
}

// Where lane 0 of the half warp would access if the k-th lane accessed the k-th word; false if some lane does not.
bool in_order(const LaneArray& lanes, LaneMask half, std::uint32_t bytes, Address& base) {
  const auto base_of = [&](std::uint32_t lane) { return lanes[lane] - Address{lane % kHalfWarp} * bytes; };
  base = base_of(first_lane(half));
  for (LaneMask mask = half; mask != 0; mask &= mask - 1) {
    if (base_of(first_lane(mask)) != base) {
      return false;
    }
  }
  return true;
}

// The half warp in one transaction of 64 or 128 bytes or, for 16-byte words, two of 128; false if not allowed.
bool add_coalesced(CoalescedAccess& out, const LaneArray& lanes, LaneMask half, std::uint32_t bytes, bool byte_masks) {
  if (bytes < 4) {
    return false;
  }
  const std::uint32_t size = std::min(kLineBytes, kHalfWarp * bytes);
  Address base = 0;
  if (!in_order(lanes, half, bytes, base) || base % size != 0) {
    return false;
  }
  const std::uint32_t width = size / bytes;  // lanes of a transaction
  for (std::uint32_t first = 0; first < kHalfWarp; first += width) {
    const std::uint32_t shift = first_lane(half) / kHalfWarp * kHalfWarp + first;
    add_transaction(out, base + Address{first} * bytes, size);
    if (byte_masks) {
      mark_bytes(out, lanes, half & (kAllLanes >> (kWarpSize - width) << shift), bytes);
    }
  }
  return true;
}

void add_strict(CoalescedAccess& out, const LaneArray& lanes, LaneMask half, std::uint32_t bytes, bool byte_masks) {
  if (add_coalesced(out, lanes, half, bytes, byte_masks)) {
    return;
  }
  for (LaneMask mask = half; mask != 0; mask &= mask - 1) {
    const std::uint32_t lane = first_lane(mask);
    add_transaction(out, lanes[lane] / kSectorBytes * kSectorBytes, kSectorBytes);
    if (byte_masks) {
      mark_bytes(out, lanes, 1U << lane, bytes);
    }
  }
}

// Segments shrink to one half while only that half is used, down to 32 bytes.
void shrink(const LaneArray& lanes, LaneMask served, std::uint32_t bytes, Address& begin, std::uint32_t& size) {
  while (size > kSectorBytes) {
    const Address middle = begin + size / 2;
    bool lower = false;
    bool upper = false;
    for (LaneMask mask = served; mask != 0; mask &= mask - 1) {
      const Address address = lanes[first_lane(mask)];
      lower = lower || address < middle;
      upper = upper || address + bytes > middle;
    }
    if (lower && upper) {
      return;
    }
    size /= 2;
    begin = upper ? middle : begin;
  }
}

void add_segments(CoalescedAccess& out, const LaneArray& lanes, LaneMask half, std::uint32_t bytes, bool byte_masks) {
  const std::uint32_t segment = std::min(kLineBytes, kSectorBytes * bytes);  // 32, 64, else 128 bytes
  while (half != 0) {
    Address begin = lanes[first_lane(half)] / segment * segment;
    LaneMask served = 0;
    for (LaneMask mask = half; mask != 0; mask &= mask - 1) {
      const std::uint32_t lane = first_lane(mask);
      served |= lanes[lane] / segment * segment == begin ? 1U << lane : 0U;
    }
    std::uint32_t size = segment;
    shrink(lanes, served, bytes, begin, size);
    add_transaction(out, begin, size);
    if (byte_masks) {
      mark_bytes(out, lanes, served, bytes);
    }
    half &= ~served;
  }
}

template <typename Add>
void by_half_warps(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, CoalescedAccess& out,
                   Add&& add) {
  out.line_count = 0;
  out.sector_count = 0;
  out.request_count = 0;
  if (addresses.kind == LaneAddresses::Kind::kNone) {
    return;
  }
  LaneArray lanes = expand_by_lane(addresses, active);
  for (Address& address : lanes) {
    address -= address % bytes;
  }
  for (const LaneMask half : {active & kFirstHalf, active & ~kFirstHalf}) {
    if (half != 0) {
      ++out.request_count;
      add(lanes, half);
    }
  }
}

}  // namespace

void coalesce_strict(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, AccessNeeds needs,
                     CoalescedAccess& out) {
  by_half_warps(addresses, active, bytes, out, [&](const LaneArray& lanes, LaneMask half) {
    add_strict(out, lanes, half, bytes, needs == AccessNeeds::kByteMasks);
  });
}

void coalesce_segments(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, AccessNeeds needs,
                       CoalescedAccess& out) {
  by_half_warps(addresses, active, bytes, out, [&](const LaneArray& lanes, LaneMask half) {
    add_segments(out, lanes, half, bytes, needs == AccessNeeds::kByteMasks);
  });
}

}  // namespace warpsim
