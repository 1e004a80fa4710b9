#include "support/machine.h"

#include "config/config_tree.h"

namespace warpsim::test {
namespace {

class CounterSum : public StatVisitor {
 public:
  void counter(const std::string& kind, const std::string&, const NamedCounter& counter) override {
    sums[kind + "." + counter.name()] += counter.value();
  }
  void histogram(const std::string& kind, const std::string&, const Histogram& histogram) override {
    sums[kind + "." + histogram.name() + ".count"] += histogram.count();
    sums[kind + "." + histogram.name() + ".sum"] += histogram.sum();
  }
  Counters sums;
};

class EveryValue : public StatVisitor {
 public:
  void counter(const std::string&, const std::string& path, const NamedCounter& counter) override {
    values[path + "." + counter.name()] = counter.value();
  }
  void histogram(const std::string&, const std::string& path, const Histogram& histogram) override {
    const std::string name = path + "." + histogram.name();
    values[name + ".sum"] = histogram.sum();
    values[name + ".greatest"] = histogram.greatest();
    for (std::uint32_t bucket = 0; bucket < Histogram::kBuckets; ++bucket) {
      if (histogram.in_bucket(bucket) != 0) {
        values[name + "." + std::to_string(bucket)] = histogram.in_bucket(bucket);
      }
    }
  }
  std::map<std::string, std::uint64_t> values;
};

}  // namespace

GpuConfig tiny_config(const Overrides& overrides) {
  return ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/test_tiny.yaml", overrides).read<GpuConfig>();
}

Overrides small_translations() {
  Overrides all;
  for (const char* value : {"enabled=true",
                            "starts_full=false",
                            "sm_entries=2",
                            "page_kib=1024",
                            "sm_entry_pages=1",
                            "sm_misses=3",
                            "groups_per_gpc=2",
                            "group.sets=1",
                            "group.ways=3",
                            "group.entry_pages=1",
                            "group.lookups_per_cycle=0.5",
                            "group_latency_cycles=9",
                            "group_misses=2",
                            "gpu.sets=2",
                            "gpu.ways=2",
                            "gpu.entry_pages=2",
                            "gpu.lookups_per_cycle=0.7",
                            "gpu_partition=0",
                            "gpu_near_latency_cycles=20",
                            "gpu_far_latency_cycles=31",
                            "walks=2",
                            "walk_latency_cycles=150",
                            "directory_entries=1",
                            "directory_entry_pages=4",
                            "directory_miss_cycles=60"}) {
    all.push_back(std::string("translation.") + value);
  }
  return all;
}

Overrides tables_in_memory() {
  return {"translation.tables.in_memory=true", "translation.tables.entry_bytes=16",
          "translation.tables.directory_levels=2", "translation.tables.step_cycles=3"};
}

Overrides perfect_front_end() {
  return {"sm.sub_core.fetch.perfect=true", "sm.constant_caches.perfect=true"};
}

Overrides ideal_memory() {
  return {"crossbar.zero_latency=true", "crossbar.unlimited_bandwidth=true", "l2.perfect=true",
          "l2.unlimited_mshrs=true", "l2.unlimited_bandwidth=true"};
}

Overrides operator+(Overrides left, const Overrides& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Counters counters_of(const StatGroup& root) {
  CounterSum visitor;
  visit(root, visitor);
  return visitor.sums;
}

std::map<std::string, std::uint64_t> every_statistic(const StatGroup& root) {
  EveryValue visitor;
  visit(root, visitor);
  return visitor.values;
}

KernelRun run_on(Machine& gpu, SyntheticKernel& kernel) {
  KernelRun result;
  result.result = gpu.run(kernel);
  result.counters = counters_of(gpu.stats());
  result.statistics = every_statistic(gpu.stats());
  return result;
}

KernelRun end_of(Machine& machine, Machine::LaunchId launch) {
  KernelRun ended;
  ended.result = machine.wait(launch);
  ended.counters = counters_of(machine.stats(launch));
  ended.statistics = every_statistic(machine.stats(launch));
  return ended;
}

KernelRun run(SyntheticKernel& kernel, const Overrides& overrides, const MachineOptions& options) {
  Machine gpu(tiny_config(overrides), options);
  return run_on(gpu, kernel);
}

KernelRun run(const KernelBuilder& builder, const KernelShape& shape, const Overrides& overrides) {
  SyntheticKernel kernel(builder, shape);
  return run(kernel, overrides);
}

WarpRecord first_warp(const KernelBuilder& builder, const KernelShape& shape, const Overrides& overrides) {
  SyntheticKernel kernel(builder, shape);
  run(kernel, overrides);
  return kernel.warp(0);
}

Gaps gaps(const KernelBuilder& builder, const Overrides& overrides) {
  return first_warp(builder, {}, perfect_front_end() + overrides).gaps();
}

}  // namespace warpsim::test
