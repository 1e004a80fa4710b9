// Occupancy: how many blocks of a kernel fit on one SM, and how the SM's memory is split between L1 and shared memory.
//
// Modelled: the limits by warps, block slots, registers and shared memory with the allocation granularities of the
// compute capability, and the driver's choice of the shared-memory carve-out. Registers belong to the SM's
// sub-partitions: a warp's registers come from one of them. Not modelled: limits by named barriers.
// Evidence: NVIDIA's published occupancy calculator; Nsight Compute's launch__occupancy_limit_* and
// launch__shared_mem_config_size of every measured launch (tests/unit/core/occupancy_test.cc).
// Invariant: `blocks_per_sm` is the least of the four limits; 0 comes with a reason.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "config/config_section.h"

namespace warpsim {

// How the shared-memory carve-out of an SM is chosen for a kernel.
enum class CarveoutPolicy : std::uint8_t {
  kDriver,   // what the driver does by default: occupancy and headroom, see occupancy.cc
  kMinimum,  // smallest size that does not limit occupancy
  kMaximum,  // largest size
};

struct OccupancyConfig {
  std::uint32_t warps_per_sm = 0;
  std::uint32_t threads_per_block = 0;  // most
  std::uint32_t blocks_per_sm = 0;
  std::uint32_t registers_per_sm = 0;
  std::uint32_t registers_per_block = 0;
  std::uint32_t registers_per_thread = 0;        // most
  std::uint32_t least_registers_per_thread = 0;  // a kernel that asks for fewer gets these
  std::uint32_t register_allocation_unit = 0;    // registers, granularity of a warp's allocation
  std::uint32_t sub_partitions = 0;              // register files of an SM
  std::uint32_t shared_bytes_per_block = 0;      // most, with opt-in, without the reserve
  std::uint32_t shared_allocation_unit_bytes = 0;
  std::uint32_t shared_reserved_per_block_bytes = 0;
  std::uint32_t l1_and_shared_bytes = 0;    // the memory that both share
  std::vector<std::uint32_t> carveout_kib;  // sizes allowed for shared memory, ascending
  CarveoutPolicy carveout_policy = CarveoutPolicy::kDriver;
  std::uint32_t carveout_headroom = 0;                 // kDriver: see occupancy.cc
  std::uint32_t carveout_headroom_without_shared = 0;  // kDriver
  std::uint32_t carveout_headroom_cap_kib = 0;         // kDriver
};
void describe(ConfigSection& section, OccupancyConfig& config);

enum class OccupancyLimiter : std::uint8_t { kWarps, kBlocks, kRegisters, kShared };
const char* to_string(OccupancyLimiter limiter);

struct Occupancy {
  std::uint32_t blocks_per_sm = 0;
  std::uint32_t limit_warps = 0;
  std::uint32_t limit_blocks = 0;
  std::uint32_t limit_registers = 0;
  std::uint32_t limit_shared = 0;
  OccupancyLimiter limiter = OccupancyLimiter::kWarps;  // the first of the least limits

  std::uint32_t warps_per_block = 0;
  std::uint32_t registers_per_thread = 0;    // at least the GPU's minimum
  std::uint32_t registers_per_warp = 0;      // allocated, rounded up to the unit
  std::uint32_t shared_bytes_per_block = 0;  // allocated, with the reserve
  std::uint32_t carveout_bytes = 0;          // shared memory of the SM
  std::uint32_t l1_bytes = 0;                // what the carve-out leaves to L1
  std::string reason;                        // why blocks_per_sm is 0; empty otherwise

  // Share of the SM's warp slots that can be filled: Nsight Compute's theoretical occupancy, 0..1.
  double theoretical(const OccupancyConfig& config) const;
};

// `shared_bytes`: static and dynamic shared memory of a block, without the driver's reserve.
Occupancy compute_occupancy(const OccupancyConfig& config, std::uint32_t threads_per_block,
                            std::uint32_t registers_per_thread, std::uint32_t shared_bytes);

}  // namespace warpsim
