// Speed of straight-line code that is in no cache of an SM: the clock after each 512 bytes of 160 KiB of code, by
// one warp of each block.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kSamples = 320;  // of 32 instructions of 16 bytes each
constexpr int kRounds = 2;     // cold, then warm

#define FMA(i) asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x[i]) : "f"(a), "f"(b));
#define FMA5 FMA(0) FMA(1) FMA(2) FMA(3) FMA(4)
#define FMA10 FMA5 FMA(5) FMA(6) FMA(7) FMA(8) FMA(9)
#define FMA30 FMA10 FMA10 FMA10

template <int kBegin, int kEnd>
__device__ __forceinline__ void run(uint32_t* shared, float (&x)[10], float a, float b) {
  if constexpr (kEnd - kBegin > 1) {
    run<kBegin, (kBegin + kEnd) / 2>(shared, x, a, b);
    run<(kBegin + kEnd) / 2, kEnd>(shared, x, a, b);
  } else {
    FMA30
    uint64_t clock;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
    shared[kBegin] = static_cast<uint32_t>(clock);
  }
}

__global__ void straight(uint32_t* out, float* sink, float a, float b) {
  __shared__ uint32_t samples[kSamples];
  float x[10] = {a, a, a, a, a, a, a, a, a, a};
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    uint64_t begin;
    asm volatile("mov.u64 %0, %%clock64;" : "=l"(begin)::"memory");
    run<0, kSamples>(samples, x, a, b);
    if (threadIdx.x == 0) {
#pragma unroll 1
      for (int i = 0; i < kSamples; ++i) {
        out[(blockIdx.x * kRounds + round) * kSamples + i] = samples[i] - static_cast<uint32_t>(begin);
      }
    }
  }
  float sum = 0;
#pragma unroll
  for (const float value : x) {
    sum += value;
  }
  sink[blockIdx.x] = sum;
}

__global__ void empty() {}

int main() {
  constexpr int kBlocks = 132;
  uint32_t* out = nullptr;
  float* sink = nullptr;
  cudaMalloc(&out, kBlocks * kRounds * kSamples * 4);
  cudaMalloc(&sink, kBlocks * 4);
  for (int repetition = 0; repetition < 2; ++repetition) {
    empty<<<1, 32>>>();
    empty<<<132, 32>>>();
    for (const int blocks : {1, kBlocks}) {
      straight<<<blocks, 32>>>(out, sink, 1.5f, 0.5f);
      std::vector<uint32_t> host(blocks * kRounds * kSamples);
      cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);
      if (cudaGetLastError() != cudaSuccess) {
        return 1;
      }
      for (int round = 0; round < kRounds; ++round) {
        printf("%d,%d,%d", repetition, blocks, round);
        for (int i = 0; i < kSamples; ++i) {
          double sum = 0;
          for (int block = 0; block < blocks; ++block) {
            sum += host[(block * kRounds + round) * kSamples + i];
          }
          printf(",%.0f", sum / blocks);
        }
        printf("\n");
      }
    }
  }
  return 0;
}
