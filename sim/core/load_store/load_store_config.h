// Parameters of the SM's memory pipeline.
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "core/load_store/store_buffer.h"
#include "core/load_store/texture_path.h"
#include "memory/access/coalescing_rule.h"
#include "memory/access/shared_banks.h"

namespace warpsim {

struct LoadStoreConfig {
  CoalescingRule coalescing = CoalescingRule::kWarpSectors;
  SharedBanksConfig shared_banks;
  TextureConfig textures;
  std::uint32_t queue_entries = 1;           // waiting instructions, per sub-core
  std::uint32_t stage_queue_entries = 1;     // instructions that have read their registers, all sub-cores
  std::uint32_t register_read_cycles = 1;    // of each source register in a sub-core
  std::uint32_t access_interval_cycles = 1;  // between accesses of all sub-cores that enter the SM's stage
  std::uint32_t address_latency_cycles = 1;  // issue to the SM's stage, uncontended, of up to two source registers
  std::uint32_t source_read_cycles = 1;      // issue to registers read, uncontended, besides the reading itself
  std::uint32_t shared_latency_cycles = 1;   // LDS, 4 bytes, no conflict: issue to use
  std::uint32_t shared_atomic_latency_cycles = 1;
  std::uint32_t extra_register_latency_cycles = 1;  // added by each result register beyond the first
  std::uint32_t extra_matrix_latency_cycles = 1;    // added by each matrix of an LDSM beyond the first
  std::uint32_t pass_interval_cycles = 1;           // between passes of one instruction
  std::uint32_t pass_window_entries = 1;            // instructions whose passes may alternate
  std::uint32_t tags_per_cycle = 1;                 // lines looked up per cycle
  std::uint32_t store_release_cycles = 1;           // from a store's last line to its end for its warp
  StoreBufferConfig store_buffer;
  std::uint32_t output_entries = 1;          // requests waiting for the crossbar
  std::uint32_t output_atomic_sectors = 1;   // sectors of atomics and reductions waiting for it
  std::uint32_t copy_through_l1_cycles = 0;  // asynchronous copy that L1 keeps: from arrival of its data to the copy
  std::uint32_t predicated_off_latency_cycles = 1;  // an instruction without active lanes: issue to completion
  std::uint32_t bulk_copy_latency_cycles = 1;
};
void describe(ConfigSection& section, LoadStoreConfig& config);

}  // namespace warpsim
