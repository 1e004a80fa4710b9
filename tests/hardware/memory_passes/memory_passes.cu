// Bursts and loops of one memory operation by one SM's warps: when each warp has issued its accesses and when it has all
// results, by operation, lane stride, number of accesses and warps. Loads hit L1 (ca) or go to L2 (cg).
#include <cstdint>
#include <cstdio>
#include <vector>
#include <algorithm>

namespace {

constexpr int kWarps = 16;
constexpr int kRounds = 4;
constexpr int kPlaces = 8;  // of 4 KiB

enum Operation { kLdgWeak, kLdgCa32, kLdgCa64, kLdgCa128, kLdgCg32, kLdgCg128, kLds32, kLds64, kLds128, kSts32, kSts128,
                 kStg32, kStg128, kCopyCa4, kCopyCa16, kCopyCg16 };
const char* const kNames[] = {"LDG32", "LDG32.ca", "LDG64.ca", "LDG128.ca", "LDG32.cg", "LDG128.cg", "LDS32", "LDS64", "LDS128",
                              "STS32", "STS128", "STG32", "STG128", "LDGSTS32.ca", "LDGSTS128.ca", "LDGSTS128.cg"};

__device__ __forceinline__ long long now() {
  long long t;
  asm volatile("mov.u64 %0, %%clock64;" : "=l"(t)::"memory");
  return t;
}

// The clock when `value`, which is never 0xfffffff1, is available.
__device__ __forceinline__ long long now_behind(uint32_t value) {
  long long t;
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %1, 0xfffffff1; @p exit; mov.u64 %0, %%clock64; }" : "=l"(t) : "r"(value) : "memory");
  return t;
}

template <int kOp>
__device__ __forceinline__ uint32_t access(const char* p, uint32_t s, uint32_t x) {
  uint32_t a = 0, b = 0, c = 0, d = 0;
  switch (kOp) {
    case kLdgWeak: asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(p)); break;
    case kLdgCa32: asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(a) : "l"(p)); break;
    case kLdgCa64: asm volatile("ld.global.ca.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(p)); break;
    case kLdgCa128: asm volatile("ld.global.ca.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(p)); break;
    case kLdgCg32: asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(p)); break;
    case kLdgCg128: asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(p)); break;
    case kLds32: asm volatile("ld.shared.u32 %0, [%1];" : "=r"(a) : "r"(s)); break;
    case kLds64: asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "r"(s)); break;
    case kLds128: asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "r"(s)); break;
    case kSts32: asm volatile("st.shared.u32 [%0], %1;" ::"r"(s), "r"(x)); break;
    case kSts128: asm volatile("st.shared.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(s), "r"(x)); break;
    case kStg32: asm volatile("st.global.u32 [%0], %1;" ::"l"(p), "r"(x)); break;
    case kStg128: asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(p), "r"(x)); break;
    case kCopyCa4: asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(s), "l"(p)); break;
    case kCopyCa16: asm volatile("cp.async.ca.shared.global [%0], [%1], 16;" ::"r"(s), "l"(p)); break;
    case kCopyCg16: asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(s), "l"(p)); break;
  }
  return a ^ b ^ c ^ d;
}

struct Times {
  int begin, issued, done;
};

template <int kOp, int kCount>
__global__ void accesses(const char* memory, int stride, int loops, long moves, uint32_t warps, Times* times, uint32_t* sink) {
  extern __shared__ char shared[];
  const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
  const bool active = (warps >> warp & 1) != 0;
  const char* p = memory + static_cast<size_t>(lane) * stride;
  const uint32_t window = static_cast<uint32_t>(__cvta_generic_to_shared(shared));
  uint32_t s = window + lane * stride;
  uint32_t sum = static_cast<uint32_t>(moves);
  if (threadIdx.x < 32) {
    reinterpret_cast<uint32_t*>(shared)[8192 + lane] = 0;
  }
#pragma unroll 1
  for (int round = 0; round < kRounds; ++round) {
    __syncthreads();
    uint32_t zero;
    asm volatile("ld.shared.u32 %0, [%1];" : "=r"(zero) : "r"(window + 32768 + lane * 4));
    s += zero;
    p += zero;
    asm volatile("" : "+r"(s), "+l"(p)::"memory");
    if (active) {
      const long long begin = now_behind(s);
      long long issued = begin;
#pragma unroll 1
      for (int i = 0; i < loops; ++i) {
        uint32_t v[kCount];
#pragma unroll
        for (int j = 0; j < kCount; ++j) {
          v[j] = access<kOp>(p + j % kPlaces * 4096, s + j % kPlaces * 4096, sum);
        }
        issued = now();
#pragma unroll
        for (int j = 0; j < kCount; ++j) {
          sum ^= v[j];
        }
        if (kOp >= kCopyCa4) {
          asm volatile("cp.async.commit_group;\n cp.async.wait_group 0;" ::: "memory");
        }
        p += moves;
      }
      if (kOp >= kSts32 && kOp <= kStg128) {  // after all of them
        asm volatile("ld.shared.u32 %0, [%1];" : "=r"(zero) : "r"(window + 32768 + lane * 4) : "memory");
        sum += zero;
      }
      const long long done = now_behind(sum);
      if (lane == 0) {
        times[warp] = {static_cast<int>(begin), static_cast<int>(issued), static_cast<int>(done)};
      }
    }
  }
  *sink = sum;
}

template <int kOp, int kCount>
void run(int stride, int loops, const char* memory, Times* device, uint32_t* sink) {
  for (const uint32_t warps : {0x1U, 0x3U, 0x11U, 0xfU, 0x1111U, 0xffffU}) {
    accesses<kOp, kCount><<<1, kWarps * 32, 32768 + 128>>>(memory, stride, loops, 0, warps, device, sink);
    std::vector<Times> times(kWarps);
    cudaMemcpy(times.data(), device, kWarps * sizeof(Times), cudaMemcpyDeviceToHost);
    int first = 0x7fffffff;
    for (int w = 0; w < kWarps; ++w) {
      if ((warps >> w & 1) != 0) {
        first = std::min(first, times[w].begin);
      }
    }
    std::printf("%s,%d,%d,%d,%x", kNames[kOp], stride, kCount, loops, warps);
    for (int w = 0; w < kWarps; ++w) {
      if ((warps >> w & 1) != 0) {
        std::printf("%c%d:%d:%d", w == 0 ? ',' : ' ', times[w].begin - first, times[w].issued - first, times[w].done - first);
      }
    }
    std::printf("\n");
  }
}

template <int kOp>
void run_all(const std::vector<int>& strides, const char* memory, Times* device, uint32_t* sink) {
  for (const int stride : strides) {
    run<kOp, 1>(stride, 1, memory, device, sink);
    run<kOp, 2>(stride, 1, memory, device, sink);
    run<kOp, 4>(stride, 1, memory, device, sink);
    run<kOp, 8>(stride, 1, memory, device, sink);
    run<kOp, 16>(stride, 1, memory, device, sink);
    run<kOp, 8>(stride, 32, memory, device, sink);
  }
}

}  // namespace

int main() {
  char* memory = nullptr;
  Times* device = nullptr;
  uint32_t* sink = nullptr;
  cudaMalloc(&memory, 1 << 20);
  cudaMemset(memory, 0, 1 << 20);
  cudaMalloc(&device, kWarps * sizeof(Times));
  cudaMalloc(&sink, 4);
  std::printf("operation,lane_stride,accesses,loops,warps_mask,begin:issued:done of each warp\n");
  run_all<kLdgWeak>({4, 16, 128}, memory, device, sink);
  run_all<kLdgCa32>({0, 4, 8, 12, 16, 20, 32, 36, 48, 64, 96, 128}, memory, device, sink);
  run_all<kLdgCa64>({8, 16, 128}, memory, device, sink);
  run_all<kLdgCa128>({16, 128}, memory, device, sink);
  run_all<kLdgCg32>({4, 16, 32, 48, 64, 96, 128}, memory, device, sink);
  run_all<kLdgCg128>({16}, memory, device, sink);
  run_all<kLds32>({4, 8, 16, 32, 64, 128}, memory, device, sink);
  run_all<kLds64>({8}, memory, device, sink);
  run_all<kLds128>({16}, memory, device, sink);
  run_all<kSts32>({4, 16, 128}, memory, device, sink);
  run_all<kSts128>({16}, memory, device, sink);
  run_all<kStg32>({4, 32, 128}, memory, device, sink);
  run_all<kStg128>({16}, memory, device, sink);
  run_all<kCopyCa4>({4}, memory, device, sink);
  run_all<kCopyCa16>({16}, memory, device, sink);
  run_all<kCopyCg16>({16}, memory, device, sink);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
