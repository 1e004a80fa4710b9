// Request scripts for the ports of a memory system.
#pragma once

#include <vector>

#include "unit/memory/memory_fixture.h"

namespace warpsim::testing {

using Scripts = std::vector<std::vector<MemRequest>>;

inline std::vector<MemRequest> stream(Address from, std::uint32_t lines, MemOp op = MemOp::kRead) {
  std::vector<MemRequest> script;
  for (std::uint32_t i = 0; i < lines; ++i) {
    const Address line = from + Address{i} * kLineBytes;
    script.push_back(op == MemOp::kRead ? read_of(line, 0xf) : write_of(line));
  }
  return script;
}

// Four ports with reads, writes, partial writes, atomics and reductions over few lines.
inline Scripts mixed_scripts(std::uint32_t length) {
  Scripts scripts(4);
  std::uint64_t state = 42;
  const auto random = [&state](std::uint64_t below) {
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (state >> 33) % below;
  };
  for (std::vector<MemRequest>& script : scripts) {
    for (std::uint32_t i = 0; i < length; ++i) {
      const Address line = (1 << 20) + random(96) * kLineBytes;
      const std::uint8_t sectors = static_cast<std::uint8_t>(1 + random(15));
      const std::uint64_t kind = random(10);
      if (kind < 5) {
        script.push_back(read_of(line, sectors));
      } else if (kind < 7) {
        script.push_back(write_of(line, sectors));
      } else if (kind < 8) {
        script.push_back(write_of(line, sectors, 0xff));
        script.back().wants_ack = false;
      } else {
        script.push_back(atomic_of(kind == 8 ? MemOp::kAtomic : MemOp::kReduction, line));
      }
    }
  }
  return scripts;
}

inline MemoryConfig roomy() {
  MemoryConfig config = tiny_memory();
  config.l2.num_sets = 64;
  config.l2.num_ways = 4;
  return config;
}

// One entry in each SM, two in each group, four in the GPU; pages and regions of 1 MiB; a directory entry covers eight.
inline MemoryConfig translated_memory() {
  MemoryConfig config = roomy();
  TranslationConfig& t = config.translation;
  t.enabled = true;
  t.starts_full = false;
  t.sm_entries = 1;
  t.page_kib = 1024;
  t.sm_entry_pages = 1;
  t.sm_misses = 4;
  t.groups_per_gpc = 2;
  t.group = {1, 2, 1, 1};
  t.group_latency_cycles = 9;
  t.group_misses = 2;
  t.gpu = {1, 4, 1, 1};
  t.gpu_partition = 0;
  t.gpu_near_latency_cycles = 20;
  t.gpu_far_latency_cycles = 35;
  t.walks = 1;
  t.walk_latency_cycles = 100;
  t.directory_entries = 1;
  t.directory_entry_pages = 8;
  t.directory_miss_cycles = 70;
  return config;
}

}  // namespace warpsim::testing
