// The description of one GPU: one struct per component, as the YAML file groups them.
#pragma once

#include <cstdint>
#include <string>

#include "config/config_section.h"
#include "core/blocks/block_scheduler.h"
#include "core/blocks/occupancy.h"
#include "core/gpu/specifications.h"
#include "core/gpu/topology.h"
#include "core/launch/host_interface.h"
#include "core/launch/launch_queue.h"
#include "core/launch/managed_memory_config.h"
#include "core/launch/system_calls_config.h"
#include "core/sm/sm.h"
#include "memory/caches/gpc_cache.h"
#include "memory/memory_config.h"
#include "memory/remote/link_config.h"

namespace warpsim {

struct ClockConfig {
  double core_mhz = 1;
  double l2_mhz = 1;
  double dram_mhz = 1;
};
void describe(ConfigSection& section, ClockConfig& config);

struct GpuConfig {
  std::string name;                // "NVIDIA H200"
  std::string compute_capability;  // "9.0"
  std::string summary;             // one line for `warpsim gpus`
  std::uint32_t device_memory_mib = 0;
  ClockConfig clocks;
  LaunchQueueConfig launch_queue;
  HostCallsConfig host_calls;
  DeviceQueuesConfig device_queues;
  CopiesConfig copies;
  PeerCopiesConfig peer_copies;
  ManagedMemoryConfig managed_memory;
  SystemCallsConfig system_calls;
  LinksConfig links;
  TopologyConfig topology;
  OccupancyConfig occupancy;
  SpecificationsConfig specifications;
  BlockSchedulerConfig block_scheduler;
  SmConfig sm;
  GpcCacheConfig gpc_cache;
  MemoryConfig memory;
};
// SASS architecture of a compute capability: 86 for "8.6".
std::uint32_t architecture_of(const std::string& compute_capability);

// Declares every key, and the rules that concern several sections.
void describe(ConfigSection& section, GpuConfig& config);

}  // namespace warpsim
