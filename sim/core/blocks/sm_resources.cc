#include "core/blocks/sm_resources.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {

BlockDemand make_demand(const Occupancy& occupancy) {
  return {occupancy.warps_per_block,
          occupancy.registers_per_warp,
          occupancy.shared_bytes_per_block,
          occupancy.carveout_bytes,
          occupancy.registers_per_warp == 0 ? occupancy.registers_per_block : 0,
          occupancy.least_carveout_bytes};
}

SmResources::SmResources(const OccupancyConfig& limits)
    : partition_count_(limits.sub_partitions), slots_(limits.blocks_per_sm) {
  SIM_CHECK(partition_count_ > 0 && partition_count_ <= kMaxPartitions, "sub-partitions out of range");
  for (std::uint32_t p = 0; p < partition_count_; ++p) {
    // Warp slots that do not divide evenly go to the first partitions.
    const std::uint32_t extra = p < limits.warps_per_sm % partition_count_ ? 1 : 0;
    free_[p] = {limits.warps_per_sm / partition_count_ + extra, limits.registers_per_sm / partition_count_};
    free_warps_ += free_[p].warps;
  }
}

std::uint32_t SmResources::warps_with_registers(std::uint32_t registers_per_warp) const {
  std::uint32_t total = 0;
  for (std::uint32_t p = 0; p < partition_count_; ++p) {
    const std::uint32_t by_registers =
        registers_per_warp == 0 ? free_[p].warps : free_[p].registers / registers_per_warp;
    total += std::min(free_[p].warps, by_registers);
  }
  return total;
}

bool SmResources::allows_carveout(const BlockDemand& demand) const {
  return resident_ == 0 || demand.least_carveout_bytes <= carveout_bytes_;
}

std::uint32_t SmResources::free_shared(const BlockDemand& demand) const {
  return resident_ == 0 ? demand.carveout_bytes : carveout_bytes_ - shared_used_;
}

std::uint32_t SmResources::room(const BlockDemand& demand) const {
  std::uint32_t blocks = static_cast<std::uint32_t>(slots_.size()) - resident_;
  blocks = std::min(blocks, warps_with_registers(demand.registers_per_warp) / demand.warps);
  if (demand.registers_as_a_whole > 0) {
    blocks = std::min(blocks, free_[0].registers / demand.registers_as_a_whole);
  }
  if (!allows_carveout(demand)) {
    return 0;
  }
  if (demand.shared_bytes > 0) {
    blocks = std::min(blocks, free_shared(demand) / demand.shared_bytes);
  }
  return blocks;
}

SmLack SmResources::lack(const BlockDemand& demand) const {
  if (resident_ == slots_.size()) {
    return SmLack::kBlockSlots;
  }
  if (free_warps() < demand.warps) {
    return SmLack::kWarps;
  }
  if (warps_with_registers(demand.registers_per_warp) < demand.warps ||
      free_[0].registers < demand.registers_as_a_whole) {
    return SmLack::kRegisters;
  }
  const bool fits = allows_carveout(demand) && free_shared(demand) >= demand.shared_bytes;
  return fits ? SmLack::kNothing : SmLack::kShared;
}

std::uint32_t SmResources::take(const BlockDemand& demand) {
  SIM_CHECK(lack(demand) == SmLack::kNothing, "block placed on an SM without room");
  const auto slot = std::find_if(slots_.begin(), slots_.end(), [](const Slot& s) { return !s.used; });
  *slot = {true, demand, {}};
  for (std::uint32_t w = 0; w < demand.warps; ++w) {
    std::uint32_t best = kMaxPartitions;
    for (std::uint32_t p = 0; p < partition_count_; ++p) {
      const bool fits = free_[p].warps > 0 && free_[p].registers >= demand.registers_per_warp;
      if (fits && (best == kMaxPartitions || free_[p].warps > free_[best].warps)) {
        best = p;
      }
    }
    SIM_CHECK(best < kMaxPartitions, "no sub-partition for a warp");
    --free_[best].warps;
    free_[best].registers -= demand.registers_per_warp;
    ++slot->warps[best];
  }
  free_[0].registers -= demand.registers_as_a_whole;
  free_warps_ -= demand.warps;
  if (resident_ == 0) {
    carveout_bytes_ = demand.carveout_bytes;
  }
  shared_used_ += demand.shared_bytes;
  ++resident_;
  ++changes_;
  return static_cast<std::uint32_t>(slot - slots_.begin());
}

void SmResources::give_back(std::uint32_t index) {
  SIM_CHECK(index < slots_.size() && slots_[index].used, "completion of a block slot that is free");
  Slot& slot = slots_[index];
  for (std::uint32_t p = 0; p < partition_count_; ++p) {
    free_[p].warps += slot.warps[p];
    free_[p].registers += slot.warps[p] * slot.demand.registers_per_warp;
  }
  free_[0].registers += slot.demand.registers_as_a_whole;
  free_warps_ += slot.demand.warps;
  shared_used_ -= slot.demand.shared_bytes;
  slot.used = false;
  --resident_;
  ++changes_;
}

}  // namespace warpsim
