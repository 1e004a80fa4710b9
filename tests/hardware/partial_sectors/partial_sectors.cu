// Rates of stores, reductions and loads whose lanes cover only parts of sectors.
//
// Lane l of access r of warp w uses sector s = (w * accesses + r) * (32 / lanes) + l / lanes of a region, `distance` bytes
// apart, and word l % lanes of it; after the end of the region the next words of the sectors follow, so that accesses
// complete sectors as the columns of a transposed matrix do (next = 1), or the same words again (next = 0). The region is
// common to all blocks, whose warps take turns (shared), or each block has an equal part for itself (own).
// The region is in L2, completely written (full), or was never read (other memory of 512 MiB was written before it: empty).
//
// Prints: operation, lanes of a sector, distance, MiB of the region, next, state, blocks (one on each SM), parts, mean cycles
// of a block, sectors per cycle of all SMs. With arguments (the same, up to parts) one launch, for a profiler.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

constexpr int kAccesses = 16, kWarps = 32;

__device__ __forceinline__ uint32_t now() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}

template <int kOperation>  // 0: st, 1: ld.cg, 2: red.add.u32
__global__ void access(char* region, uint64_t sectors, uint32_t lanes, uint64_t distance, int next, bool own,
                       uint32_t* out) {
  __shared__ uint32_t first, last;
  if (threadIdx.x == 0) {
    first = 0xffffffff;
    last = 0;
  }
  const uint32_t lane = threadIdx.x % 32, 
                 warp = own ? threadIdx.x / 32 : blockIdx.x + gridDim.x * (threadIdx.x / 32);
  const uint64_t part = own ? sectors / gridDim.x : sectors;
  uint64_t address[kAccesses];
  for (int r = 0; r < kAccesses; ++r) {
    const uint64_t s = (static_cast<uint64_t>(warp) * kAccesses + r) * (32 / lanes) + lane / lanes;
    const uint64_t round = s / part;
    const uint64_t word = (lane % lanes + (next ? round * lanes : 0)) % 8;
    address[r] = reinterpret_cast<uint64_t>(region) + (s % part + (own ? part * blockIdx.x : 0)) * distance + word * 4;
  }
  __syncthreads();
  const uint32_t begin = now();
  uint32_t sum = 0;
#pragma unroll
  for (int r = 0; r < kAccesses; ++r) {
    if (kOperation == 0) {
      asm volatile("st.global.u32 [%0], %1;" ::"l"(address[r]), "r"(r) : "memory");
    } else if (kOperation == 1) {
      uint32_t value;
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(address[r]) : "memory");
      sum += value;
    } else {
      asm volatile("red.global.add.u32 [%0], %1;" ::"l"(address[r]), "r"(r) : "memory");
    }
  }
  if (kOperation != 1) {
    __threadfence();
  }
  atomicMin(&first, begin);
  atomicMax(&last, now() + (sum == 0x12345678 ? 1 : 0));
  __syncthreads();
  if (threadIdx.x == 0) {
    out[blockIdx.x] = last - first;
  }
}

char* region = nullptr;
char* other = nullptr;
uint32_t* out = nullptr;
constexpr uint64_t kRegion = 512ull << 20;

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "partial_sectors: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

template <int kOperation>
void run(const char* name, uint32_t lanes, uint64_t distance, uint64_t mib, int next, bool full, int blocks, bool own) {
  const uint64_t sectors = (mib << 20) / distance;
  double best = 0;
  for (int repetition = 0; repetition < 3; ++repetition) {
    check(cudaMemset(other, repetition, kRegion));
    if (full) {
      check(cudaMemset(region, 0, mib << 20));
    }
    access<kOperation><<<blocks, kWarps * 32>>>(region, sectors, lanes, distance, next, own, out);
    check(cudaDeviceSynchronize());
    std::vector<uint32_t> host(blocks);
    check(cudaMemcpy(host.data(), out, blocks * 4, cudaMemcpyDeviceToHost));
    double mean = 0;
    for (const uint32_t cycles : host) {
      mean += cycles;
    }
    mean /= blocks;
    best = repetition == 0 || mean < best ? mean : best;
  }
  const double total = static_cast<double>(blocks) * kWarps * kAccesses * 32 / lanes;
  std::printf("%s,%u,%llu,%llu,%d,%s,%d,%s,%.0f,%.2f\n", name, lanes, static_cast<unsigned long long>(distance),
              static_cast<unsigned long long>(mib), next, full ? "full" : "empty", blocks, own ? "own" : "shared", best, total / best);
}

int main(int argc, char** argv) {
  check(cudaMalloc(&region, kRegion));
  check(cudaMalloc(&other, kRegion));
  check(cudaMalloc(&out, 132 * 4));
  std::printf("operation,lanes,distance_bytes,region_mib,next,state,blocks,parts,cycles,sectors_per_cycle\n");
  if (argc == 9) {
    const auto number = [&](int i) { return std::atoi(argv[i]); };
    const auto one = [&](auto function, const char* name) {
      function(name, number(2), number(3), number(4), number(5), argv[6][0] == 'f', number(7), argv[8][0] == 'o');
    };
    argv[1][0] == 's' ? one(run<0>, "st") : argv[1][0] == 'l' ? one(run<1>, "ld") : one(run<2>, "red");
    return 0;
  }
  for (const int blocks : {1, 16, 132}) {
    for (const uint64_t distance : {32, 128, 544, 4128}) {
      for (const uint32_t lanes : {1, 2, 4, 8}) {
        for (const uint64_t mib : {2, 16, 256}) {
          for (const bool full : {true, false}) {
            if (full && mib == 256) {
              continue;
            }
            run<0>("st", lanes, distance, mib, 1, full, blocks, false);
            run<1>("ld", lanes, distance, mib, 1, full, blocks, false);
            if (mib == 2 && full) {
              run<2>("red", lanes, distance, mib, 1, full, blocks, false);
            }
            if (mib == 16 && full && distance < 4096) {
              run<0>("st", lanes, distance, mib, 1, full, blocks, true);
              run<1>("ld", lanes, distance, mib, 1, full, blocks, true);
              run<2>("red", lanes, distance, mib, 1, full, blocks, true);
            }
          }
        }
      }
    }
  }
  return 0;
}
