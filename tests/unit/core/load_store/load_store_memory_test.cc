// Global, local and generic accesses of the memory pipeline: accesses to L1 and to memory, and their times.
#include <bit>
#include <catch2/catch.hpp>

#include "core/load_store/address_windows.h"
#include "support/load_store_bench.h"

// See load_store_unit_test.cc for the times. A load of one missing line: in the stage at 5, request sent at 6, at
// memory at 7, answered at 57, usable at 67.
namespace warpsim::test {
namespace {

constexpr Cycle kMiss = 67;
constexpr Cycle kHit = 30;

KernelBuilder program_of(const std::vector<Addresses>& loads, const std::string& opcode = "LDG.E") {
  KernelBuilder builder;
  for (const Addresses& addresses : loads) {
    builder.load(opcode, 4, addresses);
  }
  return builder;
}

// --- loads ---

TEST_CASE("A load that misses takes the round trip to memory and the fill") {
  LoadStoreBench bench;
  CHECK(bench.latency_of_last(program_of({{.base = 0x1000}})) == kMiss);
  REQUIRE(bench.requests.size() == 1);
  CHECK(bench.requests[0].request.line == 0x1000);
  CHECK(bench.requests[0].request.sector_mask == 0xf);
  CHECK(bench.requests[0].request.source == 7);
  CHECK(bench["lsu.global_load_sectors"] == 4);
  CHECK(bench["lsu.global_load_sector_misses"] == 4);
  CHECK(bench["lsu.load_latency_l2_near.sum"] == kMiss);
}

TEST_CASE("A load that hits takes the L1 latency and sends no request") {
  LoadStoreBench bench;
  CHECK(bench.latency_of_last(program_of({{.base = 0x1000}, {.base = 0x1000}})) == kHit);
  CHECK(bench.requests.size() == 1);
  CHECK(bench["lsu.global_load_requests"] == 2);
  CHECK(bench["lsu.global_load_sector_hits"] == 4);
  CHECK(bench["lsu.load_latency_l1.sum"] == kHit);
}

TEST_CASE("A wide load that hits writes its registers pass by pass") {
  // 8 bytes: two passes. 16 bytes: four, three cycles apart.
  const auto latency = [](const char* opcode, std::int64_t lane_stride) {
    LoadStoreBench bench({.overrides = {"sm.load_store.pass_interval_cycles=3"}});
    return bench.latency_of_last(program_of(
        {{.base = 0x1000, .lane_stride = lane_stride}, {.base = 0x1000, .lane_stride = lane_stride}}, opcode));
  };
  CHECK(latency("LDG.E.64", 8) == kHit + 3);
  CHECK(latency("LDG.E.128", 16) == kHit + 3 * 3);
}

TEST_CASE("A wide load that misses writes its registers like one that hits, from its first sector on") {
  LoadStoreBench bench({.overrides = {"sm.load_store.pass_interval_cycles=3"}});
  // Two passes; two lines, the second a cycle after the first and no later than its turn.
  CHECK(bench.latency_of_last(program_of({{.base = 0x1000, .lane_stride = 8}}, "LDG.E.64")) == kMiss + 3);
}

TEST_CASE("Only the missing sectors of a partly present line are requested") {
  LoadStoreBench bench;
  // Lanes on sectors 0 and 1, then on all four.
  const KernelBuilder program = program_of({{.base = 0x1000, .lane_stride = 2}, {.base = 0x1000}});
  CHECK(bench.latency_of_last(program) == kMiss);
  REQUIRE(bench.requests.size() == 2);
  CHECK(bench.requests[0].request.sector_mask == 0x7);  // 31 * 2 + 4 = 66 bytes
  CHECK(bench.requests[1].request.sector_mask == 0x8);
  CHECK(bench["lsu.global_load_sector_hits"] == 3);
}

TEST_CASE("One miss leaves the stage per cycle, the load completes with the last of its lines") {
  LoadStoreBench bench;
  // 32 lines, the last one sent 31 cycles after the first; registers are written every other cycle.
  const KernelBuilder program = program_of({{.base = 0x10000, .lane_stride = 128}});
  LoadStoreBench wide({.overrides = {"sm.l1.mshr_entries=64"}});
  CHECK(wide.latency_of_last(program) == kMiss + 31 * 2);
  CHECK(wide.requests.size() == 32);
  CHECK(wide.requests[31].cycle - wide.requests[0].cycle == 31);
}

TEST_CASE("Four lines that hit are looked up in one cycle") {
  LoadStoreBench bench;
  // 32 lanes over four lines, one sector each: one tag cycle, bank conflicts by their words. Lane l reads word
  // 4l: banks repeat after eight lanes, four passes two cycles apart.
  const Addresses four_lines{.base = 0x1000, .lane_stride = 16};
  CHECK(bench.latency_of_last(program_of({four_lines, four_lines})) == kHit + 3 * 2);
  CHECK(bench["lsu.global_conflicts"] == 2 * 3);
}

TEST_CASE("Misses on a line in flight are merged and complete together") {
  LoadStoreBench bench;
  const KernelBuilder program = program_of({{.base = 0x1000}, {.base = 0x1000}});
  bench.issue(program, 0, 100, 0);
  bench.issue(program, 1, 110, 1);
  bench.run(300);
  CHECK(bench.requests.size() == 1);
  CHECK(bench.results[0] == 100 + kMiss);
  CHECK(bench.results[1] == 100 + kMiss);
  CHECK(bench["l1.merged_misses"] == 1);
}

TEST_CASE("A response in parts completes the load with its last sector") {
  LoadStoreBench bench({.answer_sector_by_sector = true});
  CHECK(bench.latency_of_last(program_of({{.base = 0x1000}})) == kMiss);
  CHECK(bench.results_posted == 1);
}

TEST_CASE("A load that finds no free MSHR blocks the lookup of lines until a line has arrived") {
  LoadStoreBench bench({.overrides = {"sm.l1.mshr_entries=1"}});
  KernelBuilder program = program_of({{.base = 0x1000}, {.base = 0x2000}});
  program.lds(4, {.base = 0});
  bench.issue(program, 0, 100, 0);
  bench.issue(program, 1, 101, 1);
  bench.issue(program, 2, 102, 2);
  bench.run(400);
  // The first line arrives at 157. The second load is accepted then: request at memory 159, answered 209, usable 219.
  CHECK(bench.results[0] == 167);
  CHECK(bench.results[1] == 219);
  CHECK(bench.results[2] == 122);  // the shared load passes it
  CHECK(bench["l1.mshr_full_events"] == 1);
}

TEST_CASE("Loads that bypass L1 always go to memory") {
  LoadStoreBench bench;
  CHECK(bench.latency_of_last(program_of({{.base = 0x1000}, {.base = 0x1000}}, "LDG.E.STRONG.GPU")) == kMiss);
  CHECK(bench.requests.size() == 2);
  CHECK(bench["lsu.global_load_sector_hits"] == 0);
}

TEST_CASE("Loads that bypass L1 do not share misses in flight") {
  LoadStoreBench bench;
  KernelBuilder program = program_of({{.base = 0x1000}, {.base = 0x1000}, {.base = 0x1000}}, "LDG.E.STRONG.GPU");
  for (std::uint32_t i = 0; i < 3; ++i) {
    bench.issue(program, i, 100 + i, static_cast<std::uint8_t>(i));
  }
  bench.run(300);
  CHECK(bench.requests.size() == 3);
  CHECK(bench.results_posted == 3);
}

TEST_CASE("A perfect L1 always hits") {
  LoadStoreBench bench({.overrides = {"sm.l1.perfect=true"}});
  CHECK(bench.latency_of_last(program_of({{.base = 0x1000}})) == kHit);
  CHECK(bench.requests.empty());
}

TEST_CASE("A load whose missing lines arrived before its last lookup is counted by their origin") {
  // Load 3 needs lines A and B. A is in flight for load 0 and arrives at 157. B is in flight for loads 1 and 2 and lets
  // no other load wait, so that load 3 blocks the stage until B arrives, at 177, and finds it.
  LoadStoreBench bench({.overrides = {"sm.l1.mshr_waiters=2"}});
  KernelBuilder program = program_of({{.base = 0x1000}, {.base = 0x2000}, {.base = 0x2000}});
  program.load("LDG.E", 4, {.list = {0x1000, 0x2000}}).lanes(0x3);
  bench.issue(program, 0, 100, 0);
  bench.issue(program, 1, 120, 1);
  bench.issue(program, 2, 121, 2);
  bench.issue(program, 3, 122, 3);
  bench.run(500);
  CHECK(bench["lsu.load_latency_l2_near.count"] == 4);
  CHECK(bench["lsu.load_latency_l1.count"] == 0);
}

// --- stores, reductions, atomics ---

TEST_CASE("A store writes through with its bytes and completes when it has left the stage") {
  LoadStoreBench bench;
  KernelBuilder program;
  program.stg({.base = 0x1000, .lane_stride = 8}, 4);
  CHECK(bench.latency_of_last(program) == 7);  // two lines: in the stage at 5 and 6
  REQUIRE(bench.requests.size() == 2);
  CHECK(bench.requests[0].request.op == MemOp::kWrite);
  CHECK(bench.requests[0].request.byte_mask[0] == 0x0f0f0f0fU);
  CHECK_FALSE(bench.requests[0].request.wants_ack);
  CHECK(bench["lsu.global_store_requests"] == 1);
  CHECK(bench["lsu.global_store_sectors"] == 8);
  CHECK(bench.unit().idle());
}

TEST_CASE("Completely stored sectors are found by later loads, partly stored ones are not") {
  LoadStoreBench whole;
  KernelBuilder program;
  program.stg({.base = 0x1000}, 4);
  program.ldg(4, {.base = 0x1000});
  CHECK(whole.latency_of_last(program) == kHit);
  LoadStoreBench part;
  KernelBuilder gaps;
  gaps.stg({.base = 0x1000, .lane_stride = 8}, 4);
  gaps.ldg(4, {.base = 0x1000});
  CHECK(part.latency_of_last(gaps) == kMiss);
  LoadStoreBench none({.overrides = {"sm.l1.write_allocate=false"}});
  CHECK(none.latency_of_last(program) == kMiss);
}

TEST_CASE("In a program with fences every stored sector is acknowledged") {
  LoadStoreBench bench;
  KernelBuilder program;
  program.stg({.base = 0x1000}, 4);
  program.membar_device();
  bench.issue(program, 0, 100);
  bench.run(110);
  CHECK(bench.requests[0].request.wants_ack);
  bench.run(157);
  CHECK_FALSE(bench.unit().idle());
  bench.run(158);
  CHECK(bench.unit().idle());
}

TEST_CASE("An atomic goes to memory, returns, and removes the sector from L1") {
  LoadStoreBench bench;
  KernelBuilder program;
  program.ldg(4, {.base = 0x1000});
  program.load("ATOMG.E.ADD", 4, {.base = 0x1000}).lanes(1);
  CHECK(bench.latency_of_last(program) == kMiss);
  const MemRequest& request = bench.requests[1].request;
  CHECK(request.op == MemOp::kAtomic);
  CHECK(request.sector_mask == 0x1);
  CHECK(request.single_lane);
  CHECK(bench["lsu.atomic_latency.count"] == 1);
  CHECK(bench["lsu.global_atomic_sectors"] == 1);
}

TEST_CASE("An atomic of lanes on one address sends them one per cycle") {
  LoadStoreBench bench;
  KernelBuilder program;
  program.load("ATOMG.E.ADD", 4, {.base = 0x1000, .lane_stride = 0});
  CHECK(bench.latency_of_last(program) == kMiss + 31 * 2);
  REQUIRE(bench.requests.size() == 32);
  CHECK(bench.requests[31].cycle == bench.requests[0].cycle + 31);
  CHECK(bench["lsu.global_atomic_sectors"] == 32);
  CHECK(bench["lsu.wavefronts"] == 2 * 32);  // both directions
}

TEST_CASE("A packet of several lanes occupies the stage for two cycles") {
  LoadStoreBench bench;
  KernelBuilder program;
  program.store("RED.E.ADD", {.base = 0x1000, .lane_stride = 16}, 4);  // four lines of eight lanes, one group
  bench.latency_of_last(program);
  REQUIRE(bench.requests.size() == 4);
  CHECK(bench.requests[3].cycle == bench.requests[0].cycle + 6);
  CHECK_FALSE(bench.requests[0].request.single_lane);
  CHECK(bench.requests[0].request.byte_mask[0] == 0x000f000fU);
}

TEST_CASE("Reductions wait when the maximum of sectors waits for the crossbar") {
  LoadStoreBench bench({.overrides = {"sm.load_store.output_atomic_sectors=8"}, .link_entries = 1});
  KernelBuilder program;
  program.store("RED.E.ADD", {.base = 0x1000, .lane_stride = 0}, 4);
  bench.memory_stopped = true;
  bench.issue(program, 0, 100);
  bench.run(300);
  CHECK(bench.results.empty());
  bench.memory_stopped = false;
  bench.run(500);
  CHECK(bench.requests.size() == 32);
  CHECK(bench.results_posted == 1);
}

TEST_CASE("A reduction completes when it has left the stage") {
  LoadStoreBench bench;
  KernelBuilder program;
  program.store("RED.E.ADD", {.base = 0x1000}, 4);
  CHECK(bench.latency_of_last(program) == 6);
  CHECK(bench.requests[0].request.op == MemOp::kReduction);
  CHECK(bench["lsu.global_reduction_requests"] == 1);
  CHECK(bench["lsu.global_reduction_sectors"] == 4);
  CHECK(bench.unit().idle());
}

TEST_CASE("Stores wait when the output queue is full and continue when memory accepts them") {
  LoadStoreBench bench({.overrides = {"sm.load_store.output_entries=2"}, .link_entries = 1});
  KernelBuilder program;
  program.stg({.base = 0x1000, .lane_stride = 128}, 4);  // 32 lines
  bench.memory_stopped = true;
  bench.issue(program, 0, 100);
  bench.run(300);
  CHECK(bench.results.empty());
  bench.memory_stopped = false;
  bench.run(500);
  CHECK(bench.requests.size() == 32);
  CHECK(bench.results_posted == 1);
}

// --- asynchronous copies, local and generic addresses ---

TEST_CASE("An asynchronous copy is a global load without registers and is also counted separately") {
  LoadStoreBench bench;
  KernelBuilder program;
  program.ldgsts({.base = 0x1000, .lane_stride = 16});
  CHECK(bench.latency_of_last(program) == kMiss + 3 * 2);  // four lines, which arrive during their passes
  CHECK(bench["lsu.async_copy_requests"] == 1);
  CHECK(bench["lsu.global_load_sectors"] == 16);
}

TEST_CASE("A copy through L1 takes longer than a load, one that bypasses it has no passes through the banks of L1") {
  const auto copy = [](const char* opcode) {
    LoadStoreBench bench({.overrides = {"sm.load_store.copy_through_l1_cycles=7"}});
    KernelBuilder program;
    program.store(opcode, {.base = 0x1000, .lane_stride = 16}, 255);
    const Cycle latency = bench.latency_of_last(program);
    return std::pair(latency, bench["lsu.wavefronts"]);
  };
  CHECK(copy("LDGSTS.E.128") == std::pair<Cycle, std::uint64_t>(kMiss + 3 * 2 + 7, 4));
  CHECK(copy("LDGSTS.E.BYPASS.128") == std::pair<Cycle, std::uint64_t>(kMiss + 3 * 2, 1));
}

TEST_CASE("Local accesses of all lanes are adjacent for every width") {
  for (const auto& [opcode, sectors] :
       {std::pair<const char*, std::uint64_t>{"LDL", 4}, {"LDL.64", 8}, {"LDL.128", 16}}) {
    INFO(opcode);
    LoadStoreBench bench;
    bench.windows.local_backing = 0x40000;
    bench.latency_of_last(program_of({{.base = 16, .lane_stride = 0}}, opcode));
    CHECK(bench["lsu.local_load_sectors"] == sectors);
    CHECK(bench["lsu.global_load_sectors"] == 0);
    // Byte 16 of every lane: after four words of 32 lanes.
    CHECK(bench.requests[0].request.line == 0x40000 + 4 * 128);
  }
}

TEST_CASE("Local stores count as local, and a later load finds them in L1") {
  LoadStoreBench bench;
  bench.windows.local_backing = 0x40000;
  KernelBuilder program;
  program.store("STL", {.base = 8, .lane_stride = 0}, 4);
  program.load("LDL", 4, {.base = 8, .lane_stride = 0});
  CHECK(bench.latency_of_last(program) == kHit);
  CHECK(bench["lsu.local_store_requests"] == 1);
  CHECK(bench["lsu.local_store_sectors"] == 4);
  CHECK(bench["lsu.local_load_requests"] == 1);
}

TEST_CASE("A generic access goes to the space of its address") {
  LoadStoreBench bench;
  bench.windows = {.shared_base = 0x7f0000000000, .local_base = 0x7f1000000000, .local_backing = 0x40000};
  CHECK(bench.latency_of_last(program_of({{.base = 0x7f0000000000 + 256}}, "LD.E")) == 20);
  CHECK(bench["lsu.shared_load_requests"] == 1);
  CHECK(bench.requests.empty());
  bench.latency_of_last(program_of({{.base = 0x7f1000000000 + 4}}, "LD.E"), 5000);
  CHECK(bench["lsu.local_load_requests"] == 1);
  bench.latency_of_last(program_of({{.base = 0x1000}}, "LD.E"), 10000);
  CHECK(bench["lsu.global_load_requests"] == 1);
}

TEST_CASE("A generic window is 16 MiB, and one that was not recorded contains nothing") {
  AddressWindows windows;
  windows.shared_base = 0x7f0000000000;
  const auto space = [&](Address address) {
    return windows.space_of(MemorySpace::kGeneric, {LaneAddresses::Kind::kStrided, address, 4, nullptr});
  };
  CHECK(space(0x7f0000000000 - 1) == MemorySpace::kGlobal);
  CHECK(space(0x7f0000000000) == MemorySpace::kShared);
  CHECK(space(0x7f0000000000 + AddressWindows::kWindowBytes - 1) == MemorySpace::kShared);
  CHECK(space(0x7f0000000000 + AddressWindows::kWindowBytes) == MemorySpace::kGlobal);
  CHECK(space(0) == MemorySpace::kGlobal);  // local_base is not recorded
  CHECK(windows.space_of(MemorySpace::kShared, {LaneAddresses::Kind::kStrided, 0x1000, 4, nullptr}) ==
        MemorySpace::kShared);
}

TEST_CASE("The windows of a cluster's blocks follow each other, by rank") {
  AddressWindows windows;
  windows.shared_base = 0x7f0000000000;
  windows.local_base = 0x7e0000000000;
  windows.cluster_blocks = 4;
  windows.cluster_rank = 2;
  const auto space = [&](std::uint32_t rank) {
    const Address address = windows.shared_base + rank * AddressWindows::kWindowBytes + 64;
    return windows.space_of(MemorySpace::kGeneric, {LaneAddresses::Kind::kStrided, address, 4, nullptr});
  };
  CHECK(space(2) == MemorySpace::kShared);
  CHECK(space(0) == MemorySpace::kCluster);
  CHECK(space(3) == MemorySpace::kCluster);
  CHECK(space(4) == MemorySpace::kGlobal);
}

TEST_CASE("Another block's shared memory takes its latency, and stores to it occupy the stage for longer") {
  LoadStoreBench bench;
  bench.windows.shared_base = 0x7f0000000000;
  bench.windows.local_base = 0x7e0000000000;
  bench.windows.cluster_blocks = 2;
  const Address other = 0x7f0000000000 + AddressWindows::kWindowBytes;
  KernelBuilder load;
  load.load("LD.E", 4, {.base = other});
  CHECK(bench.latency_of_last(load) == 100);
  KernelBuilder stores;
  stores.store("ST.E", {.base = other}, 4);
  stores.store("ST.E", {.base = other}, 5);
  stores.load("LDS", 6, {.base = 0});
  // The load reaches the stage after two stores of five cycles each, not four cycles after the second.
  // It starts fifteen cycles after the first store was issued, thirteen after its own issue.
  CHECK(bench.latency_of_last(stores, bench.now() + 100, 1) == 28);
  CHECK(bench.requests.empty());
  CHECK(bench["lsu.remote_load_requests"] == 1);
  CHECK(bench["lsu.remote_store_requests"] == 2);
}

}  // namespace
}  // namespace warpsim::test
