// The rate at which warps of one block issue FMAs of three, two and one different source registers, and chains of
// several lengths: whether registers kept by `.reuse` survive when a sub-core has many warps.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kLoops = 64;
constexpr int kSteps = 16;  // of kChains operations each

enum Kind { kThree, kTwo, kOne, kAdd, kDouble };

template <Kind kKind>
__device__ __forceinline__ void step(float& x, float a, float b) {
  if constexpr (kKind == kThree) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b));
  } else if constexpr (kKind == kTwo) {
    asm volatile("fma.rn.f32 %0, %0, %0, %1;" : "+f"(x) : "f"(b));
  } else if constexpr (kKind == kOne) {
    asm volatile("fma.rn.f32 %0, %0, %0, %0;" : "+f"(x));
  } else if constexpr (kKind == kAdd) {
    asm volatile("add.rn.f32 %0, %0, %1;" : "+f"(x) : "f"(b));
  } else {
    asm volatile("add.rn.f32 %0, %0, %0;" : "+f"(x));
  }
}

template <Kind kKind, int kChains>
__global__ void run(float* io, long long* times) {
  float x[kChains];
  const float a = io[1];
  const float b = io[2];
#pragma unroll
  for (int i = 0; i < kChains; ++i) {
    x[i] = io[threadIdx.x + 3 + i];
  }
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    const long long begin = clock64();
#pragma unroll 1
    for (int loop = 0; loop < kLoops; ++loop) {
#pragma unroll
      for (int k = 0; k < kSteps; ++k) {
#pragma unroll
        for (int i = 0; i < kChains; ++i) {
          step<kKind>(x[i], a, b);
        }
      }
    }
    const long long end = clock64();
    if (threadIdx.x % 32 == 0) {
      times[threadIdx.x / 32 * 2] = begin;
      times[threadIdx.x / 32 * 2 + 1] = end;
    }
  }
  float sum = 0;
#pragma unroll
  for (int i = 0; i < kChains; ++i) {
    sum += x[i];
  }
  io[threadIdx.x] = sum;
}

template <Kind kKind, int kChains>
void measure(const char* name, float* io, long long* times) {
  for (const int warps : {1, 4, 8, 12, 16, 20, 24, 28, 32}) {
    run<kKind, kChains><<<1, warps * 32>>>(io, times);
    std::vector<long long> host(warps * 2);
    cudaMemcpy(host.data(), times, host.size() * sizeof(long long), cudaMemcpyDeviceToHost);
    long long first = host[0], last = host[1], shortest = host[1] - host[0];
    for (int w = 0; w < warps; ++w) {
      first = host[2 * w] < first ? host[2 * w] : first;
      last = host[2 * w + 1] > last ? host[2 * w + 1] : last;
      const long long own = host[2 * w + 1] - host[2 * w];
      shortest = own < shortest ? own : shortest;
    }
    const double lanes = 32.0 * warps * kLoops * kSteps * kChains;
    printf("%s,%d,%d,%.2f,%.3f\n", name, kChains, warps, lanes / static_cast<double>(last - first),
           static_cast<double>(shortest) / static_cast<double>(last - first));
  }
}

int main() {
  float* io = nullptr;
  long long* times = nullptr;
  cudaMalloc(&io, 8192);
  cudaMemset(io, 0, 8192);
  cudaMalloc(&times, 64 * sizeof(long long));
  printf("operation,chains,warps,lanes_per_cycle,shortest_warp_share\n");
  measure<kThree, 4>("fma_xab", io, times);
  measure<kTwo, 4>("fma_xxb", io, times);
  measure<kOne, 4>("fma_xxx", io, times);
  measure<kAdd, 4>("add_xb", io, times);
  measure<kDouble, 4>("add_xx", io, times);
  measure<kThree, 8>("fma_xab", io, times);
  measure<kTwo, 8>("fma_xxb", io, times);
  measure<kOne, 8>("fma_xxx", io, times);
  measure<kThree, 2>("fma_xab", io, times);
  measure<kTwo, 2>("fma_xxb", io, times);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
