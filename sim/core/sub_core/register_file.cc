#include "core/sub_core/register_file.h"

#include <algorithm>

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

std::uint32_t RegisterFile::read(std::uint32_t warp, const Operands& operands, Cycle now) {
  if (config_.ideal || config_.operand_collectors != 0) {
    return 0;
  }
  std::array<std::uint32_t, kMaxBanks> reads{};
  bool wide = false;
  for (std::uint32_t slot = 0; slot < kSlots; ++slot) {
    const bool keep = config_.reuse_cache && (operands.reuse_mask >> slot & 1U) != 0;
    const std::uint32_t count = operands.count[slot];
    wide = wide || count > 1;
    reads_ += count;
    for (std::uint32_t beat = 0; beat < count; ++beat) {
      const std::uint8_t reg = static_cast<std::uint8_t>(operands.first[slot] + beat);
      const std::uint32_t bank = bank_of(reg);
      const std::uint32_t name = warp << 8U | reg;
      std::uint32_t& cached = cache_[bank][slot];
      const bool hit = cached == name;
      cached = keep ? name : kNothing;
      cached_reads_ += hit ? 1 : 0;
      reads[bank] += hit ? 0 : 1;
    }
  }
  Cycle latest = 0;
  read_cycles_ = 0;
  for (std::uint32_t bank = 0; bank < config_.banks; ++bank) {
    if (reads[bank] != 0) {
      const std::uint32_t cycles = config_.read_ports_per_bank == 1
                                       ? reads[bank]
                                       : (reads[bank] + config_.read_ports_per_bank - 1) / config_.read_ports_per_bank;
      free_at_[bank] = std::max(free_at_[bank], now) + cycles;
      latest = std::max(latest, free_at_[bank]);
      read_cycles_ = wide ? std::max(read_cycles_, cycles) : 0;
    }
  }
  const Cycle window_end = now + config_.read_window_cycles;
  return latest > window_end ? static_cast<std::uint32_t>(latest - window_end) : 0;
}

}  // namespace warpsim
