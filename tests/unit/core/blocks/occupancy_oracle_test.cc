// Occupancy compared with NVIDIA's calculator, a header of CUDA toolkits. Built only if CMake finds one.
#include <cuda_occupancy.h>

#include <algorithm>
#include <catch2/catch.hpp>
#include <climits>
#include <random>
#include <string>

#include "config/config_tree.h"
#include "core/blocks/occupancy.h"
#include "core/gpu/gpu_config.h"

namespace warpsim::test {
namespace {

// One GPU of each compute capability that the header knows.
constexpr const char* kGpus[] = {"gtx680",  "tegrak1", "k40",     "k80",  "gtx750ti", "gtx980", "tegrax1",
                                 "p100",    "gtx1080", "tegrax2", "v100", "xavier",   "t4",     "a100",
                                 "rtx3070", "orin",    "rtx4090", "h100", "h200"};

GpuConfig load(const std::string& name) {
  return ConfigTree::load(WARPSIM_SOURCE_DIR "/configs/" + name + ".yaml", {}).read<GpuConfig>();
}

cudaOccDeviceProp properties(const GpuConfig& gpu) {
  const OccupancyConfig& limits = gpu.occupancy;
  cudaOccDeviceProp device;
  device.computeMajor = gpu.compute_capability[0] - '0';
  device.computeMinor = gpu.compute_capability[2] - '0';
  device.maxThreadsPerBlock = static_cast<int>(limits.threads_per_block);
  device.warpSize = 32;
  device.maxThreadsPerMultiprocessor = static_cast<int>(limits.warps_per_sm) * device.warpSize;
  device.regsPerBlock = static_cast<int>(limits.registers_per_block);
  device.regsPerMultiprocessor = static_cast<int>(limits.registers_per_sm);
  device.sharedMemPerBlock = limits.shared_bytes_per_block_default;
  device.sharedMemPerMultiprocessor = limits.carveout_kib.back() * 1024;
  device.numSms = 1;
  device.sharedMemPerBlockOptin = limits.shared_bytes_per_block;
  device.reservedSharedMemPerBlock = limits.shared_reserved_per_block_bytes;
  return device;
}

cudaOccFuncAttributes attributes(const BlockNeeds& needs) {
  cudaOccFuncAttributes function;
  function.maxThreadsPerBlock = INT_MAX;
  function.numRegs = static_cast<int>(needs.registers_per_thread);
  function.shmemLimitConfig = FUNC_SHMEM_LIMIT_OPTIN;
  function.maxDynamicSharedSizeBytes = needs.shared_bytes;
  function.numBlockBarriers = static_cast<int>(needs.barriers);
  return function;
}

cudaOccResult ask(const GpuConfig& gpu, const BlockNeeds& needs, const cudaOccDeviceState& state) {
  const cudaOccDeviceProp device = properties(gpu);
  const cudaOccFuncAttributes function = attributes(needs);
  cudaOccResult result{};
  const cudaOccError error = cudaOccMaxActiveBlocksPerMultiprocessor(
      &result, &device, &function, &state, static_cast<int>(needs.threads), needs.shared_bytes);
  REQUIRE(error == CUDA_OCC_SUCCESS);
  return result;
}

unsigned limiter_bits(const Occupancy& o) {
  unsigned bits = 0;
  for (const OccupancyLimiter limiter : o.limiters) {
    switch (limiter) {
      case OccupancyLimiter::kWarps:
        bits |= OCC_LIMIT_WARPS;
        break;
      case OccupancyLimiter::kRegisters:
        bits |= OCC_LIMIT_REGISTERS;
        break;
      case OccupancyLimiter::kShared:
        bits |= OCC_LIMIT_SHARED_MEMORY;
        break;
      case OccupancyLimiter::kBlocks:
        bits |= OCC_LIMIT_BLOCKS;
        break;
      case OccupancyLimiter::kBarriers:
        bits |= OCC_LIMIT_BARRIERS;
        break;
    }
  }
  return bits;
}

// Launches of all kinds: usual and odd sizes, with and without shared memory, some beyond every limit.
class RandomNeeds {
 public:
  BlockNeeds next(const OccupancyConfig& limits) {
    BlockNeeds needs;
    needs.threads = pick(4) == 0 ? 1 + pick(1100) : 32 * (1 + pick(32));
    needs.registers_per_thread = pick(16) == 0 ? 0 : 1 + pick(limits.registers_per_thread);
    const std::uint32_t most[] = {1, 2048, 16384, limits.shared_bytes_per_block + 2048};
    needs.shared_bytes = pick(most[pick(4)]);
    needs.barriers = pick(4) == 0 ? 1 + pick(16) : 1;
    return needs;
  }
  std::uint32_t pick(std::uint32_t count) { return static_cast<std::uint32_t>(random_() % count); }

 private:
  std::mt19937 random_{1};
};

void compare(const Occupancy& ours, const cudaOccResult& theirs) {
  REQUIRE(ours.blocks_per_sm == static_cast<std::uint32_t>(theirs.activeBlocksPerMultiprocessor));
  const bool by_barriers_alone = ours.limiters == std::vector{OccupancyLimiter::kBarriers};
  // In addition to barriers, the calculator names the next limit, although it is not reached.
  const unsigned others = by_barriers_alone ? unsigned{OCC_LIMIT_BARRIERS} : ~unsigned{OCC_LIMIT_VIRTUAL_RESOURCES};
  REQUIRE(limiter_bits(ours) == (theirs.limitingFactors & others));
  const auto blocks = [](int limit) {
    return limit == INT_MAX ? Occupancy::kNoLimit : static_cast<std::uint32_t>(limit);
  };
  REQUIRE(ours.limit_warps == blocks(theirs.blockLimitWarps));
  REQUIRE(ours.limit_blocks == blocks(theirs.blockLimitBlocks));
  REQUIRE(ours.limit_shared == blocks(theirs.blockLimitSharedMem));
}

TEST_CASE("Occupancy oracle: random launches equal NVIDIA's calculator", "[core][exhaustive]") {
  for (const char* name : kGpus) {
    const GpuConfig gpu = load(name);
    RandomNeeds random;
    for (int i = 0; i < 20000; ++i) {
      const BlockNeeds needs = random.next(gpu.occupancy);
      CAPTURE(name, needs.threads, needs.registers_per_thread, needs.shared_bytes, needs.barriers);
      const Occupancy ours = compute_occupancy(gpu.occupancy, needs, gpu.occupancy.carveout_kib.back());
      const cudaOccResult theirs = ask(gpu, needs, {});
      compare(ours, theirs);
      REQUIRE(ours.shared_bytes_per_block == theirs.allocatedSharedMemPerBlock);
      if (needs.registers_per_thread >= gpu.occupancy.least_registers_per_thread) {
        REQUIRE(ours.registers_per_block == static_cast<std::uint32_t>(theirs.allocatedRegistersPerBlock));
      }
    }
  }
}

TEST_CASE("Occupancy oracle: carve-outs from 7.0 on are rounded up to existing sizes", "[core]") {
  for (const char* name : {"v100", "xavier", "t4", "a100", "rtx3070", "orin", "rtx4090", "h100"}) {
    const GpuConfig gpu = load(name);
    RandomNeeds random;
    for (int i = 0; i < 20000; ++i) {
      const BlockNeeds needs = random.next(gpu.occupancy);
      cudaOccDeviceState state;
      state.carveoutConfig = static_cast<int>(random.pick(101));
      const std::uint32_t bytes =
          static_cast<std::uint32_t>(state.carveoutConfig) * gpu.occupancy.carveout_kib.back() * 1024 / 100;
      CAPTURE(name, needs.threads, needs.registers_per_thread, needs.shared_bytes, state.carveoutConfig);
      const Occupancy ours = compute_occupancy(gpu.occupancy, needs, (bytes + 1023) / 1024);
      if (ours.limit_shared == 0) {
        continue;  // the calculator refuses to answer for some of these
      }
      compare(ours, ask(gpu, needs, state));
    }
  }
}

TEST_CASE("Occupancy oracle: cache preferences of Kepler", "[core]") {
  struct Preference {
    cudaOccCacheConfig word;
    std::size_t size;  // which of the three
  };
  const Preference preferences[] = {{CACHE_PREFER_L1, 0}, {CACHE_PREFER_EQUAL, 1}, {CACHE_PREFER_SHARED, 2}};
  for (const char* name : {"gtx680", "k40", "k80"}) {
    const GpuConfig gpu = load(name);
    RandomNeeds random;
    for (int i = 0; i < 20000; ++i) {
      const BlockNeeds needs = random.next(gpu.occupancy);
      const Preference& preference = preferences[random.pick(3)];
      cudaOccDeviceState state;
      state.cacheConfig = preference.word;
      CAPTURE(name, needs.threads, needs.registers_per_thread, needs.shared_bytes, preference.size);
      compare(compute_occupancy(gpu.occupancy, needs, gpu.occupancy.carveout_kib[preference.size]),
              ask(gpu, needs, state));
    }
  }
}

TEST_CASE("Occupancy oracle: the suggested block size is that of the calculator", "[core]") {
  for (const char* name : kGpus) {
    const GpuConfig gpu = load(name);
    const cudaOccDeviceProp device = properties(gpu);
    RandomNeeds random;
    for (int i = 0; i < 500; ++i) {
      const BlockNeeds needs = random.next(gpu.occupancy);
      const cudaOccFuncAttributes function = attributes(needs);
      const cudaOccDeviceState state;
      int grid = 0;
      int threads = 0;
      REQUIRE(cudaOccMaxPotentialOccupancyBlockSize(&grid, &threads, &device, &function, &state, nullptr,
                                                    needs.shared_bytes) == CUDA_OCC_SUCCESS);
      CAPTURE(name, needs.registers_per_thread, needs.shared_bytes, needs.barriers);
      REQUIRE(suggested_block_threads(gpu.occupancy, needs, gpu.occupancy.carveout_kib.back()) ==
              static_cast<std::uint32_t>(threads));
    }
  }
}

}  // namespace
}  // namespace warpsim::test
