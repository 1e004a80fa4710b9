#include "core/sub_core/operand_collectors.h"

#include <algorithm>

namespace warpsim {

Cycle OperandCollectors::free_at() const {
  return *std::min_element(free_at_.begin(), free_at_.begin() + config_.operand_collectors);
}

Cycle OperandCollectors::collect(std::uint32_t warp, const RegisterFile::Operands& operands, Cycle now) {
  const Cycle ports = config_.read_ports_per_bank;
  Cycle complete = now + 1;
  for (std::uint32_t slot = 0; slot < RegisterFile::kSlots; ++slot) {
    for (std::uint32_t beat = 0; beat < operands.count[slot]; ++beat) {
      Cycle& bank = bank_free_at_[(operands.first[slot] + beat + warp) % config_.banks];
      bank = std::max(bank, now * ports) + 1;
      complete = std::max(complete, (bank + ports - 1) / ports);
    }
  }
  *std::min_element(free_at_.begin(), free_at_.begin() + config_.operand_collectors) = complete;
  return complete - (now + 1);
}

}  // namespace warpsim
