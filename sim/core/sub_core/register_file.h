// Register-file read ports of one sub-core and the register cache in front of them.
//
// Modelled: banks (register number modulo bank count), one read of a whole register per port and cycle, the fixed
// window of cycles in which an instruction reads its operands, and the cache of one register per bank and operand slot
// that the compiler controls with reuse flags (an unflagged read of the same bank and slot discards its content). Not
// modelled: write ports, the result queue. Evidence: Huerta et al., MICRO 2025, section on register file; three
// operands of one bank cost two bubbles. Invariant: an instruction is never refused; reads that do not fit its window
// delay later instructions.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>

#include "base/types.h"
#include "config/config_section.h"

namespace warpsim {

struct RegisterFileConfig {
  std::uint32_t banks = 2;
  std::uint32_t read_ports_per_bank = 1;
  std::uint32_t read_window_cycles = 3;
  bool reuse_cache = true;
  std::uint32_t operand_collectors = 0;  // 0: operands are read in a fixed window instead
  bool ideal = false;                    // no conflicts
};
void describe(ConfigSection& section, RegisterFileConfig& config);

class RegisterFile {
 public:
  static constexpr std::uint32_t kMaxBanks = 8;
  static constexpr std::uint32_t kMostCollectors = 32;
  static constexpr std::uint32_t kSlots = 3;

  explicit RegisterFile(const RegisterFileConfig& config)
      : config_(config),
        in_window_(!config.ideal && config.operand_collectors == 0),
        one_port_(config.read_ports_per_bank == 1) {}

  // Registers read by one instruction: up to one per operand slot and beat (kNone: slot unused).
  static constexpr std::uint8_t kNone = 255;
  struct Operands {
    std::array<std::uint8_t, kSlots> first{kNone, kNone, kNone};
    std::array<std::uint8_t, kSlots> count{};  // consecutive registers of the slot
    std::uint8_t reuse_mask = 0;
    // Set by prepare(), which is optional: reads per bank, and the entries of the register cache that they look at.
    std::array<std::uint8_t, kMaxBanks> bank_reads{};
    std::uint32_t cache_entries = 0;
    bool prepared = false;
  };
  // Counts the reads per bank in advance, for a file of so many banks.
  static void prepare(Operands& operands, std::uint32_t banks);
  // Reserves the reads of an instruction issued at `now`; returns the cycles by which the next one is held back.
  std::uint32_t read(std::uint32_t warp, const Operands& operands, Cycle now) {
    if (!in_window_) {
      return 0;
    }
    if (operands.prepared && operands.reuse_mask == 0 && (operands.cache_entries & kept_) == 0) {
      return reserve(operands.bank_reads, is_wide(operands), now);
    }
    return read_cached(warp, operands, now);
  }
  // For which the latest instruction holds its pipe because its operands come in pairs of registers and more.
  std::uint32_t read_cycles() const { return read_cycles_; }

  // Reads that the register cache served.
  std::uint64_t cached_reads() const { return cached_reads_; }

 private:
  static bool is_wide(const Operands& operands) {
    return operands.count[0] > 1 || operands.count[1] > 1 || operands.count[2] > 1;
  }
  std::uint32_t read_cached(std::uint32_t warp, const Operands& operands, Cycle now);
  std::uint32_t reserve(const std::array<std::uint8_t, kMaxBanks>& reads, bool wide, Cycle now) {
    Cycle latest = 0;
    read_cycles_ = 0;
    for (std::uint32_t bank = 0; bank < config_.banks; ++bank) {
      if (reads[bank] != 0) {
        const std::uint32_t cycles = one_port_ ? reads[bank] : cycles_of(reads[bank]);
        free_at_[bank] = std::max(free_at_[bank], now) + cycles;
        latest = std::max(latest, free_at_[bank]);
        read_cycles_ = wide ? std::max(read_cycles_, cycles) : 0;
      }
    }
    const Cycle window_end = now + config_.read_window_cycles;
    return latest > window_end ? static_cast<std::uint32_t>(latest - window_end) : 0;
  }
  std::uint32_t cycles_of(std::uint32_t reads) const {
    return (reads + config_.read_ports_per_bank - 1) / config_.read_ports_per_bank;
  }

  static constexpr std::uint32_t kNothing = ~0U;
  using Cache = std::array<std::array<std::uint32_t, kSlots>, kMaxBanks>;
  static constexpr Cache empty_cache() {
    Cache cache{};
    for (auto& bank : cache) {
      bank.fill(kNothing);
    }
    return cache;
  }
  RegisterFileConfig config_;
  bool in_window_;  // operands are read in a fixed window
  bool one_port_;
  std::uint32_t kept_ = 0;  // entries of the register cache in use: bit bank * kSlots + slot
  std::array<Cycle, kMaxBanks> free_at_{};
  Cache cache_ = empty_cache();  // warp * 256 + register
  std::uint32_t read_cycles_ = 0;
  std::uint64_t cached_reads_ = 0;
};

}  // namespace warpsim
