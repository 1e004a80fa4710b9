// Groups of 1 to 8 asynchronous copies out of L1 (ca) or L2 (cg) by one SM's warps: cycles of a group, for each warp. All
// copies of a group read the same lines. ptxas puts three loads of shared memory without lanes in front of each group.
#include <algorithm>
#include <cstdint>
#include <cstdio>

namespace {

constexpr int kRounds = 256;

template <int kBytes, bool kAroundL1>
__device__ __forceinline__ void copy(uint32_t to, const char* from) {
  if (kAroundL1) {
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(from) : "memory");
  } else {
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to), "l"(from), "n"(kBytes) : "memory");
  }
}

template <int kBytes, bool kAroundL1, int kCopies>
__global__ void groups(const char* data, long long* cycles) {
  extern __shared__ uint4 shared[];
  const uint32_t to = static_cast<uint32_t>(__cvta_generic_to_shared(shared)) + threadIdx.x * kBytes;
  const char* const from = data + threadIdx.x * kBytes;
  for (int pass = 0; pass < 2; ++pass) {  // the first one fills the caches
    __syncthreads();
    const long long begin = clock64();
    for (int round = 0; round < (pass != 0 ? kRounds : 2); ++round) {
#pragma unroll
      for (int i = 0; i < kCopies; ++i) {
        copy<kBytes, kAroundL1>(to + i * 16, from);
      }
      asm volatile("cp.async.commit_group;" ::: "memory");
      asm volatile("cp.async.wait_group 2;" ::: "memory");
    }
    asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    if (threadIdx.x == 0) {
      *cycles = clock64() - begin;
    }
  }
}

template <int kBytes, bool kAroundL1, int kCopies>
void measure(const char* name, int warps, const char* data, long long* cycles) {
  long long best = 1LL << 60;
  for (int repeat = 0; repeat < 3; ++repeat) {
    groups<kBytes, kAroundL1, kCopies><<<1, warps * 32, 1024 * 16 + 256>>>(data, cycles);
    long long here = 0;
    cudaMemcpy(&here, cycles, sizeof here, cudaMemcpyDeviceToHost);
    best = std::min(best, here);
  }
  std::printf("%s,%d,%d,%.3f\n", name, warps, kCopies, static_cast<double>(best) / kRounds / warps);
}

template <int kBytes, bool kAroundL1>
void measure_all(const char* name, const char* data, long long* cycles) {
  for (const int warps : {1, 4, 8, 16, 32}) {
    measure<kBytes, kAroundL1, 1>(name, warps, data, cycles);
    measure<kBytes, kAroundL1, 2>(name, warps, data, cycles);
    measure<kBytes, kAroundL1, 4>(name, warps, data, cycles);
    measure<kBytes, kAroundL1, 8>(name, warps, data, cycles);
  }
}

}  // namespace

int main() {
  char* data = nullptr;
  long long* cycles = nullptr;
  cudaMalloc(&data, 1 << 20);
  cudaMemset(data, 0, 1 << 20);
  cudaMalloc(&cycles, sizeof(long long));
  std::printf("operation,warps,copies,cycles_per_group_and_warp\n");
  measure_all<4, false>("LDGSTS32.ca", data, cycles);
  measure_all<8, false>("LDGSTS64.ca", data, cycles);
  measure_all<16, false>("LDGSTS128.ca", data, cycles);
  measure_all<16, true>("LDGSTS128.cg", data, cycles);
  const cudaError_t error = cudaGetLastError();
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    return 1;
  }
}
