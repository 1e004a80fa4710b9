// The cost of the start of a block: clocks at its first instruction, after the first use of a parameter, after a few
// instructions of two more lines of code, and after a barrier; by threads of a block and blocks of the grid.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kStamps = 4;

__device__ __forceinline__ uint32_t now() {
  uint64_t clock;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(clock)::"memory");
  return static_cast<uint32_t>(clock);
}

__global__ void begin(uint32_t* out, float a, float b) {
  const uint32_t first = now();
  float x = a;
  asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b) : "memory");
  const uint32_t parameter = now();
#pragma unroll
  for (int i = 0; i < 16; ++i) {
    asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(x) : "f"(a), "f"(b) : "memory");
  }
  const uint32_t code = now();
  __syncthreads();
  const uint32_t barrier = now();
  if (threadIdx.x == 0 || x == 12345.0f) {
    uint32_t* mine = out + blockIdx.x * kStamps;
    mine[0] = first;
    mine[1] = parameter;
    mine[2] = code;
    mine[3] = barrier;
  }
}

int main() {
  constexpr int kMostBlocks = 264;
  uint32_t* out = nullptr;
  cudaMalloc(&out, kMostBlocks * kStamps * 4);
  for (int repetition = 0; repetition < 4; ++repetition) {
    for (const int threads : {32, 256, 1024}) {
      for (const int blocks : {1, 8, 66, 132, 264}) {
        begin<<<blocks, threads>>>(out, 1.5f, 0.5f);
        std::vector<uint32_t> host(blocks * kStamps);
        cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);
        if (cudaGetLastError() != cudaSuccess) {
          return 1;
        }
        double mean[kStamps - 1] = {};
        uint32_t most[kStamps - 1] = {};
        for (int block = 0; block < blocks; ++block) {
          for (int i = 1; i < kStamps; ++i) {
            const uint32_t cycles = host[block * kStamps + i] - host[block * kStamps + i - 1];
            mean[i - 1] += static_cast<double>(cycles) / blocks;
            most[i - 1] = cycles > most[i - 1] ? cycles : most[i - 1];
          }
        }
        printf("\nDATA,%d,%d,%d,%.0f,%u,%.0f,%u,%.0f,%u\n", repetition, threads, blocks, mean[0], most[0], mean[1], most[1],
               mean[2], most[2]);
      }
    }
  }
  return 0;
}
