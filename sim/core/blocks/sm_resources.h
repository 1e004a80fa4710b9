// The resources of one SM as the block scheduler tracks them: free warp slots and registers of each sub-partition,
// block slots, shared memory.
//
// Modelled: a block's warps go one by one to the sub-partition with the most free warp slots (the lowest at a
// tie) among those whose registers suffice. The carve-out of an SM is that of the first block placed while it is empty;
// until it is empty again, blocks of kernels whose blocks need a larger one are not placed there, even if one would
// fit. Evidence: the register limit of NVIDIA's occupancy calculator counts per sub-partition;
// tests/hardware/carveouts. Invariant: give_back() restores exactly what take() took.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/blocks/occupancy.h"

namespace warpsim {

// Requirements of one block of a grid.
struct BlockDemand {
  std::uint32_t warps = 0;
  std::uint32_t registers_per_warp = 0;
  std::uint32_t shared_bytes = 0;
  std::uint32_t carveout_bytes = 0;
  std::uint32_t registers_as_a_whole = 0;  // where registers are allocated to blocks, from the only partition
  std::uint32_t least_carveout_bytes = 0;  // of an SM with other blocks

  bool operator==(const BlockDemand&) const = default;
};
BlockDemand make_demand(const Occupancy& occupancy);

enum class SmLack : std::uint8_t { kNothing, kBlockSlots, kWarps, kRegisters, kShared };

class SmResources {
 public:
  static constexpr std::uint32_t kMaxPartitions = 8;

  explicit SmResources(const OccupancyConfig& limits);

  std::uint32_t resident_blocks() const { return resident_; }
  std::uint32_t free_warps() const { return free_warps_; }
  // Blocks taken and given back: what room() answers for a demand stays the same while this does.
  std::uint64_t changes() const { return changes_; }
  // How many more blocks fit now.
  std::uint32_t room(const BlockDemand& demand) const;
  // The first resource that another block would lack.
  SmLack lack(const BlockDemand& demand) const;

  // Reserves what a block needs, which must fit, and returns its block slot.
  std::uint32_t take(const BlockDemand& demand);
  void give_back(std::uint32_t slot);

 private:
  struct Partition {
    std::uint32_t warps = 0;
    std::uint32_t registers = 0;
  };
  struct Slot {
    bool used = false;
    BlockDemand demand;
    std::array<std::uint8_t, kMaxPartitions> warps{};  // placed in each partition
  };

  std::uint32_t warps_with_registers(std::uint32_t registers_per_warp) const;
  bool allows_carveout(const BlockDemand& demand) const;
  std::uint32_t free_shared(const BlockDemand& demand) const;

  std::uint32_t partition_count_;
  std::array<Partition, kMaxPartitions> free_{};
  std::vector<Slot> slots_;
  std::uint32_t free_warps_ = 0;  // sum over free_
  std::uint32_t resident_ = 0;
  std::uint32_t carveout_bytes_ = 0;
  std::uint32_t shared_used_ = 0;
  std::uint64_t changes_ = 0;
};

}  // namespace warpsim
