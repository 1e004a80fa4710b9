// Lines of which one SM knows whether their home is in its own half of L2 or in the other.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace l2_sides {

constexpr int kLines = 2048;
constexpr int kMostLines = 65536;
constexpr size_t kStride = 4096 + 128;
constexpr size_t kOther = size_t{256} << 20;
constexpr int kSms = 132;

inline void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

__device__ __forceinline__ int sm_number() {
  int sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}

__global__ void touch(const uint4* memory, size_t count, uint32_t* sink) {
  uint32_t sum = 0;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
    sum += __ldcg(memory + i).x;
  }
  if (sum == 12345) {
    *sink = sum;
  }
}

// One thread of the chosen SM reads the word at `offset` of each line; records the time of each.
__global__ void read_lines(const char* memory, int sm, int* cycles, int lines, int offset) {
  if (sm_number() != sm || threadIdx.x != 0) {
    return;
  }
  uint32_t zero = 0;
  for (int i = 0; i < lines; ++i) {
    const long long begin = clock64();
    uint32_t value;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(memory + i * kStride + offset + zero));
    zero = value & 0x80000000U;
    const long long end = clock64() + (zero >> 31);
    cycles[i] = static_cast<int>(end - begin);
  }
}

// A warp of the chosen SM writes the first `bytes` bytes of each line.
__global__ void write_lines(char* memory, int sm, int bytes, int lines) {
  if (sm_number() != sm || static_cast<int>(threadIdx.x) * 4 >= bytes) {
    return;
  }
  for (int i = 0; i < lines; ++i) {
    *reinterpret_cast<uint32_t*>(memory + i * kStride + threadIdx.x * 4) = i;
  }
}

struct Lab {
  char* memory = nullptr;
  char* other = nullptr;
  int* cycles = nullptr;

  Lab() {
    check(cudaMalloc(&memory, kMostLines * kStride + 4096));
    check(cudaMalloc(&other, kOther));
    check(cudaMalloc(&cycles, kLines * sizeof(int)));
    check(cudaMemset(memory, 0, kMostLines * kStride));
    check(cudaMemset(other, 0, kOther));
    read(0);
    write(0, 128);
  }
  void flush() { touch<<<528, 512>>>(reinterpret_cast<const uint4*>(other), kOther / 16, nullptr); }
  std::vector<int> read(int sm, int offset = 0) {
    read_lines<<<kSms, 32>>>(memory, sm, cycles, kLines, offset);
    check(cudaDeviceSynchronize());
    std::vector<int> host(kLines);
    check(cudaMemcpy(host.data(), cycles, kLines * sizeof(int), cudaMemcpyDeviceToHost));
    return host;
  }
  void write(int sm, int bytes, int lines = kLines) { write_lines<<<kSms, 32>>>(memory, sm, bytes, lines); }
};

inline int at(std::vector<int> values, double part) {
  std::sort(values.begin(), values.end());
  return values[static_cast<size_t>(part * (values.size() - 1))];
}

// Near: the better of three reads from DRAM is closer to the low mode than to the high one.
inline std::vector<bool> homes(Lab& lab, int sm) {
  std::vector<int> best(kLines, 1 << 30);
  for (int repetition = 0; repetition < 5; ++repetition) {
    lab.flush();
    const std::vector<int> cycles = lab.read(sm);
    for (int i = 0; i < kLines; ++i) {
      best[i] = std::min(best[i], cycles[i]);
    }
  }
  const int middle = (at(best, 0.05) + at(best, 0.95)) / 2;
  std::vector<bool> near(kLines);
  for (int i = 0; i < kLines; ++i) {
    near[i] = best[i] < middle;
  }
  return near;
}

inline int agreement(const std::vector<bool>& a, const std::vector<bool>& b) {
  int same = 0;
  for (int i = 0; i < kLines; ++i) {
    same += a[i] == b[i];
  }
  return same * 100 / kLines;
}

// An SM of the reader's side and one of the other, -1 if there is none. Prints how many lines are equally near to each.
struct Others {
  int same = -1;
  int across = -1;
};
inline Others others(Lab& lab, int reader, const std::vector<bool>& near) {
  Others found;
  for (int sm = 2; sm < 40; sm += 3) {
    const int percent = agreement(near, homes(lab, sm));
    std::printf("#side,%d,%d,%d\n", reader, sm, percent);
    if (percent > 80) {
      found.same = sm;
    }
    if (percent < 20) {
      found.across = sm;
    }
  }
  return found;
}

}  // namespace l2_sides
