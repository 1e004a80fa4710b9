// What a launch and a block cost beside their instructions.

#include <algorithm>
#include <map>
#include <string>

#include "probe.h"

namespace calibration {
namespace {

constexpr int kLaunches = 32;

// Keeps the GPU busy until the host has queued what follows.
__global__ void hold(long long cycles) {
  const long long start = now();
  while (now() - start < cycles) {
#if __CUDA_ARCH__ >= 700
    __nanosleep(1000);
#endif
  }
}

__device__ __forceinline__ long long nanoseconds() {
  long long time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time)::"memory");
  return time;
}

// Launches in one stream, one after another: a kernel takes `length` multiply-adds.
template <bool kStores>
__global__ void short_kernel(long long* starts, int launch, float* out, int length, float a) {
  if (blockIdx.x == 0 && threadIdx.x == 0) {
    starts[launch] = nanoseconds();
  }
  float x = a;
#pragma unroll 4
  for (int i = 0; i < length; ++i) {
    asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(a));
  }
  if (kStores) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
  }
}

// Microseconds from launch to launch.
template <bool kStores>
double launch_interval(int blocks, int length) {
  const Memory<long long> starts(kLaunches);
  const Memory<float> out(static_cast<std::size_t>(blocks) * 128);
  constexpr long long kHoldCycles = 400000;  // 0.2 to 0.4 ms, some 7 us of the host for each launch
  hold<<<1, 1>>>(kHoldCycles);
  for (int launch = 0; launch < kLaunches; ++launch) {
    short_kernel<kStores><<<blocks, 128>>>(starts.get(), launch, out.get(), length, 0.5F);
  }
  finish();
  const std::vector<long long> host = starts.copy();
  return static_cast<double>(host.back() - host.front()) / (kLaunches - 1) / 1000;
}

struct BlockTime {
  long long start;
  long long end;
  unsigned sm;
};

__global__ void record_blocks(BlockTime* times) {
  const long long start = now();
  if (threadIdx.x == 0) {
    times[blockIdx.x] = {start, now(), sm_of_block()};
  }
}

// Cycles from block to block of an SM, mean of all SMs, after the first quarter of its blocks.
double block_interval(int sms, int threads) {
  constexpr int kBlocksPerSm = 256;
  const int blocks = sms * kBlocksPerSm;
  const Memory<BlockTime> times(blocks);
  record_blocks<<<blocks, threads>>>(times.get());
  finish();
  std::map<unsigned, std::vector<long long>> starts;
  for (const BlockTime& time : times.copy()) {
    starts[time.sm].push_back(time.start);
  }
  std::vector<double> intervals;
  for (auto& [sm, of_sm] : starts) {
    std::sort(of_sm.begin(), of_sm.end());
    const std::size_t first = of_sm.size() / 4;
    intervals.push_back(static_cast<double>(of_sm.back() - of_sm[first]) /
                        static_cast<double>(of_sm.size() - 1 - first));
  }
  return mean(intervals);
}

}  // namespace

void probe_launch(const Device& device, Results& results) {
  results.add("launch.interval.blocks1", "us", launch_interval<false>(1, 16));
  results.add("launch.interval.blocks1.stores", "us", launch_interval<true>(1, 16));
  results.add("launch.interval.all_sms", "us", launch_interval<false>(device.sms, 16));
  results.add("launch.interval.all_sms.stores", "us", launch_interval<true>(device.sms, 16));
  results.add("launch.interval.all_sms.long", "us", launch_interval<true>(device.sms, 2064));
}

void probe_blocks(const Device& device, Results& results) {
  for (const int threads : {32, 256, 1024}) {
    results.add("block.interval.threads" + std::to_string(threads), "cycles", block_interval(device.sms, threads));
  }
}

}  // namespace calibration
