// Write ports of a sub-core's register file: one result per bank and cycle.
//
// Modelled: fixed-latency results reserve their cycle at issue; a variable-latency result (load, shuffle, XU) that
// meets an occupied port is one cycle late, and occupies the port for as many cycles as it has registers in the bank.
// Not modelled: collisions of two fixed-latency results, which the result queue absorbs.
// Evidence: Huerta et al., MICRO 2025: a load that collides with an ALU result is delayed by one cycle.
// Invariant: a variable-latency result is never lost, only late.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "config/config_section.h"
#include "isa/static_instruction.h"

namespace warpsim {

struct ResultBusConfig {
  bool ideal = false;  // any number of results per cycle
};
void describe(ConfigSection& section, ResultBusConfig& config);

class ResultBus {
 public:
  static constexpr std::uint32_t kMaxBanks = 8;
  // Cycles ahead for which fixed-latency results reserve a port; longer latencies reserve nothing.
  static constexpr Cycle kWindow = 64;

  // What an instruction writes: bit i of `banks` for bank i, `beats` cycles on each.
  struct Write {
    std::uint8_t banks = 0;
    std::uint8_t beats = 0;
  };

  ResultBus(const ResultBusConfig& config, std::uint32_t banks) : ideal_(config.ideal), banks_(banks) {}

  // Ports that a result of these registers needs in a register file of so many banks.
  static Write write_of(const RegisterRange& registers, std::uint32_t banks);

  // A fixed-latency result will be written at `at`.
  void book(const Write& write, Cycle at, Cycle now);
  // A variable-latency result is to be written now. Returns false if a port that it needs is occupied in this cycle.
  bool take(const Write& write, Cycle now);

 private:
  void advance(Cycle now);

  bool ideal_;
  std::uint32_t banks_;
  Cycle base_ = 0;                                // cycle of bit 0
  std::array<std::uint64_t, kMaxBanks> taken_{};  // bit i: the bank's port is occupied at base_ + i
};

}  // namespace warpsim
