// Which reads of one line by several SMs are merged before L2: chosen SMs read the same lines past L1 round after
// round, each a fixed number of cycles after the previous one. The clocks of the SMs are aligned by ticks of the global
// timer.
#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

constexpr int kRounds = 1024;
constexpr int kPeriod = 3000;       // cycles from round to round: no two rounds meet
constexpr int kStride = 4096;       // bytes from round to round
constexpr int kBytes = kRounds * kStride;
constexpr int kSms = 132;

struct Plan {
  int lag[kSms];  // of each SM, in cycles; negative: it is idle
};

__device__ __forceinline__ long long timer() {
  long long value;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(value));
  return value;
}

__device__ __forceinline__ uint32_t sm_number() {
  uint32_t sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  return sm;
}

// width: bytes a lane reads; lanes: lanes with their own address, the others repeat them.
template <int kWidth>
__device__ __forceinline__ uint32_t read_past_l1(const char* address) {
  uint32_t a = 0, b = 0, c = 0, d = 0;
  if (kWidth == 16) {
    asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];" : "=r"(a), "=r"(b), "=r"(c), "=r"(d) : "l"(address));
  } else if (kWidth == 8) {
    asm volatile("ld.global.cg.v2.u32 {%0, %1}, [%2];" : "=r"(a), "=r"(b) : "l"(address));
  } else {
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(a) : "l"(address));
  }
  return a + b + c + d;
}

template <int kWidth>
__global__ void read_in_turn(const char* memory, uint32_t* sink, Plan plan, int lanes) {
  const int lag = plan.lag[sm_number()];
  const long long epoch = (timer() / 65536 + 2) * 65536;  // the same for all SMs except in rare launches that cross it
  long long now;
  while ((now = timer()) < epoch) {
  }
  const long long start = clock64() + 2000;
  if (lag < 0) {
    return;
  }
  uint32_t sum = 0;
  for (int round = 0; round < kRounds; ++round) {
    const long long due = start + static_cast<long long>(round) * kPeriod + lag;
    while (clock64() < due) {
    }
    sum += read_past_l1<kWidth>(memory + round * kStride + threadIdx.x % lanes * kWidth);
  }
  if (sum == 12345) {
    *sink = sum;
  }
}

__global__ void warm(const uint4* memory, uint32_t* sink) {
  uint32_t sum = 0;
  for (int i = threadIdx.x; i < kBytes / 16; i += blockDim.x) {
    sum += read_past_l1<16>(reinterpret_cast<const char*>(memory + i));
  }
  if (sum == 12345) {
    *sink = sum;
  }
}

}  // namespace

int main() {
  char* memory = nullptr;
  uint32_t* sink = nullptr;
  cudaMalloc(&memory, kBytes);
  cudaMemset(memory, 0, kBytes);
  cudaMalloc(&sink, 4096);
  constexpr int kShared = 160 * 1024;
  cudaFuncSetAttribute(read_in_turn<4>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  cudaFuncSetAttribute(read_in_turn<8>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  cudaFuncSetAttribute(read_in_turn<16>, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  warm<<<132, 1024>>>(reinterpret_cast<const uint4*>(memory), sink);
  int number = 0;
  const auto run = [&](const char* name, const std::vector<int>& sms, int lag, int width, int lanes) {
    Plan plan;
    for (int& of_sm : plan.lag) {
      of_sm = -1;
    }
    for (std::size_t i = 0; i < sms.size(); ++i) {
      plan.lag[sms[i]] = static_cast<int>(i) * lag;
    }
    if (width == 4) {
      read_in_turn<4><<<132, 32, kShared>>>(memory, sink, plan, lanes);
    } else if (width == 8) {
      read_in_turn<8><<<132, 32, kShared>>>(memory, sink, plan, lanes);
    } else {
      read_in_turn<16><<<132, 32, kShared>>>(memory, sink, plan, lanes);
    }
    std::printf("%d,%s,%zu,%d,%d,%d,%d\n", number++, name, sms.size(), lag, width, lanes,
                static_cast<int>(sms.size()) * kRounds * ((width * lanes + 31) / 32));
  };
  for (const int lag : {0, 2, 8, 32, 64, 128, 192, 224, 256, 288, 320, 384, 512, 1024}) {
    run("pair_of_tpc", {2, 3}, lag, 4, 32);
    run("pair_of_gpc", {2, 18}, lag, 4, 32);
  }
  run("pair_of_gpcs", {2, 4}, 0, 4, 32);
  const std::vector<int> gpc = {2, 3, 18, 19, 34, 35, 50, 51, 64, 65, 78, 79, 92, 93, 106, 107};
  for (const int width : {4, 16}) {
    for (const int lag : {0, 4, 16}) {
      std::vector<int> firsts;
      for (std::size_t tpc = 0; tpc < 8; ++tpc) {
        firsts.push_back(gpc[2 * tpc]);
        if (firsts.size() > 1) {
          run("one_of_each_tpc", firsts, lag, width, 32);
        }
        if (tpc > 0) {
          run("both_of_each_tpc", {gpc.begin(), gpc.begin() + 2 * static_cast<long>(tpc) + 2}, lag, width, 32);
        }
      }
    }
  }
  std::vector<int> all;
  for (int sm = 0; sm < kSms; ++sm) {
    all.push_back(sm);
  }
  for (const int lanes : {8, 16, 24, 32}) {
    run("pair_of_tpc", {2, 3}, 16, 4, lanes);
    run("gpc", gpc, 0, 4, lanes);
    run("all", all, 0, 4, lanes);
  }
  run("gpc", gpc, 0, 8, 32);
  run("all", all, 0, 8, 32);
  run("all", all, 0, 16, 32);
  run("pair_of_tpc", {2, 3}, 16, 16, 32);
  // The singleton TPCs, with each other and with the first SM of each GPC.
  for (const int other : {0, 2, 4, 6, 8, 10, 12, 14, 125, 126, 128, 130}) {
    run("with_124", {124, other}, 0, 4, 32);
  }
  for (const int other : {0, 2, 4, 6, 8, 10, 12, 14, 131}) {
    run("with_130", {130, other}, 0, 4, 32);
  }
  for (int repeat = 0; repeat < 4; ++repeat) {
    for (int lag = 20; lag <= 68; lag += 4) {
      run("pair_of_tpc", {2, 3}, lag, 4, 32);
      run("pair_of_gpc", {4, 20}, lag, 4, 32);
    }
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
