// Limits and topology of an H200, as stated in configs/h200.yaml, for tests that compare with hardware.
#pragma once

#include "core/blocks/occupancy.h"
#include "core/gpu/topology.h"

namespace warpsim::test {

inline OccupancyConfig h200_occupancy() {
  OccupancyConfig config;
  config.warps_per_sm = 64;
  config.threads_per_block = 1024;
  config.blocks_per_sm = 32;
  config.registers_per_sm = 65536;
  config.registers_per_block = 65536;
  config.registers_per_thread = 255;
  config.least_registers_per_thread = 16;
  config.register_allocation_unit = 256;
  config.coarse_register_allocation_unit = 256;
  config.register_block_warps = 4;
  config.sub_partitions = 4;
  config.shared_bytes_per_block = 232448;
  config.shared_bytes_per_block_default = 49152;
  config.shared_allocation_unit_bytes = 128;
  config.shared_reserved_per_block_bytes = 1024;
  config.barriers_per_sm = 64;
  config.l1_and_shared_bytes = 262144;
  config.carveout_kib = {0, 8, 16, 32, 64, 100, 132, 164, 196, 228};
  config.carveout_headroom = 2;
  config.carveout_headroom_without_shared = 4;
  config.carveout_headroom_cap_kib = 132;
  return config;
}

inline TopologyConfig h200_topology() {
  TopologyConfig config;
  config.gpc_tpcs = {4, 8, 8, 8, 8, 8, 9, 9};
  config.singleton_tpcs = 4;
  config.sms_per_tpc = 2;
  config.gpc_l2_partition = {0, 0, 0, 0, 1, 1, 1, 1};
  config.singleton_gpc = 0;
  return config;
}

}  // namespace warpsim::test
