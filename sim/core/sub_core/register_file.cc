#include "core/sub_core/register_file.h"

namespace warpsim {

void describe(ConfigSection& section, RegisterFileConfig& config) {
  section.integer("banks", config.banks, 1, RegisterFile::kMaxBanks, "banks; register r is in bank r modulo banks");
  section.integer("read_ports_per_bank", config.read_ports_per_bank, 1, 8, "registers read from one bank per cycle");
  section.integer("read_window_cycles", config.read_window_cycles, 1, 16,
                  "cycles in which a fixed-latency instruction reads its operands");
  section.boolean("reuse_cache", config.reuse_cache, "there is a register cache controlled by reuse flags");
  section.integer("operand_collectors", config.operand_collectors, 0, RegisterFile::kMostCollectors,
                  "collectors that gather operands out of order; 0: a fixed window without collectors");
  section.boolean("ideal", config.ideal, "no read-port conflicts");
}

void RegisterFile::prepare(Operands& operands, std::uint32_t banks) {
  operands.bank_reads = {};
  operands.cache_entries = 0;
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    for (std::uint32_t beat = 0; beat < operands.count[slot]; ++beat) {
      const std::uint32_t bank = (operands.first[slot] + beat) % banks;
      ++operands.bank_reads[bank];
      operands.cache_entries |= 1U << (bank * kSlots + slot);
    }
  }
  operands.prepared = true;
}

std::uint32_t RegisterFile::read_cached(std::uint32_t warp, const Operands& operands, Cycle now) {
  std::array<std::uint8_t, kMaxBanks> reads{};
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    const bool keep = config_.reuse_cache && (operands.reuse_mask >> slot & 1U) != 0;
    for (std::uint32_t beat = 0; beat < operands.count[slot]; ++beat) {
      const std::uint8_t reg = static_cast<std::uint8_t>(operands.first[slot] + beat);
      const std::uint32_t bank = reg % config_.banks;
      const std::uint32_t name = warp << 8U | reg;
      std::uint32_t& cached = cache_[bank][slot];
      const bool hit = cached == name;
      const std::uint32_t entry = 1U << (bank * kSlots + slot);
      cached = keep ? name : kNothing;
      kept_ = keep ? kept_ | entry : kept_ & ~entry;
      cached_reads_ += hit ? 1 : 0;
      reads[bank] = static_cast<std::uint8_t>(reads[bank] + (hit ? 0 : 1));
    }
  }
  return reserve(reads, is_wide(operands), now);
}

}  // namespace warpsim
