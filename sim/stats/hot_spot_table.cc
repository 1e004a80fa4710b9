#include "stats/hot_spot_table.h"

#include <algorithm>

namespace warpsim {

void HotSpot::add_load(std::uint64_t cycles) {
  add(HotSpotColumn::kLoads);
  add(HotSpotColumn::kLoadCycles, cycles);
  std::uint64_t& greatest = counts_[static_cast<std::size_t>(HotSpotColumn::kGreatestLoadCycles)];
  greatest = std::max(greatest, cycles);
  if (latencies_ == nullptr) {
    latencies_ = std::make_unique<Buckets>();
  }
  ++(*latencies_)[Histogram::bucket_of(cycles)];
}

}  // namespace warpsim
