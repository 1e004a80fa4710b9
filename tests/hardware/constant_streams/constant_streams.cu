// Warps that walk through constant memory: cycles of one pass over `bytes` of it, by the number of bytes, the distance of
// the words, the warps of an SM, the number of SMs and the way to read them.
//
// uldc: a loop over ULDC.64 with the address in a uniform register, all lanes the same word.
// ldc: a loop over LDC.64 with the address in a register that differs by lane for the compiler, not in fact.
// fixed: LDC.64 with the address in the instruction, straight-line code of up to 4 KiB of constants.
//
// Prints: way, bytes, distance in bytes, warps, blocks, pass, cycles from the first warp's begin to the last one's end (mean
// of the blocks), mean cycles of a warp. One block on each SM. Pass 0 is cold.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kPasses = 4;
__constant__ float2 words[8192];

__device__ __forceinline__ uint32_t now() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}

__device__ __forceinline__ void write_times(uint32_t* out, int pass, uint32_t begin, uint32_t end) {
  if (threadIdx.x % 32 == 0) {
    uint32_t* mine = out + (blockIdx.x * 32 + threadIdx.x / 32) * 2 * kPasses;
    mine[pass] = begin;
    mine[kPasses + pass] = end;
  }
}

template <int kDistance, bool kUniform>
__global__ void looped(uint32_t* out, int count, int lanes, float x) {
  float sum = 0;
  const int first = kUniform ? 0 : threadIdx.x * lanes;
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    __syncthreads();
    const uint32_t started = now();
#pragma unroll 1
    for (int i = 0; i < count; i += 8 * kDistance) {
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        const float2 word = words[first + i + k * kDistance];
        sum = fmaf(sum, x, word.x);
        sum = fmaf(sum, x, word.y);
      }
    }
    asm volatile("" ::"f"(sum) : "memory");
    const uint32_t ended = now() + (sum == 1.25f ? 1 : 0);
    write_times(out, pass, started, ended);
  }
}

template <int kDistance, int kCount>
__global__ void fixed(uint32_t* out, float x) {
  float sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    __syncthreads();
    const uint32_t started = now();
#pragma unroll
    for (int k = 0; k < kCount; ++k) {
      sum = fmaf(sum, x, words[k * kDistance].x);
      sum = fmaf(sum, x, words[k * kDistance].y);
    }
    asm volatile("" ::"f"(sum) : "memory");
    const uint32_t ended = now() + (sum == 1.25f ? 1 : 0);
    write_times(out, pass, started, ended);
  }
}

uint32_t* out = nullptr;
int most_bytes = 65536;

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "constant_streams: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

void report(const char* way, int bytes, int distance, int warps, int blocks) {
  check(cudaDeviceSynchronize());
  std::vector<uint32_t> host(static_cast<size_t>(blocks) * 32 * 2 * kPasses);
  check(cudaMemcpy(host.data(), out, host.size() * 4, cudaMemcpyDeviceToHost));
  for (int pass = 0; pass < kPasses; ++pass) {
    double whole = 0, mean = 0;
    for (int block = 0; block < blocks; ++block) {
      uint32_t first = 0xffffffff, last = 0;
      for (int warp = 0; warp < warps; ++warp) {
        const uint32_t* mine = host.data() + (static_cast<size_t>(block) * 32 + warp) * 2 * kPasses;
        first = mine[pass] < first ? mine[pass] : first;
        last = mine[kPasses + pass] > last ? mine[kPasses + pass] : last;
        mean += mine[kPasses + pass] - mine[pass];
      }
      whole += last - first;
    }
    std::printf("%s,%d,%d,%d,%d,%d,%.1f,%.1f\n", way, bytes, distance * 8, warps, blocks, pass, whole / blocks,
                mean / blocks / warps);
  }
}

template <int kDistance>
void sweep(int warps, int blocks) {
  for (int bytes = 256 * (kDistance > 1 ? 2 : 1); bytes <= most_bytes; bytes *= 2) {
    const int count = bytes / 8;
    looped<kDistance, true><<<blocks, 32 * warps>>>(out, count, 0, 0.5f);
    report("uldc", bytes, kDistance, warps, blocks);
    looped<kDistance, false><<<blocks, 32 * warps>>>(out, count, 0, 0.5f);
    report("ldc", bytes, kDistance, warps, blocks);
  }
}

template <int kDistance, int kCount>
void straight(int warps, int blocks) {
  fixed<kDistance, kCount><<<blocks, 32 * warps>>>(out, 0.5f);
  report("fixed", kDistance * kCount * 8, kDistance, warps, blocks);
}

int main(int argc, char** argv) {
  check(cudaMalloc(&out, 132 * 32 * 2 * kPasses * 4));
  int most_blocks = 132;
  if (argc == 3) {  // a part of the sweep: bytes and blocks
    most_bytes = std::atoi(argv[1]);
    most_blocks = std::atoi(argv[2]);
  } else if (argc > 1) {  // one launch for a profiler: way bytes warps blocks
    const int count = std::atoi(argv[2]) / 8, warps = std::atoi(argv[3]), blocks = std::atoi(argv[4]);
    if (argv[1][0] == 'u') {
      looped<1, true><<<blocks, 32 * warps>>>(out, count, 0, 0.5f);
    } else if (argv[1][0] == 'l') {
      looped<1, false><<<blocks, 32 * warps>>>(out, count, 0, 0.5f);
    } else {
      fixed<1, 256><<<blocks, 32 * warps>>>(out, 0.5f);
    }
    check(cudaDeviceSynchronize());
    return 0;
  }
  std::printf("way,bytes,distance_bytes,warps,blocks,pass,cycles,cycles_of_a_warp\n");
  for (int blocks = 1; blocks <= most_blocks; blocks += 131) {
    for (const int warps : {1, 2, 4, 8, 16, 32}) {
      sweep<1>(warps, blocks);
      sweep<2>(warps, blocks);
      sweep<8>(warps, blocks);
      straight<1, 32>(warps, blocks);
      straight<1, 64>(warps, blocks);
      straight<1, 128>(warps, blocks);
      straight<1, 256>(warps, blocks);
      straight<1, 512>(warps, blocks);
      straight<8, 16>(warps, blocks);
      straight<8, 32>(warps, blocks);
      straight<8, 64>(warps, blocks);
      straight<8, 128>(warps, blocks);
    }
  }
  return 0;
}
