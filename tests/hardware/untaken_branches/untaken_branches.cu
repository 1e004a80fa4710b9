// What a conditional exit or branch costs a warp that goes on: clocks around a number of them, between additions or not, of
// one to sixteen warps of an SM. And the rate of reads of special registers by many warps.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ __forceinline__ uint32_t now() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}

enum Kind { kAdd, kExit, kBranch, kExitAdds, kBranchAdds, kAdds, kKinds };
const char* const kNames[kKinds] = {"add", "exit", "branch", "exit_adds", "branch_adds", "adds"};

__device__ __forceinline__ void add(uint32_t& x) { asm volatile("add.u32 %0, %0, %0;" : "+r"(x)); }

template <Kind kKind>
__device__ __forceinline__ void step(uint32_t& x, int i, uint32_t never, uint32_t* out) {
  if constexpr (kKind == kAdd) {
    add(x);
  } else if constexpr (kKind == kExit || kKind == kExitAdds) {
    asm volatile("{.reg .pred p; setp.eq.u32 p, %0, %1; @p exit;}" ::"r"(x), "r"(never + i) : "memory");
  } else if constexpr (kKind == kBranch || kKind == kBranchAdds) {
    if (x == never + i) {
      for (uint32_t j = 0; j < x; ++j) {  // a loop, which cannot be executed under a guard
        asm volatile("st.global.u32 [%0], %1;" ::"l"(out + j), "r"(j) : "memory");
      }
    }
  }
  if constexpr (kKind == kExitAdds || kKind == kBranchAdds || kKind == kAdds) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      add(x);
    }
  }
}

constexpr int kSteps = 16;

template <Kind kKind>
__global__ void branches(uint32_t* out, uint32_t never, uint32_t /*third*/) {
  uint32_t x = threadIdx.x & 0x400;
  uint32_t begin = 0;
  uint32_t end = 0;
  for (int round = 0; round < 2; ++round) {  // the second one has its code in the caches
    begin = now();
#pragma unroll
    for (int i = 0; i < kSteps; ++i) {
      step<kKind>(x, i + kSteps * round, never, out);
    }
    end = now();
  }
  if ((threadIdx.x & 31) == 31) {
    out[threadIdx.x / 32 * 2] = begin;
    out[threadIdx.x / 32 * 2 + 1] = end + (x & 0x1000);
  }
}

// Loops with kBreaks conditional branches to their end in each iteration, which are not taken.
template <int kBreaks>
__global__ void breaks(uint32_t* out, uint32_t never, uint32_t iterations) {
  uint32_t x = threadIdx.x & 0x400;
  const uint32_t begin = now();
#pragma unroll 1
  for (uint32_t i = 0; i < iterations; ++i) {
    add(x);
    if (kBreaks > 0 && x == never) {
      break;
    }
    add(x);
    if (kBreaks > 1 && x == never + 1) {
      break;
    }
    add(x);
    if (kBreaks > 2 && x == never + 3) {
      break;
    }
    add(x);
  }
  const uint32_t end = now();
  if ((threadIdx.x & 31) == 31) {
    out[threadIdx.x / 32 * 2] = begin;
    out[threadIdx.x / 32 * 2 + 1] = end + (x & 0x1000);
  }
}

// Three registers each: the compiler reads one register once only.
__global__ void reads(uint32_t* out, uint32_t /*never*/, uint32_t /*third*/) {
  __syncthreads();
  const uint32_t begin = now();
  uint32_t sum = 0;
  uint32_t x, y, z;
  asm volatile("{mov.u32 %0, %%tid.y; mov.u32 %1, %%tid.z; mov.u32 %2, %%laneid;}" : "=r"(x), "=r"(y), "=r"(z));
  sum += x * y + z;
  asm volatile("{mov.u32 %0, %%ctaid.x; mov.u32 %1, %%ctaid.y; mov.u32 %2, %%ctaid.z;}" : "=r"(x), "=r"(y), "=r"(z));
  sum += x * y + z;
  const uint32_t end = now() + (sum & 0x40000000);
  if ((threadIdx.x & 31) == 31) {
    out[threadIdx.x / 32 * 2] = begin;
    out[threadIdx.x / 32 * 2 + 1] = end;
  }
}

template <typename Kernel>
void run(const char* name, Kernel kernel, uint32_t third = 0) {
  static uint32_t* out = nullptr;
  if (out == nullptr) {
    cudaMalloc(&out, 1 << 16);
  }
  for (int warps : {1, 4, 8, 16, 32}) {
    kernel<<<1, 32 * warps>>>(out, 0x700u, third);
    std::vector<uint32_t> host(warps * 2);
    cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost);
    if (cudaGetLastError() != cudaSuccess) {
      std::exit(1);
    }
    double mean = 0;
    uint32_t from = host[0];
    uint32_t to = host[1];
    for (int w = 0; w < warps; ++w) {
      mean += static_cast<double>(host[2 * w + 1] - host[2 * w]) / warps;
      from = host[2 * w] < from ? host[2 * w] : from;
      to = host[2 * w + 1] > to ? host[2 * w + 1] : to;
    }
    printf("%s,%d,%.1f,%u\n", name, warps, mean, to - from);
  }
}

int main() {
  printf("kind,warps,mean cycles of a warp,cycles from the first begin to the last end\n");
  run(kNames[kAdd], branches<kAdd>);
  run(kNames[kExit], branches<kExit>);
  run(kNames[kBranch], branches<kBranch>);
  run(kNames[kExitAdds], branches<kExitAdds>);
  run(kNames[kBranchAdds], branches<kBranchAdds>);
  run(kNames[kAdds], branches<kAdds>);
  run("loop64", breaks<0>, 64);
  run("loop64_break1", breaks<1>, 64);
  run("loop64_break2", breaks<2>, 64);
  run("loop64_break3", breaks<3>, 64);
  run("s2r_s2ur", reads);
  return 0;
}
