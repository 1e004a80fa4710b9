#include "core/gpu_config.h"

namespace warpsim {

void describe(ConfigSection& section, ClockConfig& config) {
  section.real("core_mhz", config.core_mhz, 1, 10000, "clock of SMs and block scheduler");
  section.real("l2_mhz", config.l2_mhz, 1, 10000, "clock of crossbar and L2");
  section.real("dram_mhz", config.dram_mhz, 1, 20000, "command clock of the DRAM channels");
}

void describe(ConfigSection& section, GpuConfig& config) {
  section.text("name", config.name, "product name");
  section.text("compute_capability", config.compute_capability, "major.minor");
  section.text("summary", config.summary, "one line for the list of GPUs");
  section.nested("clocks", config.clocks, "clock domains");
  section.nested("launch_queue", config.launch_queue, "launches of a host, one behind another");
  section.nested("topology", config.topology, "GPCs, TPCs and SMs");
  section.nested("occupancy", config.occupancy, "limits of an SM and allocation granularities");
  section.nested("block_scheduler", config.block_scheduler, "thread-block scheduler and launch overhead");
  section.nested("sm", config.sm, "one SM");
  section.nested("gpc_cache", config.gpc_cache, "instruction and constant cache of a GPC");
  describe(section, config.memory);
  const std::uint32_t slots = config.sm.sub_cores * config.sm.sub_core.warp_slots;
  if (slots != config.occupancy.warps_per_sm) {
    section.problem("sm", "sub_cores times sub_core.warp_slots is " + std::to_string(slots) +
                              ", expected occupancy.warps_per_sm = " + std::to_string(config.occupancy.warps_per_sm));
  }
  const LoadStoreConfig& lsu = config.sm.load_store;
  if (lsu.address_latency_cycles >= lsu.shared_latency_cycles ||
      lsu.address_latency_cycles >= lsu.shared_atomic_latency_cycles ||
      lsu.address_latency_cycles >= config.sm.l1.hit_latency_cycles) {
    section.problem("sm",
                    "load_store.address_latency_cycles is contained in the shared and L1 latencies: expected less");
  }
}

}  // namespace warpsim
