// The guides' matrix products, from global memory and in tiles of shared memory, as kernels on a GPU of each
// generation. Names state the source of each example: [000] CUDA C programming guide 8.0, [002] guide 4.2, [003] notes
// on guide 12.
#include <catch2/catch.hpp>

#include "core/machine/machine.h"
#include "generations/throughput.h"
#include "support/machine.h"

namespace warpsim::generations {
namespace {

using test::KernelBuilder;

constexpr Address kA = 0x1000000;
constexpr Address kB = 0x2000000;
constexpr Address kC = 0x3000000;
constexpr std::uint32_t kTile = 16;  // BLOCK_SIZE of the guides
constexpr std::uint32_t kWarpsPerBlock = kTile * kTile / kWarpSize;
constexpr Address kTileOfB = Address{4} * kTile * kTile;  // offset in shared memory
constexpr std::uint32_t kSharedBytes = 2 * kTileOfB;

// C = A B: A is `rows` by `inner`, B `inner` by `columns`. A thread computes an element, a block a tile of C.
struct Product {
  std::uint32_t rows = 0;
  std::uint32_t inner = 0;
  std::uint32_t columns = 0;

  constexpr std::uint32_t blocks() const { return rows / kTile * (columns / kTile); }
  // Row and column of C of a lane.
  Address row(std::uint64_t block, std::uint32_t warp, std::uint32_t lane) const {
    return block / (columns / kTile) * kTile + (warp * kWarpSize + lane) / kTile;
  }
  Address column(std::uint64_t block, std::uint32_t lane) const {
    return block % (columns / kTile) * kTile + lane % kTile;
  }
};

test::Addresses result_of(const Product& p) {
  return {.of = [p](std::uint64_t block, std::uint32_t warp, std::uint32_t, std::uint32_t lane) {
    return kC + 4 * (p.row(block, warp, lane) * p.columns + p.column(block, lane));
  }};
}

std::string multiply_add(const Capability& capability) {
  return capability.architecture < 20 ? "FMAD" : "FFMA";
}

// A thread reads its row of A and its column of B.
void write_naive(KernelBuilder& k, const Product& p, const Capability& capability) {
  k.loop(p.inner, [&] {
    k.ldg(4, {.of = [p](std::uint64_t block, std::uint32_t warp, std::uint32_t step, std::uint32_t lane) {
            return kA + 4 * (p.row(block, warp, lane) * p.inner + step);
          }});
    k.ldg(5, {.of = [p](std::uint64_t block, std::uint32_t, std::uint32_t step, std::uint32_t lane) {
            return kB + 4 * (Address{step} * p.columns + p.column(block, lane));
          }});
    k.op(multiply_add(capability), 6, {4, 5, 6});
  });
  k.stg(result_of(p), 6);
  k.exit();
}

// A block copies a tile of each to shared memory, a thread one element of each.
void write_tiled(KernelBuilder& k, const Product& p, const Capability& capability) {
  const auto own_word = [](Address base) {
    return test::Addresses{.base = base, .warp_stride = std::int64_t{4} * kWarpSize};
  };
  k.loop(p.inner / kTile, [&] {
    k.ldg(4, {.of = [p](std::uint64_t block, std::uint32_t warp, std::uint32_t step, std::uint32_t lane) {
            return kA + 4 * (p.row(block, warp, lane) * p.inner + Address{step} * kTile + lane % kTile);
          }});
    k.ldg(5, {.of = [p](std::uint64_t block, std::uint32_t warp, std::uint32_t step, std::uint32_t lane) {
            const Address row = Address{step} * kTile + (warp * kWarpSize + lane) / kTile;
            return kB + 4 * (row * p.columns + p.column(block, lane));
          }});
    k.sts(own_word(0), 4);
    k.sts(own_word(kTileOfB), 5);
    k.op("BAR.SYNC");
    k.loop(kTile, [&] {
      k.lds(7, {.of = [](std::uint64_t, std::uint32_t warp, std::uint32_t step, std::uint32_t lane) {
              return 4 * ((warp * kWarpSize + lane) / kTile * kTile + Address{step});
            }});
      k.lds(8, {.of = [](std::uint64_t, std::uint32_t, std::uint32_t step, std::uint32_t lane) {
              return kTileOfB + 4 * (Address{step} * kTile + lane % kTile);
            }});
      k.op(multiply_add(capability), 6, {7, 8, 6});
    });
    k.op("BAR.SYNC");
  });
  k.stg(result_of(p), 6);
  k.exit();
}

struct Traffic {
  std::uint64_t blocks = 0;
  std::uint64_t thread_loads = 0;  // of elements in global memory
  std::uint64_t load_bytes = 0;    // that threads requested
  std::uint64_t barriers = 0;      // of blocks
  std::uint64_t barrier_warps = 0;
  std::uint64_t shared_conflicts = 0;
  std::uint64_t multiply_adds = 0;  // of threads
  Cycle cycles = 0;
};

enum class Version : std::uint8_t { kNaive, kTiled };

// Of the first `blocks` blocks (0: all).
Traffic traffic_of(Version version, const Product& p, const Capability& capability, std::uint32_t blocks = 0) {
  KernelBuilder k(KernelBuilder::Dependences::kScoreboard, capability.architecture);
  const bool naive = version == Version::kNaive;
  (naive ? write_naive : write_tiled)(k, p, capability);
  blocks = blocks == 0 ? p.blocks() : blocks;
  test::SyntheticKernel kernel(
      k, {.blocks = blocks, .warps = kWarpsPerBlock, .registers = 10, .shared_bytes = naive ? 0 : kSharedBytes});
  Machine gpu(gpu_of(capability), {});
  const test::KernelRun run = test::run_on(gpu, kernel);

  std::uint64_t multiply_adds = 0;
  const StaticProgram& program = *k.program();
  for (std::uint32_t warp = 0; warp < blocks * kWarpsPerBlock; ++warp) {
    for (const std::uint32_t index : kernel.warp(warp % kWarpsPerBlock, warp / kWarpsPerBlock).instructions) {
      multiply_adds += program.opcodes[program.instructions[index].opcode] == multiply_add(capability) ? kWarpSize : 0;
    }
  }
  return {.blocks = blocks,
          .thread_loads = run["sm.lsu.global_load_requests"] * kWarpSize,
          .load_bytes = run["sm.lsu.bytes_requested"] - std::uint64_t{blocks} * kTile * kTile * 4,
          .barriers = run["sm.barriers.releases"],
          .barrier_warps = run["sm.barriers.arrivals"],
          .shared_conflicts = run["sm.lsu.shared_load_conflicts"] + run["sm.lsu.shared_store_conflicts"],
          .multiply_adds = multiply_adds,
          .cycles = run.result.elapsed_cycles};
}

// A GPU of every generation.
std::vector<Capability> generations() {
  std::vector<Capability> result;
  for (const Capability& capability : capabilities()) {
    for (const char* const name : {"1.0", "1.3", "2.0", "3.5", "5.2", "6.1", "7.0", "8.0", "9.0"}) {
      if (capability.name == name) {
        result.push_back(capability);
      }
    }
  }
  REQUIRE(result.size() == 9);
  return result;
}

TEST_CASE("M1, [000] and [002] 3.2.3: from global memory A is read B.width times, B A.height times") {
  constexpr Product p{32, 16, 64};
  for (const Capability& capability : generations()) {
    INFO(capability.name);
    const Traffic traffic = traffic_of(Version::kNaive, p, capability);
    CHECK(traffic.thread_loads == p.rows * p.inner * p.columns + p.inner * p.columns * p.rows);
    CHECK(traffic.barriers == 0);
  }
}

TEST_CASE("M2, [000] and [002] 3.2.3: in tiles A is read B.width / 16 times, B A.height / 16 times") {
  constexpr Product p{32, 16, 64};
  for (const Capability& capability : generations()) {
    INFO(capability.name);
    const Traffic traffic = traffic_of(Version::kTiled, p, capability);
    const std::uint32_t of_a = p.rows * p.inner * (p.columns / kTile);
    const std::uint32_t of_b = p.inner * p.columns * (p.rows / kTile);
    CHECK(traffic.thread_loads == of_a + of_b);
  }
}

TEST_CASE("M3 and M4, [000] and [002] 3.2.3: 64 by 64 by 64 in tiles of 16 loads a sixteenth, without conflicts") {
  constexpr Product p{64, 64, 64};
  for (const Capability& capability : generations()) {
    INFO(capability.name);
    const Traffic naive = traffic_of(Version::kNaive, p, capability);
    const Traffic tiled = traffic_of(Version::kTiled, p, capability);
    CHECK(naive.thread_loads == 524288);
    CHECK(naive.load_bytes == 2 * 1024 * 1024);
    CHECK(tiled.blocks == 16);
    CHECK(tiled.thread_loads == 32768);
    CHECK(tiled.load_bytes == 128 * 1024);
    CHECK(tiled.barriers == 16 * 8);
    CHECK(tiled.barrier_warps == 16 * 8 * kWarpsPerBlock);
    CHECK(tiled.shared_conflicts == 0);
    CHECK(naive.multiply_adds == tiled.multiply_adds);
  }
}

TEST_CASE("G42 and G43, [003] 2.2: a product of 1024 in tiles of 16 loads 2^27 elements instead of 2^31") {
  constexpr Product p{1024, 1024, 1024};
  static_assert(p.blocks() == 4096);
  static_assert(kSharedBytes == 2048);
  // One block of the 4096, which are all equal.
  const Capability hopper = generations().back();
  const Traffic naive = traffic_of(Version::kNaive, p, hopper, 1);
  const Traffic tiled = traffic_of(Version::kTiled, p, hopper, 1);
  CHECK(naive.thread_loads * p.blocks() == std::uint64_t{1} << 31U);
  CHECK(tiled.thread_loads * p.blocks() == std::uint64_t{1} << 27U);
  CHECK(tiled.barriers == 128);
  CHECK(tiled.multiply_adds * p.blocks() == std::uint64_t{1} << 30U);
  // [003] also has times of an unnamed GPU, 3.84 against 2.79 ms: only their order is used.
  CHECK(tiled.cycles < naive.cycles);
}

}  // namespace
}  // namespace warpsim::generations
