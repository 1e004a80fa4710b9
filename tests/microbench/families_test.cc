// Bounds the error of a cheap part of the microbenchmarks against the hardware, so that a change that makes the model
// worse is noticed. The bounds are the model's errors, rounded up; families with known gaps have wide ones.
#include <catch2/catch.hpp>

#include "config/config_tree.h"
#include "microbench/families.h"
#include "microbench/report.h"

namespace warpsim::microbench {
namespace {

FamilyReport simulated(const Family& family, const std::string& only) {
  const GpuConfig config = ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/h200.yaml", {}).read<GpuConfig>();
  std::map<std::string, double> results;
  for (const Probe& probe : family.probes) {
    if (matches(only, probe.name)) {
      results[probe.name] = probe.simulate(config);
    }
  }
  return make_report(family, read_hardware_values(WARPSIM_SOURCE_DIR "/tests/hardware/h200/micro.csv"), results);
}

TEST_CASE("every value of a family in the hardware table is simulated or has a reason why not") {
  const auto table = read_hardware_values(WARPSIM_SOURCE_DIR "/tests/hardware/h200/micro.csv");
  for (const FamilyEntry& entry : all_families()) {
    const FamilyReport report = make_report(entry.make(), table, {});
    INFO(entry.bench);
    CHECK(report.summary.values != 0);
    CHECK(report.not_considered.empty());
  }
}

TEST_CASE("repeated simulation gives the same value") {
  const Family family = lat_alu_family();
  const FamilyReport first = simulated(family, "latency.F2I");
  const FamilyReport second = simulated(family, "latency.F2I");
  CHECK(render_values(first) == render_values(second));
}

TEST_CASE("latencies of arithmetic equal those of the hardware") {
  const Summary summary = simulated(lat_alu_family(), "latency.*").summary;
  CHECK(summary.median < 0.001);
  CHECK(summary.percentile_90 < 0.10);
}

TEST_CASE("throughput of a few warps is close to that of the hardware") {
  const Summary summary = simulated(thr_alu_family(), "throughput.*.warps4").summary;
  CHECK(summary.compared == 33);
  CHECK(summary.median < 0.02);
}

TEST_CASE("throughput of eight warps per sub-core is close to that of the hardware") {
  const Summary summary = simulated(thr_alu_family(), "throughput.*.warps32").summary;
  CHECK(summary.compared == 33);
  CHECK(summary.median < 0.07);
  CHECK(summary.worst < 0.11);  // HADD2: its two pipes are not used alternately
}

TEST_CASE("tensor operations of few and many warps are close to the hardware") {
  const Summary few = simulated(mma_family(), "mma.throughput.*.warps4").summary;
  CHECK(few.compared == 7);
  CHECK(few.worst < 0.02);
  const Summary many = simulated(mma_family(), "mma.throughput.*.warps32").summary;
  CHECK(many.compared == 7);
  CHECK(many.median < 0.02);
  CHECK(many.worst < 0.08);
}

TEST_CASE("warpgroup operations take the same time as on the hardware") {
  const Summary summary = simulated(wgmma_family(), "wgmma.*").summary;
  CHECK(summary.compared == 68);
  CHECK(summary.percentile_90 < 0.001);
  CHECK(summary.worst < 0.05);
}

TEST_CASE("divergence costs the same as on the hardware, except for a known gap") {
  const Summary summary = simulated(diverge_family(), "diverge.*").summary;
  CHECK(summary.median < 0.09);
  CHECK(summary.worst < 0.20);
}

TEST_CASE("short loops are fetched as fast as on the hardware") {
  const Summary summary = simulated(icache_family(), "icache.loop.instrs16.*").summary;
  CHECK(summary.compared == 4);
  CHECK(summary.median < 0.03);
  CHECK(summary.worst < 0.10);
}

}  // namespace
}  // namespace warpsim::microbench
