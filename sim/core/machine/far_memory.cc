#include "core/machine/far_memory.h"

#include <algorithm>
#include <cmath>

namespace warpsim {
namespace {

// From an SM to the place where requests leave the crossbar: slices, and the gate.
double through_crossbar_ns(const GpuConfig& config) {
  const CrossbarConfig& crossbar = config.memory.crossbar;
  const double core_cycles = crossbar.zero_latency ? 1 : crossbar.request_port_latency_core_cycles;
  const double l2_cycles = crossbar.zero_latency ? 1 : crossbar.request_slice_latency_cycles;
  return core_cycles * 1000 / config.clocks.core_mhz + l2_cycles * 1000 / config.clocks.l2_mhz;
}

// From the other gate to a slice: a port of one cycle, and the way from the crossbar.
double to_slice_ns(const GpuConfig& config) {
  const CrossbarConfig& crossbar = config.memory.crossbar;
  const double cycles = 1 + (crossbar.zero_latency ? 1 : crossbar.request_slice_latency_cycles);
  return cycles * 1000 / config.clocks.l2_mhz;
}

Cycle cycles_of(double ns, const GpuConfig& config) {
  return static_cast<Cycle>(std::llround(ns * config.clocks.core_mhz / 1000));
}

}  // namespace

FarMemory::FarMemory(const MemoryHomes* homes, const std::vector<std::unique_ptr<Gpu>>& gpus) : homes_(homes) {
  for (std::size_t from = 0; from < gpus.size(); ++from) {
    const GpuConfig& config = gpus[from]->config();
    const double start = through_crossbar_ns(config);
    std::vector<Cycle>& ways = to_gpu_.emplace_back();
    for (std::size_t to = 0; to < gpus.size(); ++to) {
      const GpuConfig& other = gpus[to]->config();
      const double link = std::max(config.links.peer.latency_ns, other.links.peer.latency_ns);
      ways.push_back(from == to ? 0 : cycles_of(start + link + to_slice_ns(other), config));
    }
    const bool is_own = config.links.host.kind == HostLinkKind::kIntegrated;
    to_host_.push_back(is_own ? 0 : cycles_of(start + config.links.host.latency_ns, config));
  }
}

Cycle FarMemory::way(std::uint32_t from, Address address) const {
  const MemoryHomes::Home home = homes_->home_of(address);
  if (home == MemoryHomes::kOwn) {
    return 0;
  }
  return home == MemoryHomes::kHost ? to_host_[from] : to_gpu_[from].at(home);
}

}  // namespace warpsim
