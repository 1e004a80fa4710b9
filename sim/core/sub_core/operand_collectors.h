// Operand collectors of one sub-core: before an instruction executes, a collector gathers its source registers from
// the banks, one register per port and cycle, while others execute.
//
// Modelled: a number of collectors, each taken from issue until its last operand has been read; banks (register number
// plus warp, modulo the number of banks), which serve one read after another. Not modelled: arbitration other than in
// order of issue. Evidence: NVIDIA's patents on operand collectors as GPGPU-Sim models them; capabilities up to 3.x.
// Invariant: an instruction whose operands are in different, free banks is not delayed.
#pragma once

#include <array>
#include <cstdint>

#include "base/types.h"
#include "core/sub_core/register_file.h"

namespace warpsim {

class OperandCollectors {
 public:
  static constexpr std::uint32_t kMost = RegisterFile::kMostCollectors;

  explicit OperandCollectors(const RegisterFileConfig& config) : config_(config) {}

  bool present() const { return config_.operand_collectors != 0 && !config_.ideal; }
  // First cycle at which one of them is free.
  Cycle free_at() const;
  // Occupies one for an instruction issued at `now`. Returns the cycles by which conflicts delay its execution.
  Cycle collect(std::uint32_t warp, const RegisterFile::Operands& operands, Cycle now);

 private:
  RegisterFileConfig config_;
  std::array<Cycle, kMost> free_at_{};
  std::array<Cycle, RegisterFile::kMaxBanks> bank_free_at_{};  // unit: reads (cycles times ports)
};

}  // namespace warpsim
