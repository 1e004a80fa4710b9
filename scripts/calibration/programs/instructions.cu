// Latency of an instruction: a chain of dependent ones of one warp. Rate: independent ones of all warps of an SM.

#include <string>

#include "operations.h"
#include "probe.h"

namespace calibration {
namespace {

constexpr int kChainLength = 64;
constexpr int kRateLength = 32;
constexpr int kRateChains = 4;
constexpr int kRateThreads = 256;  // two warps of each sub-core; with one there are too few chains for long latencies

// The code of an instruction that the compiled capability lacks is left out; the probe then adds no value.
#ifdef __CUDA_ARCH__
constexpr int kCompiledCapability = __CUDA_ARCH__ / 10;
#else
constexpr int kCompiledCapability = 0;
#endif

// Two rounds: the first one brings the code.
template <typename Operation>
__global__ void chain(Span* spans, typename Operation::Value* out, typename Operation::Value seed) {
  if constexpr (kCompiledCapability >= Operation::kLeastCapability) {
    using Value = typename Operation::Value;
    Value x = seed + static_cast<Value>(threadIdx.x);
    const Value others[2] = {seed + static_cast<Value>(3), seed + static_cast<Value>(5)};
    const Value addends[2] = {seed + static_cast<Value>(7), seed + static_cast<Value>(9)};
#pragma unroll 1
    for (int round = 0; round < 2; ++round) {
      const long long start = now();
#pragma unroll
      for (int i = 0; i < kChainLength; ++i) {
        Operation::apply(x, others[i % 2], addends[i % 2]);
      }
      out[threadIdx.x] = x;  // in order after the last step, so the clock is read after its result
      spans[round] = {start, now()};
    }
  }
}

template <typename Operation>
__global__ void rate(Span* spans, typename Operation::Value* out, typename Operation::Value seed) {
  if constexpr (kCompiledCapability >= Operation::kLeastCapability) {
    using Value = typename Operation::Value;
    Value x[kRateChains];
#pragma unroll
    for (int c = 0; c < kRateChains; ++c) {
      x[c] = seed + static_cast<Value>(threadIdx.x + c);
    }
    const Value others[2] = {seed + static_cast<Value>(3), seed + static_cast<Value>(5)};
    const Value addends[2] = {seed + static_cast<Value>(7), seed + static_cast<Value>(9)};
    long long start = 0;
    long long end = 0;
#pragma unroll 1
    for (int round = 0; round < 2; ++round) {
      __syncthreads();
      start = now();
#pragma unroll
      for (int i = 0; i < kRateLength; ++i) {
#pragma unroll
        for (int c = 0; c < kRateChains; ++c) {
          Operation::apply(x[c], others[i % 2], addends[i % 2]);
        }
      }
      end = now();
    }
    spans[threadIdx.x / 32] = {start, end};
#pragma unroll
    for (int c = 0; c < kRateChains; ++c) {
      out[threadIdx.x * kRateChains + c] = x[c];
    }
  }
}

template <typename Operation>
__global__ void matrix_chain(Span* spans, float* out, unsigned seed) {
  if constexpr (kCompiledCapability >= Operation::kLeastCapability) {
    float d[4] = {1, 2, 3, 4};
#pragma unroll 1
    for (int round = 0; round < 2; ++round) {
      const long long start = now();
#pragma unroll
      for (int i = 0; i < kChainLength; ++i) {
        Operation::apply(d, seed);
      }
      out[threadIdx.x] = d[0] + d[1] + d[2] + d[3];
      spans[round] = {start, now()};
    }
  }
}

template <typename Operation>
__global__ void matrix_rate(Span* spans, float* out, unsigned seed) {
  if constexpr (kCompiledCapability >= Operation::kLeastCapability) {
    float d[kRateChains][4] = {};
    long long start = 0;
    long long end = 0;
#pragma unroll 1
    for (int round = 0; round < 2; ++round) {
      __syncthreads();
      start = now();
#pragma unroll
      for (int i = 0; i < kRateLength; ++i) {
#pragma unroll
        for (int c = 0; c < kRateChains; ++c) {
          Operation::apply(d[c], seed);
        }
      }
      end = now();
    }
    spans[threadIdx.x / 32] = {start, end};
#pragma unroll
    for (int c = 0; c < kRateChains; ++c) {
      out[threadIdx.x * kRateChains + c] = d[c][0] + d[c][1] + d[c][2] + d[c][3];
    }
  }
}

std::string name_of(const char* kind, const char* operation) {
  return std::string(kind) + "." + operation;
}

// Instructions of a warp per cycle of the SM.
double rate_of(const std::vector<Span>& spans) {
  constexpr double kInstructions = kRateLength * kRateChains * (kRateThreads / 32.0);
  return kInstructions / cycles_of(spans, 0, spans.size());
}

// `kernel` is one of those above, of Operation.
template <typename Operation, typename Value, typename Seed>
void add_latency(const Device& device, Results& results, void (*kernel)(Span*, Value*, Seed), Seed seed) {
  if (device.capability < Operation::kLeastCapability) {
    return;
  }
  const Memory<Span> spans(2);
  const Memory<Value> out(32);
  kernel<<<1, 32>>>(spans.get(), out.get(), seed);
  finish();
  results.add(name_of("latency", Operation::kName), "cycles", cycles_of(spans.copy(), 1, 1) / kChainLength);
}

template <typename Operation, typename Value, typename Seed>
void add_rate(const Device& device, Results& results, void (*kernel)(Span*, Value*, Seed), Seed seed) {
  if (device.capability < Operation::kLeastCapability) {
    return;
  }
  const Memory<Span> spans(kRateThreads / 32);
  const Memory<Value> out(kRateThreads * kRateChains);
  kernel<<<1, kRateThreads>>>(spans.get(), out.get(), seed);
  finish();
  results.add(name_of("rate", Operation::kName), "warps/cycle", rate_of(spans.copy()));
}

template <typename... Operations>
void add_latencies(const Device& device, Results& results) {
  (add_latency<Operations>(device, results, chain<Operations>, static_cast<typename Operations::Value>(1)), ...);
}

template <typename... Operations>
void add_rates(const Device& device, Results& results) {
  (add_rate<Operations>(device, results, rate<Operations>, static_cast<typename Operations::Value>(1)), ...);
}

}  // namespace

void probe_instruction_latency(const Device& device, Results& results) {
  add_latencies<FmaF32, AddS32, MadS32, LogicB32, ShiftB32, PermuteB32, MinS32, FmaF64, FmaF16, ExponentF32, CountB32,
                FindB32, ReverseB32, ShuffleB32, ConvertS32, VoteB32, SelectS32, ReduceS32>(device, results);
  add_latency<MatrixM16N8K8>(device, results, matrix_chain<MatrixM16N8K8>, 0U);
  add_latency<MatrixM16N8K16>(device, results, matrix_chain<MatrixM16N8K16>, 0U);
}

void probe_instruction_rate(const Device& device, Results& results) {
  add_rates<FmaF32, AddS32, MadS32, LogicB32, ShiftB32, PermuteB32, MinS32, FmaF64, FmaF16, ExponentF32, CountB32,
            FindB32, ReverseB32, ShuffleB32, ConvertS32, VoteB32, SelectS32, ReduceS32>(device, results);
  add_rate<MatrixM16N8K8>(device, results, matrix_rate<MatrixM16N8K8>, 0U);
  add_rate<MatrixM16N8K16>(device, results, matrix_rate<MatrixM16N8K16>, 0U);
}

}  // namespace calibration
