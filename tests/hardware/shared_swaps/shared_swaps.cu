// Atomics in shared memory that are loops of compare-and-swap: cycles of sums of floats, doubles and 64-bit integers by warps of
// a block, lanes that take part, and addresses.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ __forceinline__ uint32_t now() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}

constexpr int kRounds = 32;

template <typename T>
__global__ void sums(uint32_t* out, int lanes, int addresses, T value) {
  __shared__ T cells[1024];
  cells[threadIdx.x] = 0;
  __syncthreads();
  const int lane = threadIdx.x % 32;
  T* mine = cells + threadIdx.x % addresses;
  const uint32_t begin = now();
  if (lane < lanes) {
#pragma unroll 1
    for (int i = 0; i < kRounds; ++i) {
      atomicAdd(mine, value);
    }
  }
  __syncwarp();
  const uint32_t end = now();
  if (lane == 0) {
    out[threadIdx.x / 32 * 2] = begin;
    out[threadIdx.x / 32 * 2 + 1] = end + (cells[threadIdx.x] == T(12345));
  }
}

template <typename T>
void run(const char* name, uint32_t* out) {
  for (int warps : {1, 2, 4, 8, 16, 32}) {
    for (int lanes : {1, 4, 32}) {
      for (int addresses : {1, 32, 1024}) {
        if (addresses == 1024 && warps < 32) {
          continue;
        }
        std::vector<uint32_t> host(warps * 2);
        for (int turn = 0; turn < 2; ++turn) {
          sums<T><<<1, warps * 32>>>(out, lanes, addresses, T(1));
          cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);
        }
        if (cudaGetLastError() != cudaSuccess) {
          exit(1);
        }
        uint32_t from = host[0];
        uint32_t to = host[1];
        for (int w = 0; w < warps; ++w) {
          from = host[2 * w] < from ? host[2 * w] : from;
          to = host[2 * w + 1] > to ? host[2 * w + 1] : to;
        }
        printf("%s,%d,%d,%d,%.1f\n", name, warps, lanes, addresses, static_cast<double>(to - from) / kRounds);
      }
    }
  }
}

int main() {
  uint32_t* out = nullptr;
  cudaMalloc(&out, 1 << 12);
  printf("type,warps,lanes,addresses,cycles of a round of all warps\n");
  run<float>("float", out);
  run<double>("double", out);
  run<unsigned long long>("u64", out);
  return 0;
}
