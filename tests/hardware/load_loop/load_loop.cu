// Cycles of an iteration of a loop over loads that hit L1 (or shared memory): by number of loads, their width, and what follows.
#include <cstdint>
#include <cstdio>

namespace {

constexpr int kIterations = 256;

template <int kLoads, int kWidth, bool kShared, bool kMoves>
__global__ void loop(const char* memory, long long* cycles, float* sink) {
  extern __shared__ char shared[];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
    reinterpret_cast<float*>(shared)[i] = 0;
  }
  __syncthreads();
  float sum = 0;
  const uint32_t base = static_cast<uint32_t>(__cvta_generic_to_shared(shared)) + threadIdx.x * kWidth;
  long long begin = 0;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    const char* address = memory + threadIdx.x * kWidth;
    uint32_t at = base;
    begin = clock64();
#pragma unroll 1
    for (int i = 0; i < kIterations; ++i) {
      float v[kLoads];
#pragma unroll
      for (int j = 0; j < kLoads; ++j) {
        float b, c, d;
        if (kShared) {
          if (kWidth == 4) {
            asm volatile("ld.shared.f32 %0, [%1];" : "=f"(v[j]) : "r"(at + j * 512));
          } else {
            asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];" : "=f"(v[j]), "=f"(b), "=f"(c), "=f"(d) : "r"(at + j * 512));
            v[j] += b + c + d;
          }
        } else if (kWidth == 4) {
          asm volatile("ld.global.ca.f32 %0, [%1];" : "=f"(v[j]) : "l"(address + j * 512));
        } else if (kWidth == 8) {
          asm volatile("ld.global.ca.v2.f32 {%0, %1}, [%2];" : "=f"(v[j]), "=f"(b) : "l"(address + j * 512));
          v[j] += b;
        } else {
          asm volatile("ld.global.ca.v4.f32 {%0, %1, %2, %3}, [%4];"
                       : "=f"(v[j]), "=f"(b), "=f"(c), "=f"(d)
                       : "l"(address + j * 512));
          v[j] += b + c + d;
        }
      }
#pragma unroll
      for (int j = 0; j < kLoads; ++j) {
        sum += v[j];
      }
      if (kMoves) {
        address += (i & 1) != 0 ? -256 : 256;
        at += (i & 1) != 0 ? -256 : 256;
      }
    }
  }
  const long long end = clock64();
  if (sum == 1.2345f) {
    *sink = sum;
  }
  if (threadIdx.x == 0) {
    *cycles = end - begin;
  }
}

template <int kLoads, int kWidth, bool kShared, bool kMoves>
void run(const char* memory, long long* cycles, float* sink) {
  for (const int warps : {1, 4}) {
    loop<kLoads, kWidth, kShared, kMoves><<<1, warps * 32, 32768>>>(memory, cycles, sink);
    cudaDeviceSynchronize();
    std::printf("%s,%d,%d,%d,%d,%.3f\n", kShared ? "shared" : "L1", kLoads, kWidth, kMoves ? 1 : 0, warps,
                static_cast<double>(*cycles) / kIterations);
  }
}

}  // namespace

int main() {
  char* memory = nullptr;
  long long* cycles = nullptr;
  float* sink = nullptr;
  cudaMalloc(&memory, 65536);
  cudaMemset(memory, 0, 65536);
  cudaMalloc(&sink, 4);
  cudaMallocManaged(&cycles, 8);
  std::printf("from,loads,width,moves,warps,cycles_per_iteration\n");
#define RUN(width, shared)                                   \
  run<1, width, shared, false>(memory, cycles, sink);        \
  run<2, width, shared, false>(memory, cycles, sink);        \
  run<3, width, shared, false>(memory, cycles, sink);        \
  run<4, width, shared, false>(memory, cycles, sink);        \
  run<6, width, shared, false>(memory, cycles, sink);        \
  run<8, width, shared, false>(memory, cycles, sink);        \
  run<1, width, shared, true>(memory, cycles, sink);         \
  run<4, width, shared, true>(memory, cycles, sink);
  RUN(4, false)
  RUN(8, false)
  RUN(16, false)
  RUN(4, true)
  RUN(16, true)
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
