// Register-file read ports of one sub-core and the register cache in front of them.
//
// Modelled: banks (register number modulo bank count), one read of a whole register per port and cycle, the fixed
// window of cycles in which an instruction reads its operands, and the cache of one register per bank and operand slot
// that the compiler controls with reuse flags (an unflagged read of the same bank and slot discards its content). Not
// modelled: write ports, the result queue. Evidence: Huerta et al., MICRO 2025, section on register file; three
// operands of one bank cost two bubbles. Invariant: an instruction is never refused; reads that do not fit its window
// delay later instructions.
#pragma once

#include <array>
#include <bit>
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
      : config_(config), bank_mask_(std::has_single_bit(config.banks) ? config.banks - 1 : 0) {}

  // Registers read by one instruction: up to one per operand slot and beat (kNone: slot unused).
  static constexpr std::uint8_t kNone = 255;
  struct Operands {
    std::array<std::uint8_t, kSlots> first{kNone, kNone, kNone};
    std::array<std::uint8_t, kSlots> count{};  // consecutive registers of the slot
    std::uint8_t reuse_mask = 0;
  };
  // Reserves the reads of an instruction issued at `now`; returns the cycles by which the next one is held back.
  std::uint32_t read(std::uint32_t warp, const Operands& operands, Cycle now);
  // For which the latest instruction holds its pipe because its operands come in pairs of registers and more.
  std::uint32_t read_cycles() const { return read_cycles_; }

  std::uint64_t reads() const { return reads_; }
  std::uint64_t cached_reads() const { return cached_reads_; }

 private:
  std::uint32_t bank_of(std::uint32_t reg) const { return bank_mask_ != 0 ? reg & bank_mask_ : reg % config_.banks; }

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
  std::uint32_t bank_mask_;  // if the number of banks is a power of two
  std::array<Cycle, kMaxBanks> free_at_{};
  Cache cache_ = empty_cache();  // warp * 256 + register
  std::uint32_t read_cycles_ = 0;
  std::uint64_t reads_ = 0;
  std::uint64_t cached_reads_ = 0;
};

}  // namespace warpsim
