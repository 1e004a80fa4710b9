// When and where blocks start: clock at the start and end of every block of grids that refill SMs many times.
// Prints DATA,test,threads,resident,spin,block,sm,start,end: blocks are placed in order of their number, so their
// SMs show the order in which the chip places blocks; clocks are of the block's own SM.
#include <cstdio>
#include <vector>

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t status = (call);                                                    \
    if (status != cudaSuccess) {                                                          \
      std::fprintf(stderr, "%s: %s\n", #call, cudaGetErrorString(status));                \
      return 1;                                                                           \
    }                                                                                     \
  } while (0)

__device__ __forceinline__ long long now() {
  long long t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}
__device__ __forceinline__ unsigned smid() {
  unsigned s;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(s));
  return s;
}

// `spin`: cycles each warp waits; `jitter`: up to so many more, by block.
__global__ void stamp(long long* start, long long* end, unsigned* sm, int spin, int jitter) {
  const long long t0 = now();
  const long long wait = spin + (jitter > 0 ? (blockIdx.x * 2654435761u >> 8) % jitter : 0);
  while (now() - t0 < wait) {
  }
  if (threadIdx.x == 0) {
    sm[blockIdx.x] = smid();
    start[blockIdx.x] = t0;
    end[blockIdx.x] = now();
  }
}

// Start of each warp.
__global__ void warps(long long* start, unsigned* sm) {
  const long long t0 = now();
  if (threadIdx.x % 32 == 0) {
    start[blockIdx.x * 32 + threadIdx.x / 32] = t0;
    sm[blockIdx.x * 32 + threadIdx.x / 32] = smid();
  }
}

struct Case {
  const char* name;
  int threads;
  int resident;  // 0: as many as fit
  int spin;
  int jitter;
  int blocks;
};

int main() {
  const int most = 132 * 256;
  long long *start, *end;
  unsigned* sm;
  CHECK(cudaMalloc(&start, most * 8));
  CHECK(cudaMalloc(&end, most * 8));
  CHECK(cudaMalloc(&sm, most * 4));
  CHECK(cudaFuncSetAttribute(stamp, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
  std::vector<Case> cases;
  for (int threads : {32, 64, 128, 256, 512, 1024}) {
    cases.push_back({"short", threads, 0, 0, 0, 132 * 64});
  }
  for (int threads : {32, 256, 1024}) {
    cases.push_back({"long_grid", threads, 0, 0, 0, 132 * 128});
    cases.push_back({"spin", threads, 0, 4000, 0, 132 * 64});
    cases.push_back({"jitter", threads, 0, 2000, 4000, 132 * 64});
  }
  for (int resident : {1, 2, 4}) {
    cases.push_back({"few", 32, resident, 0, 0, 132 * 32});
    cases.push_back({"few", 256, resident, 0, 0, 132 * 32});
    cases.push_back({"few_spin", 256, resident, 2000, 0, 132 * 16});
  }
  for (const Case& c : cases) {
    const int bytes = c.resident == 0 ? 0 : 226 * 1024 / c.resident - 1024;
    for (int r = 0; r < 3; ++r) {
      stamp<<<c.blocks, c.threads, bytes>>>(start, end, sm, c.spin, c.jitter);
    }
    CHECK(cudaDeviceSynchronize());
    std::vector<long long> s(c.blocks), e(c.blocks);
    std::vector<unsigned> m(c.blocks);
    CHECK(cudaMemcpy(s.data(), start, c.blocks * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(e.data(), end, c.blocks * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(m.data(), sm, c.blocks * 4, cudaMemcpyDeviceToHost));
    for (int b = 0; b < c.blocks; ++b) {
      std::printf("DATA,%s,%d,%d,%d,%d,%u,%lld,%lld\n", c.name, c.threads, c.resident, c.spin, b, m[b], s[b], e[b]);
    }
  }
  for (int threads : {32, 128, 256, 512, 1024}) {
    const int blocks = 132 * 8;
    CHECK(cudaMemset(sm, 0xff, most * 4));
    for (int r = 0; r < 3; ++r) {
      warps<<<blocks, threads>>>(start, sm);
    }
    CHECK(cudaDeviceSynchronize());
    std::vector<long long> s(blocks * 32);
    std::vector<unsigned> m(blocks * 32);
    CHECK(cudaMemcpy(s.data(), start, s.size() * 8, cudaMemcpyDeviceToHost));
    CHECK(cudaMemcpy(m.data(), sm, m.size() * 4, cudaMemcpyDeviceToHost));
    for (int i = 0; i < blocks * 32; ++i) {
      if (i % 32 < threads / 32) {
        std::printf("DATA,warps,%d,0,0,%d,%u,%lld,%d\n", threads, i / 32, m[i], s[i], i % 32);
      }
    }
  }
  return 0;
}
