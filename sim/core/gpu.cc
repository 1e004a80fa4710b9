#include "core/gpu.h"

#include <algorithm>
#include <map>
#include <utility>
#include <vector>

#include "base/check.h"
#include "base/error.h"
#include "core/block_scheduler.h"
#include "core/cluster_network.h"
#include "core/grid.h"
#include "core/sm.h"
#include "engine/engine.h"
#include "memory/code_window.h"
#include "memory/gpc_cache.h"
#include "memory/memory_system.h"

namespace warpsim {

namespace {

// Host-side interval between progress reports, in core cycles: cheap, and fine enough for a progress bar.
constexpr Cycle kProgressCycles = 2000;
// Granularity with which the end of the last write is found.
constexpr Cycle kDrainStepCycles = 16;
// A model that makes no progress for this long waits for itself.
constexpr Cycle kLivelockCycles = 50'000'000;

struct GpuStats : StatGroup {
  GpuStats() : StatGroup("gpu") {}
};

}  // namespace

struct Gpu::Impl {
  Impl(const GpuConfig& gpu_config, const GpuOptions& gpu_options);

  void build_gpc_caches();
  void build_sms();
  void build_cluster_network();
  std::unique_ptr<Grid> make_grid(KernelSource& kernel);
  void prepare_caches(const Grid& grid);
  void write_from_host(Address destination, std::uint64_t bytes);
  LaunchProgress progress_of(GridId grid, Cycle start) const;
  Cycle drain(Cycle from, const std::function<bool()>& drained);
  Cycle end_grid(GridId grid);
  std::uint64_t give_up_waits();
  Cycle latest_instant() const;
  Engine::Outcome run_to(Cycle at);
  void close_accounts(Cycle at);
  void run_until_done(GridId grid, Cycle start, LaunchResult& result);
  [[noreturn]] void report_deadlock(const char* what) const;

  GpuConfig config;
  GpuOptions options;
  Engine engine;
  GpuStats stats;
  std::uint32_t core_domain;
  std::uint32_t l2_domain;
  std::uint32_t dram_domain;
  Topology topology;
  GridTable grids;
  std::unique_ptr<BlockScheduler> block_scheduler;
  std::unique_ptr<MemorySystem> memory;
  std::vector<std::unique_ptr<Link<GpcRequest>>> gpc_requests;
  std::vector<std::unique_ptr<Link<GpcResponse>>> gpc_responses;
  std::vector<std::unique_ptr<Link<ClusterMessage>>> cluster_out;
  std::vector<std::unique_ptr<Link<ClusterMessage>>> cluster_in;
  std::vector<std::unique_ptr<Sm>> sms;
  std::vector<WakeHandle> sm_wakes;
  std::unique_ptr<ClusterNetwork> cluster_network;
  std::vector<std::unique_ptr<GpcCache>> gpc_caches;
  std::vector<WakeHandle> gpc_wakes;
  // Programs keep their place in memory from launch to launch. Held so that an address is never reused.
  std::vector<std::pair<std::shared_ptr<const StaticProgram>, Address>> programs;
  Address next_code = kCodeWindow;
  Cycle next_start = 0;  // core cycle at which the next launch begins
  LaunchHooks hooks;     // of the launch under way
  Cycle next_sample = kNever;
};

Gpu::Impl::Impl(const GpuConfig& gpu_config, const GpuOptions& gpu_options)
    : config(gpu_config),
      options(gpu_options),
      engine(gpu_options.skip),
      core_domain(engine.add_domain("core", gpu_config.clocks.core_mhz)),
      l2_domain(engine.add_domain("l2", gpu_config.clocks.l2_mhz)),
      dram_domain(engine.add_domain("dram", gpu_config.clocks.dram_mhz)),
      topology(gpu_config.topology) {
  block_scheduler =
      std::make_unique<BlockScheduler>(engine, core_domain, config.block_scheduler, config.occupancy, topology, stats);
  // Crossbar ports: one an SM, then one a GPC for its instruction and constant cache.
  std::vector<MemorySystem::Port> ports;
  for (std::uint32_t sm = 0; sm < topology.sm_count(); ++sm) {
    ports.push_back({topology.l2_gpc_of_sm(sm), topology.l2_partition_of_sm(sm)});
  }
  for (std::uint32_t group = 0; group < topology.group_count(); ++group) {
    const std::uint32_t first_sm = topology.tpcs(group)[0][0];
    ports.push_back({topology.l2_gpc_of_sm(first_sm), topology.l2_partition_of_sm(first_sm)});
  }
  memory = std::make_unique<MemorySystem>(engine, core_domain, l2_domain, dram_domain, config.memory, ports, stats);
  build_sms();
  build_gpc_caches();
  build_cluster_network();
}

void Gpu::Impl::build_sms() {
  const ClockDomain& core = engine.domain(core_domain);
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
    sm_wakes.push_back(engine.add_component(core_domain, "sm[" + std::to_string(number) + "]", *sms.back()));
    sms.back()->connect(sm_wakes.back());
  }
}

void Gpu::Impl::build_cluster_network() {
  std::vector<ClusterNetwork::SmLinks> links;
  for (std::uint32_t sm = 0; sm < topology.sm_count(); ++sm) {
    links.push_back({cluster_out[sm].get(), cluster_in[sm].get()});
  }
  cluster_network = std::make_unique<ClusterNetwork>(std::move(links));
  cluster_network->connect(engine.add_component(core_domain, "cluster_network", *cluster_network));
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
        engine.add_component(core_domain, "gpc_cache[" + std::to_string(group) + "]", *gpc_caches.back());
    gpc_wakes.push_back(self);
    memory->requests(port).connect_sender(self);
    memory->responses(port).connect_receiver(self);
    for (const std::uint32_t sm : members) {
      gpc_requests[sm]->connect_receiver(self);
      gpc_responses[sm]->connect_sender(self);
    }
  }
}

std::unique_ptr<Grid> Gpu::Impl::make_grid(KernelSource& kernel) {
  const KernelLaunch& launch = kernel.launch();
  auto grid = std::make_unique<Grid>();
  grid->source = &kernel;
  grid->occupancy = compute_occupancy(config.occupancy,
                                      {launch.threads_per_block(), launch.registers_per_thread, launch.shared_bytes});
  const std::string impossible = block_scheduler->why_impossible(launch, grid->occupancy);
  if (!impossible.empty()) {
    throw ConfigError("kernel " + launch.kernel + " cannot run on " + config.name + ": " + impossible);
  }
  const StaticProgram& program = *launch.program;
  const CodeLayout layout = code_layout_of(program.architecture);
  const auto instruction_count = static_cast<std::uint32_t>(program.instructions.size());
  grid->table = make_issue_table(program, config.sm.execution, config.sm.sub_core.dependences);
  auto known =
      std::find_if(programs.begin(), programs.end(), [&](const auto& entry) { return entry.first == launch.program; });
  if (known == programs.end()) {
    programs.emplace_back(launch.program, next_code);
    known = programs.end() - 1;
    const Address bytes = layout.size(instruction_count);
    next_code += (bytes / kLineBytes + 2) * kLineBytes;
    // The host writes a program before its first launch, which leaves it in L2 (tests/hardware/code_cold, first
    // launch).
    write_from_host(known->second, bytes);
  }
  grid->code = {known->second, layout, instruction_count};
  return grid;
}

// Stays in L2, unless that is emptied before each launch.
void Gpu::Impl::write_from_host(Address destination, std::uint64_t bytes) {
  if (!options.flush_before_launch) {
    memory->fill_from_host(destination, bytes);
  }
}

// Measured with and without Nsight Compute's cache control (tests/hardware/cache_control): constant caches start every
// launch empty; instruction caches are kept from launch to launch unless the cache control empties them with L1 and L2.
void Gpu::Impl::prepare_caches(const Grid& grid) {
  for (const auto& sm : sms) {
    sm->invalidate_constant_caches();
  }
  if (options.flush_before_launch) {
    for (const auto& sm : sms) {
      sm->invalidate_caches();
    }
    for (const auto& cache : gpc_caches) {
      cache->invalidate();
    }
    memory->invalidate();
  }
  const Address code_bytes = grid.code.layout.size(grid.code.instruction_count);
  for (std::size_t i = 0; i < gpc_caches.size(); ++i) {
    gpc_caches[i]->begin_launch({grid.code.base, grid.code.base + code_bytes}, next_start);
    gpc_wakes[i].wake_at(next_start);
  }
  for (const auto& sm : sms) {
    sm->configure_l1(grid.occupancy.l1_bytes);
  }
}

LaunchProgress Gpu::Impl::progress_of(GridId grid, Cycle start) const {
  LaunchProgress progress;
  progress.cycle = latest_instant() - start;
  for (const auto& sm : sms) {
    progress.instructions += sm->instructions_executed();
  }
  progress.blocks_done = block_scheduler->blocks_done(grid);
  progress.blocks = block_scheduler->blocks(grid);
  return progress;
}

Cycle Gpu::Impl::latest_instant() const {
  return engine.domain(core_domain).edge_at_or_after(engine.time());
}

void Gpu::Impl::close_accounts(Cycle at) {
  block_scheduler->close_accounts(at);
  for (const auto& sm : sms) {
    sm->close_accounts(at);
  }
}

// Runs to core cycle `at`, with a halt wherever a sample is due.
Engine::Outcome Gpu::Impl::run_to(Cycle at) {
  const ClockDomain& core = engine.domain(core_domain);
  while (next_sample < at) {
    const Engine::Outcome outcome = engine.run(core.time_of(next_sample));
    if (outcome != Engine::Outcome::kTimeLimit) {
      return outcome;
    }
    close_accounts(next_sample);
    hooks.sample(next_sample - next_start, false);
    next_sample += hooks.sample_interval;
  }
  return engine.run(core.time_of(at));
}

Cycle Gpu::Impl::drain(Cycle from, const std::function<bool()>& drained) {
  Cycle at = from;
  while (!drained()) {
    SIM_CHECK(at - from < kLivelockCycles, "memory does not drain:\n" + engine.describe_stalls());
    at += kDrainStepCycles;
    run_to(at);
  }
  return at;
}

// A launch ends when what its blocks wrote has arrived in L2 and been acknowledged, which can be long after the last
// block left; measured (tests/hardware/launch_gap). What L2 still writes to DRAM delays only the next launch.
Cycle Gpu::Impl::end_grid(GridId grid) {
  const ClockDomain& core = engine.domain(core_domain);
  const auto sms_idle = [this] {
    return std::all_of(sms.begin(), sms.end(), [](const auto& sm) { return sm->idle(); });
  };
  const Cycle settled = drain(latest_instant(), [&] { return sms_idle() && memory->settled(); });
  block_scheduler->release(grid, core.edge_at_or_after(memory->writes_acknowledged_at()), settled + 1);
  while (!block_scheduler->grid_done(grid)) {
    const Engine::Outcome outcome = engine.run();
    SIM_CHECK(outcome == Engine::Outcome::kStopped, "a grid does not end");
  }
  const Cycle end = latest_instant();
  next_sample = kNever;  // what follows belongs to the last one
  drain(end, [&] { return sms_idle() && memory->idle(); });
  return end;
}

void Gpu::Impl::report_deadlock(const char* what) const {
  throw DeadlockError(std::string(what) + " at core cycle " + std::to_string(engine.now(core_domain)) + "; waiting:\n" +
                      engine.describe_stalls());
}

// Barriers in shared memory are known by inference only. Where that went wrong, warps wait for ever; the trace says
// that they did not, so they go on, and are counted.
std::uint64_t Gpu::Impl::give_up_waits() {
  std::uint64_t waits = 0;
  const Cycle now = latest_instant() + 1;
  for (std::size_t i = 0; i < sms.size(); ++i) {
    if (const std::uint32_t here = sms[i]->give_up_waits(now); here != 0) {
      waits += here;
      sm_wakes[i].wake_at(now);
    }
  }
  return waits;
}

void Gpu::Impl::run_until_done(GridId grid, Cycle start, LaunchResult& result) {
  const Cycle limit = options.max_cycles == kNever ? kNever : start + options.max_cycles;
  Cycle at = start;
  Cycle last_change = start;
  std::uint64_t last_instructions = 0;
  while (!block_scheduler->blocks_finished(grid)) {
    if (at >= limit) {
      result.status = LaunchResult::Status::kCycleLimit;
      result.elapsed_cycles = at - start;
      close_accounts(at);
      return;
    }
    at = std::min(at + kProgressCycles, limit);
    if (run_to(at) == Engine::Outcome::kNothingDue && !block_scheduler->blocks_finished(grid)) {
      const std::uint64_t waits = give_up_waits();
      if (waits == 0) {
        report_deadlock("deadlock: nothing is due");
      }
      result.waits_given_up += waits;
    }
    const LaunchProgress state = progress_of(grid, start);
    if (state.instructions != last_instructions) {
      last_instructions = state.instructions;
      last_change = at;
    } else if (at - last_change > kLivelockCycles) {
      report_deadlock("no instruction was issued for a long time");
    }
    if (hooks.progress) {
      hooks.progress(state);
    }
  }
  result.elapsed_cycles = end_grid(grid) - start;
}

Gpu::Gpu(const GpuConfig& config, const GpuOptions& options) : impl_(std::make_unique<Impl>(config, options)) {}
Gpu::~Gpu() = default;

StatGroup& Gpu::stats() {
  return impl_->stats;
}

void Gpu::copy_to_device(const CopyToDevice& copy) {
  impl_->write_from_host(copy.destination, copy.bytes);
}

void Gpu::evict_l2() {
  impl_->memory->invalidate();
}

LaunchResult Gpu::run(KernelSource& kernel, const LaunchHooks& hooks) {
  Impl& gpu = *impl_;
  std::unique_ptr<Grid> grid = gpu.make_grid(kernel);
  grid->hot_spots = hooks.hot_spots;
  gpu.prepare_caches(*grid);
  gpu.stats.reset();

  LaunchResult result;
  result.occupancy = grid->occupancy;
  result.l1_bytes = grid->occupancy.l1_bytes;
  result.carveout_bytes = grid->occupancy.carveout_bytes;
  result.start_cycle = gpu.next_start;
  const std::uint64_t ticks_before = gpu.engine.ticks();
  const std::uint64_t cycles_before = gpu.engine.component_cycles();
  const GridId id = gpu.block_scheduler->submit(kernel.launch(), grid->occupancy, result.start_cycle);
  gpu.grids.put(id, std::move(grid));
  gpu.hooks = hooks;
  const bool sampled = hooks.sample && hooks.sample_interval != kNever;
  gpu.next_sample = sampled ? result.start_cycle + hooks.sample_interval : kNever;
  gpu.run_until_done(id, result.start_cycle, result);
  if (sampled) {
    hooks.sample(result.elapsed_cycles, true);
  }
  if (result.status == LaunchResult::Status::kComplete) {
    gpu.grids.remove(id);
  }
  gpu.next_start = gpu.latest_instant() + 1;
  result.duration_ns = static_cast<double>(result.elapsed_cycles) * 1000.0 / gpu.config.clocks.core_mhz;
  result.component_ticks = gpu.engine.ticks() - ticks_before;
  result.component_cycles = gpu.engine.component_cycles() - cycles_before;
  return result;
}

}  // namespace warpsim
