// The parts of a GPU. Only gpu.cc, gpu_build.cc and gpu_watch.cc use this header.
#pragma once

#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "core/async/cluster_network.h"
#include "core/blocks/block_scheduler.h"
#include "core/gpu/gpu.h"
#include "core/launch/grid.h"
#include "core/launch/queue_probe.h"
#include "core/sm/sm.h"
#include "engine/system.h"
#include "memory/code_window.h"
#include "memory/gpc_cache.h"
#include "memory/memory_system.h"
#include "stats/launch_stats.h"

namespace warpsim {

struct GpuStats : StatGroup {
  using StatGroup::StatGroup;
};

struct Gpu::Impl {
  Impl(const GpuConfig& gpu_config, const GpuOptions& gpu_options, WorkerPool& pool);

  void build_gpc_caches();
  void build_sms();
  void build_cluster_network();
  bool runs_on_threads(const KernelSource& kernel) const;
  void set_windows(KernelSource& kernel);
  void reset_windows();
  void use_cluster_links(bool used);
  std::unique_ptr<Grid> make_grid(KernelSource& kernel);
  void prepare_caches(const Grid& grid);
  void write_from_host(Address destination, std::uint64_t bytes);
  LaunchProgress progress_of(GridId grid, Cycle start) const;
  Cycle drain(Cycle from, const std::function<bool()>& drained);
  Cycle end_grid(GridId grid);
  std::uint64_t give_up_waits();
  Cycle latest_instant() const;
  Cycle all_at(Cycle cycle);
  Engine::Outcome run_to(Cycle at);
  void halt(Cycle at);
  void open_timeline(Cycle start);
  void close_timeline();
  void close_accounts(Cycle at);
  void run_until_done(GridId grid, Cycle start, LaunchResult& result);
  [[noreturn]] void report_deadlock(const char* what) const;

  GpuConfig config;
  GpuOptions options;
  System system;
  LaunchStats<GpuStats> stats{"gpu"};
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
  // Programs keep their place in memory from launch to launch. The references prevent that an address is reused.
  std::vector<std::pair<std::shared_ptr<const StaticProgram>, Address>> programs;
  Address next_code = kCodeWindow;
  Cycle next_start = 0;  // core cycle at which the next launch begins
  LaunchHooks hooks;     // of the launch in flight
  Cycle next_sample = kNever;
  std::unique_ptr<QueueProbe> probe;  // of the timeline
  Cycle next_look = kNever;
};

}  // namespace warpsim
