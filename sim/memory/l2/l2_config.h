// Parameters of an L2 slice.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"
#include "config/config_section.h"
#include "mechanisms/mechanism_choice.h"
#include "memory/caches/tag_array.h"
#include "memory/l2/l2_launch_traffic.h"

namespace warpsim {

// Lines that L2 keeps while others pass through it (l2_store.h, access_window.h).
struct L2PersistenceConfig {
  std::uint32_t max_sixteenths = 0;  // of L2 that may be set aside; 0: the chip cannot
  std::uint32_t first_sixteenths = 0;
  std::uint32_t max_window_mib = 0;
  // Of a window's lines, per thousand, those that are hits in each step of the hit ratio.
  std::vector<std::uint32_t> hit_permille = {63,  125, 188, 250, 313, 375, 438, 500,
                                             563, 625, 688, 750, 813, 875, 938, 1000};
};
void describe(ConfigSection& section, L2PersistenceConfig& config);

struct L2Config {
  bool keeps_lines = true;  // false: no cache
  std::uint32_t num_sets = 1;
  std::uint32_t num_ways = 1;
  std::uint32_t compressed_ways = 0;
  std::uint32_t line_bytes = kLineBytes;
  Replacement replacement = Replacement::kLru;
  MechanismChoice<mechanism::Replacement> replacement_mechanism;
  MechanismChoice<mechanism::Prefetcher> prefetcher;
  MechanismChoice<mechanism::SectorFetch> sector_fetch;
  MechanismChoice<mechanism::MissAdmission> miss_admission;
  MechanismChoice<mechanism::WritePolicy> write_policy;
  MechanismChoice<mechanism::Compression> compression;
  std::uint32_t mshr_entries = 1;
  std::uint32_t far_mshr_entries = 1;
  std::uint32_t mshr_waiters = 1;
  double data_bytes_per_cycle = 64;
  double request_bytes_per_cycle = 64;
  std::uint32_t reply_queue_entries = 8;
  std::uint32_t fill_bytes = 32;
  double atomic_sector_cycles = 1;
  double atomic_full_sector_cycles = 1;
  std::uint32_t atomic_latency_cycles = 0;
  double atomic_reply_cycles = 1;
  std::uint32_t atomic_queue_cycles = 16;
  bool keep_far_writes_near = false;
  bool far_reads_leave_home_first = false;
  std::uint32_t max_dirty_ways = 0;
  std::uint32_t writeback_lines = 1;
  std::uint32_t max_partial_sectors = 0;
  bool masked_writes = false;
  std::uint32_t writeback_queue_entries = 8;
  L2PersistenceConfig persistence;
  L2LaunchTrafficConfig launch_traffic;
  bool perfect = false;
  bool unlimited_mshrs = false;
  bool unlimited_bandwidth = false;
};
void describe(ConfigSection& section, L2Config& config);

}  // namespace warpsim
