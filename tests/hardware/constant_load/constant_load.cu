// Service of constant loads of many warps: cycles from a warp's first LDC (or ULDC) to the use of its last, for
// words of kernel parameters `stride` words apart that are read independently of each other, cold and then again.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

struct Parameters {
  uint32_t word[16 * 40];
};

__device__ __forceinline__ uint32_t now() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}

template <int kLoads>
__device__ __forceinline__ uint32_t pass(const Parameters& parameters, int first, int stride, uint32_t* begin,
                                         uint32_t* issued) {
  uint32_t values[kLoads];
  *begin = now();
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    values[i] = parameters.word[first + i * stride];
  }
  *issued = now();
  uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < kLoads; ++i) {
    sum += values[i];
  }
  return sum;
}

// `lanes` is 0; times the thread's number it prevents ULDC.
template <int kLoads, bool kUniform>
__global__ void loads(uint32_t* out, int first, int stride, int lanes, const __grid_constant__ Parameters parameters) {
  uint32_t begin[3], issued[3], end[3], sum = 0;
  if (!kUniform) {
    first += threadIdx.x * lanes;
  }
  for (int round = 0; round < 3; ++round) {
    sum += pass<kLoads>(parameters, first + (sum & 0x40000000), stride, &begin[round], &issued[round]);
    asm volatile("" ::"r"(sum) : "memory");
    end[round] = now() + (sum & 0x40000000);
    __syncthreads();
  }
  if (threadIdx.x % 32 == 0) {
    for (int round = 0; round < 3; ++round) {
      uint32_t* mine = out + (threadIdx.x / 32) * 9 + round * 3;
      mine[0] = begin[round];
      mine[1] = issued[round];
      mine[2] = end[round];
    }
  }
}

template <int kLoads, bool kUniform>
void run(int warps, int stride) {
  static uint32_t* out = nullptr;
  if (out == nullptr) {
    cudaMalloc(&out, 1 << 16);
  }
  Parameters parameters = {};
  loads<kLoads, kUniform><<<1, 32 * warps>>>(out, 16, stride, 0, parameters);
  std::vector<uint32_t> host(warps * 9);
  cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);
  if (cudaGetLastError() != cudaSuccess) {
    std::exit(1);
  }
  for (int round = 0; round < 3; ++round) {
    uint32_t first = 0xffffffff, last = 0;
    double latency = 0, issue = 0;
    for (int w = 0; w < warps; ++w) {
      const uint32_t* mine = host.data() + w * 9 + round * 3;
      first = mine[0] < first ? mine[0] : first;
      last = mine[2] > last ? mine[2] : last;
      latency += mine[2] - mine[0];
      issue += mine[1] - mine[0];
    }
    printf("%s,%d,%d,%d,%d,%.1f,%.1f,%u", kUniform ? "uldc" : "ldc", kLoads, stride, warps, round, issue / warps, latency / warps, last - first);
    for (int w = 0; w < warps && w < 32; ++w) {
      printf(",%u:%u", host[w * 9 + round * 3] - first, host[w * 9 + round * 3 + 2] - first);
    }
    printf("\n");
  }
}

int main() {
  for (int repetition = 0; repetition < 2; ++repetition) {
    for (const int warps : {1, 4, 8, 32}) {
      for (const int stride : {1, 16}) {
        run<1, false>(warps, stride);
        run<2, false>(warps, stride);
        run<4, false>(warps, stride);
        run<8, false>(warps, stride);
        run<16, false>(warps, stride);
        run<1, true>(warps, stride);
        run<4, true>(warps, stride);
        run<5, true>(warps, stride);
        run<6, true>(warps, stride);
        run<7, true>(warps, stride);
        run<8, true>(warps, stride);
      }
    }
  }
  return 0;
}
