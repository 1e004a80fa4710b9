#include "core/machine/machine.h"

#include <sys/syscall.h>
#include <unistd.h>

#include <catch2/catch.hpp>
#include <mutex>
#include <set>

#include "base/check.h"
#include "base/error.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

using Catch::Matchers::Contains;

KernelBuilder empty_kernel() {
  KernelBuilder k;
  k.exit();
  return k;
}

KernelBuilder loading_kernel() {
  KernelBuilder k;
  k.ldg(4, {.base = 0x10000}).writes(0);
  k.exit().waits(0);
  return k;
}

TEST_CASE("An empty kernel takes the overheads of launch and completion and the link latencies of its block") {
  // 100 launch, 10 to the SM, 2 to the first warp, 2 to fetch and decode, 1 for the exit, 10 back, 50 completion.
  const KernelRun result = run(empty_kernel(), {}, perfect_front_end());
  CHECK(result.result.elapsed_cycles == 175);
  CHECK(result.result.duration_ns == Approx(175.0));
  CHECK(result.result.status == LaunchResult::Status::kComplete);
}

TEST_CASE("A launch begins after the end of the previous one, with fresh counters") {
  Machine gpu(tiny_config(perfect_front_end()), {});
  SyntheticKernel kernel(empty_kernel(), {.blocks = 3});
  const KernelRun first = run_on(gpu, kernel);
  const KernelRun second = run_on(gpu, kernel);
  CHECK(first.result.start_cycle == 0);
  CHECK(second.result.start_cycle == first.result.elapsed_cycles + 1);
  CHECK(second.result.elapsed_cycles == first.result.elapsed_cycles);
  CHECK(second["sm.sub_core.inst_executed"] == 3);
  CHECK(second["block_scheduler.grids_launched"] == 1);
}

TEST_CASE("A launch ends only when memory has accepted all writes") {
  KernelBuilder k;
  k.stg({.base = 0x10000, .lane_stride = 128}, 4);
  k.exit();
  const Overrides slow = perfect_front_end() + Overrides{"crossbar.request_port_latency_core_cycles=500"};
  // 32 lines, each a sector and a mask, leave the SM until 184; the last is at the crossbar 500 cycles later.
  CHECK(run(k, {}, slow).result.elapsed_cycles > 684);
  CHECK(run(k, {}, slow).result.elapsed_cycles < 684 + 150);
}

// Collects the threads on which blocks of a kernel start, by the numbers of the operating system, which are not used
// again soon.
class ThreadsOfKernel final : public KernelSource {
 public:
  explicit ThreadsOfKernel(KernelSource& kernel) : kernel_(kernel) {}
  const KernelLaunch& launch() const override { return kernel_.launch(); }
  std::unique_ptr<BlockSource> start_block(std::uint64_t linear_index, std::uint32_t sm) override {
    {
      const std::lock_guard<std::mutex> lock(mutex_);
      threads_.insert(::syscall(SYS_gettid));
    }
    return kernel_.start_block(linear_index, sm);
  }
  Concurrency concurrency() const override { return Concurrency::kFree; }
  std::size_t threads() const { return threads_.size(); }

 private:
  KernelSource& kernel_;
  std::mutex mutex_;
  std::set<long> threads_;
};

TEST_CASE("All launches of a GPU use the same threads") {
  Machine gpu(tiny_config(), {.threads = 2});
  SyntheticKernel kernel(loading_kernel(), {.blocks = 64, .warps = 4});
  ThreadsOfKernel watched(kernel);
  for (int launch = 0; launch < 20; ++launch) {
    gpu.run(watched);
  }
  CHECK(watched.threads() <= 2);
}

TEST_CASE("With cache control every launch starts with empty caches") {
  Machine gpu(tiny_config(), {});
  SyntheticKernel kernel(loading_kernel(), {});
  for (int launch = 0; launch < 2; ++launch) {
    const KernelRun result = run_on(gpu, kernel);
    CHECK(result["sm.lsu.global_load_sector_misses"] == 4);
    CHECK(result["dram_channel.bytes_read"] >= 128);
    CHECK(result["sm.instruction_cache.misses"] == 1);
  }
}

TEST_CASE("With cache control a launch does not depend on previous ones") {
  // Open DRAM rows, refresh that is due, and clocks of different frequencies: all in the initial state.
  const Overrides clocks = {"clocks.l2_mhz=777", "clocks.dram_mhz=613"};
  SyntheticKernel kernel(loading_kernel(), {.blocks = 7});
  KernelBuilder stores;
  stores.stg({.base = 0x20000, .lane_stride = 128}, 4);
  stores.exit();
  SyntheticKernel other(stores, {.blocks = 3});
  Machine alone(tiny_config(clocks), {});
  const KernelRun expected = run_on(alone, kernel);
  Machine gpu(tiny_config(clocks), {});
  const KernelRun first = run_on(gpu, other);
  const KernelRun second = run_on(gpu, kernel);
  CHECK(second.result.elapsed_cycles == expected.result.elapsed_cycles);
  CHECK(second.statistics == expected.statistics);
  CHECK(second.result.start_cycle == first.result.elapsed_cycles + 1);
}

TEST_CASE("A launch counted as done only moves the start of later ones") {
  SyntheticKernel kernel(loading_kernel(), {.blocks = 7});
  Machine gpu(tiny_config(), {});
  const KernelRun first = run_on(gpu, kernel);
  const KernelRun second = run_on(gpu, kernel);
  Machine continued(tiny_config(), {});
  continued.skip_launch(first.result.elapsed_cycles);
  const KernelRun rest = run_on(continued, kernel);
  CHECK(rest.result.start_cycle == second.result.start_cycle);
  CHECK(rest.statistics == second.statistics);
  Machine keeps(tiny_config(), {.flush_before_launch = false});
  CHECK_THROWS_AS(keeps.skip_launch(1), InternalError);
}

TEST_CASE("Without cache control L2 and the instruction caches keep their contents") {
  Machine gpu(tiny_config(), {.flush_before_launch = false});
  SyntheticKernel kernel(loading_kernel(), {.blocks = 2});  // one for each SM
  const KernelRun first = run_on(gpu, kernel);
  const KernelRun second = run_on(gpu, kernel);
  CHECK(first["dram_channel.reads"] > 0);
  CHECK(second["dram_channel.reads"] == 0);
  CHECK(second["sm.sub_core.fetch.l0_line_misses"] == 0);
  CHECK(second.result.elapsed_cycles < first.result.elapsed_cycles);
}

TEST_CASE("A copy from the host is found in L2 unless cache control empties it") {
  const Overrides no_fetch = perfect_front_end();
  Machine keeps(tiny_config(no_fetch), {.flush_before_launch = false});
  keeps.copy_to_device({0x10000, 512});
  SyntheticKernel kernel(loading_kernel(), {});
  CHECK(run_on(keeps, kernel)["dram_channel.reads"] == 0);
  Machine flushes(tiny_config(no_fetch), {});
  flushes.copy_to_device({0x10000, 512});
  CHECK(run_on(flushes, kernel)["dram_channel.reads"] > 0);
}

TEST_CASE("Code that the host has written is found in L2 by its first launch unless cache control empties it") {
  SyntheticKernel kernel(empty_kernel(), {});
  Machine keeps(tiny_config(), {.flush_before_launch = false});
  const KernelRun kept = run_on(keeps, kernel);
  CHECK(kept["sm.instruction_cache.misses"] == 1);
  CHECK(kept["dram_channel.reads"] == 0);
  Machine flushes(tiny_config(), {});
  CHECK(run_on(flushes, kernel)["dram_channel.reads"] > 0);
}

TEST_CASE("A limit of cycles ends a launch early and is reported") {
  KernelBuilder k;
  k.loop(100000, [&] { k.iadd(4, 1, 2); });
  k.exit();
  SyntheticKernel kernel(k, {});
  const KernelRun result = run(kernel, {}, {.max_cycles = 5000});
  CHECK(result.result.status == LaunchResult::Status::kCycleLimit);
  CHECK(result.result.elapsed_cycles == 5000);
  CHECK(result["sm.sub_core.inst_executed"] > 100);
}

TEST_CASE("A kernel that does not fit is refused with the reason") {
  SyntheticKernel large(empty_kernel(), {.warps = 9});
  CHECK_THROWS_AS(run(large), ConfigError);
  SyntheticKernel shared(empty_kernel(), {.shared_bytes = 1 << 20});
  CHECK_THROWS_WITH(run(shared), Contains("cannot run on warpsim tiny") && Contains("shared"));
}

TEST_CASE("A deadlock of a kernel is reported with the waiting parts") {
  // A barrier of three warps in a block of one.
  KernelBuilder k;
  k.bar(1).raw().barrier_threads = 96;
  k.exit();
  for (const bool skip : {true, false}) {
    SyntheticKernel kernel(k, {});
    CHECK_THROWS_WITH(run(kernel, {}, {.skip = skip}),
                      Contains("deadlock") && Contains("sm[0]") && Contains("barrier"));
  }
}

TEST_CASE("Progress is reported while a launch runs and never decreases") {
  KernelBuilder k;
  k.loop(2000, [&] { k.iadd(4, 1, 2); });
  k.exit();
  SyntheticKernel kernel(k, {.blocks = 6, .warps = 4});
  Machine gpu(tiny_config(), {});
  std::vector<LaunchProgress> reports;
  gpu.run(kernel, {.progress = [&](const LaunchProgress& progress) { reports.push_back(progress); }});
  REQUIRE(reports.size() > 3);
  for (std::size_t i = 1; i < reports.size(); ++i) {
    CHECK(reports[i].cycle >= reports[i - 1].cycle);
    CHECK(reports[i].instructions >= reports[i - 1].instructions);
    CHECK(reports[i].blocks_done >= reports[i - 1].blocks_done);
  }
  CHECK(reports.back().blocks == 6);
  CHECK(reports.back().blocks_done == 6);
  CHECK(reports.back().instructions == kernel.instructions());
}

TEST_CASE("The result contains the occupancy and the division of L1 and shared memory") {
  // 3072 bytes and the reserve of 1024: four blocks, the maximum of an SM, need 16 KiB.
  const KernelRun result = run(empty_kernel(), {.blocks = 8, .warps = 2, .shared_bytes = 3072});
  CHECK(result.result.occupancy.blocks_per_sm == 4);
  CHECK(result.result.carveout_bytes == 16 * 1024);
  CHECK(result.result.l1_bytes == 16 * 1024);
}

TEST_CASE("Different programs have different addresses, the same program the same address") {
  Machine gpu(tiny_config(), {.flush_before_launch = false});
  SyntheticKernel a(empty_kernel(), {.blocks = 2});
  KernelBuilder other = empty_kernel();
  SyntheticKernel b(other, {.blocks = 2});
  CHECK(run_on(gpu, a)["sm.sub_core.fetch.l0_line_misses"] == 2);
  CHECK(run_on(gpu, b)["sm.sub_core.fetch.l0_line_misses"] == 2);
  CHECK(run_on(gpu, a)["sm.sub_core.fetch.l0_line_misses"] == 0);
}

TEST_CASE("Most component cycles of an idle machine are skipped") {
  const KernelRun result = run(loading_kernel());
  CHECK(result.result.component_ticks * 10 < result.result.component_cycles);
}

}  // namespace
}  // namespace warpsim::test
