#include "memory/access/bank_passes.h"

#include <algorithm>
#include <array>
#include <bit>

#include "memory/access/lane_array.h"

namespace warpsim {

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
  // The maximum of words on one bank.
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
  std::array<std::uint64_t, std::size_t{kWarpSize} * 4> further_;  // words after the first of their bank
};

// Lanes that one pass can serve.
constexpr std::uint32_t group_lanes(std::uint32_t bytes) {
  return bytes <= kBankBytes ? kWarpSize : kWarpSize * kBankBytes / bytes;
}

// Whether lanes that differ in bit `bit` of their number agree, including lanes without a partner.
bool partners_agree(const LaneArray& lanes, LaneMask active, std::uint32_t bit) {
  for (LaneMask mask = active; mask != 0; mask &= mask - 1) {
    const auto lane = static_cast<std::uint32_t>(std::countr_zero(mask));
    const std::uint32_t partner = lane ^ bit;
    if ((active >> partner & 1U) != 0 && lanes[lane] != lanes[partner]) {
      return false;
    }
  }
  return true;
}

// Whether all words of the group are in a row of the banks, of which each has one of them.
bool is_in_one_row(const LaneArray& lanes, LaneMask group, std::uint32_t words_per_lane) {
  Address least = ~Address{0};
  Address greatest = 0;
  for (LaneMask mask = group; mask != 0; mask &= mask - 1) {
    const Address address = lanes[static_cast<std::uint32_t>(std::countr_zero(mask))];
    least = std::min(least, address);
    greatest = std::max(greatest, address);
  }
  return greatest / kBankBytes + words_per_lane - least / kBankBytes <= kBanks;
}

std::uint32_t passes_of_group(const LaneArray& lanes, LaneMask group, std::uint32_t bytes, bool merge_equal) {
  const std::uint32_t words_per_lane = std::max(1U, bytes / kBankBytes);
  if (merge_equal && is_in_one_row(lanes, group, words_per_lane)) {
    return 1;
  }
  BankLoad banks(merge_equal);
  Address before = 1;  // no word has this address
  for (LaneMask mask = group; mask != 0; mask &= mask - 1) {
    const Address address = lanes[static_cast<std::uint32_t>(std::countr_zero(mask))];
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

BankPasses passes_by_groups(const LaneArray& lanes, LaneMask active, std::uint32_t bytes, bool may_join) {
  std::uint32_t width = group_lanes(bytes);
  if (may_join && width < kWarpSize && (partners_agree(lanes, active, 1) || partners_agree(lanes, active, 2))) {
    width *= 2;
  }
  BankPasses result{0, 0};
  for (std::uint32_t first = 0; first < kWarpSize; first += width) {
    const LaneMask group = active & (kAllLanes >> (kWarpSize - width) << first);
    if (group != 0) {
      ++result.least;
      result.passes += passes_of_group(lanes, group, bytes, true);
    }
  }
  return result;
}

BankPasses passes(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes, bool may_join) {
  if (addresses.kind == LaneAddresses::Kind::kNone || active == 0) {
    return {1, 1};
  }
  const bool uniform = addresses.kind == LaneAddresses::Kind::kStrided && addresses.stride == 0;
  if (bytes <= kBankBytes && (uniform || is_dense(addresses, kBankBytes))) {
    return {1, 1};
  }
  return passes_by_groups(expand_by_lane(addresses, active), active, bytes, may_join);
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
  return {passes_of_group(expand_by_lane(addresses, active), active, bytes, false), 1};
}

}  // namespace warpsim
