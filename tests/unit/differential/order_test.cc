// The order in which components of an instant are executed, and the number of threads that execute them, change no
// statistic of any component.
#include <catch2/catch.hpp>
#include <vector>

#include "support/machine.h"
#include "unit/differential/same_runs.h"
#include "unit/differential/synthetic_kernels.h"

namespace warpsim::test {
namespace {

// Runs all synthetic kernels one after another, on one GPU.
std::vector<KernelRun> run_all(const Overrides& overrides, const GpuOptions& options) {
  std::vector<KernelRun> runs;
  Gpu gpu(tiny_config(overrides), options);
  for (const NamedKernel& kernel : every_synthetic_kernel()) {
    SyntheticKernel source(kernel.builder, kernel.shape);
    runs.push_back(run_on(gpu, source));
  }
  return runs;
}

void check_same(const std::vector<KernelRun>& a, const std::vector<KernelRun>& b) {
  REQUIRE(a.size() == b.size());
  for (std::size_t i = 0; i < a.size(); ++i) {
    INFO("launch " << i);
    check_same(a[i], b[i]);
    CHECK(a[i].result.component_ticks == b[i].result.component_ticks);
  }
}

const Overrides kShortQueues = {"sm.load_store.queue_entries=1",   "sm.l1.mshr_entries=1",
                                "crossbar.port_request_entries=1", "crossbar.port_response_entries=1",
                                "crossbar.slice_queue_entries=1",  "l2.mshr_entries=1",
                                "l2.far_mshr_entries=1",           "l2_fabric.queue_entries=1",
                                "dram.slice_queue_entries=1"};
const Overrides kOddClocks = {"clocks.core_mhz=1980", "clocks.l2_mhz=1711", "clocks.dram_mhz=3201"};

TEST_CASE("A random order of ticks changes no statistic") {
  for (const Overrides& overrides : {Overrides{}, kShortQueues, kOddClocks}) {
    for (const bool flush : {true, false}) {
      const std::vector<KernelRun> usual = run_all(overrides, {.flush_before_launch = flush});
      for (const std::uint64_t seed : {1U, 2U, 3U}) {
        INFO("seed " << seed << ", flush " << flush);
        check_same(usual, run_all(overrides, {.flush_before_launch = flush, .shuffle = seed}));
      }
    }
  }
}

TEST_CASE("The number of threads changes no statistic") {
  for (const Overrides& overrides : {Overrides{}, kShortQueues, kOddClocks}) {
    const std::vector<KernelRun> usual = run_all(overrides, {.flush_before_launch = false});
    for (const std::uint32_t threads : {2U, 16U}) {
      INFO(threads << " threads");
      check_same(usual, run_all(overrides, {.flush_before_launch = false, .threads = threads}));
    }
    check_same(usual, run_all(overrides, {.flush_before_launch = false, .threads = 3, .shuffle = 7}));
  }
}

}  // namespace
}  // namespace warpsim::test
