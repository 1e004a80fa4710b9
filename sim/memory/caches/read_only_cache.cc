#include "memory/caches/read_only_cache.h"

namespace warpsim {

void describe(ConfigSection& section, ReadOnlyCacheConfig& config) {
  section.integer("kib", config.kib, 0, 1024, "capacity; 0 if there is none, and texels use L1");
  section.integer("sets", config.sets, 1, 4096, "sets");
  section.integer("mshr_entries", config.mshr_entries, 1, 1U << 16, "outstanding lines");
  section.integer("mshr_waiters", config.mshr_waiters, 1, 1U << 16, "instructions that can wait for one line");
  describe_parts(section, "fill_bytes", config.fill_bytes,
                 "a miss fetches this aligned block: 32 for the needed sectors, 64 or 128");
  section.integer("hit_latency_cycles", config.hit_latency_cycles, 1, 1000, "4-byte load that hits, issue to use");
}

L1Config l1_config_of(const ReadOnlyCacheConfig& config, const L1Config& l1) {
  L1Config result = l1;
  result.sets = config.sets;
  result.line_bytes = kLineBytes;
  result.capacity_kib = 0;
  result.mshr_entries = config.mshr_entries;
  result.mshr_waiters = config.mshr_waiters;
  result.fill_bytes = config.fill_bytes;
  result.hit_latency_cycles = config.hit_latency_cycles;
  return result;
}

}  // namespace warpsim
