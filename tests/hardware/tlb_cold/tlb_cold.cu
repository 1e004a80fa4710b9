// The additional cost of a launch's first accesses to pages compared with later ones: latency of one load after the
// other, kRounds rounds over pages of 2 MiB, each round at another offset in the pages, all cold in the caches.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kPages = 8;
constexpr int kRounds = 4;
constexpr size_t kPageBytes = size_t{2} << 20;

__global__ void touch(uint32_t* out, const char* memory, size_t block_bytes, size_t round_bytes) {
  uint32_t cycles[kRounds * kPages];
  uint32_t chain = 0;
  const char* mine = memory + blockIdx.x * block_bytes;
#pragma unroll
  for (int round = 0; round < kRounds; ++round) {
#pragma unroll
    for (int page = 0; page < kPages; ++page) {
      uint32_t begin, end, value;
      asm volatile("mov.u32 %0, %%clock;" : "=r"(begin)::"memory");
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(mine + page * kPageBytes + round * round_bytes + chain));
      chain += value;  // all zero
      asm volatile("mov.u32 %0, %%clock;" : "=r"(end) : "r"(chain) : "memory");
      cycles[round * kPages + page] = end - begin + chain;
    }
  }
  if (threadIdx.x == 0) {
    for (int i = 0; i < kRounds * kPages; ++i) {
      out[blockIdx.x * kRounds * kPages + i] = cycles[i];
    }
  }
}

int main() {
  constexpr int kBlocks = 132;
  uint32_t* out = nullptr;
  char* memory = nullptr;
  cudaMalloc(&out, kBlocks * kRounds * kPages * 4);
  cudaMalloc(&memory, kPageBytes * (kPages + 2));
  cudaMemset(memory, 0, kPageBytes * (kPages + 2));
  for (int repetition = 0; repetition < 3; ++repetition) {
    for (const int blocks : {1, kBlocks}) {
      touch<<<blocks, 32>>>(out, memory, 4096 + 128, 640 * 1024 + 256);
      std::vector<uint32_t> host(blocks * kRounds * kPages);
      cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);
      if (cudaGetLastError() != cudaSuccess) {
        return 1;
      }
      for (int round = 0; round < kRounds; ++round) {
        printf("%d,%d,%d", repetition, blocks, round);
        for (int page = 0; page < kPages; ++page) {
          double sum = 0;
          for (int block = 0; block < blocks; ++block) {
            sum += host[(block * kRounds + round) * kPages + page];
          }
          printf(",%.0f", sum / blocks);
        }
        printf("\n");
      }
    }
  }
  return 0;
}
