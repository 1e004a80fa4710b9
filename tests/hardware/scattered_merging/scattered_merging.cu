// How many reads of the same lines by many SMs are merged before L2 if each load of a warp touches many lines: the SMs
// read the same lines past L1 round after round, all at the same cycle. The clocks of the SMs are aligned by ticks of the
// global timer.
//
// Prints for each launch: lines of a load, sectors read of each line, bytes of a sector that each SM reads (4: a word of
// its own, 32: all the same), loads of a warp in a round, warps of an SM, SMs, rounds, requested sectors.
#include <cstdint>
#include <cstdio>

namespace {

constexpr int kRounds = 64;
constexpr int kPeriod = 6000;  // cycles from round to round: no two rounds meet
constexpr int kSms = 132;

__device__ __forceinline__ long long timer() {
  long long value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value));
  return value;
}

// Lane l reads line l % lines, and of it sector l / lines % sectors.
__global__ void read_together(const char* memory, uint32_t* sink, int lines, int sectors, bool own_word, int loads) {
  const long long epoch = (timer() / 65536 + 2) * 65536;
  while (timer() < epoch) {
  }
  const long long start = clock64() + 2000;
  const uint32_t lane = threadIdx.x % 32, warp = threadIdx.x / 32, warps = blockDim.x / 32;
  const uint64_t at = lane % lines * 128 + lane / lines % sectors * 32 + (own_word ? blockIdx.x % 8 * 4 : 0);
  uint32_t sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    const long long due = start + static_cast<long long>(round) * kPeriod;
    while (clock64() < due) {
    }
    const char* from = memory + (static_cast<uint64_t>(round) * warps + warp) * loads * lines * 128 + at;
#pragma unroll 8
    for (int i = 0; i < loads; ++i, from += lines * 128) {
      uint32_t value;
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(from));
      sum += value;
    }
  }
  if (sum == 12345) {
    *sink = sum;
  }
}

char* memory;
uint32_t* sink;

void run(int lines, int sectors, bool own_word, int loads, int warps, int sms) {
  std::printf("%d,%d,%d,%d,%d,%d,%d,%d\n", lines, sectors, own_word ? 4 : 32, loads, warps, sms, kRounds,
              lines * sectors * loads * warps * sms * kRounds);
  read_together<<<sms, warps * 32>>>(memory, sink, lines, sectors, own_word, loads);
}

}  // namespace

int main() {
  constexpr std::size_t kBytes = 1 << 28;
  if (cudaMalloc(&memory, kBytes) != cudaSuccess || cudaMemset(memory, 0, kBytes) != cudaSuccess ||
      cudaMalloc(&sink, 64) != cudaSuccess) {
    return 1;
  }
  for (const int lines : {1, 2, 4, 8, 16, 32}) {
    for (const int loads : {1, 4}) {
      for (const int warps : {1, 4, 16}) {
        run(lines, 1, false, loads, warps, kSms);
      }
    }
  }
  for (const int lines : {1, 2, 4, 8}) {
    run(lines, 4, false, 1, 1, kSms);
    run(lines, 4, false, 4, 4, kSms);
  }
  run(32, 1, true, 1, 1, kSms);
  run(32, 1, true, 4, 4, kSms);
  run(32, 1, false, 1, 1, 16);
  run(32, 1, false, 4, 4, 16);
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
