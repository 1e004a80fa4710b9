#include "core/load_store/load_store_config.h"

#include "core/load_store/data_passes.h"

namespace warpsim {

void describe(ConfigSection& section, LoadStoreConfig& config) {
  describe_coalescing(section, "coalescing", config.coalescing);
  section.nested("shared_banks", config.shared_banks, "banks of shared memory");
  section.nested("textures", config.textures, "texture units");
  section.integer("queue_entries", config.queue_entries, 1, 256, "memory instructions waiting in each sub-core");
  section.integer("stage_queue_entries", config.stage_queue_entries, 1, 256,
                  "memory instructions of all sub-cores that have read their registers and wait for the SM's stage");
  section.integer("register_read_cycles", config.register_read_cycles, 1, 64,
                  "time for which a sub-core reads each source register of its memory instructions");
  section.integer("access_interval_cycles", config.access_interval_cycles, 1, 16,
                  "cycles from an access of any sub-core that enters the SM's stage to the next");
  section.integer("address_latency_cycles", config.address_latency_cycles, 1, 256,
                  "from issue to the SM's stage, uncontended, with up to two source registers");
  section.integer(
      "source_read_cycles", config.source_read_cycles, 1, 256,
      "from issue until the source registers have been read, uncontended, in addition to register_read_cycles");
  section.integer("shared_latency_cycles", config.shared_latency_cycles, 1, 1000,
                  "4-byte shared load without conflict, issue to use");
  section.integer("shared_atomic_latency_cycles", config.shared_atomic_latency_cycles, 1, 1000,
                  "shared atomic without conflict, issue to use");
  section.integer("extra_register_latency_cycles", config.extra_register_latency_cycles, 0, 64,
                  "latency of each result register beyond the first");
  section.integer("extra_matrix_latency_cycles", config.extra_matrix_latency_cycles, 0, 64,
                  "latency of each matrix of an LDSM beyond the first");
  section.integer("pass_interval_cycles", config.pass_interval_cycles, 1, DataPasses::kMaxInterval,
                  "between passes of one instruction; passes of other instructions alternate with it");
  section.integer("pass_window_entries", config.pass_window_entries, 2, DataPasses::kMaxWindow,
                  "oldest instructions whose passes may alternate");
  section.integer("tags_per_cycle", config.tags_per_cycle, 1, 64, "lines looked up in L1 per cycle");
  section.integer("store_release_cycles", config.store_release_cycles, 1, 1000,
                  "from the last line of a store or a reduction in the SM's stage until its warp may leave the SM");
  section.nested("store_buffer", config.store_buffer, "lines of stores that wait to be sent");
  section.integer("output_entries", config.output_entries, 1, 4096, "loads and stores waiting for the crossbar");
  section.integer("output_atomic_sectors", config.output_atomic_sectors, 4, 4096,
                  "sectors of atomics and reductions waiting for the crossbar");
  section.integer("copy_through_l1_cycles", config.copy_through_l1_cycles, 0, 1000,
                  "asynchronous copy that does not bypass L1, in addition to a load's time");
  section.integer("predicated_off_latency_cycles", config.predicated_off_latency_cycles, 1, 1000,
                  "memory instruction that no lane executes, from issue to completion");
  section.integer("bulk_copy_latency_cycles", config.bulk_copy_latency_cycles, 1, 10000,
                  "tensor copy (traces hold no addresses)");
  if (config.pass_interval_cycles % config.shared_banks.pass_cycles != 0) {
    section.problem("pass_interval_cycles", "expected a multiple of shared_banks.pass_cycles");
  }
}

}  // namespace warpsim
