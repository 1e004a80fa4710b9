#include "core/blocks/occupancy_config.h"

#include <algorithm>

namespace warpsim {

namespace {

void describe_registers(ConfigSection& section, OccupancyConfig& config) {
  section.integer("registers_per_sm", config.registers_per_sm, 256, 1U << 20, "32-bit registers of an SM.");
  section.integer("registers_per_block", config.registers_per_block, 256, 1U << 20, "Maximum registers of a block.");
  section.integer("registers_per_thread", config.registers_per_thread, 1, 1024, "Maximum registers of a thread.");
  section.integer("least_registers_per_thread", config.least_registers_per_thread, 0, 1024,
                  "Minimum registers of a thread: kernels that request fewer get this number.");
  section.choice("register_allocation", config.register_allocation,
                 {{"warp", RegisterAllocation::kWarp}, {"block", RegisterAllocation::kBlock}},
                 "Whether each warp's registers or the block's as a whole are rounded up to the allocation unit.");
  section.integer("register_allocation_unit", config.register_allocation_unit, 1, 4096,
                  "Registers of a warp or block are allocated in multiples of this number.");
  section.integer("coarse_register_allocation_unit", config.coarse_register_allocation_unit, 1, 4096,
                  "The same for kernels with one of coarse_registers_per_thread.");
  section.integers("coarse_registers_per_thread", config.coarse_registers_per_thread, 1, 1024,
                   "Registers of a thread for which the coarse allocation unit is used.");
  section.integer("register_block_warps", config.register_block_warps, 1, 8,
                  "The warps of a block are rounded up to a multiple of this number when its registers are compared "
                  "with registers_per_block and when registers are allocated to the whole block.");
  section.integer("sub_partitions", config.sub_partitions, 1, 8, "Register files of an SM, one per sub-core.");
  if (config.register_allocation == RegisterAllocation::kBlock && config.sub_partitions != 1) {
    section.problem("register_allocation", "registers of a block as a whole need sub_partitions to be 1");
  }
}

void check_carveout_list(ConfigSection& section, const OccupancyConfig& config) {
  if (config.carveout_kib.empty()) {
    section.problem("carveout_kib", "at least one size is needed");
    return;
  }
  if (!std::is_sorted(config.carveout_kib.begin(), config.carveout_kib.end())) {
    section.problem("carveout_kib", "sizes must ascend");
  }
  if (std::uint64_t{config.carveout_kib.back()} * 1024 > config.l1_and_shared_bytes) {
    section.problem("carveout_kib", "the largest size exceeds l1_and_shared_bytes");
  }
}

void describe_shared(ConfigSection& section, OccupancyConfig& config) {
  section.integer("shared_bytes_per_block", config.shared_bytes_per_block, 0, 1U << 20,
                  "Maximum shared memory of a block, without the driver's reserve; with opt-in on GPUs that have it.");
  section.integer("shared_bytes_per_block_default", config.shared_bytes_per_block_default, 0, 1U << 20,
                  "The same without opt-in.");
  section.integer("shared_allocation_unit_bytes", config.shared_allocation_unit_bytes, 1, 4096,
                  "Shared memory of a block is allocated in multiples of this size.");
  section.integer("shared_reserved_per_block_bytes", config.shared_reserved_per_block_bytes, 0, 16384,
                  "Shared memory that the driver adds to each block.");
  section.boolean("launch_parameters_in_shared", config.launch_parameters_in_shared,
                  "Kernel arguments and launch configuration are in each block's shared memory.");
  section.integer("launch_configuration_bytes", config.launch_configuration_bytes, 0, 256,
                  "Size of the launch configuration in shared memory, if the arguments are there too.");
  section.integer("l1_and_shared_bytes", config.l1_and_shared_bytes, 1024, 1U << 22,
                  "Memory of an SM that is divided between L1 and shared memory.");
  section.integers("carveout_kib", config.carveout_kib, 0, 4096, "Possible sizes of shared memory, ascending.");
  section.choice("carveout_policy", config.carveout_policy,
                 {{"driver", CarveoutPolicy::kDriver},
                  {"minimum", CarveoutPolicy::kMinimum},
                  {"maximum", CarveoutPolicy::kMaximum}},
                 "How the size of shared memory is chosen for a kernel.");
  section.integer("carveout_headroom", config.carveout_headroom, 1, 64,
                  "Driver's policy: kernels with shared memory get space for this many times their blocks, minus one.");
  section.integer("carveout_headroom_without_shared", config.carveout_headroom_without_shared, 1, 64,
                  "Driver's policy: kernels without shared memory get space for the reserve of this many times the "
                  "blocks that the warp slots allow.");
  section.integer("carveout_headroom_cap_kib", config.carveout_headroom_cap_kib, 0, 4096,
                  "Driver's policy: the headroom never makes shared memory larger than this.");
  check_carveout_list(section, config);
}

}  // namespace

void describe(ConfigSection& section, OccupancyConfig& config) {
  section.integer("warps_per_sm", config.warps_per_sm, 1, 256, "Warp slots of an SM.");
  section.integer("threads_per_block", config.threads_per_block, 1, 4096, "Maximum threads of a block.");
  section.integer("blocks_per_sm", config.blocks_per_sm, 1, 64, "Block slots of an SM.");
  describe_registers(section, config);
  describe_shared(section, config);
  section.integer("barriers_per_sm", config.barriers_per_sm, 0, 1024,
                  "Barriers that all blocks of an SM can have together; 0: no limit.");
}

}  // namespace warpsim
