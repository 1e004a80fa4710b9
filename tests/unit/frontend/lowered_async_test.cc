// Asynchronous copies, barriers and warpgroup operations of sm_90 on GPUs without them.
#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "config/config_tree.h"
#include "frontend/lowering/lowered_kernel.h"
#include "support/listed_block.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

constexpr std::uint32_t kWarps = 4;

// The first of each block's four warps creates a barrier and, in each round, copies a tile to shared memory;
// all wait for it, multiply, and meet at a block barrier.
struct Tiles {
  std::uint32_t blocks = 1;
  std::uint32_t rounds = 1;
  std::uint32_t bytes = 0x2000;
  std::uint32_t cluster = 1;
  std::uint32_t copies = 1;  // that fill a tile
  std::string copy = "UTMALDG.2D [UR8], [UR12]";
  std::string back = "NOP";  // a copy out of shared memory, after the rounds
};

ListedKernel kernel_of(const Tiles& tiles) {
  std::vector<std::string> lines{"S2UR UR4, SR_CgaCtaId",       "UMOV UR5, 0x400",      "UPRMT UR5, UR5, 0x4210, UR4",
                                 "UMOV UR6, 0x1ffffe",          "UMOV UR7, 0x7ffff800", "SYNCS.EXCH.64 URZ, [UR5], UR6",
                                 "ULDC.64 UR12, c[0x0][0x210]", "UMOV UR8, 0x1000",     "UMOV UR9, UR5",
                                 "S2UR UR11, SR_CTAID.X"};
  Path first = in_order(0, 9);
  Path others = in_order(0, 4);
  const auto add = [&lines](const std::string& line) {
    lines.push_back(line);
    return static_cast<std::uint32_t>(lines.size() - 1);
  };
  const auto all = [&](const std::string& line, LaneMask active = kAllLanes) {
    const std::uint32_t index = add(line);
    first.push_back({index, active});
    others.push_back({index, active});
  };
  all("BAR.SYNC 0x0");
  for (std::uint32_t round = 0; round < tiles.rounds; ++round) {
    first.push_back({add(fmt::format("UMOV UR10, {:#x}", round))});
    first.push_back({add("UMOV UR14, " + std::string(tiles.cluster > 1 ? "0x30000" : "0x20"))});
    first.push_back({add(fmt::format("MOV R6, {:#x}", tiles.bytes))});
    first.push_back({add("SYNCS.ARRIVE.TRANS64 RZ, [UR5], R6"), 1});
    for (std::uint32_t copy = 0; copy < tiles.copies; ++copy) {
      first.push_back({add(tiles.copy), 1});
    }
    all(fmt::format("MOV R4, {:#x}", round % 2 == 0 ? 0U : 0x80000000U));
    all("SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR5], R4");
    all(fmt::format("@!P0 BRA {:#x}", (lines.size() - 1) * 16), 0);
    all("WARPGROUP.ARRIVE");
    all("HGMMA.64x64x16.F32.BF16 R24, gdesc[UR4], R24, UP0, gsb0");
    all("WARPGROUP.DEPBAR.LE gsb0, 0x0");
    all("BAR.SYNC 0x0");
  }
  first.push_back({add("UMOV UR14, 0x80")});
  first.push_back({add(tiles.back), 1});
  all("EXIT");
  ListedKernel kernel =
      listed_kernel(lines, {tiles.blocks, 1, 1}, {tiles.cluster, 1, 1}, kWarps, [first, others](std::uint64_t) {
        return std::vector<Path>{first, others, others, others};
      });
  kernel.launch.registers_per_thread = 64;
  kernel.launch.shared_bytes = 0x1000 + tiles.bytes;
  return kernel;
}

struct Ran {
  LaunchResult result;
  Counters counters;
  std::vector<std::string> notes;

  std::uint64_t operator[](const std::string& counter) const { return counters.at(counter); }
  bool notes_hold(const std::string& text) const {
    return std::ranges::any_of(notes, [&](const std::string& note) { return note.find(text) != std::string::npos; });
  }
};

Ran run_on(const GpuConfig& config, const ListedKernel& kernel, bool skip = true) {
  Machine gpu(config, {.skip = skip});
  std::unique_ptr<KernelSource> source = source_of(kernel);
  Ran ran;
  const std::uint32_t architecture = architecture_of(config.compute_capability);
  if (architecture == 90) {
    ran.result = gpu.run(*source);
  } else {
    LoweredKernel lowered(std::move(source), {.architecture = architecture, .registers_per_thread = 63});
    ran.result = gpu.run(lowered);
    ran.notes = lowering_notes({lowered.findings()});
  }
  ran.counters = counters_of(gpu.stats());
  return ran;
}

GpuConfig shipped(const std::string& name) {
  return ConfigTree::load(std::string(WARPSIM_SOURCE_DIR "/configs/") + name + ".yaml", {}).read<GpuConfig>();
}

GpuConfig tiny(const std::string& capability) {
  GpuConfig config = tiny_config();
  config.compute_capability = capability;
  return config;
}

TEST_CASE("A tile by descriptor is loaded by the lanes of a warp, and the others wait for it") {
  const ListedKernel kernel = kernel_of({});
  const Ran ampere = run_on(tiny("8.0"), kernel);
  CHECK(ampere["sm.lsu.async_copy_requests"] == 0x2000 / 512);
  CHECK(ampere["sm.mbarrier.transaction_bytes"] == 0x2000);
  CHECK(ampere["sm.mbarrier.phases"] == 1);
  CHECK(ampere["sm.mbarrier.waits"] == kWarps);
  CHECK(ampere.result.waits_given_up == 0);
  const Ran volta = run_on(tiny("7.0"), kernel);
  CHECK(volta["sm.lsu.global_load_sectors"] == 0x2000 / 32);
  CHECK(volta["sm.mbarrier.transaction_bytes"] == 0x2000);
  CHECK(volta.result.waits_given_up == 0);
}

TEST_CASE("The last part of a copy only has lanes for the remaining bytes") {
  const Ran ran = run_on(tiny("7.0"), kernel_of({.bytes = 0x410}));  // two loads of 512 bytes and one of one lane
  CHECK(ran["sm.lsu.global_load_requests"] == 3);
  CHECK(ran["sm.lsu.global_load_sectors"] == 0x400 / 32 + 1);
  CHECK(ran["sm.mbarrier.transaction_bytes"] == 0x410);
}

TEST_CASE("Copies out are loads from shared memory and stores, reductions are reductions") {
  const Ran out = run_on(tiny("8.0"), kernel_of({.back = "UBLKCP.G.S [UR12], [UR8], UR14"}));
  CHECK(out["sm.lsu.global_store_sectors"] == 0x800 / 32);
  CHECK(out["sm.lsu.shared_load_requests"] == 0x800 / 512 + kWarps * 5);  // with operands
  const Ran reduced = run_on(tiny("8.0"), kernel_of({.back = "UBLKRED.G.S.ADD.S32 [UR12], [UR8], UR14"}));
  CHECK(reduced["sm.lsu.global_reduction_requests"] == 0x800 / 128);
  CHECK(reduced["sm.lsu.global_reduction_sectors"] == 0x800 / 32);
}

TEST_CASE("Rounds wait for each other's copies, for every capability, and skipping changes nothing") {
  const ListedKernel kernel = kernel_of({.blocks = 4, .rounds = 8});
  for (const char* capability : {"1.3", "2.0", "3.5", "5.2", "6.1", "7.0", "7.5", "8.0", "8.9"}) {
    INFO(capability);
    const Ran ran = run_on(tiny(capability), kernel);
    CHECK(ran.result.status == LaunchResult::Status::kComplete);
    CHECK(ran.result.waits_given_up == 0);
    CHECK(ran["sm.mbarrier.phases"] == 4 * 8);
    CHECK(ran["sm.mbarrier.transaction_bytes"] == 4 * 8 * 0x2000);
    const Ran every_cycle = run_on(tiny(capability), kernel, false);
    CHECK(every_cycle.result.elapsed_cycles == ran.result.elapsed_cycles);
    CHECK(every_cycle.counters == ran.counters);
  }
}

TEST_CASE("A warp continues after copies that need no registers, and waits for the loads of others") {
  const auto cycles = [](const std::string& capability, std::uint32_t copies) {
    const ListedKernel kernel =
        kernel_of({.bytes = 0x200 * copies, .copies = copies, .copy = "UBLKCP.S.G [UR8], [UR12], UR14"});
    const Ran ran = run_on(tiny(capability), kernel);
    CHECK(ran["sm.mbarrier.transaction_bytes"] == 0x200 * copies);
    CHECK(ran["sm.lsu.global_load_sectors"] == 0x200 / 32 * copies);
    return ran.result.elapsed_cycles;
  };
  const Cycle latency = cycles("7.0", 2) - cycles("7.0", 1);  // of a load that hits in L1
  CHECK(cycles("7.0", 9) - cycles("7.0", 1) >= 8 * latency);
  CHECK(cycles("8.0", 9) - cycles("8.0", 1) < 8 * latency);
}

TEST_CASE("Without clusters a copy to several blocks is executed for each, and no warp waits at barriers") {
  const ListedKernel kernel =
      kernel_of({.blocks = 4, .rounds = 2, .cluster = 2, .copy = "UTMALDG.2D.MULTICAST [UR8], [UR12], UR14"});
  const Ran ran = run_on(tiny("8.0"), kernel);
  CHECK(ran.result.status == LaunchResult::Status::kComplete);
  CHECK(ran.result.waits_given_up == 0);
  CHECK(ran["sm.mbarrier.waits"] == 0);
  CHECK(ran["sm.lsu.async_copy_requests"] == 4 * 2 * 0x2000 / 512);
  CHECK(ran.notes_hold("compute capability 8.0 has no clusters"));
}

TEST_CASE("The notes state the changes to copies and barriers") {
  const Ran ran = run_on(tiny("7.5"), kernel_of({.rounds = 2}));
  CHECK(ran.notes_hold("the 2 bulk copies (16384 bytes) are executed by all lanes of the warps that started them"));
  CHECK(ran.notes_hold("11 operations on barriers with byte counts become accesses to shared memory"));
  CHECK(ran.notes_hold("UTMALDG (LDG.E.128, STS.128, ATOMS.ADD)"));
  CHECK(ran.notes_hold("SYNCS (STS.64 or ATOMS.ADD or LDS, ISETP)"));
  CHECK_FALSE(ran.notes_hold("left out"));
}

TEST_CASE("Tiles cost no less traffic on older GPUs than on the recorded one", "[exhaustive]") {
  const ListedKernel kernel = kernel_of({.blocks = 32, .rounds = 16});
  const Ran hopper = run_on(shipped("h200"), kernel);
  for (const char* name : {"a100", "v100", "gtx980"}) {
    INFO(name);
    const Ran older = run_on(shipped(name), kernel);
    CHECK(older.result.waits_given_up == 0);
    CHECK(older["sm.mbarrier.transaction_bytes"] == hopper["sm.mbarrier.transaction_bytes"]);
    // DRAM also sees code and constants, of which the lowered kernel has more.
    CHECK(older["dram_channel.bytes_read"] >= hopper["dram_channel.bytes_read"]);
    CHECK(older["sm.lsu.global_load_sectors"] * 32 == hopper["sm.tma.bytes_in"]);
    CHECK(older["sm.sub_core.inst_executed"] > hopper["sm.sub_core.inst_executed"]);
    CHECK(older.result.duration_ns > hopper.result.duration_ns);
    const LaunchResult every_cycle = run_on(shipped(name), kernel, false).result;
    CHECK(every_cycle.elapsed_cycles == older.result.elapsed_cycles);
  }
}

}  // namespace
}  // namespace warpsim::test
