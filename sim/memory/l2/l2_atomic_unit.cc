#include "memory/l2/l2_atomic_unit.h"

#include <cmath>

namespace warpsim {

std::uint32_t L2AtomicUnit::parts_of_cycles(double cycles) {
  return static_cast<std::uint32_t>(std::lround(cycles * kPartsOfCycle));
}

L2AtomicUnit::L2AtomicUnit(const L2Config& config, L2Array& array, LaunchStats<L2SliceStats>& stats)
    : queue_cycles_(config.atomic_queue_cycles),
      latency_cycles_(config.atomic_latency_cycles),
      sector_parts_(parts_of_cycles(config.atomic_sector_cycles)),
      full_sector_parts_(parts_of_cycles(config.atomic_full_sector_cycles)),
      unit_(kPartsOfCycle),
      array_(&array),
      stats_(&stats) {}

std::uint32_t L2AtomicUnit::parts_of(const MemRequest& request) const {
  std::uint32_t parts = 0;
  for (std::uint32_t sector = 0; sector < kSectorsPerLine; ++sector) {
    if ((request.sector_mask >> sector & 1U) != 0) {
      parts += request.byte_mask[sector] == 0xffffffffU ? full_sector_parts_ : sector_parts_;
    }
  }
  return parts;
}

void L2AtomicUnit::execute(L2Waiter& waiter, std::uint64_t line_number, Address line, std::uint8_t sectors, Cycle now) {
  // An atomic whose sectors arrive in parts is charged once, with the first part.
  if (waiter.atomic_parts != 0) {
    unit_.use(now, waiter.atomic_parts);
    waiter.atomic_parts = 0;
  }
  (*stats_)[waiter.seat].atomic_operations += sector_count(sectors);
  array_->change(line_number, line, sectors, waiter.seat);
}

}  // namespace warpsim
