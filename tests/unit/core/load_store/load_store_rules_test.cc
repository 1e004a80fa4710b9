// The memory pipeline under the rules of earlier compute capabilities: its requests to memory, and their times.
#include <catch2/catch.hpp>
#include <string>
#include <vector>

#include "support/load_store_bench.h"

// See load_store_unit_test.cc for the times.
namespace warpsim::test {
namespace {

constexpr Cycle kMissCycles = 67;
constexpr const char* kUncached = "LDG.E.STRONG.GPU";

KernelBuilder one(const std::string& opcode, const Addresses& addresses) {
  KernelBuilder builder;
  builder.load(opcode, 4, addresses);
  return builder;
}

// --- coalescing ---

TEST_CASE("A half warp in order requests one segment, any other one segment per lane") {
  LoadStoreBench bench({.overrides = {"sm.load_store.coalescing=half_warp_strict"}});
  bench.latency_of_last(one(kUncached, {.base = 0x1000}));
  REQUIRE(bench.requests.size() == 2);
  CHECK(bench.requests[0].request.sector_mask == 0x3);
  CHECK(bench.requests[1].request.sector_mask == 0xc);
  CHECK(bench["lsu.transactions_64"] == 2);
  CHECK(bench["lsu.bytes_requested"] == 128);
  CHECK(bench["lsu.bytes_moved"] == 128);

  LoadStoreBench spoilt({.overrides = {"sm.load_store.coalescing=half_warp_strict", "sm.l1.mshr_entries=32"}});
  // One missing lookup per cycle: the last of 32 transactions leaves 31 cycles after the first; passes two cycles
  // apart write the registers.
  CHECK(spoilt.latency_of_last(one(kUncached, {.base = 0x1000, .lane_stride = 0})) == kMissCycles + 31 * 2);
  CHECK(spoilt.requests.size() == 32);
  for (const auto& sent : spoilt.requests) {
    CHECK(sent.request.sector_mask == 0x1);
  }
  CHECK(spoilt["lsu.transactions_32"] == 32);
  CHECK(spoilt["lsu.bytes_moved"] == 8 * spoilt["lsu.bytes_requested"]);
  CHECK(spoilt["lsu.global_conflicts"] == 30);
}

TEST_CASE("Segments of a half warp are requested in any order, and a store's bytes are sent with them") {
  LoadStoreBench bench(
      {.overrides = {"sm.load_store.coalescing=half_warp_segments", "sm.load_store.store_buffer.lines=1"}});
  KernelBuilder program;
  program.stg({.base = 0x1004}, 4);
  bench.latency_of_last(program);
  REQUIRE(bench.requests.size() == 3);
  CHECK(bench.requests[0].request.sector_mask == 0xf);  // a word of the upper half makes it 128 bytes
  CHECK(bench.requests[0].request.byte_mask[0] == 0xfffffff0U);
  CHECK(bench.requests[0].request.byte_mask[3] == 0);
  CHECK(bench.requests[1].request.sector_mask == 0xc);
  CHECK(bench.requests[2].request.sector_mask == 0x1);
  CHECK(bench["lsu.transactions_128"] == 1);
  CHECK(bench["lsu.transactions_64"] == 1);
  CHECK(bench["lsu.transactions_32"] == 1);
  CHECK(bench["lsu.bytes_moved"] == 224);
}

TEST_CASE("Requests of a wide load take one pass for each of their lines") {
  LoadStoreBench bench({.overrides = {"sm.load_store.coalescing=requests"}});
  // Both half warps on the same line: two requests of it.
  bench.latency_of_last(one("LDG.E.STRONG.GPU.64", {.base = 0x1000, .lane_stride = 0}));
  CHECK(bench.requests.size() == 2);
  CHECK(bench["lsu.wavefronts"] == 2);
  CHECK(bench["lsu.global_conflicts"] == 0);
  CHECK(bench["lsu.transactions_32"] == 2);
}

// --- banks of shared memory ---

const std::vector<std::string> kBanksOf1x = {
    "sm.load_store.shared_banks.banks=16",           "sm.load_store.shared_banks.request_lanes=16",
    "sm.load_store.shared_banks.broadcast=one_word", "sm.load_store.shared_banks.wide_access=words",
    "sm.load_store.shared_banks.atomics=lock_loop",  "sm.load_store.shared_banks.pass_cycles=2"};

TEST_CASE("A shared load of 1.x takes a pass of two cycles for each half warp, and more for conflicts") {
  LoadStoreBench bench({.overrides = kBanksOf1x});
  CHECK(bench.latency_of_last(one("LDS", {.base = 0})) == 20);
  CHECK(bench["lsu.shared_wavefronts"] == 2);
  CHECK(bench["lsu.shared_load_conflicts"] == 0);
  LoadStoreBench strided({.overrides = kBanksOf1x});
  CHECK(strided.latency_of_last(one("LDS", {.base = 0, .lane_stride = 8})) == 20 + 2 * 2);
  CHECK(strided["lsu.shared_load_conflicts"] == 2);
}

TEST_CASE("A conflict delays the result by more than its passes if the instruction is issued again") {
  LoadStoreBench bench({.overrides = {"sm.load_store.shared_banks.conflict_latency_cycles=37"}});
  CHECK(bench.latency_of_last(one("LDS", {.base = 0, .lane_stride = 16})) == 20 + 3 * 37);
}

TEST_CASE("Shared loads run at one warp per four cycles on 1.x, where a pass occupies the banks for two") {
  LoadStoreBench bench({.overrides = kBanksOf1x});
  KernelBuilder program;
  for (int i = 0; i < 4; ++i) {
    program.lds(4, {.base = 0});
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    bench.issue(program, i, 100 + i, static_cast<std::uint8_t>(i));
  }
  bench.run(200);
  CHECK(bench.results[1] == bench.results[0] + 4);
  CHECK(bench.results[3] == bench.results[0] + 12);
}

TEST_CASE("A shared atomic without native support iterates for each lane on one word") {
  LoadStoreBench bench({.overrides = kBanksOf1x});
  CHECK(bench.latency_of_last(one("ATOMS.ADD", {.base = 0})) == 25);
  CHECK(bench["lsu.shared_wavefronts"] == 4);  // two half warps load, two store
  LoadStoreBench same({.overrides = kBanksOf1x});
  CHECK(same.latency_of_last(one("ATOMS.ADD", {.base = 0, .lane_stride = 0})) == 32 * 25);
}

// --- policies of L1 ---

// Requests that the second of two equal loads sends to memory.
std::size_t asked_again(const std::vector<std::string>& policy, const std::string& opcode, bool local = false) {
  LoadStoreBench bench({.overrides = policy});
  KernelBuilder program;
  for (int i = 0; i < 2; ++i) {
    program.load(opcode, 4, local ? Addresses{.base = 0, .lane_stride = 0} : Addresses{.base = 0x1000});
  }
  bench.latency_of_last(program);
  return bench.requests.size() - 1;
}

TEST_CASE("The lines that a load keeps in L1 follow from the capability's policy and the load's operator") {
  const std::vector<std::string> kKept = {};
  const std::vector<std::string> kNever = {"sm.l1.policy.global_loads=never", "sm.l1.policy.read_only_loads=as_global"};
  const std::vector<std::string> kOptIn = {"sm.l1.policy.global_loads=opt_in"};
  const auto with = [](std::vector<std::string> policy, const std::string& more) {
    policy.push_back("sm.l1.policy." + more);
    return policy;
  };
  CHECK(asked_again(kKept, "LDG.E") == 0);
  CHECK(asked_again(kKept, "LDG.E.CG") == 1);
  CHECK(asked_again(kKept, "LDG.E.CV") == 1);
  CHECK(asked_again(kKept, "LDG.E.CS") == 0);
  CHECK(asked_again(with(kKept, "load_operator=cg"), "LDG.E") == 1);
  CHECK(asked_again(with(kKept, "load_operator=cg"), "LDG.E.CA") == 0);
  CHECK(asked_again(with(kKept, "load_operator=cg"), "LDG.E.CONSTANT") == 0);
  CHECK(asked_again(kNever, "LDG.E") == 1);
  CHECK(asked_again(kNever, "LDG.E.CA") == 1);
  CHECK(asked_again(kNever, "LDG.E.CONSTANT") == 1);
  CHECK(asked_again(with(kNever, "load_operator=ca"), "LDG.E") == 1);
  CHECK(asked_again(kOptIn, "LDG.E") == 1);
  CHECK(asked_again(kOptIn, "LDG.E.CA") == 0);
  CHECK(asked_again(kOptIn, "LDG.E.CONSTANT") == 0);
  CHECK(asked_again(kOptIn, "LDG.E.CI") == 0);
  CHECK(asked_again(with(kOptIn, "load_operator=ca"), "LDG.E") == 0);
  CHECK(asked_again(with(kOptIn, "load_operator=ca"), "LDG.E.CG") == 1);
  CHECK(asked_again(kNever, "LDL", true) == 0);
  CHECK(asked_again(with(kNever, "local=not_kept"), "LDL", true) == 1);
}

TEST_CASE("A miss fetches the whole line if the description states it, and only needed sectors if it bypasses L1") {
  const std::vector<std::string> kLines = {"sm.l1.fill_bytes=128"};
  LoadStoreBench bench({.overrides = kLines});
  KernelBuilder program;
  program.load("LDG.E", 4, {.base = 0x1000, .lane_stride = 0});
  program.load("LDG.E", 4, {.base = 0x1040, .lane_stride = 0});
  program.load("LDG.E.CG", 4, {.base = 0x1040, .lane_stride = 0});
  bench.latency_of_last(program);
  REQUIRE(bench.requests.size() == 2);
  CHECK(bench.requests[0].request.sector_mask == 0xf);
  CHECK(bench.requests[1].request.sector_mask == 0x4);
  CHECK(bench["lsu.transactions_128"] == 2);
  CHECK(bench["lsu.transactions_32"] == 1);
  CHECK(bench["lsu.global_load_sector_hits"] == 1);
}

TEST_CASE("A store to global memory removes its line from L1 if L1 is not updated") {
  LoadStoreBench bench({.overrides = {"sm.l1.policy.global_stores=invalidate", "sm.l1.write_allocate=false"}});
  KernelBuilder program;
  program.load("LDG.E", 4, {.base = 0x1000});
  program.stg({.base = 0x1000, .lane_stride = 0}, 4);
  program.load("LDG.E", 4, {.base = 0x1040, .lane_stride = 0});
  bench.latency_of_last(program);
  CHECK(bench.requests.size() == 3);
}

TEST_CASE("Local memory that is written back reaches L2 when its line is replaced, and never after its last use") {
  const std::vector<std::string> kWrittenBack = {"sm.l1.policy.local=written_back", "sm.l1.sets=1"};
  const auto writes = [&](const std::string& load) {
    LoadStoreBench bench({.overrides = kWrittenBack});
    KernelBuilder program;
    program.store("STL", {.base = 0, .lane_stride = 0}, 1);
    program.load(load, 4, {.base = 0, .lane_stride = 0});
    constexpr Address kWays = 16 * 1024 / kLineBytes;
    for (Address line = 0; line < kWays; ++line) {
      program.load("LDG.E", 4, {.base = 0x100000 + line * kLineBytes});
    }
    bench.latency_of_last(program);
    std::size_t count = 0;
    for (const auto& sent : bench.requests) {
      if (sent.request.op == MemOp::kWrite) {
        ++count;
        CHECK(sent.request.sector_mask == 0xf);
        CHECK(sent.request.byte_mask[0] == 0xffffffffU);
      }
    }
    CHECK(bench["l1.writeback_sectors"] == 4 * count);
    CHECK(bench.unit().idle());
    return count;
  };
  CHECK(writes("LDL") == 1);
  CHECK(writes("LDL.LU") == 0);
}

TEST_CASE("Partly written sectors of local memory are written to L2 at once") {
  LoadStoreBench bench({.overrides = {"sm.l1.policy.local=written_back"}});
  KernelBuilder program;
  program.store("STL", {.base = 0, .lane_stride = 0}, 1).lanes(0x00000fff);
  bench.latency_of_last(program);
  REQUIRE(bench.requests.size() == 1);
  CHECK(bench.requests[0].request.sector_mask == 0x2);
  CHECK(bench.requests[0].request.byte_mask[1] == 0x0000ffffU);
}

TEST_CASE("Read-only data stay in a cache separate from L1") {
  const std::vector<std::string> kBeside = {"sm.l1.policy.read_only_loads=read_only_cache",
                                            "sm.l1.policy.global_loads=opt_in",
                                            "sm.read_only_cache.kib=48",
                                            "sm.read_only_cache.sets=4",
                                            "sm.read_only_cache.mshr_entries=16",
                                            "sm.read_only_cache.mshr_waiters=8",
                                            "sm.read_only_cache.hit_latency_cycles=40"};
  LoadStoreBench bench({.overrides = kBeside});
  KernelBuilder program;
  program.load("LDG.E.CONSTANT", 4, {.base = 0x1000});
  program.load("LDG.E.CA", 4, {.base = 0x1000});
  program.load("LDG.E.CONSTANT", 4, {.base = 0x1000});
  CHECK(bench.latency_of_last(program) == 40);
  CHECK(bench.requests.size() == 2);
  CHECK(bench["read_only_cache.filled_sectors"] == 4);
  CHECK(bench["l1.filled_sectors"] == 4);
}

}  // namespace
}  // namespace warpsim::test
