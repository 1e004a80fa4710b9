// Number of sectors that L2 counts for SMs that read the same data at about the same time: all blocks read the same
// memory past L1, each SM begins a number of cycles after the previous one, with one or several warps.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

__device__ __forceinline__ uint4 read_past_l1(const uint4* address) {
  uint4 value;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(address));
  return value;
}

// Dependent: a warp's next load waits for the previous one.
template <bool kDependent>
__global__ void read_all(const uint4* memory, uint32_t* sink, int lines_of_512, int delay) {
  uint32_t sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  const long long begin = clock64();
  while (clock64() - begin < static_cast<long long>(sm) * delay) {
  }
  uint32_t sum = 0;
  for (int i = threadIdx.x / 32; i < lines_of_512; i += blockDim.x / 32) {
    const uint4 value = read_past_l1(memory + i * 32 + threadIdx.x % 32 + (kDependent ? (sum & 1) : 0));
    sum += value.x;  // zeros
  }
  if (sum == 12345) {
    sink[threadIdx.x] = sum;
  }
}

int main() {
  constexpr int kBytes = 1 << 20;
  uint4* memory = nullptr;
  uint32_t* sink = nullptr;
  cudaMalloc(&memory, kBytes + 512);
  cudaMemset(memory, 0, kBytes + 512);
  cudaMalloc(&sink, 4096);
  for (const int warps : {1, 4, 16}) {
    for (const int delay : {0, 4, 16, 64, 256, 1024}) {
      read_all<true><<<132, warps * 32>>>(memory, sink, kBytes / 512, delay);
      read_all<false><<<132, warps * 32>>>(memory, sink, kBytes / 512, delay);
    }
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
