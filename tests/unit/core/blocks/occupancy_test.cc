#include "core/blocks/occupancy.h"

#include <algorithm>
#include <catch2/catch.hpp>

#include "unit/core/h200_limits.h"

namespace warpsim {
namespace {

struct Measured {
  std::uint32_t threads, registers, shared_bytes;                          // of the kernel
  std::uint32_t limit_warps, limit_blocks, limit_registers, limit_shared;  // launch__occupancy_limit_*
  std::uint32_t carveout_bytes;                                            // launch__shared_mem_config_size
};

// Every distinct combination among 144 launches measured on an H200 with Nsight Compute.
constexpr Measured kMeasured[] = {
    {32, 16, 0, 64, 32, 128, 32, 32768},      // launches 0 and 12 more
    {32, 22, 0, 64, 32, 84, 32, 32768},       // ptrchase 0 and 2 more
    {64, 16, 4096, 32, 32, 64, 32, 167936},   // contention 4
    {64, 32, 1024, 32, 32, 32, 32, 65536},    // nbody 0
    {64, 123, 4096, 32, 32, 8, 20, 102400},   // sgemm_reg 0
    {128, 16, 0, 16, 32, 32, 32, 32768},      // contention 7 and 15 more
    {128, 20, 0, 16, 32, 21, 32, 32768},      // launches 65 and 2 more
    {128, 21, 0, 16, 32, 21, 32, 32768},      // blackscholes 0
    {128, 32, 0, 16, 32, 16, 32, 32768},      // softmax 0 and 6 more
    {128, 39, 24, 16, 32, 12, 28, 32768},     // pytorch 1
    {128, 40, 0, 16, 32, 12, 32, 32768},      // wmma_gemm 0
    {128, 48, 0, 16, 32, 10, 32, 32768},      // pytorch 2
    {128, 102, 0, 16, 32, 4, 32, 32768},      // launches 67 and 2 more
    {256, 8, 0, 8, 32, 16, 32, 32768},        // bigwrite 2: a thread gets no fewer than 16 registers
    {256, 16, 0, 8, 32, 16, 32, 32768},       // bfs 0 and 30 more
    {256, 16, 32, 8, 32, 16, 28, 32768},      // reduce_shfl 0
    {256, 16, 1024, 8, 32, 16, 16, 32768},    // hist_shared 0 and 2 more
    {256, 16, 2048, 8, 32, 16, 21, 65536},    // scan 1
    {256, 16, 4096, 8, 32, 16, 20, 102400},   // contention 5
    {256, 17, 0, 8, 32, 10, 32, 32768},       // mandelbrot 0
    {256, 19, 2048, 8, 32, 10, 21, 65536},    // scan 0
    {256, 20, 0, 8, 32, 10, 32, 32768},       // transpose 0
    {256, 22, 0, 8, 32, 10, 32, 32768},       // contention 0 and 3 more
    {256, 24, 0, 8, 32, 10, 32, 32768},       // saxpy 0
    {256, 27, 16384, 8, 32, 8, 9, 167936},    // contention 10 and 5 more
    {256, 28, 4096, 8, 32, 8, 20, 102400},    // transpose 1
    {256, 28, 4224, 8, 32, 8, 19, 102400},    // transpose 2
    {256, 30, 0, 8, 32, 8, 32, 32768},        // dp4a_dot 0
    {256, 31, 32, 8, 32, 8, 28, 32768},       // layernorm 0
    {256, 32, 0, 8, 32, 8, 32, 32768},        // conv2d 0 and 1 more
    {256, 32, 2048, 8, 32, 8, 21, 65536},     // matmul_shared 0
    {256, 32, 4096, 8, 32, 8, 20, 102400},    // fp64 1
    {256, 63, 18432, 8, 32, 4, 6, 135168},    // cpasync_gemm 0
    {384, 168, 231868, 5, 32, 1, 1, 233472},  // pytorch 0
    {512, 16, 0, 4, 32, 8, 16, 16384},        // bigwrite 0 and 14 more
    {512, 32, 2064, 4, 32, 4, 10, 32768},     // pytorch 4
    {512, 32, 4096, 4, 32, 4, 12, 65536},     // bitonic 0
    {1024, 16, 0, 2, 32, 4, 8, 8192},         // launches 52 and 12 more
    {1024, 16, 4096, 2, 32, 4, 3, 16384},     // contention 6
};

TEST_CASE("Occupancy: limits and carve-out equal those that an H200 reports", "[core]") {
  for (const Measured& m : kMeasured) {
    CAPTURE(m.threads, m.registers, m.shared_bytes);
    const Occupancy o = compute_occupancy(test::h200_occupancy(), {m.threads, m.registers, m.shared_bytes});
    CHECK(o.limit_warps == m.limit_warps);
    CHECK(o.limit_blocks == m.limit_blocks);
    CHECK(o.limit_registers == m.limit_registers);
    CHECK(o.limit_shared == m.limit_shared);
    CHECK(o.carveout_bytes == m.carveout_bytes);
    CHECK(o.l1_bytes == 262144 - m.carveout_bytes);
    CHECK(o.blocks_per_sm == std::min({m.limit_warps, m.limit_blocks, m.limit_registers, m.limit_shared}));
    CHECK(o.reason.empty());
  }
}

TEST_CASE("Occupancy: registers are counted per sub-partition", "[core]") {
  // 255 registers round up to 8192 per warp: two warps fit into each of the four files of 16384.
  const Occupancy o = compute_occupancy(test::h200_occupancy(), {96, 255, 0});
  CHECK(o.registers_per_warp == 8192);
  CHECK(o.limit_registers == 2);  // eight warps, three per block
  CHECK(o.limiters == std::vector{OccupancyLimiter::kRegisters});
}

TEST_CASE("Occupancy: theoretical occupancy is the share of warp slots in use", "[core]") {
  const OccupancyConfig config = test::h200_occupancy();
  const Occupancy o = compute_occupancy(config, {256, 63, 18432});
  CHECK(o.blocks_per_sm == 4);
  CHECK(o.theoretical(config) == Approx(0.5));
}

TEST_CASE("Occupancy: a kernel that cannot run gets no blocks and a reason that names the limit", "[core]") {
  const OccupancyConfig config = test::h200_occupancy();
  struct Case {
    std::uint32_t threads, registers, shared_bytes;
    const char* reason;
  };
  const Case cases[] = {
      {1056, 16, 0, "a block of 1056 threads exceeds the 1024 that the GPU allows"},
      {0, 16, 0, "a block has no threads"},
      {32, 256, 0, "256 registers per thread exceed the 255 that the GPU allows"},
      {1024, 65, 0, "a block of 1024 threads with 65 registers each needs 73728 registers, the GPU allows 65536"},
      {32, 16, 232449, "232449 bytes of shared memory per block exceed the 232448 that the GPU allows"},
  };
  for (const Case& c : cases) {
    const Occupancy o = compute_occupancy(config, {c.threads, c.registers, c.shared_bytes});
    CHECK(o.blocks_per_sm == 0);
    CHECK(o.reason == c.reason);
  }
  CHECK(compute_occupancy(config, {1024, 64, 232448}).blocks_per_sm == 1);
}

TEST_CASE("Occupancy: the other carve-out policies take the minimum and the maximum", "[core]") {
  OccupancyConfig config = test::h200_occupancy();
  config.carveout_policy = CarveoutPolicy::kMinimum;
  CHECK(compute_occupancy(config, {256, 32, 4096}).carveout_bytes == 64 * 1024);  // 8 blocks of 5 KiB
  config.carveout_policy = CarveoutPolicy::kMaximum;
  CHECK(compute_occupancy(config, {256, 32, 4096}).carveout_bytes == 228 * 1024);
}

}  // namespace
}  // namespace warpsim
