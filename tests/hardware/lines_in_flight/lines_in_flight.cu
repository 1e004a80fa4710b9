// Lines per cycle that an SM reads from L2 or DRAM, by the way of reading and by the capacity of L1, which is what the
// block's shared memory leaves: what limits the lines in flight. Every line is read once, in a scattered order.
//
//   lines_in_flight                              all of it
//   lines_in_flight WAY SMS KIB SOURCE LINES     one row: numbers as in the output, LINES to read in all
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "../cuda_check.h"

namespace {

constexpr int kWarps = 32;
constexpr int kUnroll = 4;
constexpr uint32_t kOdd = 2654435761U;  // multiplied by it, numbers below a power of two are in a scattered order

// Each lane reads a line of its own, but for kFullLines, in which a warp reads four.
enum Way { kLoadCg, kLoadCa, kCopyCa, kCopyCg, kFullLines, kWays };
const char* const kNames[] = {"load_cg", "load_ca", "copy_ca", "copy_cg", "full_lines"};

// Copies of two rounds are outstanding. Each has a place of its own: of copies to one place hardware leaves some out.
__host__ __device__ constexpr int copied_bytes(int way) {
  return way == kCopyCa ? 4 : way == kCopyCg ? 16 : 0;
}
__host__ __device__ constexpr int places(int way) {
  return copied_bytes(way) * 2 * kUnroll * kWarps * 32;
}

__device__ inline uint32_t load_cg(const char* at) {
  uint32_t value;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at));
  return value;
}
__device__ inline uint32_t load_ca(const char* at) {
  uint32_t value;
  asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(at));
  return value;
}
__device__ inline uint4 load_16(const char* at) {
  uint4 value;
  asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(at));
  return value;
}

template <int kWay>
__global__ void read_lines(const char* data, uint32_t lines, int rounds, uint32_t* out, uint64_t* times) {
  extern __shared__ char shared[];
  constexpr uint32_t kUnit = kWay == kFullLines ? 4 : 1;  // lines of one place
  const uint32_t lane = threadIdx.x % 32;
  const uint32_t warp = blockIdx.x * kWarps + threadIdx.x / 32;
  const uint32_t warps = gridDim.x * kWarps;
  uint32_t place = kWay == kFullLines ? warp : warp * 32 + lane;
  const uint32_t step = kWay == kFullLines ? warps : warps * 32;
  const uint32_t mask = lines / kUnit - 1;
  const char* const begin = data + (kWay == kFullLines ? lane * 16 : 0);
  const uint32_t first_place =
      static_cast<uint32_t>(__cvta_generic_to_shared(shared)) + threadIdx.x * copied_bytes(kWay);
  uint32_t sum = 0;
  __syncthreads();
  const uint64_t start = clock64();
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    uint4 values[kUnroll] = {};
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) {
      const char* const at = begin + static_cast<uint64_t>((place * kOdd) & mask) * (kUnit * 128);
      const uint32_t to = first_place + (round % 2 * kUnroll + i) * kWarps * 32 * copied_bytes(kWay);
      place += step;
      if constexpr (kWay == kLoadCg) {
        values[i].x = load_cg(at);
      } else if constexpr (kWay == kLoadCa) {
        values[i].x = load_ca(at);
      } else if constexpr (kWay == kCopyCa) {
        asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(to), "l"(at) : "memory");
      } else if constexpr (kWay == kCopyCg) {
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to), "l"(at) : "memory");
      } else {
        values[i] = load_16(at);
      }
    }
    if constexpr (kWay == kCopyCa || kWay == kCopyCg) {
      asm volatile("cp.async.commit_group;\n\tcp.async.wait_group 1;" ::: "memory");
    }
#pragma unroll
    for (int i = 0; i < kUnroll; ++i) {
      sum += values[i].x + values[i].y + values[i].z + values[i].w;
    }
  }
  asm volatile("cp.async.wait_all;" ::: "memory");
  __syncthreads();
  const uint64_t end = clock64();
  if (threadIdx.x == 0) {
    times[blockIdx.x] = end - start;
  }
  if (sum == 0x12345678) {
    out[0] = sum;
  }
}

// Brings the memory into L2, as far as it fits, and leaves nothing there that must be written back.
__global__ void bring(const uint4* data, size_t vectors, uint32_t* out) {
  uint32_t sum = 0;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < vectors; i += size_t{gridDim.x} * blockDim.x) {
    sum += __ldcg(data + i).x;
  }
  if (sum == 0x12345678) {
    out[0] = sum;
  }
}

struct Memory {
  char* data = nullptr;
  uint4* other = nullptr;  // to empty L2
  uint32_t* out = nullptr;
  uint64_t* times = nullptr;
};
constexpr size_t kL2Bytes = size_t{16} << 20;  // read from L2
constexpr size_t kDramBytes = size_t{128} << 20;
constexpr size_t kOtherBytes = size_t{256} << 20;

// Lines per cycle and SM: the best of `repeats`.
template <int kWay>
void measure(const Memory& memory, int sms, int kib, bool dram, uint32_t budget, int repeats) {
  const int shared = kib * 1024;
  CHECK(cudaFuncSetAttribute(read_lines<kWay>, cudaFuncAttributeMaxDynamicSharedMemorySize, shared));
  CHECK(cudaFuncSetAttribute(read_lines<kWay>, cudaFuncAttributePreferredSharedMemoryCarveout, (kib + 1) * 100 / 228));
  const size_t bytes = dram ? kDramBytes : kL2Bytes;
  constexpr int kLinesOfLoad = kWay == kFullLines ? 4 : 32;
  const int rounds = std::max(2, static_cast<int>(budget / (sms * kWarps * kUnroll * kLinesOfLoad)));
  double best = 0;
  for (int repeat = 0; repeat < repeats; ++repeat) {
    if (dram) {
      bring<<<1056, 256>>>(memory.other, kOtherBytes / sizeof(uint4), memory.out);
    } else {
      bring<<<1056, 256>>>(reinterpret_cast<uint4*>(memory.data), bytes / sizeof(uint4), memory.out);
    }
    read_lines<kWay><<<sms, kWarps * 32, shared>>>(memory.data, static_cast<uint32_t>(bytes / 128), rounds, memory.out,
                                                   memory.times);
    std::vector<uint64_t> times(sms);
    CHECK(cudaMemcpy(times.data(), memory.times, sms * sizeof(uint64_t), cudaMemcpyDeviceToHost));
    double cycles = 0;
    for (const uint64_t time : times) {
      cycles += static_cast<double>(time) / sms;
    }
    best = std::max(best, static_cast<double>(rounds) * kUnroll * kWarps * kLinesOfLoad / cycles);
  }
  std::printf("%s,%d,%d,%s,%.4f\n", kNames[kWay], sms, kib, dram ? "dram" : "l2", best);
}

void measure_way(int way, const Memory& memory, int sms, int kib, bool dram, uint32_t budget, int repeats) {
  switch (way) {
    case kLoadCg:
      return measure<kLoadCg>(memory, sms, kib, dram, budget, repeats);
    case kLoadCa:
      return measure<kLoadCa>(memory, sms, kib, dram, budget, repeats);
    case kCopyCa:
      return measure<kCopyCa>(memory, sms, kib, dram, budget, repeats);
    case kCopyCg:
      return measure<kCopyCg>(memory, sms, kib, dram, budget, repeats);
    default:
      return measure<kFullLines>(memory, sms, kib, dram, budget, repeats);
  }
}

}  // namespace

int main(int count, char** words) {
  Memory memory;
  CHECK(cudaMalloc(&memory.data, kDramBytes));
  CHECK(cudaMalloc(&memory.other, kOtherBytes));
  CHECK(cudaMalloc(&memory.out, 64));
  CHECK(cudaMalloc(&memory.times, 1 << 12));
  CHECK(cudaMemset(memory.data, 1, kDramBytes));
  CHECK(cudaMemset(memory.other, 1, kOtherBytes));
  std::printf("way,sms,shared_kib,source,lines_per_cycle\n");
  if (count == 6) {
    measure_way(std::atoi(words[1]), memory, std::atoi(words[2]), std::atoi(words[3]), std::atoi(words[4]) != 0,
                static_cast<uint32_t>(std::atoi(words[5])), 1);
    return 0;
  }
  for (const bool dram : {false, true}) {
    for (const int sms : {1, 66, 132}) {
      const uint32_t budget = sms == 1 ? 1U << 16 : 1U << 20;
      for (int way = 0; way < kWays; ++way) {
        for (const int kib : {31, 63, 99, 131, 163, 195, 227}) {
          if (places(way) <= kib * 1024) {
            measure_way(way, memory, sms, kib, dram, budget, 3);
          }
        }
      }
    }
  }
}
