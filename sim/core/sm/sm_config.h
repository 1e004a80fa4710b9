// Parameters of an SM and of its parts.
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "core/async/async_unit.h"
#include "core/load_store/load_store_unit.h"
#include "core/sm/block_barriers.h"
#include "core/sm/constant_caches.h"
#include "core/sm/sm_instruction_cache.h"
#include "core/sub_core/execution_units.h"
#include "core/sub_core/sub_core_config.h"

namespace warpsim {

struct SmConfig {
  std::uint32_t sub_cores = 1;
  std::uint32_t block_start_cycles = 1;          // from a block's arrival to its first warp
  std::uint32_t warp_start_interval_cycles = 1;  // between two warps of the block
  SubCoreConfig sub_core;
  ExecutionConfig execution;
  LoadStoreConfig load_store;
  AsyncConfig asynchronous;
  L1Config l1;
  ReadOnlyCacheConfig read_only_cache;
  ConstantCachesConfig constant_caches;
  SmInstructionCacheConfig instruction_cache;
  BlockBarrierConfig barriers;
};
void describe(ConfigSection& section, SmConfig& config);

// Whether an issue of one sub-core can prevent others from issuing.
bool sub_cores_compete(const SmConfig& config);

}  // namespace warpsim
