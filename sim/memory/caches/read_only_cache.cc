#include "memory/caches/read_only_cache.h"

namespace warpsim {

void describe(ConfigSection& section, ReadOnlyCacheConfig& config) {
  section.integer("kib", config.kib, 0, 1024, "capacity; 0 if there is none, and texels use L1");
  section.integer("sets", config.sets, 1, 4096, "sets");
  section.integer("mshr_entries", config.mshr_entries, 1, 1U << 16, "outstanding lines");
  section.integer("mshr_waiters", config.mshr_waiters, 1, 1U << 16, "instructions that can wait for one line");
  section.integer("fill_bytes", config.fill_bytes, kSectorBytes, kLineBytes,
                  "bytes that a miss fetches: 32 for the needed sectors, 128 for the whole line");
  section.integer("hit_latency_cycles", config.hit_latency_cycles, 1, 1000, "4-byte load that hits, issue to use");
  if (config.fill_bytes != kSectorBytes && config.fill_bytes != kLineBytes) {
    section.problem("fill_bytes", "must be 32 or 128");
  }
}

L1Config l1_config_of(const ReadOnlyCacheConfig& config, const L1Config& l1) {
  L1Config result = l1;
  result.sets = config.sets;
  result.capacity_kib = 0;
  result.mshr_entries = config.mshr_entries;
  result.mshr_waiters = config.mshr_waiters;
  result.fill_bytes = config.fill_bytes;
  result.hit_latency_cycles = config.hit_latency_cycles;
  return result;
}

}  // namespace warpsim
