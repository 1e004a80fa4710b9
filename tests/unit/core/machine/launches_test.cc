// Several launches at a time: on one GPU, where they share SMs, and on several GPUs of one machine.
#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <set>

#include "base/check.h"
#include "base/error.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

using Catch::Matchers::Contains;

// The second is submitted as soon as the first is.
std::array<KernelRun, 2> together(KernelSource& first, KernelSource& second, const Overrides& overrides,
                                  const MachineOptions& options = {}) {
  Machine machine(tiny_config(overrides), options);
  const Machine::LaunchId a = machine.submit(first);
  const Machine::LaunchId b = machine.submit(second);
  std::array<KernelRun, 2> both;
  both[0] = end_of(machine, a);
  both[1] = end_of(machine, b);
  return both;
}

KernelRun alone(KernelSource& kernel, const Overrides& overrides, const MachineOptions& options = {}) {
  Machine machine(tiny_config(overrides), options);
  return end_of(machine, machine.submit(kernel));
}

// Arithmetic only: dependent additions, each warp with its sub-core to itself.
KernelBuilder adding_kernel(std::uint32_t rounds) {
  KernelBuilder k;
  k.loop(rounds, [&] {
    k.iadd(4, 4, 4);
    k.ffma(5, 5, 5, 5);
  });
  k.exit();
  return k;
}

// Loads, stores, reductions, shared memory with a barrier and constants, at addresses from `base` on.
KernelBuilder mixed_kernel(Address base, std::uint32_t rounds) {
  KernelBuilder k;
  k.ldc(6, 0, 0x160).writes(1);
  k.loop(rounds, [&] {
    k.ldg(4, {.base = base, .lane_stride = 8, .block_stride = 4096}).writes(0);
    k.iadd_constant(5, 4, 0, 0x170).waits(0);
    k.sts({.base = 0, .lane_stride = 4}, 5);
    k.bar();
    k.lds(7, {.base = 0, .lane_stride = 8}).writes(2);
    k.stg({.base = base + 0x100000, .lane_stride = 4, .block_stride = 4096}, 7).waits(2);
    k.store("RED.E.ADD", {.base = base + 0x200000, .lane_stride = 0}, 7);
  });
  k.exit().waits(1);
  return k;
}

// Whether a counter counts events that a launch causes, however long they take.
bool counts_events(const std::string& name) {
  static const std::set<std::string> kEvents = {
      "block_scheduler.blocks_launched",
      "block_scheduler.blocks_completed",
      "block_scheduler.grids_launched",
      "sm.blocks_launched",
      "sm.sub_core.inst_executed",
      "sm.sub_core.thread_inst_executed",
      "sm.sub_core.warps_launched",
      "sm.sub_core.inst_executed_branch",
      "sm.barriers.arrivals",
      "sm.barriers.releases",
      "sm.constant_caches.indexed_requests",
      "sm.lsu.global_load_requests",
      "sm.lsu.global_load_sectors",
      "sm.lsu.global_store_requests",
      "sm.lsu.global_store_sectors",
      "sm.lsu.global_reduction_requests",
      "sm.lsu.global_reduction_sectors",
      "sm.lsu.shared_load_requests",
      "sm.lsu.shared_store_requests",
      "sm.lsu.shared_load_conflicts",
      "sm.lsu.shared_wavefronts",
      "sm.lsu.load_latency_shared.count",
  };
  return kEvents.contains(name);
}

TEST_CASE("Two launches that share an SM have the statistics of their own where nothing is shared") {
  // Both launches have a warp on each of the two SMs; those are on sub-cores of their own.
  SyntheticKernel first(adding_kernel(60), {.blocks = 2});
  SyntheticKernel second(adding_kernel(200), {.blocks = 2});
  const Overrides overrides = perfect_front_end() + Overrides{"block_scheduler.cycles_per_launch=1"};
  const std::array<KernelRun, 2> both = together(first, second, overrides);
  const std::array<KernelRun, 2> expected = {alone(first, overrides), alone(second, overrides)};
  for (std::size_t i = 0; i < 2; ++i) {
    INFO("launch " << i);
    std::size_t compared = 0;
    for (const auto& [name, value] : expected[i].counters) {
      // Instructions, stall reasons, issue, fetch, ... but for the SM's time: an SM sets up one block after another.
      if (name.starts_with("sm.") && name != "sm.cycles_active") {
        INFO(name);
        CHECK(both[i].counters.at(name) == value);
        ++compared;
      }
    }
    CHECK(compared > 100);
    CHECK(both[i].counters.at("sm.sub_core.inst_executed") > 100);
  }
  // They were resident at the same time.
  const LaunchResult& a = both[0].result;
  const LaunchResult& b = both[1].result;
  CHECK(b.start_cycle < a.start_cycle + a.elapsed_cycles);
  // The blocks of the second wait for those of the first to be launched, nothing else.
  CHECK(b.elapsed_cycles <= expected[1].result.elapsed_cycles + 4);
}

TEST_CASE("Each of two launches counts its own events in SMs and memory") {
  SyntheticKernel first(mixed_kernel(0x1000000, 3), {.blocks = 6, .warps = 2, .shared_bytes = 256});
  SyntheticKernel second(mixed_kernel(0x8000000, 5), {.blocks = 9, .warps = 1, .shared_bytes = 256});
  const std::array<KernelRun, 2> both = together(first, second, {});
  const std::array<KernelRun, 2> expected = {alone(first, {}), alone(second, {})};
  for (std::size_t i = 0; i < 2; ++i) {
    INFO("launch " << i);
    std::size_t compared = 0;
    for (const auto& [name, value] : expected[i].counters) {
      if (counts_events(name)) {
        INFO(name);
        CHECK(both[i].counters.at(name) == value);
        ++compared;
      }
    }
    CHECK(compared == 22);
  }
}

TEST_CASE("Threads, order and skipped cycles change nothing of launches at a time") {
  SyntheticKernel first(mixed_kernel(0x1000000, 3), {.blocks = 6, .warps = 2, .shared_bytes = 256});
  SyntheticKernel second(mixed_kernel(0x8000000, 5), {.blocks = 9, .warps = 1, .shared_bytes = 256});
  const std::array<KernelRun, 2> expected = together(first, second, {});
  for (const MachineOptions& options :
       {MachineOptions{.threads = 3}, MachineOptions{.shuffle = 7}, MachineOptions{.skip = false}}) {
    const std::array<KernelRun, 2> other = together(first, second, {}, options);
    for (std::size_t i = 0; i < 2; ++i) {
      CHECK(other[i].result.elapsed_cycles == expected[i].result.elapsed_cycles);
      CHECK(other[i].statistics == expected[i].statistics);
    }
  }
}

TEST_CASE("A launch ends with its own writes, not with those of another one") {
  KernelBuilder quick;
  quick.stg({.base = 0x10000, .lane_stride = 4}, 4);
  quick.exit();
  KernelBuilder storing;
  storing.loop(400, [&] { storing.stg({.base = 0x4000000, .lane_stride = 128, .block_stride = 8192}, 4); });
  storing.exit();
  SyntheticKernel first(quick, {});
  SyntheticKernel second(storing, {.blocks = 2});
  Machine machine(tiny_config(), {});
  const Machine::LaunchId long_one = machine.submit(second);
  const Machine::LaunchId short_one = machine.submit(first);
  const LaunchResult result = machine.wait(short_one);
  const LaunchResult whole = machine.wait(long_one);
  CHECK(result.start_cycle + result.elapsed_cycles < whole.start_cycle + whole.elapsed_cycles / 2);
}

TEST_CASE("Results are fetched in any order, and seats are taken again") {
  SyntheticKernel slow(adding_kernel(400), {.blocks = 2});
  SyntheticKernel quick(adding_kernel(10), {.blocks = 1});
  Machine machine(tiny_config(perfect_front_end()), {});
  const Machine::LaunchId first = machine.submit(slow);
  std::uint64_t instructions = 0;
  for (int i = 0; i < 5; ++i) {
    const KernelRun finished = end_of(machine, machine.submit(quick));
    CHECK(finished.counters.at("block_scheduler.grids_launched") == 1);
    CHECK(finished.counters.at("sm.blocks_launched") == 1);
    CHECK((instructions == 0 || instructions == finished.counters.at("sm.sub_core.inst_executed")));
    instructions = finished.counters.at("sm.sub_core.inst_executed");
  }
  const KernelRun finished = end_of(machine, first);
  CHECK(finished.counters.at("sm.blocks_launched") == 2);
  CHECK(finished.counters.at("sm.sub_core.inst_executed") ==
        alone(slow, perfect_front_end()).counters.at("sm.sub_core.inst_executed"));
  CHECK_THROWS_AS(machine.wait(first), InternalError);
}

TEST_CASE("Each of two launches has its own hot spots and samples") {
  SyntheticKernel first(mixed_kernel(0x1000000, 3), {.blocks = 4, .warps = 2, .shared_bytes = 256});
  SyntheticKernel second(adding_kernel(100), {.blocks = 2});
  Machine machine(tiny_config(), {});
  HotSpotTable spots(second.launch().program->instructions.size());
  LaunchHooks hooks;
  hooks.hot_spots = &spots;
  std::vector<Cycle> samples;
  hooks.sample_interval = 100;
  hooks.sample = [&](Cycle cycle, bool) { samples.push_back(cycle); };
  const Machine::LaunchId a = machine.submit(first);
  const Machine::LaunchId b = machine.submit(second, hooks);
  machine.wait(a);
  const LaunchResult result = machine.wait(b);
  std::uint64_t executed = 0;
  for (std::size_t i = 0; i < second.launch().program->instructions.size(); ++i) {
    executed += spots[i][HotSpotColumn::kExecuted];
  }
  CHECK(executed == counters_of(machine.stats(b)).at("sm.sub_core.inst_executed"));
  REQUIRE(samples.size() == (result.elapsed_cycles + 99) / 100);
  CHECK(samples[0] == 100);
  CHECK(samples.back() == result.elapsed_cycles);
}

TEST_CASE("GPUs of one machine run launches at the same time, each as it does alone") {
  SyntheticKernel first(mixed_kernel(0x1000000, 3), {.blocks = 6, .warps = 2, .shared_bytes = 256});
  SyntheticKernel second(mixed_kernel(0x1000000, 5), {.blocks = 9, .warps = 1, .shared_bytes = 256});
  const Overrides other_clocks = {"clocks.core_mhz=1410", "clocks.l2_mhz=1299", "clocks.dram_mhz=977"};
  for (const MachineOptions& options : {MachineOptions{}, MachineOptions{.threads = 2}, MachineOptions{.shuffle = 3}}) {
    Machine machine(std::vector<GpuConfig>{tiny_config(), tiny_config(other_clocks)}, options);
    const Machine::LaunchId a = machine.submit(first, {}, 0);
    const Machine::LaunchId b = machine.submit(second, {}, 1);
    const KernelRun finished_b = end_of(machine, b);
    const KernelRun finished_a = end_of(machine, a);
    const KernelRun expected_a = alone(first, {});
    const KernelRun expected_b = alone(second, other_clocks);
    CHECK(finished_a.result.elapsed_cycles == expected_a.result.elapsed_cycles);
    CHECK(finished_a.statistics == expected_a.statistics);
    CHECK(finished_b.result.elapsed_cycles == expected_b.result.elapsed_cycles);
    CHECK(finished_b.statistics == expected_b.statistics);
  }
}

TEST_CASE("A launch that cannot run does not affect active ones") {
  SyntheticKernel slow(adding_kernel(100), {.blocks = 2});
  SyntheticKernel large(adding_kernel(1), {.warps = 9});
  Machine machine(tiny_config(), {});
  const Machine::LaunchId launch = machine.submit(slow);
  CHECK_THROWS_WITH(machine.submit(large), Contains("cannot run on"));
  CHECK(end_of(machine, launch).statistics == alone(slow, {}).statistics);
}

// A kernel whose blocks affect each other.
class ExchangedKernel final : public KernelSource {
 public:
  explicit ExchangedKernel(KernelSource& kernel) : kernel_(kernel) {}
  const KernelLaunch& launch() const override { return kernel_.launch(); }
  std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) override {
    return kernel_.start_block(linear_index, sm);
  }
  Concurrency concurrency() const override { return Concurrency::kExchanged; }
  void exchange(Cycle now) override { exchanges.push_back(now); }

  std::vector<Cycle> exchanges;

 private:
  KernelSource& kernel_;
};

TEST_CASE("Effects are exchanged at one time on GPUs of equal clocks; different clocks are refused") {
  SyntheticKernel kernel(adding_kernel(100), {.blocks = 2});
  ExchangedKernel first(kernel);
  ExchangedKernel second(kernel);
  {
    Machine machine(std::vector<GpuConfig>{tiny_config(), tiny_config()}, {});
    const Machine::LaunchId a = machine.submit(first, {}, 0);
    const Machine::LaunchId b = machine.submit(second, {}, 1);
    machine.wait(a);
    machine.wait(b);
    REQUIRE(first.exchanges.size() > 10);
    CHECK(std::ranges::includes(second.exchanges,
                                std::vector<Cycle>(first.exchanges.begin(), first.exchanges.begin() + 10)));
  }
  Machine machine(std::vector<GpuConfig>{tiny_config(), tiny_config({"clocks.core_mhz=900"})}, {});
  const Machine::LaunchId a = machine.submit(first, {}, 0);
  CHECK_THROWS_AS(machine.submit(second, {}, 1), ConfigError);
  const KernelRun finished = end_of(machine, a);
  CHECK(finished.counters.at("sm.sub_core.inst_executed") ==
        alone(kernel, {}).counters.at("sm.sub_core.inst_executed"));
}

}  // namespace
}  // namespace warpsim::test
