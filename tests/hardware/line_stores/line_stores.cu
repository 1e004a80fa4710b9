// Stores of all SMs to some sectors of lines in L2, stores that the SM merges, and fences behind stores.
//
// lines: each block stores to lines of its own, one after another, to the sectors of `mask` (bit i: sector i) of each, `lanes`
//   words of a sector (8: complete). Sectors per cycle of all SMs, mean cycles of a block.
// same: the same, but each warp stores to the same lines again and again.
// fence: each of `warps` warps of a block makes `stores` coalesced stores and a fence of the GPU. Mean cycles of a warp's
//   fence, and of the block, from the first warp's begin to the last one's end.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

__device__ __forceinline__ uint32_t now() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}

constexpr int kRegionLines = 1024;  // of a block, 128 KiB

__global__ void lines(uint32_t* region, uint32_t mask, uint32_t lanes, int stores, bool same, uint32_t* out) {
  __shared__ uint32_t first, last;
  if (threadIdx.x == 0) {
    first = 0xffffffff;
    last = 0;
  }
  const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32;
  const uint32_t sectors = __popc(mask), lines = 32 / lanes / sectors;
  const uint32_t place = lane / lanes;
  uint32_t rest = mask;
  for (uint32_t i = 0; i < place % sectors; ++i) {
    rest &= rest - 1;
  }
  const bool takes_part = place < lines * sectors;
  uint32_t* mine = region + blockIdx.x * kRegionLines * 32 + (__ffs(rest) - 1) * 8 + lane % lanes;
  const uint32_t warps = blockDim.x / 32;
  __syncthreads();
  const uint32_t begin = now();
  for (int i = 0; i < stores; ++i) {
    const uint32_t line = (((same ? 0 : i) * warps + warp) * lines + place / sectors) % kRegionLines;
    if (takes_part) {
      asm volatile("st.global.u32 [%0], %1;" ::"l"(mine + line * 32), "r"(i) : "memory");
    }
  }
  __threadfence();
  atomicMin(&first, begin);
  atomicMax(&last, now());
  __syncthreads();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = last - first;
  }
}

__global__ void fence(uint32_t* region, int stores, uint32_t* out) {
  uint32_t* address = region + (blockIdx.x * 32 + threadIdx.x / 32) * 1024 + threadIdx.x % 32;
  __syncthreads();
  const uint32_t begin = now();
  for (int i = 0; i < stores; ++i) {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(address + i * 32), "r"(i) : "memory");
  }
  const uint32_t stored = now();
  __threadfence();
  const uint32_t end = now();
  if (threadIdx.x % 32 == 0) {
    uint32_t* mine = out + (blockIdx.x * 32 + threadIdx.x / 32) * 3;
    mine[0] = begin;
    mine[1] = stored;
    mine[2] = end;
  }
}

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "line_stores: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

int main() {
  uint32_t *region, *out;
  check(cudaMalloc(&region, 132 * kRegionLines * 128));
  check(cudaMalloc(&out, 132 * 32 * 3 * 4));
  check(cudaMemset(region, 0, 132 * kRegionLines * 128));
  std::printf("test,lanes,mask,blocks,warps,stores,sectors_per_cycle_or_cycles_of_fence,cycles_of_block\n");
  for (const int blocks : {1, 16, 132}) {
    for (const uint32_t lanes : {1, 4, 8}) {
      for (const uint32_t mask : {1, 3, 5, 7, 15}) {
        for (const bool same : {false, true}) {
          const uint32_t sectors = __builtin_popcount(mask), warps = 16, stores = 16 * lanes;
          double mean = 0;
          for (int repetition = 0; repetition < 2; ++repetition) {
            lines<<<blocks, 32 * warps>>>(region, mask, lanes, stores, same, out);
            check(cudaDeviceSynchronize());
          }
          std::vector<uint32_t> host(blocks);
          check(cudaMemcpy(host.data(), out, blocks * 4, cudaMemcpyDeviceToHost));
          for (const uint32_t cycles : host) {
            mean += static_cast<double>(cycles) / blocks;
          }
          const double total = static_cast<double>(blocks) * warps * stores * (32 / lanes / sectors) * sectors;
          std::printf("%s,%u,%u,%d,%u,%u,%.2f,%.0f\n", same ? "same" : "lines", lanes, mask, blocks, warps, stores,
                      total / mean, mean);
        }
      }
    }
  }
  for (const int blocks : {1, 132}) {
    for (const int warps : {1, 2, 4, 8, 16, 32}) {
      for (const int stores : {0, 1, 4, 16}) {
        for (int repetition = 0; repetition < 2; ++repetition) {
          fence<<<blocks, 32 * warps>>>(region, stores, out);
          check(cudaDeviceSynchronize());
        }
        std::vector<uint32_t> host(static_cast<size_t>(blocks) * 32 * 3);
        check(cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost));
        double waited = 0, whole = 0;
        for (int block = 0; block < blocks; ++block) {
          uint32_t first = 0xffffffff, last = 0;
          for (int warp = 0; warp < warps; ++warp) {
            const uint32_t* mine = host.data() + (block * 32 + warp) * 3;
            first = mine[0] < first ? mine[0] : first;
            last = mine[2] > last ? mine[2] : last;
            waited += mine[2] - mine[1];
          }
          whole += last - first;
        }
        std::printf("fence,8,15,%d,%d,%d,%.1f,%.1f\n", blocks, warps, stores, waited / blocks / warps, whole / blocks);
      }
    }
  }
  return 0;
}
