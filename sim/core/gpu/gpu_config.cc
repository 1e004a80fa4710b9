#include "core/gpu/gpu_config.h"

#include "base/check.h"

namespace warpsim {

namespace {

bool is_capability(const std::string& text) {
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  return (text.size() == 3 && digit(text[0]) && text[1] == '.' && digit(text[2])) ||
         (text.size() == 4 && digit(text[0]) && digit(text[1]) && text[2] == '.' && digit(text[3]));
}

}  // namespace

std::uint32_t architecture_of(const std::string& compute_capability) {
  SIM_CHECK(is_capability(compute_capability), "no compute capability: " + compute_capability);
  const std::size_t dot = compute_capability.find('.');
  return static_cast<std::uint32_t>(std::stoul(compute_capability.substr(0, dot)) * 10 +
                                    std::stoul(compute_capability.substr(dot + 1)));
}

void describe(ConfigSection& section, ClockConfig& config) {
  section.real("core_mhz", config.core_mhz, 1, 10000, "clock of SMs and block scheduler");
  section.real("l2_mhz", config.l2_mhz, 1, 10000, "clock of crossbar and L2");
  section.real("dram_mhz", config.dram_mhz, 1, 20000, "command clock of the DRAM channels");
}

void describe(ConfigSection& section, GpuConfig& config) {
  section.text("name", config.name, "product name");
  section.text("compute_capability", config.compute_capability, "major.minor");
  section.text("summary", config.summary, "one line for the list of GPUs");
  section.integer("device_memory_mib", config.device_memory_mib, 1, 1U << 24, "memory that programs can allocate");
  section.nested("clocks", config.clocks, "clock domains");
  section.nested("launch_queue", config.launch_queue, "launches of a host, one after another");
  section.nested("host_calls", config.host_calls, "What the calls of a program cost the host.");
  section.nested("device_queues", config.device_queues, "What lies between entries of the device's queues.");
  section.nested("copies", config.copies, "Copies and fills of device memory.");
  section.nested("peer_copies", config.peer_copies, "Copies from the memory of one GPU to that of another.");
  section.nested("managed_memory", config.managed_memory, "Page faults and migration of managed memory.");
  section.nested("system_calls", config.system_calls, "Functions of the driver that kernels call.");
  section.nested("links", config.links, "Links to the memory of other GPUs and of the host.");
  section.nested("topology", config.topology, "GPCs, TPCs and SMs");
  section.nested("occupancy", config.occupancy, "limits of an SM and allocation granularities");
  section.nested("specifications", config.specifications,
                 "the tables of the programming guides; they do not affect the timing");
  section.nested("block_scheduler", config.block_scheduler, "thread-block scheduler and launch overhead");
  section.nested("sm", config.sm, "one SM");
  section.nested("gpc_cache", config.gpc_cache, "instruction and constant cache of a GPC");
  describe(section, config.memory);
  if (!is_capability(config.compute_capability)) {
    section.problem("compute_capability", "must be major.minor, like \"8.6\"");
  }
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
  const ReadOnlyCacheConfig& read_only = config.sm.read_only_cache;
  if (config.sm.l1.policy.read_only_loads == ReadOnlyLoads::kInReadOnlyCache && read_only.kib == 0) {
    section.problem("sm", "l1.policy.read_only_loads is read_only_cache only where read_only_cache.kib is not 0");
  }
  if (read_only.kib != 0 && lsu.address_latency_cycles >= read_only.hit_latency_cycles) {
    section.problem("sm",
                    "load_store.address_latency_cycles is contained in read_only_cache.hit_latency_cycles: "
                    "expected less");
  }
}

}  // namespace warpsim
