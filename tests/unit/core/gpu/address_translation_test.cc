// Chains of loads over more and more addresses on the H200's description, compared with those measured on an H200
// (tests/hardware/translation/h200_reach.csv and h200_walks.csv). Lines are in L2 and not in L1.
#include <catch2/catch.hpp>
#include <cmath>

#include "config/config_tree.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

GpuConfig h200(const Overrides& overrides) {
  return ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/h200.yaml", overrides).read<GpuConfig>();
}

Cycle chain_cycles(std::uint32_t regions, std::int64_t distance_mib, std::uint32_t passes, const Overrides& overrides) {
  KernelBuilder k;
  const std::int64_t distance = (distance_mib << 20U) + 128;  // other sets of L2
  k.loop(passes, [&] {
    k.loop(regions, [&] {
      k.load("LDG.E.64.STRONG.GPU", 4, {.base = 0x7f0000000000, .lane_stride = 0, .round_stride = distance}).writes(0);
      k.iadd(5, 4, 4).waits(0);
    });
  });
  k.exit();
  SyntheticKernel kernel(k, {});
  Machine gpu(h200(overrides), {});
  return run_on(gpu, kernel).result.elapsed_cycles;
}

// Cycles of a load once every level has seen all regions.
double load_cycles(std::uint32_t regions, std::int64_t distance_mib, const Overrides& overrides = {}) {
  const Cycle three = chain_cycles(regions, distance_mib, 3, overrides);
  const Cycle two = chain_cycles(regions, distance_mib, 2, overrides);
  return static_cast<double>(three - two) / regions;
}

// Cycles of a load by which translation makes it slower: the same lines, whose latencies differ by slice.
double translation_cycles(std::uint32_t regions, std::int64_t distance_mib) {
  return load_cycles(regions, distance_mib) - load_cycles(regions, distance_mib, {"translation.enabled=false"});
}

TEST_CASE("Translation: a chain beyond the entries of an SM is slower by 10 cycles, as measured", "[exhaustive]") {
  CHECK(translation_cycles(16, 16) == 0);
  CHECK(translation_cycles(17, 16) == Approx(10.1).margin(1));
  CHECK(translation_cycles(32, 8) == 0);
  CHECK(translation_cycles(33, 8) == Approx(5.2).margin(0.5));  // every second load misses
}

TEST_CASE("Translation: a chain beyond the entries of a group waits for the GPU's translations, as measured",
          "[exhaustive]") {
  const double near_or_far = translation_cycles(2440, 32) - translation_cycles(1952, 32);
  // By the SM's partition: 393.1 - 303.8 or 457.2 - 304.6 cycles.
  CHECK((std::abs(near_or_far - 89.3) < 2 || std::abs(near_or_far - 152.6) < 2));
}

TEST_CASE("Translation: a chain beyond the GPU's entries waits for walks, as measured", "[exhaustive]") {
  const double walks = translation_cycles(5500, 64) - translation_cycles(3800, 64);
  CHECK(walks == Approx(1101 - 392.6).epsilon(0.06));
}

TEST_CASE("Translation: without it addresses cost nothing, however many") {
  const Overrides off = {"translation.enabled=false"};
  CHECK(std::abs(load_cycles(5500, 64, off) - load_cycles(1000, 64, off)) < 5);
}

TEST_CASE("Translation: a launch that starts without translations pays for first touches") {
  const auto first_pass = [](const Overrides& overrides) { return chain_cycles(64, 64, 1, overrides); };
  const Cycle full = first_pass({});
  const Cycle empty = first_pass({"translation.starts_full=false"});
  // A walk for each of the 64 regions: 720 cycles and more, measured 418 to 970 (h200_probe.csv, touch).
  CHECK(empty - full > 64 * 700);
  CHECK(empty - full < 64 * 1000);
}

TEST_CASE("Translation: walks that find their entries in L2 are shorter than those measured", "[exhaustive]") {
  const Overrides in_memory = {"translation.tables.in_memory=true"};
  const Cycle five = chain_cycles(5500, 64, 5, in_memory);
  const Cycle six = chain_cycles(5500, 64, 6, in_memory);
  const double walk = static_cast<double>(six - five) / 5500 - load_cycles(3800, 64, in_memory);
  CHECK(walk == Approx(111).margin(5));
  CHECK(walk < 0.2 * (1101 - 392.6));  // a known gap: what the units do beside their reads, or where they find entries
}

// Warps that each load from many pages.
KernelBuilder over_pages() {
  KernelBuilder k;
  k.loop(40, [&] {
    k.ldg(4, {.base = 0x10000000, .lane_stride = 0, .block_stride = 64 << 20, .round_stride = (2 << 20) + 128})
        .writes(0);
    k.iadd(5, 4, 4).waits(0);
  });
  k.exit();
  return k;
}

TEST_CASE("Translation: walks that read page tables wait for units, and for DRAM if L2 is empty") {
  const Overrides large_l2 = {"l2.num_sets=64", "l2.num_ways=8", "translation.walks=1"};
  const auto two_launches = [&large_l2](const Overrides& overrides, bool flush) {
    Machine gpu(tiny_config(small_translations() + large_l2 + overrides), {.flush_before_launch = flush});
    std::vector<KernelRun> runs;
    for (int launch = 0; launch < 2; ++launch) {
      SyntheticKernel kernel(over_pages(), {.blocks = 8, .warps = 4});
      runs.push_back(run_on(gpu, kernel));
    }
    return runs;
  };
  const KernelRun fixed = two_launches({}, true).front();
  CHECK(fixed["translation.walks"] > 100);
  CHECK(fixed["translation.walk_reads"] == 0);
  CHECK(fixed["l2_slice.from_translation.requests"] == 0);
  const std::vector<KernelRun> kept = two_launches(tables_in_memory(), false);
  const std::vector<KernelRun> emptied = two_launches(tables_in_memory(), true);
  for (const KernelRun& run : {kept[0], kept[1], emptied[0], emptied[1]}) {
    CHECK(run["translation.walks"] > 100);
    CHECK(run["translation.walk_wait.sum"] > 0);
    CHECK(run["translation.walk_reads"] == run["translation.walks"] + 2 * run["translation.directory_misses"]);
    CHECK(run["l2_slice.from_translation.read_sectors"] == run["translation.walk_reads"]);
    CHECK(run["l2_slice.from_l1.read_sectors"] == fixed["l2_slice.from_l1.read_sectors"]);
  }
  CHECK(emptied[0]["translation.walk_dram_reads"] > 80);
  CHECK(emptied[1]["translation.walk_dram_reads"] == emptied[0]["translation.walk_dram_reads"]);
  CHECK(kept[1]["translation.walk_dram_reads"] < 10);  // a few sets of L2 overflow
}

}  // namespace
}  // namespace warpsim::test
