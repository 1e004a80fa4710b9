// The order in which blocks issue after one has ended and another one has taken its place, with and without yield flags in the
// loop, and the order of a block's warps in slots with gaps. A block's work depends on its number on its SM. Prints: scene, SM,
// number of the block on it, slot, warp of the block, start and end (cycles), of two SMs.
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
struct Row { unsigned sm, number, slot, warp; long long begin, end; };
struct Work { int rounds[18]; };  // by number of the block; below 0: sleep
template <bool kYields> __global__ void run(Row* rows, unsigned* counts, float a, float b, Work work) {
  __shared__ unsigned number;
  unsigned sm, slot;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  asm volatile("mov.u32 %0, %%warpid;" : "=r"(slot));
  if (threadIdx.x == 0) number = atomicAdd(&counts[sm], 1);
  __syncthreads();
  const int rounds = work.rounds[number];
  const long long begin = clock64();
  for (int i = rounds; i < 0; ++i) __nanosleep(1000);
  float x[8], t = 0;
  for (int k = 0; k < 8; ++k) x[k] = threadIdx.x + k;
#pragma unroll 1
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int r = 0; r < 128; ++r) {
      float& y = x[r % 8];
      if (kYields) y = fmaf(y, 0.999f, 0.5f);  // the compiler places the loop's counter, with yield flags, before them
      else asm volatile("fma.rn.f32 %0, %0, %1, %2;" : "+f"(y) : "f"(a), "f"(b));  // among them, without flags
    }
  }
  for (int k = 0; k < 8; ++k) t += x[k];
  if (t == 12345.f) *counts = 0;
  const long long end = clock64();
  if (threadIdx.x % 32 == 0) rows[(blockIdx.x * blockDim.x + threadIdx.x) / 32] = {sm, number, slot, threadIdx.x / 32, begin, end};
}
struct Part { int blocks, threads, bytes; };
Row* rows[2];
unsigned* counts;
cudaStream_t streams[2];
template <bool kYields> void scene(const char* name, Work work, std::vector<Part> parts) {
  cudaFuncSetAttribute(run<kYields>, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 << 10);
  for (int round = 0; round < 3; ++round) {
    cudaMemset(counts, 0, 1024);
    cudaDeviceSynchronize();
    for (unsigned k = 0; k < parts.size(); ++k) run<kYields><<<parts[k].blocks, parts[k].threads, parts[k].bytes, streams[k]>>>(rows[k], counts, 0.999f, 0.5f, work);
    if (cudaDeviceSynchronize() != cudaSuccess) printf("failed\n");
  }
  for (unsigned k = 0; k < parts.size(); ++k) {
    std::vector<Row> host(parts[k].blocks * parts[k].threads / 32);
    cudaMemcpy(host.data(), rows[k], host.size() * sizeof(Row), cudaMemcpyDeviceToHost);
    for (const Row& r : host) if (r.sm == 0 || r.sm == 37) printf("%s.%s,%u,%u,%u,%u,%lld,%lld\n", name, kYields ? "yields" : "none", r.sm, r.number, r.slot, r.warp, r.begin, r.end);
  }
}
template <bool kYields> void scenes() {
  const int n = 300, m = 30;
  scene<kYields>("one.warp.each", {{n, n}}, {{264, 128, 100 << 10}});
  scene<kYields>("two.warps.each", {{n, n}}, {{264, 256, 100 << 10}});
  scene<kYields>("three.blocks", {{n, n, n}}, {{396, 256, 70 << 10}});
  scene<kYields>("replaced", {{m, n, n, 1}}, {{396, 256, 100 << 10}});
  scene<kYields>("middle.replaced", {{n, m, n, n, 1}}, {{528, 256, 70 << 10}});
  // Sixteen blocks fill all slots; every second one ends, the others sleep. Then blocks of 16 warps come.
  scene<kYields>("gaps", {{m, -99, m, -99, m, -99, m, -99, m, -99, m, -99, m, -99, m, -99, n, n}}, {{2112, 128, 0}, {264, 512, 0}});
}
int main() {
  for (int k = 0; k < 2; ++k) { cudaStreamCreateWithFlags(&streams[k], cudaStreamNonBlocking); cudaMalloc(&rows[k], 1 << 20); }
  cudaMalloc(&counts, 1024);
  printf("scene,sm,number,slot,warp,begin,end\n");
  scenes<true>();
  scenes<false>();
}
