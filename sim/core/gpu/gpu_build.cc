// Creates and connects the parts of a GPU.
#include <algorithm>
#include <string>

#include "core/gpu/gpu_parts.h"

namespace warpsim {

Gpu::Impl::Impl(const GpuConfig& gpu_config, const GpuOptions& gpu_options, WorkerPool& pool)
    : config(gpu_config),
      options(gpu_options),
      system({gpu_options.skip, gpu_options.shuffle}, pool),
      core_domain(system.add_domain("core", gpu_config.clocks.core_mhz)),
      l2_domain(system.add_domain("l2", gpu_config.clocks.l2_mhz)),
      dram_domain(system.add_domain("dram", gpu_config.clocks.dram_mhz)),
      topology(gpu_config.topology) {
  block_scheduler = std::make_unique<BlockScheduler>(system.add_engine(), core_domain, config.block_scheduler,
                                                     config.occupancy, topology, stats[0]);
  // Crossbar ports: one per SM, then one per GPC for its instruction and constant cache.
  std::vector<MemorySystem::Port> ports;
  for (std::uint32_t sm = 0; sm < topology.sm_count(); ++sm) {
    ports.push_back({topology.l2_gpc_of_sm(sm), topology.l2_partition_of_sm(sm)});
  }
  for (std::uint32_t group = 0; group < topology.group_count(); ++group) {
    const std::uint32_t first_sm = topology.tpcs(group)[0][0];
    ports.push_back({topology.l2_gpc_of_sm(first_sm), topology.l2_partition_of_sm(first_sm)});
  }
  memory = std::make_unique<MemorySystem>(system.add_engine(), core_domain, l2_domain, dram_domain, config.memory,
                                          ports, stats);
  build_sms();
  build_gpc_caches();
  build_cluster_network();
}

void Gpu::Impl::build_sms() {
  const ClockDomain& core = system.domain(core_domain);
  constexpr std::size_t kGpcLinkEntries = 64;
  constexpr std::size_t kClusterLinkEntries = 256;
  for (std::uint32_t number = 0; number < topology.sm_count(); ++number) {
    gpc_requests.push_back(
        std::make_unique<Link<GpcRequest>>(core, core, kGpcLinkEntries, config.gpc_cache.link_latency_cycles));
    gpc_responses.push_back(
        std::make_unique<Link<GpcResponse>>(core, core, kGpcLinkEntries, config.gpc_cache.link_latency_cycles));
    cluster_out.push_back(std::make_unique<Link<ClusterMessage>>(core, core, kClusterLinkEntries,
                                                                 config.sm.asynchronous.cluster.link_latency_cycles));
    cluster_in.push_back(std::make_unique<Link<ClusterMessage>>(core, core, kClusterLinkEntries,
                                                                config.sm.asynchronous.cluster.link_latency_cycles));
    const Sm::Links links{&block_scheduler->assignments(number),
                          &block_scheduler->completions(number),
                          &memory->requests(number),
                          &memory->responses(number),
                          gpc_requests.back().get(),
                          gpc_responses.back().get(),
                          cluster_out.back().get(),
                          cluster_in.back().get()};
    sms.push_back(std::make_unique<Sm>(number, config.sm, SmSetting{config.occupancy.blocks_per_sm, options.skip},
                                       grids, links, stats));
    sm_wakes.push_back(
        system.add_engine().add_component(core_domain, "sm[" + std::to_string(number) + "]", *sms.back()));
    sms.back()->connect(sm_wakes.back());
  }
}

void Gpu::Impl::build_cluster_network() {
  std::vector<ClusterNetwork::SmLinks> links;
  for (std::uint32_t sm = 0; sm < topology.sm_count(); ++sm) {
    links.push_back({cluster_out[sm].get(), cluster_in[sm].get()});
  }
  cluster_network = std::make_unique<ClusterNetwork>(std::move(links));
  cluster_network->connect(system.add_engine().add_component(core_domain, "cluster_network", *cluster_network));
}

bool Gpu::Impl::runs_on_threads(const KernelSource& kernel) const {
  const KernelSource::Concurrency concurrency = kernel.concurrency();
  return options.threads > 1 &&
         (concurrency == KernelSource::Concurrency::kFree || concurrency == KernelSource::Concurrency::kExchanged);
}

// How far parts may run ahead of each other in a launch, and whether on several threads.
void Gpu::Impl::set_windows(KernelSource& kernel) {
  using Concurrency = KernelSource::Concurrency;
  const Concurrency concurrency = kernel.concurrency();
  system.set_concurrent(runs_on_threads(kernel));
  const std::uint64_t cycle_fs = system.domain(core_domain).period_fs();
  system.limit_windows(concurrency == Concurrency::kOrdered ? cycle_fs : kNeverFs.fs);
  system.set_ordered(concurrency == Concurrency::kOrdered);
  use_cluster_links(false);
  if (concurrency == Concurrency::kExchanged) {
    // The shortest way between SMs, whether or not the launch uses the links of a cluster, so that those do not change
    // what its threads see.
    const Cycle interval = std::max<Cycle>(system.lookahead_fs() / cycle_fs, 1);
    kernel.set_exchange_interval(interval);
    system.set_meetings(interval * cycle_fs, [this, &kernel](TimeFs at) {
      kernel.exchange(system.domain(core_domain).edge_at_or_after(at));
    });
  }
  // The links of the cluster network are short. Launches without clusters send nothing over them.
  use_cluster_links(kernel.launch().cluster.count() > 1);
}

// The launch has ended, or an error has ended it.
void Gpu::Impl::reset_windows() {
  system.set_meetings(0, {});
}

void Gpu::Impl::use_cluster_links(bool used) {
  for (std::size_t sm = 0; sm < cluster_out.size(); ++sm) {
    cluster_out[sm]->set_used(used);
    cluster_in[sm]->set_used(used);
  }
}

void Gpu::Impl::build_gpc_caches() {
  for (std::uint32_t group = 0; group < topology.group_count(); ++group) {
    const std::uint32_t port = topology.sm_count() + group;
    std::vector<GpcCache::SmLinks> links;
    std::vector<std::uint32_t> members;
    for (const auto& tpc : topology.tpcs(group)) {
      for (const std::uint32_t sm : tpc) {
        links.push_back({gpc_requests[sm].get(), gpc_responses[sm].get()});
        members.push_back(sm);
      }
    }
    gpc_caches.push_back(std::make_unique<GpcCache>(config.gpc_cache, static_cast<std::uint16_t>(port), links,
                                                    memory->requests(port), memory->responses(port), stats, group));
    const WakeHandle self =
        system.add_engine().add_component(core_domain, "gpc_cache[" + std::to_string(group) + "]", *gpc_caches.back());
    gpc_wakes.push_back(self);
    memory->requests(port).connect_sender(self);
    memory->responses(port).connect_receiver(self);
    for (const std::uint32_t sm : members) {
      gpc_requests[sm]->connect_receiver(self);
      gpc_responses[sm]->connect_sender(self);
    }
  }
}

}  // namespace warpsim
