// The front end's inference about asynchronous kernels, from disassembly and paths to a simulated launch.
#include "frontend/async/async_kernel.h"

#include <catch2/catch.hpp>
#include <set>
#include <string>
#include <vector>

#include "support/listed_block.h"
#include "support/machine.h"

namespace warpsim::test {
namespace {

using Kind = AsyncOperation::Kind;

// Lines 0 to 5: a barrier at 0x400 for one arrival. Lines 6 to 13: one lane expects bytes there, and a copy by
// descriptor to 0x1000 (0x1400 in the second block) fills them. Lines 14 to 17: the wait, with its loop.
std::vector<std::string> copy_program(const std::string& expected_bytes, const std::string& copy) {
  return {"S2UR UR4, SR_CgaCtaId",
          "UMOV UR5, 0x400",
          "UPRMT UR5, UR5, 0x4210, UR4",
          "UMOV UR6, 0x1ffffe",
          "UMOV UR7, 0x7ffff800",
          "SYNCS.EXCH.64 URZ, [UR5], UR6",
          "UCGABAR_ARV",
          "UCGABAR_WAIT",
          "UIMAD.U32 UR8, UR4, 0x400, 0x1000",
          "UMOV UR9, UR5",
          "UMOV UR10, 0x40",
          "UMOV UR14, 0x30000",
          "ULDC.64 UR12, c[0x0][0x210]",
          "MOV R6, " + expected_bytes,
          "SYNCS.ARRIVE.TRANS64 RZ, [UR5], R6",
          copy,
          "MOV R4, RZ",
          "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR5], R4",
          "@!P0 NANOSLEEP.SYNCS 0xc350",
          "@!P0 BRA 0x110",
          "EXIT"};
}

// The loop of lines 17 to 19 iterates `rounds` times.
std::vector<Path> one_warp(std::uint32_t rounds) {
  Path path = in_order(0, 16);
  path[14].active = 1;
  for (std::uint32_t round = 1; round <= rounds; ++round) {
    const LaneMask failed = round < rounds ? kAllLanes : 0;
    path = path + Path{{17, kAllLanes}, {18, failed}, {19, failed}};
  }
  return {path + in_order(20, 20)};
}

ListedKernel copying(const std::string& bytes, const std::string& copy, std::uint32_t cluster, std::uint32_t rounds) {
  return listed_kernel(copy_program(bytes, copy), {cluster, 1, 1}, {cluster, 1, 1}, 1,
                       [rounds](std::uint64_t) { return one_warp(rounds); });
}

std::vector<AsyncOperation> operations_of(TraceKernelSource& source, std::uint64_t block, std::size_t& executed) {
  const auto started = source.start_block(block, 0);
  WarpStream stream;
  started->refill(stream, 0);
  std::vector<AsyncOperation> operations;
  executed = static_cast<std::size_t>(stream.end - stream.next);
  for (; stream.next != stream.end; ++stream.next) {
    if (stream.next->operation != 0) {
      operations.push_back(*started->operations(*stream.next));
    }
  }
  return operations;
}

TEST_CASE("Barriers, expected bytes, copies and waits are derived from the program") {
  const auto source = source_of(copying("0x800", "UTMALDG.1D [UR8], [UR12]", 1, 5));
  std::size_t executed = 0;
  const std::vector<AsyncOperation> operations = operations_of(*source, 0, executed);
  REQUIRE(operations.size() == 4);
  CHECK(operations[0].kind == Kind::kInitialise);
  CHECK(operations[0].barrier == 0x400);
  CHECK(operations[0].arrivals == 1);
  CHECK_FALSE(operations[0].parity);
  CHECK(operations[1].kind == Kind::kArrive);
  CHECK(operations[1].arrivals == 1);
  CHECK(operations[1].bytes == 0x800);
  CHECK(operations[2].kind == Kind::kCopyIn);
  CHECK(operations[2].bytes == 0x800);  // everything that the barrier expects
  CHECK(operations[2].shared == 0x1000);
  CHECK(operations[2].barrier == 0x400);
  CHECK(operations[3].kind == Kind::kWait);
  CHECK_FALSE(operations[3].parity);
  CHECK(executed == 21);  // one iteration of five
  CHECK(source->async_findings()->loops.removed == 4 * 3);
}

TEST_CASE("A multicast's parts have the size of their destinations") {
  const auto source = source_of(copying("0x800", "UTMALDG.1D.MULTICAST [UR8], [UR12], UR14", 2, 2));
  std::size_t executed = 0;
  for (std::uint32_t block = 0; block < 2; ++block) {
    const std::vector<AsyncOperation> operations = operations_of(*source, block, executed);
    REQUIRE(operations.size() == 4);
    CHECK(operations[2].bytes == 0x400);
    CHECK(operations[2].blocks == 3);
    CHECK(operations[2].shared == 0x1000 + block * 0x400);
  }
}

TEST_CASE("A bulk copy states its size and its address") {
  // Size and, for multicasts, blocks are in one register: 0x30 x 16 bytes.
  std::vector<std::string> lines = copy_program("0x300", "UBLKCP.S.G [UR8], [UR12], UR14");
  lines[11] = "UMOV UR14, 0x30";
  const ListedKernel kernel = listed_kernel(lines, {1, 1, 1}, {1, 1, 1}, 1, [](std::uint64_t) { return one_warp(1); });
  const auto source = source_of(kernel);
  std::size_t executed = 0;
  const std::vector<AsyncOperation> operations = operations_of(*source, 0, executed);
  REQUIRE(operations.size() == 4);
  CHECK(operations[2].bytes == 0x300);
}

TEST_CASE("Equal coordinates share memory, different ones do not") {
  // The second coordinate is the block's number in one kernel and a constant in the other.
  const auto addresses = [](const std::string& coordinate) {
    std::vector<std::string> lines = copy_program("0x800", "UTMALDG.2D [UR8], [UR12]");
    lines[11] = coordinate;
    const auto source =
        source_of(listed_kernel(lines, {2, 1, 1}, {1, 1, 1}, 1, [](std::uint64_t) { return one_warp(1); }));
    std::size_t executed = 0;
    return std::vector<Address>{operations_of(*source, 0, executed)[2].global,
                                operations_of(*source, 1, executed)[2].global};
  };
  const auto shared = addresses("UMOV UR11, 0x7");
  CHECK(shared[0] == shared[1]);
  const auto apart = addresses("S2UR UR11, SR_CTAID.X");
  CHECK(apart[0] != apart[1]);
}

TEST_CASE("Clusters with unknown tiles cover the grid that needs the fewest bytes") {
  // Two tensors, each with a coordinate that comes from a table of unknown content: of six clusters three share one
  // tensor's tiles and two the other's, whose tiles are larger.
  std::vector<std::string> lines = copy_program("0xc00", "UTMALDG.1D [UR8], [UR12]");
  lines[6] = "S2UR UR20, SR_CTAID.X";
  lines[7] = "ULDC UR10, c[0x0][UR20+0x240]";
  lines[10] = "ULDC UR18, c[0x0][UR20+0x340]";
  lines[11] = "UIADD3 UR16, UR8, 0x800, URZ";
  lines[13] = "MOV R6, 0xc00";
  lines[16] = "UTMALDG.1D [UR16], [UR22]";
  lines.insert(lines.begin() + 12, {"UMOV UR17, UR5", "ULDC.64 UR22, c[0x0][0x250]", "MOV R4, RZ"});
  lines[22] = "@!P0 BRA 0x140";
  const auto paths = [](std::uint64_t) {
    return std::vector<Path>{in_order(0, 20) + Path{{21, 0}, {22, 0}, {23, kAllLanes}}};
  };
  ListedKernel kernel = listed_kernel(lines, {6, 1, 1}, {1, 1, 1}, 1, [paths](std::uint64_t block) {
    std::vector<Path> path = paths(block);
    path[0][17].active = 1;
    return path;
  });
  const auto source = source_of(kernel);
  std::set<Address> first;
  std::set<Address> second;
  std::size_t executed = 0;
  for (std::uint64_t block = 0; block < 6; ++block) {
    const std::vector<AsyncOperation> operations = operations_of(*source, block, executed);
    REQUIRE(operations.size() == 5);
    CHECK(operations[2].bytes == 0x800);
    CHECK(operations[3].bytes == 0x400);
    first.insert(operations[2].global);
    second.insert(operations[3].global);
  }
  CHECK(first.size() == 2);
  CHECK(second.size() == 3);
}

TEST_CASE("A check that would have skipped its loop waits instead of the loop") {
  const std::vector<std::string> lines{"UMOV UR5, 0x400",
                                       "UMOV UR6, 0x1ffffe",
                                       "UMOV UR7, 0x7ffff800",
                                       "SYNCS.EXCH.64 URZ, [UR5], UR6",
                                       "MOV R4, RZ",
                                       "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR5], R4",
                                       "IADD3 R2, R2, 0x1, RZ",
                                       "BRA !P0, 0x90",
                                       "EXIT",
                                       "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR5], R4",
                                       "@P0 BRA 0x80",
                                       "BRA 0x90"};
  const Path recorded =
      in_order(0, 7) + Path{{9, kAllLanes}, {10, 0}, {11, kAllLanes}, {9, kAllLanes}, {10, kAllLanes}} + in_order(8, 8);
  const auto source = source_of(
      listed_kernel(lines, {1, 1, 1}, {1, 1, 1}, 1, [recorded](std::uint64_t) { return std::vector<Path>{recorded}; }));
  std::size_t executed = 0;
  const std::vector<AsyncOperation> operations = operations_of(*source, 0, executed);
  CHECK(executed == 9);
  REQUIRE(operations.size() == 2);
  CHECK(operations[1].kind == Kind::kWait);
}

TEST_CASE("A check that failed and was not repeated stays a check") {
  const std::vector<std::string> lines{"UMOV UR5, 0x400", "MOV R4, RZ", "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [UR5], R4",
                                       "@P0 IADD3 R2, R2, 0x1, RZ", "EXIT"};
  Path path = in_order(0, 4);
  path[3].active = 0;
  const auto source = source_of(
      listed_kernel(lines, {1, 1, 1}, {1, 1, 1}, 1, [path](std::uint64_t) { return std::vector<Path>{path}; }));
  std::size_t executed = 0;
  const std::vector<AsyncOperation> operations = operations_of(*source, 0, executed);
  REQUIRE(operations.size() == 1);
  CHECK(operations[0].kind == Kind::kCheck);
}

TEST_CASE("A loop at an unknown barrier stays as recorded") {
  const std::vector<std::string> lines{"LDS R5, [RZ]", "MOV R4, RZ", "SYNCS.PHASECHK.TRANS64.TRYWAIT P0, [R5], R4",
                                       "@!P0 BRA 0x20", "EXIT"};
  const Path path = in_order(0, 3) + Path{{2, kAllLanes}, {3, 0}, {4, kAllLanes}};
  const auto source = source_of(
      listed_kernel(lines, {1, 1, 1}, {1, 1, 1}, 1, [path](std::uint64_t) { return std::vector<Path>{path}; }));
  std::size_t executed = 0;
  CHECK(operations_of(*source, 0, executed).empty());
  CHECK(executed == 7);
  CHECK(source->async_findings()->loops.kept_as_recorded == 1);
}

TEST_CASE("Recorded addresses that contradict followed values are counted") {
  const std::vector<std::string> lines{"UMOV UR5, 0x400", "SYNCS.EXCH.64 URZ, [UR5], UR6", "STS [UR5+0x8], R1",
                                       "STS [UR5+0x10], R1", "EXIT"};
  const ListedKernel kernel =
      listed_kernel(lines, {1, 1, 1}, {1, 1, 1}, 1, [](std::uint64_t) { return std::vector<Path>{in_order(0, 4)}; });
  BlockTrace block = block_of(kernel, 0);
  block.instructions[2].addresses = block.addresses.add_strided(0x408, 0);
  block.instructions[3].addresses = block.addresses.add_strided(0x400, 0);
  const ScalarProgram scalar = make_scalar_program(*kernel.launch.program);
  CHECK(AsyncDecoder(kernel.launch, scalar).decode(block).contradictions == 1);
}

// --- simulated ---

LaunchResult simulated(const ListedKernel& kernel, Counters& counters, bool skip = true) {
  Machine gpu(tiny_config(), {.skip = skip});
  const auto source = source_of(kernel);
  const LaunchResult result = gpu.run(*source);
  counters = counters_of(gpu.stats());
  return result;
}

TEST_CASE("A copy ends the wait of a warp, for any number of recorded checks") {
  Counters few;
  Counters many;
  const LaunchResult once = simulated(copying("0x800", "UTMALDG.1D [UR8], [UR12]", 1, 1), few);
  const LaunchResult often = simulated(copying("0x800", "UTMALDG.1D [UR8], [UR12]", 1, 50), many);
  CHECK(once.elapsed_cycles == often.elapsed_cycles);
  CHECK(few == many);
  CHECK(few.at("sm.sub_core.inst_executed") == 21);
  CHECK(few.at("sm.tma.sectors_in") == 0x800 / 32);
  CHECK(few.at("sm.mbarrier.transaction_bytes") == 0x800);
  CHECK(few.at("sm.mbarrier.waits") == 1);
  CHECK(once.waits_given_up == 0);
}

TEST_CASE("Blocks of a cluster get each other's multicast parts, each read once from L2") {
  Counters counters;
  const ListedKernel kernel = copying("0x800", "UTMALDG.1D.MULTICAST [UR8], [UR12], UR14", 2, 3);
  const LaunchResult result = simulated(kernel, counters);
  CHECK(counters.at("sm.tma.sectors_in") == 2 * 0x400 / 32);
  CHECK(counters.at("sm.mbarrier.transaction_bytes") == 2 * 0x800);
  CHECK(counters.at("sm.mbarrier.phases") == 2);
  CHECK(result.waits_given_up == 0);
  Counters every_cycle;
  CHECK(simulated(kernel, every_cycle, false).elapsed_cycles == result.elapsed_cycles);
  CHECK(every_cycle == counters);
}

TEST_CASE("A wait that nothing can end does not hang the launch") {
  Counters counters;
  const LaunchResult result = simulated(copying("0x800", "NOP", 1, 3), counters);
  CHECK(result.status == LaunchResult::Status::kComplete);
  CHECK(result.waits_given_up == 1);
  CHECK(counters.at("sm.mbarrier.waits_given_up") == 1);
}

}  // namespace
}  // namespace warpsim::test
