// Skipping time in which nothing happens is an optimisation only: every statistic of every component is the same when
// everything is ticked at every cycle. The same holds for repeated runs, and for disabled or idealised parts.
#include <catch2/catch.hpp>

#include "support/machine.h"
#include "unit/differential/same_runs.h"
#include "unit/differential/synthetic_kernels.h"

namespace warpsim::test {
namespace {

KernelRun run_named(const NamedKernel& kernel, const Overrides& overrides, const MachineOptions& options) {
  SyntheticKernel source(kernel.builder, kernel.shape);
  return run(source, overrides, options);
}

void check_skipping(const Overrides& overrides) {
  for (const NamedKernel& kernel : every_synthetic_kernel()) {
    INFO("kernel " << kernel.name);
    const KernelRun skipping = run_named(kernel, overrides, {.skip = true});
    const KernelRun ticking = run_named(kernel, overrides, {.skip = false});
    check_same(skipping, ticking);
    CHECK(skipping.result.component_ticks < ticking.result.component_ticks);
  }
}

TEST_CASE("Skipping changes no statistic of any synthetic kernel") {
  check_skipping({});
}

TEST_CASE("Skipping changes no statistic when the clocks do not divide each other") {
  check_skipping({"clocks.core_mhz=1980", "clocks.l2_mhz=1711", "clocks.dram_mhz=3201"});
}

TEST_CASE("Skipping changes no statistic when queues have their minimum length") {
  check_skipping({"sm.load_store.queue_entries=1", "sm.load_store.stage_queue_entries=1",
                  "sm.load_store.output_entries=1", "sm.l1.mshr_entries=1", "sm.l1.mshr_waiters=1",
                  "crossbar.port_request_entries=1", "crossbar.port_response_entries=1",
                  "crossbar.slice_queue_entries=1", "l2.mshr_entries=1", "l2.far_mshr_entries=1", "l2.mshr_waiters=1",
                  "l2.reply_queue_entries=1", "l2.writeback_queue_entries=1", "l2_fabric.queue_entries=1",
                  "dram.slice_queue_entries=1", "dram.read_queue_entries=1", "dram.write_queue_entries=2",
                  "dram.write_high_watermark=2", "dram.write_low_watermark=1"});
}

TEST_CASE("Skipping changes no statistic under other policies") {
  check_skipping({"sm.sub_core.scheduler.policy=lrr", "sm.sub_core.dependences=scoreboard",
                  "sm.sub_core.fetch.prefetch_lines=3", "dram.page_policy=closed", "dram.refresh=per_bank",
                  "dram.timing_cycles.t_refi=1000", "crossbar.coalescer.enabled=true",
                  "crossbar.slice_latency_spread_cycles=7"});
  check_skipping({"sm.sub_core.scheduler.policy=two_level", "dram.refresh=all_bank", "dram.timing_cycles.t_refi=777",
                  "l2.keep_far_writes_near=true", "l2.far_reads_leave_home_first=true"});
}

TEST_CASE("Skipping changes no statistic when translations miss") {
  check_skipping(small_translations());
  check_skipping(small_translations() + Overrides{"translation.sm_misses=1", "translation.group_misses=1",
                                                  "crossbar.slice_queue_entries=1", "translation.walks=1"});
}

TEST_CASE("Skipping changes no statistic when walks read page tables in memory") {
  check_skipping(small_translations() + tables_in_memory());
  check_skipping(small_translations() + tables_in_memory() +
                 Overrides{"translation.walks=1", "translation.tables.step_cycles=0", "crossbar.slice_queue_entries=1",
                           "crossbar.port_request_entries=1", "crossbar.port_response_entries=1", "l2.mshr_entries=1",
                           "l2.far_mshr_entries=1"});
}

TEST_CASE("Skipping changes no statistic of idealised machines") {
  check_skipping(ideal_memory() + perfect_front_end());
  check_skipping({"dram.ideal=true", "sm.l1.unlimited_mshrs=true", "l2.unlimited_mshrs=true", "sm.execution.ideal=true",
                  "sm.sub_core.register_file.ideal=true", "l2_fabric.zero_latency=true",
                  "l2_fabric.unlimited_bandwidth=true"});
}

TEST_CASE("Skipping changes no statistic of launches that follow each other") {
  for (const bool flush : {true, false}) {
    Machine skipping(tiny_config(), {.skip = true, .flush_before_launch = flush});
    Machine ticking(tiny_config(), {.skip = false, .flush_before_launch = flush});
    for (const NamedKernel& kernel : every_synthetic_kernel()) {
      INFO("kernel " << kernel.name << ", flush " << flush);
      SyntheticKernel source(kernel.builder, kernel.shape);
      check_same(run_on(skipping, source), run_on(ticking, source));
    }
  }
}

TEST_CASE("The same kernels give the same statistics again") {
  for (const NamedKernel& kernel : every_synthetic_kernel()) {
    INFO("kernel " << kernel.name);
    check_same(run_named(kernel, {}, {}), run_named(kernel, {}, {}));
  }
}

TEST_CASE("A limit of cycles is exact, with the same statistics whether time is skipped or not") {
  for (const NamedKernel& kernel : every_synthetic_kernel()) {
    INFO("kernel " << kernel.name);
    const KernelRun skipping = run_named(kernel, {}, {.skip = true, .max_cycles = 700});
    const KernelRun ticking = run_named(kernel, {}, {.skip = false, .max_cycles = 700});
    CHECK(skipping.result.elapsed_cycles == 700);
    check_same(skipping, ticking);
  }
}

TEST_CASE("The executed instructions of a kernel do not depend on the machine") {
  for (const NamedKernel& kernel : every_synthetic_kernel()) {
    INFO("kernel " << kernel.name);
    SyntheticKernel source(kernel.builder, kernel.shape);
    const KernelRun real = run(source);
    const KernelRun ideal = run(source, ideal_memory() + perfect_front_end());
    for (const char* counter :
         {"sm.sub_core.inst_executed", "sm.sub_core.thread_inst_executed", "sm.lsu.global_load_requests",
          "sm.lsu.global_load_sectors", "sm.lsu.global_store_sectors", "sm.lsu.shared_wavefronts",
          "sm.lsu.global_atomic_sectors", "sm.barriers.arrivals"}) {
      INFO(counter);
      CHECK(real[counter] == ideal[counter]);
    }
    CHECK(real["sm.sub_core.inst_executed"] == source.instructions());
  }
}

}  // namespace
}  // namespace warpsim::test
