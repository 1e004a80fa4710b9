// Latencies and rates of L2 and DRAM, of one SM and of all, and atomic operations.

#include <algorithm>
#include <string>

#include "probe.h"

namespace calibration {
namespace {

constexpr int kLineWords = 32;
constexpr int kSamples = 128;
constexpr int kRateThreads = 1024;
constexpr std::size_t kMiB = std::size_t{1} << 20;

// Blocks go on together: all are resident, since there is at most one for each SM.
__device__ void wait_for_grid(unsigned* arrived, unsigned expected) {
  __syncthreads();
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (*static_cast<volatile unsigned*>(arrived) < expected) {
    }
  }
  __syncthreads();
}

// Times each of kSamples loads, one after another, of the lines (first + i) * factor modulo `lines`, a power of two:
// with an odd factor no line comes twice. `rounds` times the same lines; the last round is kept.
__global__ void timed_loads(const unsigned* data, unsigned* latencies, unsigned lines, unsigned factor, unsigned first,
                            int rounds, unsigned zero) {
  __shared__ unsigned sink[kSamples];
  const unsigned base = first + blockIdx.x * kSamples;
  unsigned carried = 0;
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
#pragma unroll 1
    for (unsigned i = 0; i < kSamples; ++i) {
      const unsigned line = ((base + i + carried) * factor) & (lines - 1);
      const unsigned* address = data + static_cast<std::size_t>(line) * kLineWords;
      const long long start = now();
      const unsigned value = load_beyond_l1(address) & zero;
      // The store waits for the value, and the clock is read after it.
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(sink + i))),
                   "r"(value)
                   : "memory");
      const long long end = now();
      carried = value;
      latencies[blockIdx.x * kSamples + i] = static_cast<unsigned>(end - start);
    }
  }
}

// The same with atomic additions of 0, which are done where the line is at home. The words are 4 KiB apart.
__global__ void timed_atomics(unsigned* data, unsigned* latencies, unsigned words, unsigned zero) {
  __shared__ unsigned sink[kSamples];
  for (int round = 0; round < 2; ++round) {
    for (unsigned i = 0; i < kSamples; ++i) {
      unsigned* address = data + (((i + blockIdx.x * 7) % words) * 1024);
      const long long start = now();
      const unsigned value = atomicAdd(address, zero) & zero;
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(sink + i))),
                   "r"(value)
                   : "memory");
      const long long end = now();
      latencies[blockIdx.x * kSamples + i] = static_cast<unsigned>(end - start);
    }
  }
}

void add_distribution(const std::string& name, const std::vector<unsigned>& cycles, Results& results) {
  const std::vector<double> values(cycles.begin(), cycles.end());
  results.add(name + ".mean", "cycles", mean(values));
  results.add(name + ".p10", "cycles", percentile(values, 10));
  results.add(name + ".p50", "cycles", percentile(values, 50));
  results.add(name + ".p90", "cycles", percentile(values, 90));
}

enum class Access { kRead, kWrite, kCopy };

// Each block passes `rounds` times through its own `vectors` of 16 bytes, eight accesses of a thread at a time.
template <Access kAccess>
__global__ void __launch_bounds__(kRateThreads)
    stream(uint4* data, uint4* target, std::size_t vectors, int rounds, Span* spans, unsigned* arrived, unsigned* out) {
  constexpr int kAtATime = kAccess == Access::kCopy ? 4 : 8;
  uint4* own = data + blockIdx.x * vectors;
  uint4* copy = target + blockIdx.x * vectors;
  unsigned sum = 0;
  Span span{};
#pragma unroll 1
  for (int round = 0; round < rounds; ++round) {
    if (round == rounds - 1) {
      wait_for_grid(arrived, gridDim.x);
      span.start = now();
    }
#pragma unroll 1
    for (std::size_t i = threadIdx.x; i < vectors; i += static_cast<std::size_t>(blockDim.x) * kAtATime) {
      uint4 values[kAtATime];
#pragma unroll
      for (int k = 0; k < kAtATime; ++k) {
        if (kAccess != Access::kWrite) {
          values[k] = __ldcg(own + i + static_cast<std::size_t>(k) * blockDim.x);
        }
      }
#pragma unroll
      for (int k = 0; k < kAtATime; ++k) {
        if (kAccess == Access::kWrite) {
          own[i + static_cast<std::size_t>(k) * blockDim.x] = make_uint4(round, round, round, round);
        } else if (kAccess == Access::kCopy) {
          copy[i + static_cast<std::size_t>(k) * blockDim.x] = values[k];
        } else {
          sum += values[k].x + values[k].y + values[k].z + values[k].w;
        }
      }
    }
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  if (kAccess != Access::kRead) {
    __threadfence();  // until then writes may wait in queues
  }
  __syncthreads();
  span.end = now();
  if (threadIdx.x == 0) {
    spans[blockIdx.x] = span;
  }
}

// Bytes per core cycle: the sum of the blocks' rates. `bytes` of one block, a multiple of 128 KiB, and of reads or
// writes only.
template <Access kAccess>
double stream_rate(uint4* data, uint4* target, int blocks, std::size_t bytes, int rounds) {
  const Memory<Span> spans(blocks);
  const Memory<unsigned> arrived(1);
  const Memory<unsigned> out(static_cast<std::size_t>(blocks) * kRateThreads);
  REQUIRE(cudaMemset(arrived.get(), 0, sizeof(unsigned)));
  stream<kAccess>
      <<<blocks, kRateThreads>>>(data, target, bytes / sizeof(uint4), rounds, spans.get(), arrived.get(), out.get());
  finish();
  const std::vector<Span> host = spans.copy();
  double rate = 0;
  for (int block = 0; block < blocks; ++block) {
    rate += static_cast<double>(bytes) / cycles_of(host, block, 1);
  }
  return rate;
}

std::size_t rounded_down(std::size_t bytes, std::size_t unit) {
  return std::max(bytes / unit, std::size_t{1}) * unit;
}

constexpr std::size_t kStreamUnit = 16 * sizeof(uint4) * kRateThreads / 2;  // eight accesses of each thread

// All threads of all blocks add to words: one for all, or one for each lane of a warp's own lines.
__global__ void reductions(unsigned* data, unsigned stride, unsigned lane_stride, Span* spans, unsigned* arrived) {
  unsigned* address =
      data + (blockIdx.x * (blockDim.x / 32) + threadIdx.x / 32) * stride + (threadIdx.x % 32) * lane_stride;
  wait_for_grid(arrived, gridDim.x);
  Span span{};
  span.start = now();
#pragma unroll 1
  for (int i = 0; i < 32; ++i) {
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(address), "r"(1) : "memory");
  }
  // Operations with a result come back after those before them.
  const unsigned last = atomicAdd(address, 1);
  asm volatile("st.global.u32 [%0], %1;" ::"l"(address), "r"(last) : "memory");
  __syncthreads();
  span.end = now();
  if (threadIdx.x == 0) {
    spans[blockIdx.x] = span;
  }
}

// Warp instructions per cycle of all SMs.
double reduction_rate(unsigned* data, int blocks, unsigned stride, unsigned lane_stride) {
  constexpr int kThreads = 256;
  const Memory<Span> spans(blocks);
  const Memory<unsigned> arrived(1);
  REQUIRE(cudaMemset(arrived.get(), 0, sizeof(unsigned)));
  reductions<<<blocks, kThreads>>>(data, stride, lane_stride, spans.get(), arrived.get());
  finish();
  const std::vector<Span> host = spans.copy();
  std::vector<double> cycles;
  for (int block = 0; block < blocks; ++block) {
    cycles.push_back(cycles_of(host, block, 1));
  }
  return 33.0 * (kThreads / 32.0) * blocks / mean(cycles);
}

}  // namespace

void probe_l2_latency(const Device& device, Results& results) {
  const unsigned lines = 2 * kMiB / 128;
  const Memory<unsigned> data(static_cast<std::size_t>(lines) * kLineWords);
  const Memory<unsigned> latencies(static_cast<std::size_t>(device.sms) * kSamples);
  timed_loads<<<device.sms, 32>>>(data.get(), latencies.get(), lines, 40503, 0, 3, 0);
  finish();
  add_distribution("latency.l2", latencies.copy(), results);
}

void probe_l2_rate_of_sm(const Device&, Results& results) {
  const std::size_t bytes = rounded_down(kMiB, kStreamUnit);
  const Memory<uint4> data(bytes / sizeof(uint4));
  uint4* start = data.get();
  results.add("rate.l2.read.one_sm", "bytes/cycle", stream_rate<Access::kRead>(start, start, 1, bytes, 3));
  results.add("rate.l2.write.one_sm", "bytes/cycle", stream_rate<Access::kWrite>(start, start, 1, bytes, 3));
}

void probe_l2_rate(const Device& device, Results& results) {
  const std::size_t each = rounded_down(device.l2_bytes / 4 / device.sms, kStreamUnit);
  const Memory<uint4> data(each * device.sms / sizeof(uint4));
  uint4* start = data.get();
  results.add("rate.l2.read.all", "bytes/cycle", stream_rate<Access::kRead>(start, start, device.sms, each, 4));
  results.add("rate.l2.write.all", "bytes/cycle", stream_rate<Access::kWrite>(start, start, device.sms, each, 4));
}

void probe_l2_capacity(const Device& device, Results& results) {
  const Memory<uint4> data(device.l2_bytes * 3 / 2 / sizeof(uint4));
  for (const int eighths : {4, 8, 12}) {
    const std::size_t each = rounded_down(device.l2_bytes / 8 * eighths / device.sms, kStreamUnit);
    results.add("rate.read.l2_eighths" + std::to_string(eighths), "bytes/cycle",
                stream_rate<Access::kRead>(data.get(), data.get(), device.sms, each, 2));
  }
}

void probe_atomics(const Device& device, Results& results) {
  constexpr unsigned kWords = 64;
  const Memory<unsigned> data(std::max<std::size_t>(kWords * 1024, static_cast<std::size_t>(device.sms) * 8 * 1024));
  const Memory<unsigned> latencies(static_cast<std::size_t>(device.sms) * kSamples);
  timed_atomics<<<8, 32>>>(data.get(), latencies.get(), kWords, 0);
  finish();
  std::vector<unsigned> cycles = latencies.copy();
  cycles.resize(8 * kSamples);
  add_distribution("latency.atomic", cycles, results);
  results.add("rate.red.one_word", "warps/cycle", reduction_rate(data.get(), device.sms, 0, 0));
  results.add("rate.red.one_line", "warps/cycle", reduction_rate(data.get(), device.sms, 0, 1));
  results.add("rate.red.own_lines", "warps/cycle", reduction_rate(data.get(), device.sms, 32, 1));
  results.add("rate.red.own_words", "warps/cycle", reduction_rate(data.get(), device.sms, 32, 0));
}

void probe_dram_latency(const Device& device, Results& results) {
  if (device.empties_l2) {
    const std::size_t each = rounded_down(device.l2_bytes * 3 / device.sms, kStreamUnit);
    const Memory<uint4> others(each * device.sms / sizeof(uint4));
    stream_rate<Access::kRead>(others.get(), others.get(), device.sms, each, 1);
  }
  // Each line is read once: repetitions go on where the last one ended.
  static unsigned next = 0;
  constexpr int kBlocks = 8;
  const unsigned lines = 256 * kMiB / 128;
  static Memory<unsigned>* const data = new Memory<unsigned>(static_cast<std::size_t>(lines) * kLineWords);
  const Memory<unsigned> latencies(kBlocks * kSamples);
  const auto add = [&](const char* name, unsigned factor) {
    timed_loads<<<kBlocks, 32>>>(data->get(), latencies.get(), lines, factor, next, 1, 0);
    finish();
    next += kBlocks * kSamples;
    add_distribution(name, latencies.copy(), results);
  };
  add("latency.dram.scattered", 40503);
  add("latency.dram.in_order", 3);
}

namespace {

// Memory for streams of three times the size of L2: what is there from before a pass has left when the pass gets to it.
struct DramStreams {
  explicit DramStreams(const Device& device)
      : each(rounded_down(device.l2_bytes * 3 / device.sms, kStreamUnit)),
        vectors(each * device.sms / sizeof(uint4)),
        data(vectors * 2) {}

  std::size_t each;
  std::size_t vectors;
  Memory<uint4> data;
};

}  // namespace

void probe_dram_read(const Device& device, Results& results) {
  const DramStreams streams(device);
  uint4* first = streams.data.get();
  results.add("rate.dram.read", "bytes/cycle", stream_rate<Access::kRead>(first, first, device.sms, streams.each, 1));
}

void probe_dram_write(const Device& device, Results& results) {
  const DramStreams streams(device);
  uint4* first = streams.data.get();
  results.add("rate.dram.write", "bytes/cycle", stream_rate<Access::kWrite>(first, first, device.sms, streams.each, 1));
}

void probe_dram_copy(const Device& device, Results& results) {
  const DramStreams streams(device);
  uint4* first = streams.data.get();
  results.add("rate.dram.copy", "bytes/cycle",
              2 * stream_rate<Access::kCopy>(first, first + streams.vectors, device.sms, streams.each, 1));
}

}  // namespace calibration
