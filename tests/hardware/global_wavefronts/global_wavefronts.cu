// Passes of L1's data stage for global loads that hit L1, and for stores, by bytes of a lane and distance of the lanes.
//
// Prints for each launch: load or store, bytes of a lane, bytes from lane to lane, first byte of lane 0, order of the lanes
// (0: ascending, 1: lanes 2i and 2i + 1 exchanged, 2: bit-reversed), warps, accesses of a warp, cycles of the slowest warp.
// Each warp has loaded what it loads once before. Stores of warps are to places of their own.
#include <cstdint>
#include <cstdio>

namespace {

constexpr int kAccesses = 32;
constexpr int kRegion = 128 * 1024;  // of a warp that stores

__device__ __forceinline__ uint32_t load(const char* address, int bytes) {
  uint32_t a = 0, b = 0, c = 0, d = 0;
  switch (bytes) {
    case 1: asm volatile("ld.global.u8 %0, [%1];" : "=r"(a) : "l"(address)); break;
    case 2: asm volatile("ld.global.u16 %0, [%1];" : "=r"(a) : "l"(address)); break;
    case 4: asm volatile("ld.global.u32 %0, [%1];" : "=r"(a) : "l"(address)); break;
    case 8: asm volatile("ld.global.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(address)); break;
    default: asm volatile("ld.global.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(address));
  }
  return a + b + c + d;
}

__device__ __forceinline__ void store(char* address, int bytes) {
  switch (bytes) {
    case 1: asm volatile("st.global.u8 [%0], %1;" ::"l"(address), "r"(1)); break;
    case 2: asm volatile("st.global.u16 [%0], %1;" ::"l"(address), "h"(static_cast<short>(1))); break;
    case 4: asm volatile("st.global.u32 [%0], %1;" ::"l"(address), "r"(1)); break;
    case 8: asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(address), "r"(1)); break;
    default: asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(address), "r"(1)); break;
  }
}

// `step`: 0, which the compiler does not know, so that it keeps every access.
template <int kBytes, bool kLoad>
__global__ void accesses(char* memory, int stride, int first, int order, int step, uint32_t* out) {
  const uint32_t lane = threadIdx.x % 32;
  const uint32_t place = order == 0 ? lane : order == 1 ? lane ^ 1 : __brev(lane) >> 27;
  char* address = memory + first + place * stride + (kLoad ? 0 : threadIdx.x / 32 * kRegion);
  uint32_t sum = kLoad ? load(address, kBytes) : 0;
  address += sum == 0x1234567 ? 1 : 0;
  __syncthreads();
  const uint32_t begin = clock();
#pragma unroll
  for (int i = 0; i < kAccesses; ++i) {
    if (kLoad) {
      sum += load(address, kBytes);
    } else {
      store(address, kBytes);
    }
    address += step;
  }
  if (sum == 0x1234567) {
    out[1] = sum;
  }
  atomicMax(out, static_cast<uint32_t>(clock()) - begin);
}

char* memory;
uint32_t* cycles;

template <int kBytes, bool kLoad>
void run(int stride, int first, int order) {
  for (const int warps : {1, 3, 7, 16}) {
    if (kLoad && warps != 1 && warps != 16) {
      continue;
    }
    *cycles = 0;
    accesses<kBytes, kLoad><<<1, warps * 32>>>(memory, stride, first, order, 0, cycles);
    cudaDeviceSynchronize();
    std::printf("%s,%d,%d,%d,%d,%d,%d,%u\n", kLoad ? "load" : "store", kBytes, stride, first, order, warps, kAccesses,
                *cycles);
  }
}

template <int kBytes, bool kLoad>
void run_all() {
  for (const int stride : {0, 1, 2, 3, 4, 5, 6, 7, 8, 10, 12, 16, 20, 32, 48, 128}) {
    if (stride * kBytes <= 2048) {
      run<kBytes, kLoad>(stride * kBytes, 0, 0);
    }
  }
  for (const int first : {1, 4, 8, 12}) {
    run<kBytes, kLoad>(kBytes, first * kBytes, 0);
  }
  run<kBytes, kLoad>(kBytes, 0, 1);
  run<kBytes, kLoad>(kBytes, 0, 2);
  run<kBytes, kLoad>(3 * kBytes, 0, 2);
}

}  // namespace

int main() {
  if (cudaMalloc(&memory, 16 * kRegion) != cudaSuccess || cudaMemset(memory, 0, 16 * kRegion) != cudaSuccess ||
      cudaMallocManaged(&cycles, 64) != cudaSuccess) {
    return 1;
  }
  run_all<1, true>();
  run_all<2, true>();
  run_all<4, true>();
  run_all<8, true>();
  run_all<16, true>();
  run_all<1, false>();
  run_all<2, false>();
  run_all<4, false>();
  run_all<8, false>();
  run_all<16, false>();
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
