#include "stats/hot_spot_table.h"

#include <algorithm>

#include "base/check.h"

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

// Every column is a sum but one, which is a maximum.
void HotSpot::add(const HotSpot& other) {
  constexpr auto kGreatest = static_cast<std::size_t>(HotSpotColumn::kGreatestLoadCycles);
  const std::uint64_t greatest = std::max(counts_[kGreatest], other.counts_[kGreatest]);
  for (std::size_t column = 0; column < counts_.size(); ++column) {
    counts_[column] += other.counts_[column];
  }
  counts_[kGreatest] = greatest;
  if (other.latencies_ != nullptr) {
    if (latencies_ == nullptr) {
      latencies_ = std::make_unique<Buckets>();
    }
    for (std::size_t bucket = 0; bucket < latencies_->size(); ++bucket) {
      (*latencies_)[bucket] += (*other.latencies_)[bucket];
    }
  }
}

void HotSpotTable::add(const HotSpotTable& other) {
  SIM_CHECK(rows_.size() == other.rows_.size(), "hot spots of two programs are added");
  for (std::size_t i = 0; i < rows_.size(); ++i) {
    rows_[i].add(other.rows_[i]);
  }
}

}  // namespace warpsim
