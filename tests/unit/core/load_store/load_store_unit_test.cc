#include "core/load_store/load_store_unit.h"

#include <bit>
#include <catch2/catch.hpp>

#include "core/load_store/load_store_config.h"
#include "support/load_store_bench.h"

// Tiny GPU: an instruction reaches the SM's stage 5 cycles after issue; shared memory answers after 20 cycles, L1 after
// 30, a fill is usable 10 cycles after its arrival. A request waits a cycle for the link and a cycle on it; memory
// answers 50 cycles later.
namespace warpsim::test {
namespace {

KernelBuilder program(const std::string& opcode, const Addresses& addresses, LaneMask active = kAllLanes) {
  KernelBuilder builder;
  builder.load(opcode, 4, addresses).lanes(active);
  return builder;
}

Cycle latency(const std::string& opcode, const Addresses& addresses) {
  LoadStoreBench bench;
  return bench.latency_of_last(program(opcode, addresses));
}

// --- shared memory ---

TEST_CASE("A shared load without conflicts takes the shared latency") {
  CHECK(latency("LDS", {.base = 0}) == 20);
  CHECK(latency("LDS", {.base = 64, .lane_stride = 0}) == 20);  // broadcast
}

TEST_CASE("Each additional pass of a bank conflict adds two cycles") {
  CHECK(latency("LDS", {.base = 0, .lane_stride = 8}) == 22);
  CHECK(latency("LDS", {.base = 0, .lane_stride = 16}) == 26);
  CHECK(latency("LDS", {.base = 0, .lane_stride = 32}) == 34);
  CHECK(latency("LDS", {.base = 0, .lane_stride = 64}) == 50);
  CHECK(latency("LDS", {.base = 0, .lane_stride = 128}) == 82);
}

TEST_CASE("Each result register beyond the first adds three cycles, the passes of the width add none") {
  CHECK(latency("LDS.64", {.base = 0, .lane_stride = 8}) == 23);
  CHECK(latency("LDS.128", {.base = 0, .lane_stride = 16}) == 29);
  // 8 bytes at stride 16 take four passes, two more than the width needs.
  CHECK(latency("LDS.64", {.base = 0, .lane_stride = 16}) == 27);
}

TEST_CASE("Two instructions alternate their passes, a third waits for one of them") {
  LoadStoreBench bench;
  KernelBuilder program;
  program.lds(4, {.base = 0, .lane_stride = 32});  // eight passes
  program.lds(5, {.base = 0, .lane_stride = 32});
  program.lds(6, {.base = 0});
  bench.issue(program, 0, 100, 0);
  bench.issue(program, 1, 101, 1);
  bench.issue(program, 2, 102, 2);
  bench.run(200);
  // Passes from 105 and from 106 every other cycle; the third finds a turn at 121 instead of 107.
  CHECK(bench.results[0] == 134);
  CHECK(bench.results[1] == 135);
  CHECK(bench.results[2] == 122 + 14);
  CHECK(bench["lsu.shared_wavefronts"] == 17);
  CHECK(bench["lsu.shared_load_conflicts"] == 14);
}

TEST_CASE("Shared stores and loads count their own requests and conflicts") {
  LoadStoreBench bench;
  KernelBuilder program;
  program.sts({.base = 0, .lane_stride = 8}, 1);
  program.store("STS.128", {.base = 0, .lane_stride = 16}, 1);
  bench.latency_of_last(program);
  CHECK(bench["lsu.shared_store_requests"] == 2);
  CHECK(bench["lsu.shared_store_conflicts"] == 1);
  CHECK(bench["lsu.shared_load_requests"] == 0);
  CHECK(bench["lsu.shared_wavefronts"] == 2 + 4);
  CHECK(bench["lsu.load_latency_shared.count"] == 0);  // stores are not loads
}

TEST_CASE("Shared atomics on one word are served one after another, except where the hardware counts lanes") {
  LoadStoreBench same;
  // 32 passes: 31 more than one, two cycles each.
  CHECK(same.latency_of_last(program("ATOMS.ADD", {.base = 0, .lane_stride = 0})) == 25 + 31 * 2);
  CHECK(same["lsu.shared_atomic_conflicts"] == 31);
  LoadStoreBench counted;
  CHECK(counted.latency_of_last(program("ATOMS.POPC.INC.32", {.base = 0, .lane_stride = 0})) == 25);
  CHECK(latency("ATOMS.ADD", {.base = 0}) == 25);
}

TEST_CASE("Loading four 8x8 matrices takes one pass each") {
  LoadStoreBench bench;
  bench.latency_of_last(program("LDSM.16.M88.4", {.base = 0, .lane_stride = 16}));
  CHECK(bench["lsu.shared_wavefronts"] == 4);
  CHECK(bench["lsu.shared_load_conflicts"] == 0);
}

TEST_CASE("Rows of matrices on the same banks conflict") {
  LoadStoreBench bench;
  // Rows 128 bytes apart: the eight rows of each matrix share their banks.
  bench.latency_of_last(program("LDSM.16.M88.4", {.base = 0, .lane_stride = 128}));
  CHECK(bench["lsu.shared_wavefronts"] == 32);
}

TEST_CASE("Loading one 8x8 matrix only reads the rows of eight lanes") {
  LoadStoreBench bench;
  bench.latency_of_last(program("LDSM.16.M88", {.base = 0, .lane_stride = 16}));
  CHECK(bench["lsu.shared_wavefronts"] == 1);
  CHECK(bench["lsu.shared_load_conflicts"] == 0);
}

// --- queue and address stage ---

TEST_CASE("A sub-core takes four cycles to read a register, other sub-cores read theirs meanwhile") {
  LoadStoreBench bench;
  KernelBuilder program;
  for (int i = 0; i < 3; ++i) {
    program.lds(4, {.base = 0});
  }
  bench.issue(program, 0, 100, 0);
  bench.issue(program, 1, 101, 0);
  bench.issue(program, 2, 102, 1);
  bench.run(200);
  CHECK(bench.results[0] == 120);
  CHECK(bench.results[1] == 124);  // reads from 105 instead of 102 on
  CHECK(bench.results[2] == 122);
}

TEST_CASE("A queue holds four instructions, refuses the fifth and reports when it has space again") {
  LoadStoreBench bench;
  KernelBuilder program;
  for (int i = 0; i < 5; ++i) {
    program.lds(4, {.base = 0});
  }
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK(bench.issue(program, i, 100 + i));
  }
  CHECK_FALSE(bench.issue(program, 4, 104));
  CHECK_FALSE(bench.unit().queue_full(1));
  bench.run(104);
  CHECK(bench.freed == 0);
  bench.run(105);  // the first reaches the stage
  CHECK(bench.freed == 0b0001);
  CHECK_FALSE(bench.unit().queue_full(0));
}

TEST_CASE("Sub-cores that are ready at the same time are served in turn") {
  LoadStoreBench bench;
  KernelBuilder program;
  for (int i = 0; i < 4; ++i) {
    program.lds(4, {.base = 0});
  }
  for (std::uint8_t sub_core = 0; sub_core < 4; ++sub_core) {
    bench.issue(program, sub_core, 100, sub_core);
  }
  bench.run(200);
  for (std::uint32_t i = 0; i < 4; ++i) {
    CHECK(bench.results[i] == 120 + i);
  }
}

TEST_CASE("Sources are read ten cycles after issue, or when the queue of the stage has space") {
  LoadStoreBench bench({.overrides = {"sm.load_store.stage_queue_entries=1"}});
  KernelBuilder program;
  for (std::uint32_t i = 0; i < 6; ++i) {
    program.lds(4, {.base = 0, .lane_stride = 64});  // 16 passes
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    bench.issue(program, i, 100 + i, static_cast<std::uint8_t>(i % 4));
  }
  bench.run(300);
  CHECK(bench.sources_read[0] == 110);
  CHECK(bench.sources_read[3] == 113);  // the fourth of the window
  CHECK(bench.sources_read[4] == 114);  // waits with its registers read
  CHECK(bench.sources_read[5] == 139);  // the fifth enters at 137, the sixth gets its entry at 138
}

TEST_CASE("Atomics of one warp in shared memory take two cycles per pass, those of two warps alternate") {
  LoadStoreBench bench;
  KernelBuilder program;
  for (int i = 0; i < 3; ++i) {
    program.load("ATOMS.ADD", 4, {.base = 0, .lane_stride = 0});  // 32 passes
  }
  bench.issue(program, 0, 100, 0);
  bench.issue(program, 1, 104, 0);
  bench.issue(program, 2, 108, 1);
  bench.run(400);
  const Cycle first = bench.results[0];
  CHECK(bench.results[2] == first + 8);
  CHECK(bench.results[1] == first + 64);
}

TEST_CASE("Every instruction posts one read of its sources and one result") {
  LoadStoreBench bench;
  KernelBuilder program;
  program.lds(4, {.base = 0});
  program.sts({.base = 0}, 4);
  program.ldg(4, {.base = 0x1000, .lane_stride = 128});
  program.ldg(4, {.base = 0x1000});
  program.stg({.base = 0x1000}, 4);
  program.ldgsts({.base = 0x8000, .lane_stride = 16});
  program.load("ATOMG.E.ADD", 4, {.base = 0x1000, .lane_stride = 64});
  program.store("RED.E.ADD", {.base = 0x1000}, 4);
  program.op("SHFL.IDX", 4, {1, 2, 3});
  program.op("S2R", 4);
  program.op("TEX", 4);
  program.op("UBLKCP");
  bench.latency_of_last(program);
  CHECK(bench.results_posted == program.path().size());
  CHECK(bench.sources_read_posted == program.path().size());
  CHECK(bench.unit().idle());
  CHECK(bench.unit().outstanding() == 0);
}

TEST_CASE("Shuffles, special registers, textures and bulk copies take their fixed times") {
  for (const auto& [opcode, cycles] :
       {std::pair<const char*, Cycle>{"SHFL.IDX", 20}, {"S2R", 20}, {"TEX", 60}, {"UBLKCP", 200}}) {
    INFO(opcode);
    LoadStoreBench bench;
    KernelBuilder program;
    program.op(opcode, 4);
    CHECK(bench.latency_of_last(program) == cycles);
    CHECK(bench.requests.empty());
  }
}

// --- when there is work ---

TEST_CASE("Between its next_work cycles the memory pipeline does nothing") {
  // Work done at cycle c shows as an event, a request or a freed entry; next_work must have returned c or earlier.
  LoadStoreBench bench;
  KernelBuilder program;
  program.ldg(4, {.base = 0x1000, .lane_stride = 128});
  program.lds(4, {.base = 0, .lane_stride = 32});
  program.stg({.base = 0x4000, .lane_stride = 32}, 4);
  for (std::uint32_t i = 0; i < 3; ++i) {
    bench.issue(program, i, 100 + i, static_cast<std::uint8_t>(i));
  }
  while (!bench.unit().idle()) {
    const Cycle promised = bench.unit().next_work(bench.now() - 1);
    const std::uint64_t wavefronts = bench["lsu.wavefronts"];
    const std::uint64_t queued = bench["lsu.queueing.count"];
    const Cycle now = bench.now();
    bench.run(now);
    if (bench["lsu.wavefronts"] != wavefronts || bench["lsu.queueing.count"] != queued || bench.freed != 0) {
      REQUIRE(promised <= now);
    }
    REQUIRE(now < 1000);
  }
}

}  // namespace
}  // namespace warpsim::test
