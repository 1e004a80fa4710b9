#include "core/launch/managed_memory_config.h"

namespace warpsim {

void describe(ConfigSection& section, ManagedMemoryConfig& config) {
  constexpr double kMostNs = 1e9;
  constexpr double kMostRate = 1e6;
  const auto time = [&](const char* key, double& value, const char* text) {
    section.real(key, value, 0, kMostNs, text);
  };
  const auto rate = [&](const char* key, double& value, const char* text) {
    section.real(key, value, 0.001, kMostRate, text);
  };
  section.boolean("page_faults", config.page_faults,
                  "The GPU has page faults. Otherwise managed memory moves to it before each kernel.");
  time("wake_ns", config.wake_ns, "From a fault of a GPU until its driver, which does nothing else, serves it.");
  section.real("poll_ns", config.poll_ns, 500, kMostNs,
               "The same if the driver still looks for further faults after a batch.");
  time("awake_ns", config.awake_ns, "How long the driver looks for further faults.");
  time("batch_ns", config.batch_ns, "A batch of faults, without the faults in it.");
  section.integer("batch_faults", config.batch_faults, 1, 1U << 20U, "Faults in a batch at most.");
  time("fault_ns", config.fault_ns, "Each page of a batch that faults.");
  time("block_ns", config.block_ns, "Each block of 2 MiB of a batch.");
  time("copy_ns", config.copy_ns, "More for a block to which data come from another memory.");
  rate("to_gpu_gb_per_s", config.to_gpu_gb_per_s, "Rate of data that come to the GPU by faults.");
  rate("new_gb_per_s", config.new_gb_per_s, "Rate by which faults fill pages that were not touched before.");
  time("map_ns", config.map_ns, "A piece of 64 KiB that a fault lets the GPU access where it is.");
  time("write_to_copies_ns", config.write_to_copies_ns, "A write to a page that has copies, which are given up.");
  section.integer("density_percent", config.density_percent, 1, 100,
                  "A part of a block moves as a whole if more of it than this is there or faults.");
  time("host_fault_ns", config.host_fault_ns, "A fault of the host, without the data.");
  rate("to_host_gb_per_s", config.to_host_gb_per_s, "Rate of data that come to the host by faults.");
  time("evict_ns", config.evict_ns, "A block of 2 MiB that leaves a GPU whose memory is full.");
  rate("evict_gb_per_s", config.evict_gb_per_s, "Rate of its data.");
  time("prefetch_ns", config.prefetch_ns, "A prefetch, without the data.");
  rate("prefetch_to_gpu_gb_per_s", config.prefetch_to_gpu_gb_per_s, "Rate of prefetched data to the GPU.");
  rate("prefetch_new_gb_per_s", config.prefetch_new_gb_per_s, "The same of pages that were not touched before.");
  rate("prefetch_to_host_gb_per_s", config.prefetch_to_host_gb_per_s, "Rate of prefetched data to the host.");
}

}  // namespace warpsim
