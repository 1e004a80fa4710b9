// Occupancy: how many blocks of a kernel fit on one SM, and how the SM's memory is split between L1 and shared memory.
//
// Modelled: the limits by warps, block slots, registers, shared memory and named barriers with the allocation
// granularities of the compute capability, and the driver's choice of the shared-memory carve-out. Registers belong to
// the SM's sub-partitions: a warp's registers come from one of them. Not modelled: caching of global loads in halves of
// an SM (5.2 to 6.2), which is off by default and would keep a block within one half.
// Evidence: NVIDIA's published occupancy calculator (tests/unit/core/blocks/occupancy_oracle_test.cc); Nsight Compute's
// launch__occupancy_limit_* and launch__shared_mem_config_size of every measured launch on an H200
// (tests/unit/core/blocks/occupancy_test.cc).
// Invariant: `blocks_per_sm` is the minimum of the limits; 0 comes with a reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "core/blocks/occupancy_config.h"

namespace warpsim {

// Resources of an SM that each block of a launch requires.
struct BlockNeeds {
  std::uint32_t threads = 0;
  std::uint32_t registers_per_thread = 0;
  std::uint32_t shared_bytes = 0;  // static and dynamic, without the driver's reserve
  // Kernel arguments, for machines that keep them in shared memory. Absent: shared_bytes includes them and the launch
  // configuration already, like the sum that compilers for such machines report.
  std::optional<std::uint32_t> argument_bytes = std::nullopt;
  std::uint32_t barriers = 1;  // named barriers that the block uses
};

enum class OccupancyLimiter : std::uint8_t { kWarps, kRegisters, kShared, kBlocks, kBarriers };
const char* to_string(OccupancyLimiter limiter);

struct Occupancy {
  static constexpr std::uint32_t kNoLimit = UINT32_MAX;

  std::uint32_t blocks_per_sm = 0;
  std::uint32_t limit_warps = 0;
  std::uint32_t limit_blocks = 0;
  std::uint32_t limit_registers = 0;  // kNoLimit for a kernel without registers
  std::uint32_t limit_shared = 0;     // kNoLimit for a block without shared memory
  std::uint32_t limit_barriers = kNoLimit;
  std::vector<OccupancyLimiter> limiters;  // all limits that are equal to the minimum, in the order of the enumeration

  std::uint32_t warps_per_block = 0;
  std::uint32_t registers_per_thread = 0;    // at least the GPU's minimum
  std::uint32_t registers_per_warp = 0;      // allocated; 0 where registers are allocated to the whole block
  std::uint32_t registers_per_block = 0;     // allocated
  std::uint32_t shared_bytes_per_block = 0;  // allocated, with the reserve
  std::uint32_t carveout_bytes = 0;          // shared memory of the SM
  std::uint32_t least_carveout_bytes = 0;    // with which blocks are placed beside those of other kernels
  std::uint32_t l1_bytes = 0;                // remainder for L1
  std::string reason;                        // why blocks_per_sm is 0; empty otherwise

  // Share of the SM's warp slots that can be filled: Nsight Compute's theoretical occupancy, 0..1.
  double theoretical(const OccupancyConfig& config) const;
};

// With the carve-out that the configuration's policy chooses.
Occupancy compute_occupancy(const OccupancyConfig& config, const BlockNeeds& needs);
// With a carve-out requested: the next size that exists, or one in which a block fits.
Occupancy compute_occupancy(const OccupancyConfig& config, const BlockNeeds& needs, std::uint32_t carveout_kib);

// The largest block of whole warps with which the most threads are resident, with these registers and shared memory; 0
// if no block can run. NVIDIA's calculator suggests the same.
std::uint32_t suggested_block_threads(const OccupancyConfig& config, BlockNeeds needs, std::uint32_t carveout_kib);

}  // namespace warpsim
