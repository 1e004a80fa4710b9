// The parts of one SM that hold data or code: shared memory, L1, constant caches, instruction caches, barriers, fences.

#include <string>

#include "probe.h"

namespace calibration {
namespace {

constexpr int kSteps = 256;

// A chain of loads: the value that is added is 0, which the compiler does not know.
__global__ void shared_chain(Span* spans, unsigned* out, unsigned zero) {
  __shared__ unsigned words[1024];
  for (unsigned i = threadIdx.x; i < 1024; i += blockDim.x) {
    words[i] = (i + 32 + zero) % 1024;
  }
  __syncthreads();
  unsigned index = threadIdx.x;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    const long long start = now();
#pragma unroll 16
    for (int i = 0; i < kSteps; ++i) {
      index = words[index];
    }
    out[threadIdx.x] = index;
    spans[round] = {start, now()};
  }
}

template <typename T>
__device__ __forceinline__ T load_shared(unsigned address);
template <>
__device__ __forceinline__ unsigned load_shared<unsigned>(unsigned address) {
  unsigned value;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address));
  return value;
}
template <>
__device__ __forceinline__ uint4 load_shared<uint4>(unsigned address) {
  uint4 value;
  asm volatile("ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "r"(address));
  return value;
}

__device__ __forceinline__ unsigned sum_of(unsigned value) {
  return value;
}
__device__ __forceinline__ unsigned sum_of(uint4 value) {
  return value.x + value.y + value.z + value.w;
}

// Loads of `stride` elements between lanes. Eight in a row have different rows, so that the compiler cannot join them.
template <typename T>
__global__ void shared_rate(Span* spans, unsigned* out, unsigned stride) {
  constexpr unsigned kRows = 8;
  constexpr unsigned kRowBytes = 32 * 8 * sizeof(unsigned);
  __shared__ uint4 values[kRows * kRowBytes / sizeof(uint4)];
  for (unsigned i = threadIdx.x; i < kRows * kRowBytes / sizeof(uint4); i += blockDim.x) {
    values[i] = make_uint4(0, 0, 0, 0);
  }
  const auto first = static_cast<unsigned>(__cvta_generic_to_shared(values)) +
                     (threadIdx.x % 32) * stride * static_cast<unsigned>(sizeof(T));
  unsigned sum = 0;
  Span span{};
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    span.start = now();
#pragma unroll 1
    for (int i = 0; i < kSteps / 8; ++i) {
      // The values are 0, which the compiler does not know: loads of two iterations cannot be joined either.
      const unsigned address = first + (sum & 4);
#pragma unroll
      for (unsigned row = 0; row < kRows; ++row) {
        sum += sum_of(load_shared<T>(address + row * kRowBytes));
      }
    }
    out[threadIdx.x] = sum;
    span.end = now();
  }
  spans[threadIdx.x / 32] = span;
}

template <typename T>
void add_shared_rate(const char* name, unsigned stride, Results& results) {
  constexpr int kThreads = 1024;
  const Memory<Span> spans(kThreads / 32);
  const Memory<unsigned> out(kThreads);
  shared_rate<T><<<1, kThreads>>>(spans.get(), out.get(), stride);
  finish();
  results.add(name, "loads/cycle", kSteps * (kThreads / 32.0) / cycles_of(spans.copy(), 0, kThreads / 32));
}

// Each lane of the warp loads the word of its own; lines follow each other.
// `lines` is a power of two.
__global__ void l1_chain(const unsigned* data, Span* spans, unsigned* out, unsigned lines, unsigned zero) {
  unsigned line = 0;
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    const long long start = now();
#pragma unroll 4
    for (unsigned i = 0; i < lines; ++i) {
      unsigned value;
      asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(data + line * 32) : "memory");
      line = (line + 1 + (value & zero)) & (lines - 1);
    }
    out[threadIdx.x] = line;
    spans[round] = {start, now()};
  }
}

// Eight lines of L1 by each warp, as above; lanes are `stride` words apart.
__global__ void l1_rate(const unsigned* data, Span* spans, unsigned* out, unsigned stride, unsigned zero) {
  constexpr unsigned kRowWords = 1024;
  const unsigned first = (threadIdx.x % 32) * stride;
  unsigned sum = 0;
  Span span{};
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    __syncthreads();
    span.start = now();
#pragma unroll 1
    for (int i = 0; i < kSteps / 8; ++i) {
      const unsigned* address = data + first + (sum & zero);
#pragma unroll
      for (unsigned row = 0; row < 8; ++row) {
        unsigned value;
        asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(address + row * kRowWords) : "memory");
        sum += value;
      }
    }
    out[threadIdx.x] = sum;
    span.end = now();
  }
  spans[threadIdx.x / 32] = span;
}

constexpr unsigned kConstantWords = 16384;
__constant__ unsigned constant_words[kConstantWords];

// `stride` words from load to load, within `words` from the start. One address for all lanes, but the compiler does not
// know it.
__global__ void constant_chain(Span* spans, unsigned* out, unsigned words, unsigned stride, unsigned zero) {
  unsigned index = threadIdx.x & zero;
#pragma unroll 1
  for (int round = 0; round < 3; ++round) {
    const long long start = now();
#pragma unroll 4
    for (int i = 0; i < kSteps * 4; ++i) {
      index = (index + stride + (constant_words[index] & zero)) & (words - 1);
    }
    out[threadIdx.x] = index;
    spans[round] = {start, now()};
  }
}

// A loop over `kInstructions` additions whose code is in a line.
template <int kInstructions>
__global__ void code_loop(Span* spans, unsigned* out, int rounds, unsigned seed) {
  unsigned x = seed;
  unsigned y = seed + 1;
  long long start = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    if (round == rounds / 2) {
      start = now();
    }
#pragma unroll
    for (int i = 0; i < kInstructions / 2; ++i) {
      asm volatile("mad.lo.s32 %0, %0, %1, %1;" : "+r"(x) : "r"(seed));
      asm volatile("lop3.b32 %0, %0, %1, %2, 0x6a;" : "+r"(y) : "r"(seed), "r"(y));
    }
  }
  out[threadIdx.x] = x + y;
  spans[threadIdx.x / 32] = {start, now()};
}

template <int kInstructions>
void add_code(Results& results) {
  constexpr int kRounds = 4;
  const Memory<Span> spans(1);
  const Memory<unsigned> out(32);
  code_loop<kInstructions><<<1, 32>>>(spans.get(), out.get(), kRounds, 1);
  finish();
  results.add("code.loop." + std::to_string(kInstructions), "cycles/instruction",
              cycles_of(spans.copy(), 0, 1) / (kInstructions * (kRounds / 2)));
}

__global__ void barrier_chain(Span* spans) {
  Span span{};
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    span.start = now();
#pragma unroll 8
    for (int i = 0; i < 64; ++i) {
      __syncthreads();
    }
    span.end = now();
  }
  spans[threadIdx.x / 32] = span;
}

template <bool kStores>
__global__ void fence_chain(Span* spans, unsigned* out) {
  Span span{};
#pragma unroll 1
  for (int round = 0; round < 2; ++round) {
    span.start = now();
#pragma unroll 1
    for (int i = 0; i < 16; ++i) {
      if (kStores) {
        asm volatile("st.global.u32 [%0], %1;" ::"l"(out + threadIdx.x), "r"(i) : "memory");
      }
      __threadfence();
    }
    span.end = now();
  }
  spans[threadIdx.x / 32] = span;
}

}  // namespace

void probe_shared(const Device&, Results& results) {
  const Memory<Span> spans(2);
  const Memory<unsigned> out(32);
  shared_chain<<<1, 32>>>(spans.get(), out.get(), 0);
  finish();
  results.add("latency.shared", "cycles", cycles_of(spans.copy(), 1, 1) / kSteps);
  add_shared_rate<unsigned>("rate.shared.32", 1, results);
  add_shared_rate<unsigned>("rate.shared.32.conflict2", 2, results);
  add_shared_rate<unsigned>("rate.shared.32.conflict8", 8, results);
  add_shared_rate<uint4>("rate.shared.128", 1, results);
}

void probe_l1(const Device&, Results& results) {
  constexpr unsigned kLargestLines = 4096;
  const Memory<unsigned> data(kLargestLines * 32);
  const Memory<Span> spans(32);
  const Memory<unsigned> out(1024);
  for (unsigned kib = 8; kib <= 512; kib *= 2) {
    const unsigned lines = kib * 8;
    l1_chain<<<1, 32>>>(data.get(), spans.get(), out.get(), lines, 0);
    finish();
    results.add("latency.l1." + std::to_string(kib) + "KiB", "cycles", cycles_of(spans.copy(), 1, 1) / lines);
  }
  for (const unsigned stride : {1U, 2U, 8U}) {  // up to 32 KiB
    l1_rate<<<1, 1024>>>(data.get(), spans.get(), out.get(), stride, 0);
    finish();
    results.add("rate.l1.32.stride" + std::to_string(stride), "loads/cycle",
                kSteps * 32.0 / cycles_of(spans.copy(), 0, 32));
  }
}

void probe_constant(const Device&, Results& results) {
  const std::vector<unsigned> zeros(kConstantWords, 0);
  REQUIRE(cudaMemcpyToSymbol(constant_words, zeros.data(), kConstantWords * sizeof(unsigned)));
  const Memory<Span> spans(3);
  const Memory<unsigned> out(32);
  for (unsigned bytes = 256; bytes <= 65536; bytes *= 4) {
    constant_chain<<<1, 32>>>(spans.get(), out.get(), bytes / 4, 16, 0);
    finish();
    results.add("latency.constant." + std::to_string(bytes), "cycles", cycles_of(spans.copy(), 2, 1) / (kSteps * 4));
  }
}

void probe_code(const Device&, Results& results) {
  add_code<128>(results);
  add_code<512>(results);
  add_code<1024>(results);
  add_code<4096>(results);
  add_code<12288>(results);
}

void probe_barriers(const Device&, Results& results) {
  const Memory<Span> spans(32);
  const Memory<unsigned> out(1024);
  for (const int warps : {1, 8, 32}) {
    barrier_chain<<<1, warps * 32>>>(spans.get());
    finish();
    results.add("latency.barrier.warps" + std::to_string(warps), "cycles", cycles_of(spans.copy(), 0, warps) / 64);
  }
  fence_chain<false><<<1, 32>>>(spans.get(), out.get());
  finish();
  results.add("latency.fence", "cycles", cycles_of(spans.copy(), 0, 1) / 16);
  fence_chain<true><<<1, 32>>>(spans.get(), out.get());
  finish();
  results.add("latency.store_and_fence", "cycles", cycles_of(spans.copy(), 0, 1) / 16);
}

}  // namespace calibration
