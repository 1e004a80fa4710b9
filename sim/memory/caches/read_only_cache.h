// The cache of read-only data of an SM, separate from L1 (3.5, 3.7: 48 KB, shared with the texture units; before 3.5
// only texels use it).
//
// Modelled: as L1, but of a fixed size, with lines of 128 bytes and without stores; data that the kernel changes are
// not updated.
#pragma once

#include <cstdint>

#include "config/config_section.h"
#include "memory/caches/l1_cache.h"

namespace warpsim {

struct ReadOnlyCacheConfig {
  std::uint32_t kib = 0;  // 0: there is none
  std::uint32_t sets = 1;
  std::uint32_t mshr_entries = 1;
  std::uint32_t mshr_waiters = 1;
  std::uint32_t fill_bytes = kSectorBytes;
  std::uint32_t hit_latency_cycles = 1;
};
void describe(ConfigSection& section, ReadOnlyCacheConfig& config);

// Idealisations are those of L1.
L1Config l1_config_of(const ReadOnlyCacheConfig& config, const L1Config& l1);

}  // namespace warpsim
