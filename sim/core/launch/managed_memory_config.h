// What managed memory costs: how a GPU's driver serves page faults and moves pages. Times in ns, rates in 10^9 bytes a
// second. They belong to the driver and the host that were measured: tests/hardware/managed.
#pragma once

#include <cstdint>

#include "config/config_section.h"

namespace warpsim {

struct ManagedMemoryConfig {
  // The GPU has page faults: pages move when they are touched, while kernels run. Otherwise all managed memory moves to
  // the GPU before a kernel, and an allocation moves back when the host touches it.
  bool page_faults = false;
  // Faults of a GPU.
  double wake_ns = 0;              // until the driver begins, if it is not at work
  double poll_ns = 0;              // the same, if it is; longer than parts of a GPU can be apart (Machine::notice_ns)
  double awake_ns = 0;             // it looks for further faults for so long
  double batch_ns = 0;             // a batch, without what it contains
  std::uint32_t batch_faults = 1;  // in a batch at most
  double fault_ns = 0;             // each page of a batch that faults
  double block_ns = 0;             // each block of 2 MiB of a batch
  double copy_ns = 0;              // more for a block, if data come from another memory
  double to_gpu_gb_per_s = 1;      // such data
  double new_gb_per_s = 1;         // pages that were not touched before
  double map_ns = 0;               // a piece of 64 KiB that is accessed where it is
  double write_to_copies_ns = 0;   // a page that is written and has copies: the others are given up
  std::uint32_t density_percent = 1;  // a region moves as a whole if more of it has been touched
  // Faults of the host.
  double host_fault_ns = 0;
  double to_host_gb_per_s = 1;
  // What must leave a GPU whose memory is full.
  double evict_ns = 0;  // a block
  double evict_gb_per_s = 1;
  // Prefetches: the host is busy for all of it if their stream has nothing else to do.
  double prefetch_ns = 0;
  double prefetch_to_gpu_gb_per_s = 1;
  double prefetch_new_gb_per_s = 1;
  double prefetch_to_host_gb_per_s = 1;
};
void describe(ConfigSection& section, ManagedMemoryConfig& config);

inline double transfer_ns(std::uint64_t bytes, double gb_per_s) {
  return static_cast<double>(bytes) / gb_per_s;
}

}  // namespace warpsim
