// Which stores of a warp to one line reach L2 as one request: groups of stores to the same lines, with a number of cycles
// between them, then a pause. A profiler counts the requests and sectors that L2 receives.
//
// Prints for each launch: bytes of a lane, stores of a group, bytes from one to the next, bytes from lane to lane, lanes
// that take part in each (others: the next lanes in the next store), cycles between stores, cycles between groups, warps
// of a block, blocks, groups of a warp.
#include <cstdint>
#include <cstdio>

namespace {

constexpr int kGroups = 64;

__device__ __forceinline__ void store(char* address, int bytes) {
  switch (bytes) {
    case 1: asm volatile("st.global.u8 [%0], %1;" ::"l"(address), "r"(1) : "memory"); break;
    case 2: asm volatile("st.global.u16 [%0], %1;" ::"l"(address), "h"(static_cast<short>(1)) : "memory"); break;
    case 4: asm volatile("st.global.u32 [%0], %1;" ::"l"(address), "r"(1) : "memory"); break;
    case 8: asm volatile("st.global.v2.u32 [%0], {%1, %1};" ::"l"(address), "r"(1) : "memory"); break;
    default: asm volatile("st.global.v4.u32 [%0], {%1, %1, %1, %1};" ::"l"(address), "r"(1) : "memory"); break;
  }
}

template <int kBytes, int kStores, int kNext, int kLanes>
__global__ void stores(char* memory, uint64_t lane_stride, int gap, int pause) {
  const uint32_t lane = threadIdx.x % 32;
  const uint64_t warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  char* address = memory + warp * kGroups * 4096 + lane * lane_stride;
  for (int group = 0; group < kGroups; ++group, address += 4096) {
    const long long start = clock64();
#pragma unroll
    for (int i = 0; i < kStores; ++i) {
      if (gap > 0) {
        while (clock64() < start + i * gap) {
        }
      }
      if (kLanes == 32 || lane / kLanes == i) {
        store(address + i * kNext, kBytes);
      }
    }
    if (pause > 0) {
      while (clock64() < start + kStores * gap + pause) {
      }
    }
  }
}

char* memory;

template <int kBytes, int kStores, int kNext, int kLanes>
void run(uint64_t lane_stride, int gap, int pause, int warps, int blocks) {
  std::printf("%d,%d,%d,%d,%d,%d,%d,%d,%d,%d\n", kBytes, kStores, kNext, static_cast<int>(lane_stride), kLanes, gap, pause,
              warps, blocks, kGroups);
  stores<kBytes, kStores, kNext, kLanes><<<blocks, warps * 32>>>(memory, lane_stride, gap, pause);
}

template <int kBytes, int kStores, int kNext, int kLanes = 32>
void run_pattern(uint64_t lane_stride, bool gaps) {
  for (const int gap : {0, 4, 8, 12, 16, 20, 24, 28, 32, 40, 48, 64, 96}) {
    if (gap == 0 || gaps) {
      run<kBytes, kStores, kNext, kLanes>(lane_stride, gap, 1000, 1, 1);
    }
  }
  for (const int warps : {1, 4, 8, 32}) {
    run<kBytes, kStores, kNext, kLanes>(lane_stride, 0, 0, warps, 1);
  }
  run<kBytes, kStores, kNext, kLanes>(lane_stride, 0, 0, 32, 132);
}

}  // namespace

int main() {
  if (cudaMalloc(&memory, std::size_t{132} * 32 * (kGroups + 1) * 4096) != cudaSuccess) {
    return 1;
  }
  run_pattern<4, 1, 0>(4, false);    // whole lines
  run_pattern<1, 4, 1>(4, true);     // bytes of words
  run_pattern<2, 2, 2>(4, false);    // halves of words
  run_pattern<4, 2, 4>(8, true);     // words of pairs
  run_pattern<4, 4, 4>(16, true);    // words of structures of 16 bytes
  run_pattern<4, 8, 4>(32, false);   // words of sectors
  run_pattern<4, 16, 4>(128, false); // words of lines
  run_pattern<8, 2, 8>(16, false);
  run_pattern<1, 3, 1>(3, true);     // structures of three bytes
  run_pattern<4, 4, 0>(4, true);     // the same line again
  run_pattern<4, 4, 0>(8, false);    // the same words of two lines again
  run_pattern<4, 2, 0, 16>(4, true); // halves of a line
  run_pattern<4, 4, 0, 8>(4, false); // sectors of a line
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
