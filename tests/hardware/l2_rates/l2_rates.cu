// Rates at which chosen SMs write to and read from L2: each SM its own 64 KiB, repeatedly.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace {

constexpr int kSms = 132;
constexpr int kBytesPerSm = 64 * 1024;
constexpr int kRounds = 32;

struct Plan {
  uint8_t mode[kSms];  // of each SM: 0 idle, 1 reads, 2 writes, 3 copies to another 64 KiB
};

__global__ void stream(char* memory, Plan plan, uint32_t* arrived, uint32_t active, long long* cycles, uint32_t* sink) {
  uint32_t sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  const int mode = plan.mode[sm];
  if (mode == 0) {
    return;
  }
  char* const own = memory + static_cast<std::size_t>(sm) * 2 * kBytesPerSm + threadIdx.x * 16;
  if (threadIdx.x == 0) {
    atomicAdd(arrived, 1);
    while (*static_cast<volatile uint32_t*>(arrived) < active) {
    }
  }
  __syncthreads();
  uint32_t sum = 0;
  long long begin = 0;
  for (int round = 0; round <= kRounds; ++round) {
    if (round == 1) {
      __syncthreads();
      begin = clock64();
    }
#pragma unroll
    for (int offset = 0; offset < kBytesPerSm; offset += 16 * 1024) {
      uint32_t a = 1, b = 2, c = 3, d = 4;
      if (mode != 2) {
        asm volatile("ld.global.cg.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                     : "l"(own + offset));
        sum += a;
      }
      if (mode != 1) {
        asm volatile("st.global.v4.u32 [%0], {%1, %2, %3, %4};" ::"l"(own + kBytesPerSm + offset), "r"(a), "r"(b), "r"(c),
                     "r"(d)
                     : "memory");
      }
    }
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) {
    cycles[sm] = clock64() - begin;
  }
  if (sum == 12345) {
    *sink = sum;
  }
}

}  // namespace

int main() {
  char* memory = nullptr;
  uint32_t* arrived = nullptr;
  uint32_t* sink = nullptr;
  long long* cycles = nullptr;
  cudaMalloc(&memory, static_cast<std::size_t>(kSms) * 2 * kBytesPerSm);
  cudaMemset(memory, 0, static_cast<std::size_t>(kSms) * 2 * kBytesPerSm);
  cudaMalloc(&arrived, 4);
  cudaMalloc(&sink, 4);
  cudaMallocManaged(&cycles, kSms * 8);
  constexpr int kShared = 160 * 1024;
  cudaFuncSetAttribute(stream, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared);
  std::printf("who,sms,mode,bytes_per_cycle_per_sm,bytes_per_cycle\n");
  const auto run = [&](const char* name, const std::vector<int>& sms, int first_mode, int second_mode) {
    for (int repeat = 0; repeat < 2; ++repeat) {
      Plan plan{};
      for (std::size_t i = 0; i < sms.size(); ++i) {
        plan.mode[sms[i]] = static_cast<uint8_t>(i % 2 == 0 ? first_mode : second_mode);
        cycles[sms[i]] = 0;
      }
      cudaMemset(arrived, 0, 4);
      stream<<<kSms, 1024, kShared>>>(memory, plan, arrived, static_cast<uint32_t>(sms.size()), cycles, sink);
      cudaDeviceSynchronize();
      if (repeat == 0) {
        continue;
      }
      double total = 0;
      for (const int sm : sms) {
        total += static_cast<double>(kBytesPerSm) * kRounds / static_cast<double>(cycles[sm]);
      }
      std::printf("%s,%zu,%d%d,%.2f,%.1f\n", name, sms.size(), first_mode, second_mode, total / static_cast<double>(sms.size()),
                  total);
    }
  };
  const std::vector<int> gpc = {2, 3, 18, 19, 34, 35, 50, 51, 64, 65, 78, 79, 92, 93, 106, 107};
  for (const int mode : {1, 2, 3}) {
    run("one_sm", {2}, mode, mode);
    run("tpc", {2, 3}, mode, mode);
    for (std::size_t tpcs = 2; tpcs <= 8; ++tpcs) {
      run("gpc", {gpc.begin(), gpc.begin() + 2 * static_cast<long>(tpcs)}, mode, mode);
      run("gpc_one_of_tpc", [&] {
        std::vector<int> firsts;
        for (std::size_t i = 0; i < tpcs; ++i) {
          firsts.push_back(gpc[2 * i]);
        }
        return firsts;
      }(), mode, mode);
    }
    for (const int count : {2, 4, 8, 16, 24, 33, 48, 66, 99, 132}) {
      std::vector<int> first, spread;
      for (int i = 0; i < count; ++i) {
        first.push_back(i);
        spread.push_back(count <= 66 ? 2 * i : i);
      }
      run("first", first, mode, mode);
      run("spread", spread, mode, mode);
    }
  }
  std::vector<int> all;
  for (int sm = 0; sm < kSms; ++sm) {
    all.push_back(sm);
  }
  run("all_mixed", all, 1, 2);
  constexpr int kTpcs[] = {4, 8, 8, 8, 8, 8, 9, 9};
  std::vector<std::vector<int>> gpcs(8);
  int sm = 0;
  for (int round = 0; round < 9; ++round) {
    for (int g = 0; g < 8; ++g) {
      if (round < kTpcs[g]) {
        gpcs[g].push_back(sm++);
        gpcs[g].push_back(sm++);
      }
    }
  }
  const std::vector<int> singletons = {124, 125, 126, 127, 128, 129, 130, 131};
  run("singletons", singletons, 1, 1);
  run("singleton_tpcs_2", {124, 125, 126, 127}, 1, 1);
  for (int g = 0; g < 8; ++g) {
    run(("gpc_" + std::to_string(g)).c_str(), gpcs[g], 1, 1);
    std::vector<int> both = gpcs[g];
    both.insert(both.end(), singletons.begin(), singletons.end());
    run(("singletons_and_gpc_" + std::to_string(g)).c_str(), both, 1, 1);
    run(("gpc_" + std::to_string(g)).c_str(), gpcs[g], 2, 2);
  }
  for (int g = 0; g < 8; g += 2) {
    std::vector<int> both = gpcs[g];
    both.insert(both.end(), gpcs[g + 1].begin(), gpcs[g + 1].end());
    run(("gpcs_" + std::to_string(g) + "_" + std::to_string(g + 1)).c_str(), both, 1, 1);
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
