// Ring all-reduce with stores to the next GPU's memory; times of the whole by size.
#include <cuda_runtime.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <vector>
#define CHECK(x)                                                             \
  do {                                                                       \
    cudaError_t e_ = (x);                                                    \
    if (e_ != cudaSuccess) {                                                 \
      std::printf("error: line %d: %s\n", __LINE__, cudaGetErrorString(e_)); \
      std::exit(1);                                                          \
    }                                                                        \
  } while (0)
constexpr int kMost = 8;
struct Rank {
  float* data;
  float* inbox;
  volatile unsigned* flag;
  float* next_inbox;
  volatile unsigned* next_flag;
  unsigned long long* ns;
};
__device__ inline unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}
// Block b moves its share of each chunk and has a flag of its own.
__global__ void ring(Rank r, int rank, int ranks, int n, unsigned epoch) {
  const int chunk = n / ranks, share = chunk / gridDim.x, lo = blockIdx.x * share;
  const unsigned long long start = now();
  unsigned step = 0;
  for (int phase = 0; phase < 2; ++phase)
    for (int s = 0; s < ranks - 1; ++s, ++step) {
      const int out = (rank - s + (phase ? 1 : 0) + 2 * ranks) % ranks, in = (out - 1 + ranks) % ranks;
      float* to = r.next_inbox + (step & 1) * (size_t)n + out * chunk + lo;
      for (int i = threadIdx.x; i < share / 4; i += blockDim.x)
        ((float4*)to)[i] = ((float4*)(r.data + out * chunk + lo))[i];
      __threadfence_system();
      __syncthreads();
      if (threadIdx.x == 0) {
        r.next_flag[blockIdx.x * 32] = epoch + step + 1;
        while (r.flag[blockIdx.x * 32] < epoch + step + 1) {
        }
        __threadfence_system();
      }
      __syncthreads();
      const float* from = r.inbox + (step & 1) * (size_t)n + in * chunk + lo;
      for (int i = threadIdx.x; i < share / 4; i += blockDim.x) {
        float4 v = __ldcv((const float4*)from + i), *d = (float4*)(r.data + in * chunk + lo) + i;
        if (phase == 0) {
          const float4 o = *d;
          v.x += o.x;
          v.y += o.y;
          v.z += o.z;
          v.w += o.w;
        }
        *d = v;
      }
      __syncthreads();
    }
  if (threadIdx.x == 0)
    atomicMax(r.ns, now() - start);
}
int main() {
  int ranks = 0;
  CHECK(cudaGetDeviceCount(&ranks));
  ranks = std::min(ranks, kMost);
  if (ranks < 2) {
    std::printf("needs two GPUs\n");
    return 0;
  }
  const int most = 4 << 20;
  Rank r[kMost];
  cudaStream_t s[kMost];
  for (int d = 0; d < ranks; ++d) {
    CHECK(cudaSetDevice(d));
    for (int e = 0; e < ranks; ++e)
      if (e != d)
        CHECK(cudaDeviceEnablePeerAccess(e, 0));
    CHECK(cudaStreamCreate(&s[d]));
    CHECK(cudaMalloc(&r[d].data, most * 4));
    CHECK(cudaMalloc(&r[d].inbox, most * 8));
    CHECK(cudaMalloc((void**)&r[d].flag, 65536));
    CHECK(cudaMemset((void*)r[d].flag, 0, 65536));
    CHECK(cudaMalloc(&r[d].ns, 8));
  }
  for (int d = 0; d < ranks; ++d) {
    r[d].next_inbox = r[(d + 1) % ranks].inbox;
    r[d].next_flag = r[(d + 1) % ranks].flag;
  }
  unsigned epoch = 0;
  const int rounds = std::getenv("WHOLE_ROUNDS") ? std::atoi(std::getenv("WHOLE_ROUNDS")) : 9;
  const int sizes[] = {4096, 65536, 1 << 20, 4 << 20};
  for (int n : sizes)
    for (int blocks : {8, 32}) {
      if (n > (1 << 20) && rounds == 1)
        continue;
      std::vector<double> us;
      for (int k = 0; k < rounds; ++k) {
        std::vector<float> host(n);
        for (int d = 0; d < ranks; ++d) {
          CHECK(cudaSetDevice(d));
          for (int i = 0; i < n; ++i)
            host[i] = d + 1 + (i & 7);
          CHECK(cudaMemcpy(r[d].data, host.data(), n * 4, cudaMemcpyHostToDevice));
          CHECK(cudaMemset(r[d].ns, 0, 8));
        }
        for (int d = 0; d < ranks; ++d) {
          CHECK(cudaSetDevice(d));
          CHECK(cudaDeviceSynchronize());
        }
        for (int d = 0; d < ranks; ++d) {
          CHECK(cudaSetDevice(d));
          ring<<<blocks, 256, 0, s[d]>>>(r[d], d, ranks, n, epoch);
          CHECK(cudaGetLastError());
        }
        unsigned long long least = ~0ull, ns;
        for (int d = 0; d < ranks; ++d) {
          CHECK(cudaSetDevice(d));
          CHECK(cudaStreamSynchronize(s[d]));
          CHECK(cudaMemcpy(&ns, r[d].ns, 8, cudaMemcpyDeviceToHost));
          least = std::min(least, ns);
        }
        us.push_back(least * 1e-3);
        epoch += 2 * (ranks - 1);
        for (int d = 0; d < ranks; ++d) {
          CHECK(cudaSetDevice(d));
          CHECK(cudaMemcpy(host.data(), r[d].data, n * 4, cudaMemcpyDeviceToHost));
          for (int i = 0; i < n; ++i) {
            const float want = ranks * (ranks + 1) / 2 + ranks * (i & 7);
            if (host[i] != want) {
              std::printf("wrong: rank %d element %d: %g, expected %g\n", d, i, host[i], want);
              return 1;
            }
          }
        }
      }
      std::sort(us.begin(), us.end());
      std::printf("ring,%d_ranks.%d_bytes.%d_blocks,%.2f,us\n", ranks, n * 4, blocks, us[us.size() / 2]);
    }
  return 0;
}
