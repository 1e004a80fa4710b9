#include "core/sub_core/result_bus.h"

#include <bit>

namespace warpsim {

void describe(ConfigSection& section, ResultBusConfig& config) {
  section.boolean("ideal", config.ideal, "any number of results per cycle may be written to a bank");
}

ResultBus::Write ResultBus::write_of(const RegisterRange& registers, std::uint32_t banks) {
  Write write;
  if (registers.first == kZeroRegister || banks == 0) {
    return write;
  }
  for (std::uint32_t i = 0; i < registers.count && i < banks; ++i) {
    write.banks = static_cast<std::uint8_t>(write.banks | 1U << ((registers.first + i) % banks));
  }
  write.beats = static_cast<std::uint8_t>((registers.count + banks - 1) / banks);
  return write;
}

void ResultBus::advance(Cycle now) {
  const Cycle passed = now - base_;
  for (std::uint32_t bank = 0; bank < banks_; ++bank) {
    taken_[bank] = passed < kWindow ? taken_[bank] >> passed : 0;
  }
  base_ = now;
}

void ResultBus::book(const Write& write, Cycle at, Cycle now) {
  if (ideal_ || write.banks == 0 || at - now >= kWindow) {
    return;
  }
  advance(now);
  const std::uint64_t cycles = ((std::uint64_t{1} << write.beats) - 1) << (at - now);
  for (std::uint32_t banks = write.banks; banks != 0; banks &= banks - 1) {
    taken_[static_cast<std::size_t>(std::countr_zero(banks))] |= cycles;
  }
}

bool ResultBus::take(const Write& write, Cycle now) {
  if (ideal_ || write.banks == 0) {
    return true;
  }
  advance(now);
  std::uint64_t taken = 0;
  for (std::uint32_t banks = write.banks; banks != 0; banks &= banks - 1) {
    taken |= taken_[static_cast<std::size_t>(std::countr_zero(banks))];
  }
  if ((taken & 1U) != 0) {
    return false;
  }
  book(write, now, now);
  return true;
}

}  // namespace warpsim
