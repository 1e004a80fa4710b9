// Mechanisms that a description chooses change no promise of the machine: skipped time, the order of ticks and the
// number of threads change no statistic.
#include <catch2/catch.hpp>

#include "mechanisms/mechanism_reference.h"
#include "support/machine.h"
#include "unit/differential/same_runs.h"
#include "unit/differential/synthetic_kernels.h"

namespace warpsim::test {
namespace {

std::vector<KernelRun> run_kernels(const Overrides& overrides, const MachineOptions& options) {
  std::vector<KernelRun> runs;
  Machine gpu(tiny_config(overrides), options);
  for (const NamedKernel& kernel : every_synthetic_kernel()) {
    SyntheticKernel source(kernel.builder, kernel.shape);
    runs.push_back(run_on(gpu, source));
  }
  return runs;
}

void check_kernels(const std::vector<KernelRun>& expected, const std::vector<KernelRun>& found) {
  REQUIRE(expected.size() == found.size());
  for (std::size_t i = 0; i < expected.size(); ++i) {
    check_same(expected[i], found[i]);
  }
}

TEST_CASE("With each shipped mechanism all kernels end, with equal statistics on three threads in any order",
          "[exhaustive]") {
  for (const MechanismKind& kind : shipped_mechanism_kinds()) {
    for (const MechanismText& mechanism : kind.mechanisms) {
      for (const std::string& key : kind.chosen_by) {
        INFO(key << " = " << mechanism.name);
        const Overrides overrides = {key + "=" + mechanism.name};
        const std::vector<KernelRun> usual = run_kernels(overrides, {});
        check_kernels(usual, run_kernels(overrides, {.skip = false}));
        check_kernels(usual, run_kernels(overrides, {.threads = 3, .shuffle = 5}));
      }
    }
  }
}

TEST_CASE("Mechanisms of all kinds together keep the promises, without emptied caches as well") {
  const Overrides overrides = {"sm.sub_core.scheduler.policy=criticality_aware",
                               "sm.l1.replacement=drrip",
                               "l2.replacement=brrip",
                               "sm.l1.prefetcher=stride",
                               "l2.prefetcher=stream",
                               "sm.l1.insertion=reuse_by_pc",
                               "dram.scheduler=least_served",
                               "block_scheduler.placement.policy=gpc_first",
                               "address_map.hash=xor_folded",
                               "crossbar.network=mesh",
                               "crossbar.arbitration=least_sent",
                               "sm.l1.sector_fetch=footprint",
                               "l2.sector_fetch=line_if_used",
                               "sm.l1.miss_admission=dynamic_threshold",
                               "l2.miss_admission=requester_share",
                               "sm.l1.write_policy=around_unless_reused",
                               "l2.write_policy=around_unless_reused",
                               "l2.compression=drawn_sizes"};
  for (const bool flush : {true, false}) {
    const std::vector<KernelRun> usual = run_kernels(overrides, {.flush_before_launch = flush});
    check_kernels(usual, run_kernels(overrides, {.skip = false, .flush_before_launch = flush}));
    check_kernels(usual, run_kernels(overrides, {.flush_before_launch = flush, .threads = 2, .shuffle = 11}));
  }
}

TEST_CASE("Lines of L1 and L2 of any size keep the promises, with mechanisms as well") {
  const Overrides mechanisms = {"sm.l1.prefetcher=next_line",    "l2.prefetcher=next_line",
                                "sm.l1.sector_fetch=footprint",  "l2.sector_fetch=footprint",
                                "sm.l1.replacement=drrip",       "l2.replacement=drrip",
                                "sm.l1.insertion=reuse_by_pc",   "l2.miss_admission=requester_share",
                                "l2.write_policy=write_through", "sm.l1.write_policy=around_unless_reused"};
  for (const char* l1 : {"32", "64", "128"}) {
    for (const char* l2 : {"32", "64"}) {
      for (const bool with_mechanisms : {false, true}) {
        INFO("L1 " << l1 << ", L2 " << l2 << (with_mechanisms ? ", mechanisms" : ""));
        Overrides overrides = with_mechanisms ? mechanisms : Overrides{};
        for (const std::string& size : {std::string("sm.l1.line_bytes=") + l1, std::string("l2.line_bytes=") + l2,
                                        std::string("l2.fill_bytes=32")}) {
          overrides.push_back(size);
        }
        const std::vector<KernelRun> usual = run_kernels(overrides, {});
        check_kernels(usual, run_kernels(overrides, {.threads = 3, .shuffle = 7}));
      }
    }
  }
}

TEST_CASE("A chip without L2 refuses mechanisms of L2") {
  for (const char* choice :
       {"l2.prefetcher=next_line", "l2.replacement=srrip", "l2.sector_fetch=footprint", "l2.write_policy=write_through",
        "l2.compression=equal_sizes", "l2.miss_admission=requester_share"}) {
    CHECK_THROWS_WITH(tiny_config({"l2.keeps_lines=false", choice}), Catch::Contains("a chip without L2 has neither"));
  }
}

}  // namespace
}  // namespace warpsim::test
