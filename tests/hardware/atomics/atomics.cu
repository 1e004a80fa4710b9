// Limits of atomics and reductions: packets that an SM sends, operations that an L2 slice accepts, latency, queues
// between; and atomics in shared memory. Prints "test,kind,pattern,...,value" lines; `counters` launches one warp per
// pattern for Nsight Compute instead.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "patterns.h"

namespace {

enum Kind { kRed, kAtom, kCas, kRed64, kRedFloat, kLoad, kStore };
const char* const kKindNames[] = {"red", "atom", "cas", "red_u64", "red_f32", "load", "store"};

__device__ __forceinline__ uint32_t clock32() {
  uint32_t t;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(t)::"memory");
  return t;
}

template <Kind kKind>
__device__ __forceinline__ uint32_t access(uint32_t* at, uint32_t value) {
  uint32_t result = 0;
  if (kKind == kRed) {
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
  } else if (kKind == kAtom) {
    asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(result) : "l"(at), "r"(value) : "memory");
  } else if (kKind == kCas) {
    asm volatile("atom.global.cas.b32 %0, [%1], %2, %2;" : "=r"(result) : "l"(at), "r"(value) : "memory");
  } else if (kKind == kRed64) {
    asm volatile("red.global.add.u64 [%0], %1;" ::"l"(at), "l"(static_cast<uint64_t>(value)) : "memory");
  } else if (kKind == kRedFloat) {
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(at), "f"(__uint_as_float(value)) : "memory");
  } else if (kKind == kLoad) {
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(result) : "l"(at) : "memory");
  } else {
    asm volatile("st.global.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
  }
  return result;
}

struct Lanes {
  int word[32];
  uint32_t active;
};
struct Where {
  uint32_t block_words, warp_words, round_words, mask_words;  // distances; the place is taken modulo the last
  uint32_t block_modulo;
};

// Each warp accesses its pattern `rounds` times, four times per round of the loop.
template <Kind kKind>
__global__ void rate(uint32_t* base, Lanes lanes, Where where, int rounds, uint32_t value, uint32_t* out) {
  const uint32_t lane = threadIdx.x % 32;
  uint32_t place = blockIdx.x % where.block_modulo * where.block_words + threadIdx.x / 32 * where.warp_words;
  uint32_t* const mine = base + lanes.word[lane];
  uint32_t sum = 0;
  __syncthreads();
  const uint32_t begin = clock32();
  if ((lanes.active >> lane & 1) != 0) {
#pragma unroll 1
    for (int i = 0; i < rounds; i += 4) {
      uint32_t results[4];
#pragma unroll
      for (int j = 0; j < 4; ++j) {
        results[j] = access<kKind>(mine + (place & where.mask_words), value);
        place += where.round_words;
      }
      sum += results[0] + results[1] + results[2] + results[3];
    }
  }
  __syncwarp();
  const uint32_t issued = clock32();
  __threadfence();
  __syncthreads();
  const uint32_t end = clock32();
  if (sum == 0x7fffffff) {
    *base = sum;
  }
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = end - begin;
    out[2 * blockIdx.x + 1] = issued - begin;
  }
}

// The same with a new random line for each access: of each lane, or of the warp with adjacent lanes.
template <Kind kKind, bool kPerLane>
__global__ void random_lines(uint32_t* base, uint32_t line_mask, int rounds, uint32_t value, uint32_t* out) {
  const uint32_t lane = threadIdx.x % 32;
  uint32_t seed = (blockIdx.x * blockDim.x + (kPerLane ? threadIdx.x : threadIdx.x / 32 * 32)) * 2654435761u + 12345u;
  uint32_t sum = 0;
  __syncthreads();
  const uint32_t begin = clock32();
#pragma unroll 1
  for (int i = 0; i < rounds; i += 4) {
    uint32_t results[4];
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      seed = seed * 1664525u + 1013904223u;
      const uint32_t line = (seed ^ seed >> 15) >> 4 & line_mask;
      results[j] = access<kKind>(base + line * 32 + (kPerLane ? 0 : lane), value);
    }
    sum += results[0] + results[1] + results[2] + results[3];
  }
  __threadfence();
  __syncthreads();
  const uint32_t end = clock32();
  if (sum == 0x7fffffff) {
    *base = sum;
  }
  if (threadIdx.x == 0) {
    out[2 * blockIdx.x] = end - begin;
    out[2 * blockIdx.x + 1] = 0;
  }
}

// Dependent accesses to one place (memory is all zero), and the wait of a fence after a single one.
template <Kind kKind>
__global__ void latency(uint32_t* base, Lanes lanes, uint32_t zero, uint32_t* out) {
  const uint32_t lane = threadIdx.x % 32;
  if ((lanes.active >> lane & 1) == 0) {
    return;
  }
  uint32_t* const mine = base + lanes.word[lane];
  uint32_t index = access<kLoad>(mine, zero);
  uint32_t least = 0xffffffff;
  for (int repetition = 0; repetition < 2; ++repetition) {
    const uint32_t begin = clock32();
#pragma unroll
    for (int i = 0; i < 8; ++i) {
      const uint32_t result = access<kKind>(mine + index, zero);
      index = kKind == kLoad || kKind == kAtom || kKind == kCas ? result : 0;
      if (kKind == kRed || kKind == kStore) {
        __threadfence();
      }
    }
    least = min(least, clock32() - begin + index);
  }
  if (lane == 0) {
    *out = least;
  }
}

constexpr int kTimeline = 96;

// When each access was issued.
template <Kind kKind>
__global__ void timeline(uint32_t* base, Lanes lanes, uint32_t value, uint32_t* out) {
  const uint32_t lane = threadIdx.x % 32;
  uint32_t* const mine = base + lanes.word[lane];
  uint32_t clock[kTimeline];
  __syncthreads();
  const uint32_t begin = clock32();
  if ((lanes.active >> lane & 1) != 0) {
#pragma unroll
    for (int i = 0; i < kTimeline; ++i) {
      access<kKind>(mine, value);
      clock[i] = clock32();
    }
  }
  __threadfence();
  if (lane == 0) {
    for (int i = 0; i < kTimeline; ++i) {
      out[(blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * kTimeline + i] = clock[i] - begin;
    }
  }
}

enum SharedKind { kIncrement, kSharedRed, kSharedAtom };
const char* const kSharedNames[] = {"inc", "red", "atom"};

template <SharedKind kKind>
__global__ void shared_rate(Lanes lanes, int warp_words, int rounds, uint32_t addend, uint32_t* out) {
  __shared__ uint32_t memory[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
    memory[i] = 0;
  }
  const uint32_t at = static_cast<uint32_t>(
      __cvta_generic_to_shared(&memory[(lanes.word[threadIdx.x % 32] + threadIdx.x / 32 * warp_words) & 4095]));
  const uint32_t value = kKind == kIncrement ? 1 : addend;
  uint32_t sum = 0;
  __syncthreads();
  const uint32_t begin = clock32();
#pragma unroll 1
  for (int i = 0; i < rounds; i += 4) {
#pragma unroll
    for (int j = 0; j < 4; ++j) {
      if (kKind == kSharedAtom) {
        uint32_t result;
        asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(result) : "r"(at), "r"(value) : "memory");
        sum += result;
      } else {
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(value) : "memory");
      }
    }
  }
  const uint32_t issued = clock32();
  uint32_t last;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(last) : "r"(at) : "memory");
  if (last == 0x7fffffff) {
    *out = last;
  }
  __syncthreads();
  const uint32_t end = clock32();
  if (sum == 0x7fffffff) {
    *out = sum;
  }
  if (threadIdx.x == 0) {
    out[0] = end - begin;
    out[1] = issued - begin;
  }
}

// `kCount` shared reductions and when each is issued, or as many returning atomics and the wait for the last.
template <int kCount, bool kReturns>
__global__ void shared_burst(Lanes lanes, uint32_t addend, uint32_t* out) {
  __shared__ uint32_t memory[4096];
  for (int i = threadIdx.x; i < 4096; i += blockDim.x) {
    memory[i] = 0;
  }
  const uint32_t at = static_cast<uint32_t>(__cvta_generic_to_shared(&memory[lanes.word[threadIdx.x % 32] & 4095]));
  uint32_t clock[kCount + 1];
  uint32_t results[kCount];
  for (int repetition = 0; repetition < 2; ++repetition) {
    __syncthreads();
    const uint32_t begin = clock32();
#pragma unroll
    for (int i = 0; i < kCount; ++i) {
      if (kReturns) {
        asm volatile("atom.shared.add.u32 %0, [%1], %2;" : "=r"(results[i]) : "r"(at), "r"(addend) : "memory");
      } else {
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(at), "r"(addend) : "memory");
        clock[i] = clock32() - begin;
      }
    }
    if (kReturns) {
      uint32_t sum = addend;
#pragma unroll
      for (int i = 0; i < kCount; ++i) {
        sum += results[i];
      }
      asm volatile("" ::"r"(sum) : "memory");
      clock[kCount] = clock32() - begin + (sum == 0x7fffffff);
    }
  }
  if (threadIdx.x % 32 == 0) {
    for (int i = 0; i <= kCount; ++i) {
      out[threadIdx.x / 32 * (kCount + 1) + i] = clock[i];
    }
  }
}

// --- host ---

uint32_t* buffer = nullptr;
uint32_t* results = nullptr;
constexpr uint32_t kBufferWords = 1u << 23;  // 32 MiB

void check() {
  if (cudaDeviceSynchronize() != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
    std::exit(1);
  }
}
std::vector<uint32_t> fetch(std::size_t count) {
  check();
  std::vector<uint32_t> host(count);
  cudaMemcpy(host.data(), results, count * 4, cudaMemcpyDeviceToHost);
  return host;
}
Lanes lanes_of(const Pattern& pattern) {
  Lanes lanes{};
  lanes.active = pattern.active;
  for (int i = 0; i < 32; ++i) {
    lanes.word[i] = pattern.word(i);
  }
  return lanes;
}

template <Kind kKind>
void measure_rate(const char* test, const Pattern& pattern, const char* place, const Where& where, int blocks,
                  int warps, int few) {
  uint32_t cycles[2], issued[2];
  for (int longer = 0; longer < 2; ++longer) {
    rate<kKind><<<blocks, 32 * warps>>>(buffer, lanes_of(pattern), where, longer ? 3 * few : few, 0, results);
    const std::vector<uint32_t> host = fetch(2 * blocks);
    cycles[longer] = issued[longer] = 0;
    for (int b = 0; b < blocks; ++b) {
      cycles[longer] = std::max(cycles[longer], host[2 * b]);
      issued[longer] = std::max(issued[longer], host[2 * b + 1]);
    }
  }
  const double accesses = 2.0 * few * warps * blocks;
  std::printf("%s,%s,%s,%s,%d,%d,%d,%u,%u,%u,%u,%.4f\n", test, kKindNames[kKind], pattern.name, place, blocks, warps,
              few, cycles[0], issued[0], cycles[1], issued[1], (double(cycles[1]) - cycles[0]) / accesses);
}

// Packets of one SM: each access somewhere else in 16 MiB.
void sm_packets() {
  const Where where{0, 128 * 1024 + 4096, 4 * 1024 + 128, (kBufferWords >> 1) - 1, 1};
  for (const Pattern& pattern : kPatterns) {
    for (const int warps : {1, 8, 32}) {
      measure_rate<kRed>("sm", pattern, "spread", where, 1, warps, 32);
      measure_rate<kAtom>("sm", pattern, "spread", where, 1, warps, 32);
      if (warps > 1) {
        measure_rate<kStore>("sm", pattern, "spread", where, 1, warps, 32);
      }
    }
  }
}

// Operations of few slices: all SMs on one place, or in turn on places some words apart.
void slices() {
  for (const char* name : {"lane", "same", "sector8", "sector16", "words", "sectors4"}) {
    const Pattern& pattern = pattern_of(name);
    for (const int warps : {1, 8}) {
      const int few = std::strcmp(name, "lane") == 0 ? 64 : 16;
      for (const auto& [words, modulo] : {std::pair{0, 1}, {1, 8}, {8, 4}, {32, 4}, {128, 2}, {128, 8}}) {
        const std::string place = std::to_string(modulo) + "x" + std::to_string(words);
        const Where where{uint32_t(words), 0, 0, 0xffffffff, uint32_t(modulo)};
        measure_rate<kRed>("slice", pattern, place.c_str(), where, 132, warps, few);
        if (warps == 8) {
          measure_rate<kAtom>("slice", pattern, place.c_str(), where, 132, warps, few);
        }
      }
    }
  }
  const Where one{0, 0, 0, 0xffffffff, 1};
  measure_rate<kCas>("slice", pattern_of("lane"), "1x0", one, 132, 8, 64);
  measure_rate<kRed64>("slice", pattern_of("lane"), "1x0", one, 132, 8, 64);
  measure_rate<kRedFloat>("slice", pattern_of("lane"), "1x0", one, 132, 8, 64);
  measure_rate<kStore>("slice", pattern_of("lane"), "1x0", one, 132, 8, 64);
  measure_rate<kLoad>("slice", pattern_of("lane"), "1x0", one, 132, 8, 64);
  for (const int modulo : {2, 4, 8, 16, 32, 64, 128}) {
    for (const int words : {32, 128, 1024, 32768}) {
      const std::string place = std::to_string(modulo) + "x" + std::to_string(words);
      const Where where{uint32_t(words), 0, 0, 0xffffffff, uint32_t(modulo)};
      measure_rate<kRed>("spread", pattern_of("lane"), place.c_str(), where, 132, 8, 64);
    }
  }
  // Each warp goes over all of some lines: chunks that alternate within every SM.
  for (const uint32_t lines : {8, 16, 32, 64, 128, 256, 1024, 8192}) {
    const std::string place = "lines" + std::to_string(lines);
    const Where where{32 * 37, 32 * 11, 32, lines * 32 - 1, 132};
    measure_rate<kRed>("turns", pattern_of("lane"), place.c_str(), where, 132, 8, 64);
    measure_rate<kRed>("turns", pattern_of("words"), place.c_str(), where, 132, 8, 64);
    measure_rate<kAtom>("turns", pattern_of("words"), place.c_str(), where, 132, 8, 64);
  }
}

template <Kind kKind, bool kPerLane>
void random_rate(int blocks, int warps) {
  uint32_t cycles[2] = {0, 0};
  constexpr int kFew = 32;
  for (int longer = 0; longer < 2; ++longer) {
    random_lines<kKind, kPerLane>
        <<<blocks, 32 * warps>>>(buffer, (kBufferWords >> 6) - 1, longer ? 3 * kFew : kFew, 0, results);
    const std::vector<uint32_t> host = fetch(2 * blocks);
    for (int b = 0; b < blocks; ++b) {
      cycles[longer] = std::max(cycles[longer], host[2 * b]);
    }
  }
  std::printf("random,%s,%s,16MiB,%d,%d,%d,%u,0,%u,0,%.4f\n", kKindNames[kKind], kPerLane ? "lines" : "words", blocks,
              warps, kFew, cycles[0], cycles[1], (double(cycles[1]) - cycles[0]) / (2.0 * kFew * warps * blocks));
}

void random_all() {
  for (const int blocks : {1, 2, 4, 8, 16, 33, 66, 99, 132}) {
    for (const int warps : {8, 32}) {
      random_rate<kRed, true>(blocks, warps);
      random_rate<kRed, false>(blocks, warps);
      random_rate<kAtom, true>(blocks, warps);
      random_rate<kAtom, false>(blocks, warps);
      random_rate<kStore, true>(blocks, warps);
    }
  }
}

template <Kind kKind>
void measure_latency(const char* pattern_name, int place) {
  const Pattern& pattern = pattern_of(pattern_name);
  latency<kKind><<<1, 32>>>(buffer + place * 32 * 37, lanes_of(pattern), 0, results);
  std::printf("latency,%s,%s,%d,1,1,8,%.3f\n", kKindNames[kKind], pattern_name, place, fetch(1)[0] / 8.0);
}

void latencies() {
  for (int place = 0; place < 48; ++place) {
    measure_latency<kLoad>("lane", place);
    measure_latency<kAtom>("lane", place);
    measure_latency<kCas>("lane", place);
    measure_latency<kRed>("lane", place);
    measure_latency<kStore>("lane", place);
  }
  for (const Pattern& pattern : kPatterns) {
    for (int place = 0; place < 4; ++place) {
      measure_latency<kLoad>(pattern.name, place);
      measure_latency<kAtom>(pattern.name, place);
      measure_latency<kRed>(pattern.name, place);
    }
  }
}

void timelines() {
  for (const char* name : {"lane", "same", "words", "lines"}) {
    for (const int blocks : {1, 132}) {
      for (const int warps : {1, 4, 16}) {
        timeline<kRed><<<blocks, 32 * warps>>>(buffer, lanes_of(pattern_of(name)), 0, results);
        const std::vector<uint32_t> host = fetch(std::size_t{kTimeline} * blocks * warps);
        for (const int block : {0, 77}) {
          for (int warp = 0; warp < warps && block < blocks; warp += (warps > 4 ? 4 : 1)) {
            std::printf("timeline,red,%s,block%d,%d,%d,warp%d", name, block, blocks, warps, warp);
            for (int i = 0; i < kTimeline; ++i) {
              std::printf(",%u", host[(block * warps + warp) * kTimeline + i]);
            }
            std::printf("\n");
          }
        }
      }
    }
  }
}

template <SharedKind kKind>
void measure_shared(const Pattern& pattern, int warps) {
  std::vector<uint32_t> cycles[2];
  for (int longer = 0; longer < 2; ++longer) {
    shared_rate<kKind><<<1, 32 * warps>>>(lanes_of(pattern), 32, longer ? 320 : 64, 3, results);
    cycles[longer] = fetch(2);
  }
  std::printf("shared,%s,%s,,1,%d,64,%u,%u,%u,%u,%.4f\n", kSharedNames[kKind], pattern.name, warps, cycles[0][0],
              cycles[0][1], cycles[1][0], cycles[1][1], (double(cycles[1][0]) - cycles[0][0]) / (256.0 * warps));
}

template <int kCount, bool kReturns>
void measure_burst(const char* name, int warps) {
  shared_burst<kCount, kReturns><<<1, 32 * warps>>>(lanes_of(pattern_of(name)), 3, results);
  const std::vector<uint32_t> host = fetch(std::size_t(kCount + 1) * warps);
  for (int warp = 0; warp < warps; ++warp) {
    std::printf("shared_burst,%s,%s,,1,%d,warp%d,%d", kReturns ? "atom" : "red", name, warps, warp, kCount);
    for (int i = kReturns ? kCount : 0; i < (kReturns ? kCount + 1 : kCount); ++i) {
      std::printf(",%u", host[warp * (kCount + 1) + i]);
    }
    std::printf("\n");
  }
}

void shared() {
  for (const char* name : {"words", "same", "pairs", "fours", "eights", "sixteens", "modulo16", "modulo8", "modulo2",
                           "bank2", "bank4", "lines", "lane", "sector8"}) {
    for (const int warps : {1, 2, 4, 8, 16, 32}) {
      measure_shared<kIncrement>(pattern_of(name), warps);
      measure_shared<kSharedRed>(pattern_of(name), warps);
      measure_shared<kSharedAtom>(pattern_of(name), warps);
    }
  }
  for (const char* name : {"words", "same", "eights", "lines"}) {
    for (const int warps : {1, 4, 8}) {
      measure_burst<1, true>(name, warps);
      measure_burst<2, true>(name, warps);
      measure_burst<3, true>(name, warps);
      measure_burst<4, true>(name, warps);
      measure_burst<8, true>(name, warps);
      measure_burst<32, false>(name, warps);
    }
  }
}

// One warp, one access per pattern, for the profiler.
void counters() {
  const Where where{0, 0, 0, 0xffffffff, 1};
  for (const Pattern& pattern : kPatterns) {
    rate<kRed><<<1, 32>>>(buffer, lanes_of(pattern), where, 4, 0, results);
    rate<kAtom><<<1, 32>>>(buffer, lanes_of(pattern), where, 4, 0, results);
  }
  check();
}

}  // namespace

int main(int argc, char** argv) {
  cudaMalloc(&buffer, std::size_t{kBufferWords} * 4);
  cudaMemset(buffer, 0, std::size_t{kBufferWords} * 4);
  cudaMalloc(&results, 1 << 20);
  if (argc > 1) {
    counters();
    return 0;
  }
  for (int i = 0; i < 40; ++i) {  // leaves the idle clock
    random_lines<kRed, true><<<132, 256>>>(buffer, (kBufferWords >> 6) - 1, 512, 0, results);
  }
  check();
  sm_packets();
  slices();
  random_all();
  latencies();
  timelines();
  shared();
  return 0;
}
