#include "core/sm/sm_config.h"

#include "core/sm/sm_event.h"

namespace warpsim {

void describe(ConfigSection& section, SmConfig& config) {
  section.integer("sub_cores", config.sub_cores, 1, kMaxSubCores, "sub-cores (SM sub-partitions)");
  section.integer("block_start_cycles", config.block_start_cycles, 1, 10000,
                  "from a block's arrival to its first warp");
  section.integer("warp_start_interval_cycles", config.warp_start_interval_cycles, 0, 1000,
                  "between the starts of two warps of a block");
  section.nested("sub_core", config.sub_core, "one sub-core");
  section.nested("execution", config.execution, "execution pipes of a sub-core");
  section.nested("load_store", config.load_store, "memory pipeline");
  section.nested("asynchronous", config.asynchronous, "asynchronous copies and barriers");
  section.nested("l1", config.l1, "L1 data cache");
  section.nested("read_only_cache", config.read_only_cache, "separate cache of read-only data");
  section.nested("constant_caches", config.constant_caches, "immediate and indexed constant caches");
  section.nested("instruction_cache", config.instruction_cache, "the SM's instruction cache");
  section.nested("barriers", config.barriers, "block barriers");
}

bool sub_cores_compete(const SmConfig& config) {
  const auto& units = config.execution.units;
  return config.sub_core.issue.fp64_takes_all_slots ||
         std::any_of(units.begin(), units.end(), [](const UnitConfig& unit) { return unit.shared; });
}

}  // namespace warpsim
