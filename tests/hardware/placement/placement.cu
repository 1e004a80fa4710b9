// The SM of each block of small grids, launched after the GPU was idle or directly after another grid.
#include <cstdio>

__global__ void where(int* sms) {
  if (threadIdx.x == 0) {
    int sm;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    sms[blockIdx.x] = sm;
  }
  const long long begin = clock64();
  while (clock64() - begin < 20000) {
  }
}

int main() {
  int* sms = nullptr;
  cudaMallocManaged(&sms, 4096 * sizeof(int));
  std::printf("after,threads,blocks,repeat,sms\n");
  for (const bool idle : {true, false}) {
    for (const int threads : {32, 256, 1024}) {
      for (const int blocks : {1, 2, 4, 6, 8, 12, 16, 24, 33, 48, 66, 99, 132, 160}) {
        for (int repeat = 0; repeat < 3; ++repeat) {
          if (!idle) {
            where<<<132, 1024>>>(sms + 2048);
          }
          where<<<blocks, threads>>>(sms);
          cudaDeviceSynchronize();
          std::printf("%s,%d,%d,%d,", idle ? "idle" : "grid", threads, blocks, repeat);
          for (int block = 0; block < blocks; ++block) {
            std::printf("%d%c", sms[block], block + 1 < blocks ? ' ' : '\n');
          }
        }
      }
    }
  }
  return 0;
}
