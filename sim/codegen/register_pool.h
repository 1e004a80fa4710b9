// Registers of one file, and when each is occupied.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/live_ranges.h"

namespace warpsim::codegen {

class RegisterPool {
 public:
  static constexpr std::uint32_t kBanks = 2;  // of the register file, Volta and later

  // A word of a value: when it is needed, and when a memory access may still read it.
  struct Word {
    const std::vector<LiveSegment>* needed = nullptr;
    const std::vector<LiveSegment>* pending = nullptr;
  };
  using Claim = std::vector<Word>;  // of consecutive registers

  RegisterPool(std::uint32_t first, std::uint32_t count) : first_(first), taken_(count), pending_(count) {}

  // Of the registers below this number, those are preferred that no memory access may still read.
  void be_quiet_below(std::uint32_t count) { quiet_below_ = count; }
  // Occupies `first` and the following ones if they are free whenever they are needed.
  bool take_there(std::uint32_t first, const Claim& claim);
  // The lowest registers that are free when needed; the last ones if none are. A single register comes from `bank`
  // if that needs no additional one.
  std::uint32_t take(const Claim& claim, std::optional<std::uint32_t> bank);
  // For good.
  void keep(std::uint32_t reg) { taken_[reg] = {{0, kNone}}; }
  // One more than the highest register that was taken.
  std::uint32_t most() const { return most_; }

 private:
  bool are_free(std::uint32_t first, const Claim& claim) const;
  bool are_quiet(std::uint32_t first, const Claim& claim) const;
  std::optional<std::uint32_t> find_quiet(const Claim& claim, std::optional<std::uint32_t> bank) const;
  void hold(std::uint32_t first, const Claim& claim);

  std::uint32_t first_;
  std::vector<std::vector<LiveSegment>> taken_;    // by register, in order
  std::vector<std::vector<LiveSegment>> pending_;  // by register, in order of their beginnings
  std::uint32_t most_ = 0;
  std::uint32_t quiet_below_ = 0;
};

}  // namespace warpsim::codegen
