// What occupancy depends on: the limits of an SM, the units in which its resources are allocated, and the sizes between
// which its memory can be divided into L1 and shared memory.
//
// All differences between compute capabilities are values here; compute_occupancy() tests no capability. Evidence: the
// CUDA programming guides' technical specifications and NVIDIA's occupancy calculator (tests/unit/core/occupancy_*).
#pragma once

#include <cstdint>
#include <vector>

#include "config/config_section.h"

namespace warpsim {

// How the shared-memory carve-out of an SM is chosen for a kernel.
enum class CarveoutPolicy : std::uint8_t {
  kDriver,   // what the driver does by default: occupancy and headroom, see occupancy.cc
  kMinimum,  // smallest size that does not limit occupancy
  kMaximum,  // largest size
};

// The unit whose registers are rounded up.
enum class RegisterAllocation : std::uint8_t {
  kWarp,   // each warp, within the register file of one sub-partition
  kBlock,  // the whole block
};

struct OccupancyConfig {
  std::uint32_t warps_per_sm = 0;
  std::uint32_t threads_per_block = 0;  // maximum
  std::uint32_t blocks_per_sm = 0;
  std::uint32_t registers_per_sm = 0;
  std::uint32_t registers_per_block = 0;
  std::uint32_t registers_per_thread = 0;        // maximum
  std::uint32_t least_registers_per_thread = 0;  // a kernel that requests fewer gets these
  RegisterAllocation register_allocation = RegisterAllocation::kWarp;
  std::uint32_t register_allocation_unit = 0;         // registers, granularity of an allocation
  std::uint32_t coarse_register_allocation_unit = 0;  // of kernels with one of the following
  std::vector<std::uint32_t> coarse_registers_per_thread;
  std::uint32_t register_block_warps = 1;            // a block's warps count as a multiple of this
  std::uint32_t sub_partitions = 0;                  // register files of an SM
  std::uint32_t shared_bytes_per_block = 0;          // maximum, with opt-in, without the reserve
  std::uint32_t shared_bytes_per_block_default = 0;  // maximum, without opt-in
  std::uint32_t shared_allocation_unit_bytes = 0;
  std::uint32_t shared_reserved_per_block_bytes = 0;
  bool launch_parameters_in_shared = false;
  std::uint32_t launch_configuration_bytes = 0;
  std::uint32_t barriers_per_sm = 0;        // 0: no limit
  std::uint32_t l1_and_shared_bytes = 0;    // the memory that both share
  std::vector<std::uint32_t> carveout_kib;  // sizes allowed for shared memory, ascending
  CarveoutPolicy carveout_policy = CarveoutPolicy::kDriver;
  std::uint32_t carveout_headroom = 0;                 // kDriver: see occupancy.cc
  std::uint32_t carveout_headroom_without_shared = 0;  // kDriver
  std::uint32_t carveout_headroom_cap_kib = 0;         // kDriver
};
void describe(ConfigSection& section, OccupancyConfig& config);

}  // namespace warpsim
