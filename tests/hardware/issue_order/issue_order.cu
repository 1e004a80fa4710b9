// Which warps of a sub-core issue first: independent multiply-adds by several warps, whose start and end clocks show each
// warp's share. Prints: scene, kernel, SM, warp slot, block, warp of the block, start and end (cycles of the SM), of two SMs.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x) do { cudaError_t e = (x); if (e != cudaSuccess) { std::fprintf(stderr, "%s\n", cudaGetErrorString(e)); std::exit(1); } } while (0)
struct Row { unsigned sm, slot, block, warp; long long begin, end; };
__global__ void flops(Row* rows, float* out, int rounds) {
  const long long begin = clock64();
  float x[8];
  for (int k = 0; k < 8; ++k) x[k] = threadIdx.x + k;
  for (int i = 0; i < rounds; ++i) {
#pragma unroll
    for (int r = 0; r < 4; ++r)
#pragma unroll
      for (int k = 0; k < 8; ++k) x[k] = fmaf(x[k], 0.999f, 0.5f);
  }
  float t = 0;
  for (int k = 0; k < 8; ++k) t += x[k];
  if (t == 12345.f) *out = t;
  const long long end = clock64();
  if (threadIdx.x % 32 == 0) {
    Row r;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(r.sm));
    asm volatile("mov.u32 %0, %%warpid;" : "=r"(r.slot));
    r.block = blockIdx.x; r.warp = threadIdx.x / 32; r.begin = begin; r.end = end;
    rows[blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32] = r;
  }
}
int main() {
  float* out; CHECK(cudaMalloc(&out, 4));
  cudaStream_t s[3]; for (auto& x : s) CHECK(cudaStreamCreateWithFlags(&x, cudaStreamNonBlocking));
  struct Scene { const char* name; int kernels; int blocks[3]; int threads[3]; int rounds[3]; };
  const Scene scenes[] = {{"one.block", 1, {132}, {256}, {400}}, {"two.blocks", 1, {264}, {256}, {400}}, {"block.of.32", 1, {132}, {1024}, {200}},
    {"two.kernels", 2, {132, 132}, {256, 256}, {600, 600}}, {"two.kernels.128", 2, {132, 132}, {128, 128}, {1000, 1000}},
    {"small.then.large", 2, {132, 132}, {128, 512}, {1000, 300}}, {"large.then.small", 2, {132, 132}, {512, 128}, {400, 600}},
    {"three.kernels", 3, {132, 132, 132}, {256, 256, 256}, {600, 600, 600}}};
  std::printf("scene,kernel,sm,slot,block,warp,begin,end\n");
  for (const Scene& c : scenes) {
    for (int round = 0; round < 3; ++round) {
      std::vector<Row*> rows(c.kernels); std::vector<std::vector<Row>> host(c.kernels);
      for (int k = 0; k < c.kernels; ++k) { host[k].resize(c.blocks[k] * c.threads[k] / 32); CHECK(cudaMalloc(&rows[k], host[k].size() * sizeof(Row))); }
      CHECK(cudaDeviceSynchronize());
      for (int k = 0; k < c.kernels; ++k) flops<<<c.blocks[k], c.threads[k], 0, s[k]>>>(rows[k], out, c.rounds[k]);
      CHECK(cudaDeviceSynchronize());
      for (int k = 0; k < c.kernels; ++k) {
        CHECK(cudaMemcpy(host[k].data(), rows[k], host[k].size() * sizeof(Row), cudaMemcpyDeviceToHost));
        CHECK(cudaFree(rows[k]));
        if (round != 2) continue;
        for (const Row& r : host[k]) if (r.sm == 0 || r.sm == 37) std::printf("%s,%d,%u,%u,%u,%u,%lld,%lld\n", c.name, k, r.sm, r.slot, r.block, r.warp, r.begin, r.end);
      }
    }
  }
}
