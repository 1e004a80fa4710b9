#include "memory/access/shared_banks.h"

#include <algorithm>
#include <array>
#include <bit>

namespace warpsim {

namespace {

constexpr std::uint32_t kMaxBanks = 32;
constexpr std::uint32_t kWordBytes = 4;

LaneMask lanes_from(std::uint32_t first, std::uint32_t count) {
  return kAllLanes >> (kWarpSize - count) << first;
}

// Lanes of `mask` whose address is in the same block of `bytes` as that of `lane`.
LaneMask lanes_beside(const LaneArray& lanes, LaneMask mask, std::uint32_t lane, std::uint32_t bytes) {
  LaneMask result = 0;
  for (; mask != 0; mask &= mask - 1) {
    const std::uint32_t other = first_lane(mask);
    result |= lanes[other] / bytes == lanes[lane] / bytes ? 1U << other : 0U;
  }
  return result;
}

// The lowest lane of each word that `mask` accesses.
LaneMask one_of_each(const LaneArray& lanes, LaneMask mask, std::uint32_t bytes) {
  LaneMask result = 0;
  while (mask != 0) {
    const std::uint32_t lane = first_lane(mask);
    result |= 1U << lane;
    mask &= ~lanes_beside(lanes, mask, lane, bytes);
  }
  return result;
}

bool addresses_known(const LaneAddresses& addresses, LaneMask active) {
  return addresses.kind != LaneAddresses::Kind::kNone && active != 0;
}

}  // namespace

void describe(ConfigSection& section, SharedBanksConfig& config) {
  section.integer("banks", config.banks, 1, kMaxBanks, "banks");
  section.integer("bank_bytes", config.bank_bytes, kWordBytes, 8, "bytes per bank and pass: 4 or 8");
  section.integer("interleave_bytes", config.interleave_bytes, kWordBytes, 8,
                  "successive words of this size are in successive banks: 4 or 8 (3.x: the mode)");
  section.integer("request_lanes", config.request_lanes, 8, kWarpSize, "lanes that are served together");
  section.integer("pass_cycles", config.pass_cycles, 1, 8, "cycles for which a pass occupies the banks");
  section.integer("conflict_latency_cycles", config.conflict_latency_cycles, 1, 256,
                  "delay of the result by each further pass of a conflict: at least the interval between passes, more "
                  "if the instruction is reissued");
  section.choice(
      "broadcast", config.broadcast, {{"every_word", BankBroadcast::kEveryWord}, {"one_word", BankBroadcast::kOneWord}},
      "what lanes can share in a pass: every word, or one word in addition to one lane of each other bank (1.x)");
  section.choice(
      "wide_access", config.wide_access,
      {{"joined_groups", WideAccess::kJoinedGroups},
       {"groups", WideAccess::kGroups},
       {"halves_and_quarters", WideAccess::kHalvesAndQuarters},
       {"words", WideAccess::kWords}},
      "how words of 8 and 16 bytes are served: by groups of lanes, of which loads can combine two; by groups; by half "
      "warps and, for 16 bytes, one pass more than the conflicts of quarter warps (2.x); word by word (1.x)");
  section.choice("atomics", config.atomics,
                 {{"native", SharedAtomics::kNative}, {"lock_loop", SharedAtomics::kLockLoop}},
                 "atomics by the memory, or by loops that lock words (before 5.0)");
  const bool as_measured = config.banks == kMaxBanks && config.bank_bytes == kWordBytes &&
                           config.interleave_bytes == kWordBytes && config.request_lanes == kWarpSize &&
                           config.broadcast == BankBroadcast::kEveryWord;
  if (config.wide_access == WideAccess::kJoinedGroups && !as_measured) {
    section.problem("wide_access",
                    "joined_groups is known of 32 banks of 4 bytes that serve a warp and broadcast "
                    "every word only");
  }
  if (config.atomics == SharedAtomics::kNative && !as_measured) {
    section.problem("atomics",
                    "native is known of 32 banks of 4 bytes that serve a warp and broadcast every word only");
  }
  if (config.broadcast == BankBroadcast::kOneWord && config.wide_access != WideAccess::kWords) {
    section.problem("broadcast", "one_word goes with wide_access words");
  }
}

// Passes over different words, their number is the maximum per bank; unless `merge`, each lane's word counts.
std::uint32_t SharedBanks::most_on_a_bank(const LaneArray& lanes, LaneMask group, std::uint32_t bytes,
                                          bool merge) const {
  const std::uint32_t row_bytes = config_.banks * config_.bank_bytes;
  const std::uint32_t pieces = std::max(1U, bytes / config_.interleave_bytes);
  std::array<std::array<Address, std::size_t{kWarpSize} * 4>, kMaxBanks> rows;
  std::array<std::uint32_t, kMaxBanks> load{};
  std::uint32_t most = 1;
  for (LaneMask mask = group; mask != 0; mask &= mask - 1) {
    for (std::uint32_t piece = 0; piece < pieces; ++piece) {
      const Address address = lanes[first_lane(mask)] + Address{piece} * config_.interleave_bytes;
      const std::uint32_t bank = bank_of(address);
      const auto end = rows[bank].begin() + load[bank];
      if (!merge || std::find(rows[bank].begin(), end, address / row_bytes) == end) {
        *end = address / row_bytes;
        most = std::max(most, ++load[bank]);
      }
    }
  }
  return most;
}

// A step serves the word that most lanes access, the first of several, and one lane of each other bank. Which
// word the hardware takes is not stated; this one leaves the guide's own example without conflict.
std::uint32_t SharedBanks::broadcast_steps(const LaneArray& lanes, LaneMask group) const {
  std::uint32_t steps = 0;
  for (; group != 0; ++steps) {
    LaneMask served = 0;
    for (LaneMask mask = group; mask != 0; mask &= mask - 1) {
      const LaneMask sharing = lanes_beside(lanes, group, first_lane(mask), kWordBytes);
      served = std::popcount(sharing) > std::popcount(served) ? sharing : served;
    }
    std::uint32_t banks = 1U << bank_of(lanes[first_lane(served)]);
    for (LaneMask mask = group & ~served; mask != 0; mask &= mask - 1) {
      const std::uint32_t bank = 1U << bank_of(lanes[first_lane(mask)]);
      served |= (banks & bank) == 0 ? 1U << first_lane(mask) : 0U;
      banks |= bank;
    }
    group &= ~served;
  }
  return steps;
}

BankPasses SharedBanks::by_groups(const LaneArray& lanes, LaneMask active, std::uint32_t bytes,
                                  std::uint32_t width) const {
  BankPasses result{0, 0};
  for (std::uint32_t first = 0; first < kWarpSize; first += width) {
    const LaneMask group = active & lanes_from(first, width);
    if (group != 0) {
      ++result.least;
      result.passes += most_on_a_bank(lanes, group, bytes, true);
    }
  }
  return result;
}

BankPasses SharedBanks::by_words(const LaneArray& lanes, LaneMask active, std::uint32_t bytes, bool store) const {
  BankPasses result{0, 0};
  LaneArray words = lanes;
  for (std::uint32_t word = 0; word < std::max(1U, bytes / kWordBytes); ++word) {
    for (std::uint32_t first = 0; first < kWarpSize; first += config_.request_lanes) {
      const LaneMask group = active & lanes_from(first, config_.request_lanes);
      if (group == 0) {
        continue;
      }
      ++result.least;
      if (store || config_.broadcast == BankBroadcast::kEveryWord) {
        // Of lanes that write one address, one writes; bytes of one word are written one after another.
        const LaneMask writers = store ? one_of_each(words, group, std::min(bytes, kWordBytes)) : group;
        result.passes += most_on_a_bank(words, writers, kWordBytes, !store);
      } else {
        result.passes += broadcast_steps(words, group);
      }
    }
    for (LaneMask mask = active; mask != 0; mask &= mask - 1) {
      words[first_lane(mask)] += kWordBytes;
    }
  }
  return result;
}

BankPasses SharedBanks::passes(const LaneArray& lanes, LaneMask active, std::uint32_t bytes, bool store) const {
  if (config_.wide_access == WideAccess::kWords) {
    return by_words(lanes, active, bytes, store);
  }
  const std::uint32_t width = std::min(config_.request_lanes, config_.banks * config_.bank_bytes / bytes);
  if (config_.wide_access != WideAccess::kHalvesAndQuarters || bytes <= 8) {
    return by_groups(lanes, active, bytes, width);
  }
  std::uint32_t most = 0;
  BankPasses result{0, 0};
  for (std::uint32_t first = 0; first < kWarpSize; first += kWarpSize / 4) {
    const LaneMask quarter = active & lanes_from(first, kWarpSize / 4);
    most = quarter != 0 ? std::max(most, most_on_a_bank(lanes, quarter, bytes, true)) : most;
  }
  for (std::uint32_t first = 0; first < kWarpSize; first += kWarpSize / 2) {
    result.least += (active & lanes_from(first, kWarpSize / 2)) != 0 ? 1 : 0;
  }
  result.passes = result.least * (1 + most);
  return result;
}

BankPasses SharedBanks::load(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes) const {
  if (config_.wide_access == WideAccess::kJoinedGroups) {
    return load_bank_passes(addresses, active, bytes);
  }
  return addresses_known(addresses, active) ? passes(expand_by_lane(addresses, active), active, bytes, false)
                                            : BankPasses{};
}

BankPasses SharedBanks::store(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes) const {
  if (config_.wide_access == WideAccess::kJoinedGroups) {
    return store_bank_passes(addresses, active, bytes);
  }
  return addresses_known(addresses, active) ? passes(expand_by_lane(addresses, active), active, bytes, true)
                                            : BankPasses{};
}

BankPasses SharedBanks::atomic(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes) const {
  if (!addresses_known(addresses, active)) {
    return {};
  }
  return config_.atomics == SharedAtomics::kLockLoop ? lock_loop(expand_by_lane(addresses, active), active, bytes)
                                                     : atomic_bank_passes(addresses, active, bytes);
}

// Each round loads the words of all remaining lanes and stores those of the lanes that got the lock.
BankPasses SharedBanks::lock_loop(const LaneArray& lanes, LaneMask active, std::uint32_t bytes) const {
  BankPasses result{0, 0};
  for (LaneMask left = active; left != 0;) {
    const LaneMask winners = one_of_each(lanes, left, bytes);
    const BankPasses loads = passes(lanes, left, bytes, false);
    const BankPasses stores = passes(lanes, winners, bytes, true);
    result.passes += loads.passes + stores.passes;
    result.least = std::max(result.least, loads.least + stores.least);
    left &= ~winners;
  }
  return result;
}

std::uint32_t SharedBanks::lock_rounds(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes) {
  if (!addresses_known(addresses, active)) {
    return 1;
  }
  const LaneArray lanes = expand_by_lane(addresses, active);
  int most = 1;
  for (LaneMask mask = active; mask != 0; mask &= mask - 1) {
    most = std::max(most, std::popcount(lanes_beside(lanes, active, first_lane(mask), bytes)));
  }
  return static_cast<std::uint32_t>(most);
}

}  // namespace warpsim
