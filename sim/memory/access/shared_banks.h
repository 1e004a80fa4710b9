// The banks of shared memory: how many passes one access of a warp takes.
//
// Modelled: the number of banks and the bytes per bank and pass, which lanes are served together, what is broadcast,
// how words of 8 and 16 bytes are split, atomics by the memory itself or by loops that lock words. The rules of each
// compute capability are data (SharedBanksConfig). Evidence: CUDA C programming guides 4.2 (F.3.3,
// F.4.3) and 8.0 (G.3.3, G.4.3, G.5.3); joined groups as measured on Hopper (bank_passes.h).
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "memory/access/bank_passes.h"
#include "memory/access/lane_array.h"

namespace warpsim {

enum class BankBroadcast : std::uint8_t {
  kEveryWord,  // lanes on the same word share it
  kOneWord,    // only lanes of one word per pass share it; each other bank serves one lane
};

enum class WideAccess : std::uint8_t {
  kJoinedGroups,       // groups of lanes, of which loads may join two (bank_passes.h)
  kGroups,             // as many lanes together as the bytes of all banks can serve
  kHalvesAndQuarters,  // 2.x: half warps for 8 bytes; for 16 one pass more than the conflicts of quarter warps
  kWords,              // a request for each 4-byte word
};

enum class SharedAtomics : std::uint8_t {
  kNative,
  kLockLoop,  // load and lock, store and unlock, until all lanes are done
};

struct SharedBanksConfig {
  std::uint32_t banks = 32;
  std::uint32_t bank_bytes = 4;        // per bank and pass
  std::uint32_t interleave_bytes = 4;  // successive words of this size lie in successive banks
  std::uint32_t request_lanes = kWarpSize;
  std::uint32_t pass_cycles = 1;              // for which a pass occupies the banks
  std::uint32_t conflict_latency_cycles = 1;  // added to the latency by each pass of a conflict
  BankBroadcast broadcast = BankBroadcast::kEveryWord;
  WideAccess wide_access = WideAccess::kJoinedGroups;
  SharedAtomics atomics = SharedAtomics::kNative;
};
void describe(ConfigSection& section, SharedBanksConfig& config);

class SharedBanks {
 public:
  explicit SharedBanks(const SharedBanksConfig& config) : config_(config) {}

  const SharedBanksConfig& config() const { return config_; }
  BankPasses load(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes) const;
  BankPasses store(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes) const;
  // Lanes on one word are served one after another.
  BankPasses atomic(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes) const;
  // Iterations of a loop of locks: the maximum of lanes on one word.
  static std::uint32_t lock_rounds(const LaneAddresses& addresses, LaneMask active, std::uint32_t bytes);

 private:
  BankPasses passes(const LaneArray& lanes, LaneMask active, std::uint32_t bytes, bool store) const;
  BankPasses by_groups(const LaneArray& lanes, LaneMask active, std::uint32_t bytes, std::uint32_t width) const;
  BankPasses by_words(const LaneArray& lanes, LaneMask active, std::uint32_t bytes, bool store) const;
  BankPasses lock_loop(const LaneArray& lanes, LaneMask active, std::uint32_t bytes) const;
  std::uint32_t most_on_a_bank(const LaneArray& lanes, LaneMask group, std::uint32_t bytes, bool merge) const;
  std::uint32_t broadcast_steps(const LaneArray& lanes, LaneMask group) const;
  std::uint32_t bank_of(Address address) const {
    return static_cast<std::uint32_t>(address / config_.interleave_bytes) % config_.banks;
  }

  SharedBanksConfig config_;
};

}  // namespace warpsim
