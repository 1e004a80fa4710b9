// The number of memory instructions that a sub-core can issue ahead of a slow memory pipeline: clock reads between slow
// accesses. The issue of the first access that finds the queue full waits.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kAccesses = 40;

enum Kind { kSharedLoad, kSharedStore, kGlobalLoad, kGlobalStore, kGlobalReduction, kMixed };

template <Kind kKind>
__global__ void depth(uint32_t* out, uint32_t* global, int stride) {
  __shared__ uint32_t memory[1024];
  const unsigned lane = threadIdx.x % 32;
  const uint32_t shared = static_cast<uint32_t>(__cvta_generic_to_shared(memory)) + lane * 128;
  uint32_t* const mine = global + lane * stride + threadIdx.x / 32 * 4096;
  uint32_t clock[kAccesses + 1];
  uint32_t value[kAccesses];
  memory[threadIdx.x % 1024] = 0;
  __syncthreads();
  asm volatile("mov.u32 %0, %%clock;" : "=r"(clock[0])::"memory");
#pragma unroll
  for (int i = 0; i < kAccesses; ++i) {
    if (kKind == kSharedLoad || (kKind == kMixed && i % 2 == 0)) {
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value[i]) : "r"(shared));
    } else if (kKind == kSharedStore) {
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(shared), "r"(i));
    } else if (kKind == kGlobalLoad || kKind == kMixed) {
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value[i]) : "l"(mine));
    } else if (kKind == kGlobalStore) {
      asm volatile("st.global.u32 [%0], %1;" ::"l"(mine), "r"(i));
    } else {
      asm volatile("red.global.add.u32 [%0], %1;" ::"l"(mine), "r"(i));
    }
    asm volatile("mov.u32 %0, %%clock;" : "=r"(clock[i + 1])::"memory");
  }
  uint32_t sum = 0;
  if (kKind == kSharedLoad || kKind == kGlobalLoad || kKind == kMixed) {
    for (int i = 0; i < kAccesses; ++i) {
      sum += value[i];
    }
  }
  if (lane == 0) {
    for (int i = 0; i < kAccesses; ++i) {
      out[threadIdx.x / 32 * kAccesses + i] = clock[i + 1] - clock[i] + (sum == 12345);
    }
  }
}

template <Kind kKind>
void run(const char* name, int warps, int stride) {
  static uint32_t *out = nullptr, *global = nullptr;
  if (out == nullptr) {
    cudaMalloc(&out, 1 << 20);
    cudaMalloc(&global, 1 << 26);
    cudaMemset(global, 0, 1 << 26);
  }
  for (int repetition = 0; repetition < 2; ++repetition) {  // the first loads code and data
    depth<kKind><<<1, 32 * warps>>>(out, global, stride);
  }
  std::vector<uint32_t> host(warps * kAccesses);
  cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);
  if (cudaGetLastError() != cudaSuccess) {
    std::exit(1);
  }
  for (int warp = 0; warp < warps; warp += (warps > 8 ? 8 : 1)) {
    printf("%s,%d,%d,%d", name, stride, warps, warp);
    for (int i = 0; i < kAccesses; ++i) {
      printf(",%u", host[warp * kAccesses + i]);
    }
    printf("\n");
  }
}

int main() {
  for (const int warps : {1, 2, 4, 8}) {
    run<kSharedLoad>("shared_load", warps, 0);
    run<kSharedStore>("shared_store", warps, 0);
    for (const int stride : {1, 8, 32}) {
      run<kGlobalLoad>("global_load", warps, stride);
      run<kGlobalStore>("global_store", warps, stride);
      run<kGlobalReduction>("global_reduction", warps, stride);
    }
    run<kMixed>("mixed", warps, 32);
  }
  return 0;
}
