// Parameters of the translation of addresses: three levels of translation caches and the units that walk page tables.
//
// Cycles are those of the L2 clock. Evidence: tests/hardware/translation (reach.cu, walks.cu): chains of loads over
// pages whose lines stay in L2, and loads of all SMs, over up to 2 TiB of addresses, on an H200.
#pragma once

#include <cstdint>

#include "config/config_section.h"

namespace warpsim {

// One level with sets. An entry covers a region of aligned neighbouring pages.
struct TranslationLevelConfig {
  std::uint32_t sets = 1;
  std::uint32_t ways = 1;
  std::uint32_t entry_pages = 1;  // a power of two
  double lookups_per_cycle = 1;
};

// Page tables in memory, which walks read (page_tables.h).
struct PageTablesConfig {
  bool in_memory = false;
  std::uint32_t entry_bytes = 16;      // of the lowest level: 8 or 16
  std::uint32_t directory_levels = 3;  // above it
  std::uint32_t step_cycles = 1;
};

struct TranslationConfig {
  bool enabled = false;
  bool starts_full = true;
  std::uint32_t page_kib = 2048;  // a power of two, as the numbers of pages
  // Of each SM.
  std::uint32_t sm_entries = 16;
  std::uint32_t sm_entry_pages = 8;
  std::uint32_t sm_misses = 14;
  // Of some TPCs of a GPC.
  std::uint32_t groups_per_gpc = 1;
  TranslationLevelConfig group;
  std::uint32_t group_latency_cycles = 3;
  std::uint32_t group_misses = 16;
  // Of the GPU.
  TranslationLevelConfig gpu;
  std::uint32_t gpu_partition = 0;
  std::uint32_t gpu_near_latency_cycles = 1;
  std::uint32_t gpu_far_latency_cycles = 1;
  std::uint32_t walks = 1;
  std::uint32_t walk_latency_cycles = 1;
  // Upper levels of the page tables, beside the walkers.
  std::uint32_t directory_entries = 1;
  std::uint32_t directory_entry_pages = 1;
  std::uint32_t directory_miss_cycles = 0;
  PageTablesConfig tables;

  // KiB that so many pages cover.
  std::uint64_t kib(std::uint32_t pages) const { return std::uint64_t{page_kib} * pages; }
};
void describe(ConfigSection& section, TranslationConfig& config);

}  // namespace warpsim
