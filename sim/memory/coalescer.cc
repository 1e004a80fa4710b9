#include "memory/coalescer.h"

#include <algorithm>
#include <bit>

namespace warpsim {

namespace {

constexpr std::uint32_t kBanks = 32;
constexpr std::uint32_t kBankBytes = 4;

// Mask of bytes [first, first + count) of a sector.
constexpr std::uint32_t byte_range(std::uint32_t first, std::uint32_t count) {
  const std::uint64_t ones = (std::uint64_t{1} << count) - 1;
  return static_cast<std::uint32_t>(ones << first);
}

LineAccess& line_entry(CoalescedAccess& out, Address line) {
  // Neighbouring lanes mostly share a line: look at the latest first.
  for (std::uint32_t i = out.line_count; i-- > 0;) {
    if (out.lines[i].line == line) {
      return out.lines[i];
    }
  }
  LineAccess& entry = out.lines[out.line_count++];
  entry = LineAccess{};
  entry.line = line;
  return entry;
}

void touch_bytes(CoalescedAccess& out, Address begin, std::uint64_t count, bool byte_masks) {
  const Address end = begin + count;
  for (Address at = begin; at < end;) {
    const Address sector_end = (at / kSectorBytes + 1) * kSectorBytes;
    const std::uint32_t run = static_cast<std::uint32_t>(std::min(sector_end, end) - at);
    LineAccess& entry = line_entry(out, line_of(at));
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

bool is_dense(const LaneAddresses& addresses, std::uint32_t bytes) {
  return addresses.kind == LaneAddresses::Kind::kStrided && addresses.stride == static_cast<std::int64_t>(bytes);
}

}  // namespace

std::uint32_t expand(const LaneAddresses& addresses, LaneMask active, std::array<Address, kWarpSize>& out) {
  const auto count = static_cast<std::uint32_t>(std::popcount(active));
  if (addresses.kind == LaneAddresses::Kind::kNone) {
    return 0;
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    out[i] = addresses.kind == LaneAddresses::Kind::kList
                 ? addresses.list[i]
                 : addresses.base + static_cast<Address>(addresses.stride * static_cast<std::int64_t>(i));
  }
  return count;
}

void coalesce(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, AccessNeeds needs,
              CoalescedAccess& out) {
  out.line_count = 0;
  out.sector_count = 0;
  const bool byte_masks = needs == AccessNeeds::kByteMasks;
  if (is_dense(addresses, bytes)) {
    const auto count = static_cast<std::uint64_t>(std::popcount(active));
    touch_bytes(out, addresses.base, count * bytes, byte_masks);
    count_sectors(out);
    return;
  }
  std::array<Address, kWarpSize> lanes;
  const std::uint32_t count = expand(addresses, active, lanes);
  for (std::uint32_t lane = 0; lane < count; ++lane) {
    touch_bytes(out, lanes[lane], bytes, byte_masks);
  }
  count_sectors(out);
}

namespace {

// Words of the lanes, by bank, each different word once if equal words are merged.
class BankLoad {
 public:
  explicit BankLoad(bool merge_equal) : merge_equal_(merge_equal) {}

  void add(std::uint64_t word) {
    const std::uint32_t bank = static_cast<std::uint32_t>(word % kBanks);
    if (merge_equal_ && seen(bank, word)) {
      return;
    }
    if (load_[bank] == 0) {
      first_[bank] = word;
    } else {
      further_[further_count_++] = word;
    }
    passes_ = std::max<std::uint32_t>(passes_, ++load_[bank]);
  }
  // The most words on one bank.
  std::uint32_t passes() const { return passes_; }

 private:
  bool seen(std::uint32_t bank, std::uint64_t word) const {
    if (load_[bank] == 0) {
      return false;
    }
    if (first_[bank] == word) {
      return true;
    }
    return load_[bank] > 1 &&
           std::find(further_.begin(), further_.begin() + further_count_, word) != further_.begin() + further_count_;
  }

  bool merge_equal_;
  std::uint32_t passes_ = 1;
  std::uint32_t further_count_ = 0;
  std::array<std::uint8_t, kBanks> load_{};
  std::array<std::uint64_t, kBanks> first_;                        // of banks with load
  std::array<std::uint64_t, std::size_t{kWarpSize} * 4> further_;  // words that are not the first of their bank
};

// Lanes that one pass can serve.
constexpr std::uint32_t group_lanes(std::uint32_t bytes) {
  return bytes <= kBankBytes ? kWarpSize : kWarpSize * kBankBytes / bytes;
}

using LaneArray = std::array<Address, kWarpSize>;

// Whether lanes that differ in bit `bit` of their number agree, those without a partner included.
bool partners_agree(const LaneArray& by_lane, LaneMask active, std::uint32_t bit) {
  for (LaneMask mask = active; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    const std::uint32_t partner = lane ^ bit;
    if ((active >> partner & 1U) != 0 && by_lane[lane] != by_lane[partner]) {
      return false;
    }
  }
  return true;
}

std::uint32_t passes_of_group(const LaneArray& by_lane, LaneMask group, std::uint32_t bytes, bool merge_equal) {
  BankLoad banks(merge_equal);
  const std::uint32_t words_per_lane = std::max(1U, bytes / kBankBytes);
  Address before = 1;  // no word has this address
  for (LaneMask mask = group; mask != 0; mask &= mask - 1) {
    const Address address = by_lane[static_cast<std::uint32_t>(std::countr_zero(mask))];
    if (merge_equal && address == before) {
      continue;  // broadcast to neighbours is common
    }
    before = address;
    for (std::uint32_t w = 0; w < words_per_lane; ++w) {
      banks.add(address / kBankBytes + w);
    }
  }
  return banks.passes();
}

BankPasses passes_by_groups(const LaneArray& by_lane, LaneMask active, std::uint32_t bytes, bool may_join) {
  std::uint32_t lanes = group_lanes(bytes);
  if (may_join && lanes < kWarpSize && (partners_agree(by_lane, active, 1) || partners_agree(by_lane, active, 2))) {
    lanes *= 2;
  }
  BankPasses result{0, 0};
  for (std::uint32_t first = 0; first < kWarpSize; first += lanes) {
    const LaneMask group = active & (kAllLanes >> (kWarpSize - lanes) << first);
    if (group != 0) {
      ++result.least;
      result.passes += passes_of_group(by_lane, group, bytes, true);
    }
  }
  return result;
}

LaneArray addresses_by_lane(const LaneAddresses& addresses, LaneMask active) {
  LaneArray in_order;
  expand(addresses, active, in_order);
  LaneArray by_lane;
  std::uint32_t next = 0;
  for (LaneMask mask = active; mask != 0; mask &= mask - 1) {
    by_lane[static_cast<std::uint32_t>(std::countr_zero(mask))] = in_order[next++];
  }
  return by_lane;
}

BankPasses passes(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, bool may_join) {
  if (addresses.kind == LaneAddresses::Kind::kNone || active == 0) {
    return {1, 1};
  }
  const bool uniform = addresses.kind == LaneAddresses::Kind::kStrided && addresses.stride == 0;
  if (bytes <= kBankBytes && (uniform || is_dense(addresses, kBankBytes))) {
    return {1, 1};
  }
  return passes_by_groups(addresses_by_lane(addresses, active), active, bytes, may_join);
}

}  // namespace

BankPasses load_bank_passes(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes) {
  return passes(addresses, active, bytes, true);
}

BankPasses store_bank_passes(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes) {
  return passes(addresses, active, bytes, false);
}

BankPasses atomic_bank_passes(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes) {
  if (addresses.kind == LaneAddresses::Kind::kNone || active == 0) {
    return {1, 1};
  }
  return {passes_of_group(addresses_by_lane(addresses, active), active, bytes, false), 1};
}

}  // namespace warpsim
