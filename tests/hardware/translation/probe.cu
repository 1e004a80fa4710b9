// More of translation: first touches of buffers by what was done to them before, loads that hit L1 over many pages, the
// sizes at which chains begin to miss, and rates of loads, stores and reductions by the SMs that take part.
#include "chains.h"

__device__ __forceinline__ uint64_t load_l1(uint64_t at) {
  uint64_t value;
  asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
  return value;
}
__global__ void follow_l1(Chain c, uint32_t sm, uint32_t warm, uint32_t count, double* mean) {
  extern __shared__ volatile uint64_t waited[];
  if (threadIdx.x != 0 || sm_number() != sm) return;
  uint32_t page = 0;
  uint64_t value = 0, total = 0;
  for (uint32_t i = 0; i < warm + count; ++i) {
    const uint64_t at = address(c, page) + value;
    waited[1] = at;
    const uint32_t begin = now();
    value = load_l1(at);
    waited[0] = value;
    const uint32_t cycles = now() - begin;
    if (i >= warm) total += cycles;
    page = static_cast<uint32_t>((static_cast<uint64_t>(page) + c.step) % c.n);
  }
  *mean = static_cast<double>(total) / count;
}
__global__ void store_rate(Chain c, const uint8_t* takes_part, int stores, int kind, uint32_t* cycles) {
  if (!takes_part[sm_number()]) return;
  uint64_t x = (blockIdx.x * 1024ull + threadIdx.x) * 0x9E3779B97F4A7C15ull + 12345;
  const uint32_t begin = now();
  for (int i = 0; i < stores; ++i) {
    x = x * 6364136223846793005ull + 1442695040888963407ull;
    const uint64_t at = address(c, static_cast<uint32_t>(((x >> 40) * c.n) >> 24)) + (x >> 30) % 2 * 128;
    if (kind == 0) *reinterpret_cast<volatile uint32_t*>(at) = 0;
    else atomicAdd(reinterpret_cast<unsigned*>(at), 0u);
  }
  __threadfence();
  __syncthreads();
  if (threadIdx.x == 0) cycles[sm_number()] = now() - begin;
}

int main() {
  CHECK(cudaSetDevice(0));
  CHECK(cudaFree(nullptr));
  CHECK(cudaDeviceGetAttribute(&g_sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaFuncSetAttribute(follow, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  CHECK(cudaFuncSetAttribute(random_loads, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  CHECK(cudaFuncSetAttribute(follow_l1, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
  CHECK(cudaFuncSetAttribute(store_rate, cudaFuncAttributeMaxDynamicSharedMemorySize, kShared));
  CHECK(cudaMalloc(&g_each, 8192 * 4));
  CHECK(cudaMalloc(&g_cycles, 1024 * 4));
  CHECK(cudaMalloc(&g_mean, 8));
  CHECK(cudaMalloc(&g_out, 8));
  CHECK(cudaMalloc(&g_takes, 1024));
  // First touches of buffers that were only copied to, set, or used by nobody. One line in each 64 MiB.
  for (int how = 0; how < 4; ++how) {
    char* p = nullptr;
    const uint64_t bytes = 8 * kGiB;
    CHECK(cudaMalloc(&p, bytes));
    std::vector<char> zeros(4096);
    const uint64_t base = (reinterpret_cast<uint64_t>(p) + 64 * kMiB - 1) / (64 * kMiB) * (64 * kMiB);
    for (int i = 0; i < 64; ++i) {
      char* at = reinterpret_cast<char*>(base + i * 64 * kMiB + i * 128);
      if (how == 1) CHECK(cudaMemcpy(at, zeros.data(), 128, cudaMemcpyHostToDevice));
      if (how == 2) CHECK(cudaMemset(at, 0, 128));
      if (how == 3) {
        CHECK(cudaMemcpy(at, reinterpret_cast<char*>(base) + 120 * 64 * kMiB + i * 128, 128, cudaMemcpyDeviceToDevice));
      }
    }
    CHECK(cudaDeviceSynchronize());
    for (uint32_t sm : {0u, 0u, 2u, 4u}) {
      std::vector<uint32_t> each;
      Chain c{base, 64 * kMiB, 0, 128, 64, 1, 64};
      run(c, sm, 0, 64, &each);
      printf("touch,%s,%u", how == 0 ? "untouched" : how == 1 ? "copied" : how == 2 ? "set" : "copied_on_device", sm);
      for (uint32_t x : each) printf(",%u", x);
      printf("\n");
    }
    CHECK(cudaFree(p));
  }
  const Physical m = create(16 * kGiB, 512 * kMiB);
  {
    const uint64_t va = map(m, 16 * kGiB);
    CHECK(cudaMemset(reinterpret_cast<void*>(va), 0, 16 * kGiB));
    CHECK(cudaDeviceSynchronize());
    unmap(va, 16 * kGiB);
  }
  const uint64_t bytes = 1024 * kGiB;
  const uint64_t va = map(m, bytes);
  for (uint32_t n : {4u, 12u, 24u, 48u, 96u, 192u, 384u}) {
    for (uint64_t stride : {2 * kMiB, 32 * kMiB, 512 * kMiB}) {
      const Chain c{va, stride, 0, 128 * 3, n, 1, 4096};
      follow_l1<<<g_sms, 32, 64 << 10>>>(c, 0, 2 * n, 4 * n, g_mean);
      CHECK(cudaDeviceSynchronize());
      double mean = 0;
      CHECK(cudaMemcpy(&mean, g_mean, 8, cudaMemcpyDeviceToHost));
      printf("l1,%llu,%u,%.1f\n", (unsigned long long)(stride / kMiB), n, mean);
    }
  }
  for (uint64_t stride : {32 * kMiB, 64 * kMiB, 128 * kMiB}) {
    for (uint32_t n = stride == 32 * kMiB ? 1800 : 3600; n * stride <= bytes && n < 9000; n += n < 3600 ? 40 : 200) {
      const Chain c{va, stride, 0, 128, n, coprime(n), 4096};
      printf("reach,512m,%llu,%u,%.1f,0\n", (unsigned long long)(stride / kMiB), n, run(c, 0, 2 * n, n));
      if (stride == 32 * kMiB && n > 2400 && n < 7000) n += 300;
    }
  }
  struct Set {
    const char* name;
    std::vector<int> sms;
  };
  std::vector<Set> sets = {{"sm_0", {0}},
                           {"sm_4", {4}},
                           {"tpc_0", {0, 1}},
                           {"cpc_0", {0, 1, 48, 49, 128, 129}},
                           {"cpc_4", {4, 5, 52, 53, 94, 95}},
                           {"all", {}}};
  for (int i = 0; i < g_sms; ++i) sets.back().sms.push_back(i);
  for (const Set& set : sets) {
    std::vector<uint8_t> takes(1024, 0);
    for (int s : set.sms) takes[s] = 1;
    CHECK(cudaMemcpy(g_takes, takes.data(), 1024, cudaMemcpyHostToDevice));
    for (int op = 0; op < 3; ++op) {
      for (uint64_t mib : {16ull, 128ull, 256ull, 512ull, 1024ull, 16384ull, 131072ull, 262144ull, 524288ull}) {
        for (int warps : {1, 4, 8, 16, 32}) {
          const uint32_t pages = std::max<uint64_t>(mib / 2, 1);
          const Chain c{va, 2 * kMiB, 0, 256, pages, 1, 4096};
          for (int r = 0; r < 2; ++r) {
            if (op == 0) {
              random_loads<<<g_sms, 32 * warps, kShared>>>(c, g_takes, 256, g_out, g_cycles);
            } else {
              store_rate<<<g_sms, 32 * warps, kShared>>>(c, g_takes, 128, op - 1, g_cycles);
            }
          }
          CHECK(cudaDeviceSynchronize());
          std::vector<uint32_t> cycles(g_sms);
          CHECK(cudaMemcpy(cycles.data(), g_cycles, g_sms * 4, cudaMemcpyDeviceToHost));
          double mean = 0;
          for (int s : set.sms) mean += static_cast<double>(cycles[s]) / set.sms.size();
          printf("rate_%s,%s,%zu,%llu,%d,%.5f\n", op == 0 ? "load" : op == 1 ? "store" : "reduction", set.name,
                 set.sms.size(), (unsigned long long)mib, warps,
                 32.0 * warps * (op == 0 ? 256 : 128) * set.sms.size() / mean);
        }
      }
    }
    fflush(stdout);
  }
  return 0;
}
