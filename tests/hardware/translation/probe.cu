// More of translation: first touches of buffers by what was done to them before, loads that hit L1 over many pages, the
// sizes at which chains begin to miss, and rates of loads, stores and reductions by the SMs that take part.
#include <cuda.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <random>
#include <string>
#include <vector>

constexpr uint64_t kMiB = 1u << 20;
constexpr uint64_t kGiB = 1u << 30;

#define CHECK(x)                                              \
  do {                                                        \
    const int error_ = static_cast<int>(x);                   \
    if (error_ != 0) {                                        \
      fprintf(stderr, "line %d: error %d\n", __LINE__, error_); \
      exit(1);                                                \
    }                                                         \
  } while (0)

__device__ __forceinline__ uint32_t now() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}
__device__ __forceinline__ uint32_t sm_number() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
  return value;
}
__device__ __forceinline__ uint64_t load(uint64_t at) {
  uint64_t value;
  asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(value) : "l"(at) : "memory");
  return value;
}

struct Chain {
  uint64_t base, stride, offset, line_step;
  uint32_t n, step;      // page (i * step) % n
  uint32_t line_period;  // the line of a page is (page % line_period) * line_step
};
__device__ __forceinline__ uint64_t address(const Chain& c, uint32_t page) {
  return c.base + page * c.stride + c.offset + (page % c.line_period) * c.line_step;
}
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
// One thread of each of up to two SMs follows its chain; memory holds zeros.
__global__ void follow(Chain a, uint32_t sm_a, Chain b, uint32_t sm_b, uint32_t warm, uint32_t count, uint32_t* each,
                       double* mean) {
  extern __shared__ volatile uint64_t waited[];
  const uint32_t sm = sm_number();
  if (threadIdx.x != 0 || (sm != sm_a && sm != sm_b)) return;
  const Chain c = sm == sm_a ? a : b;
  uint32_t page = 0;
  uint64_t value = 0;
  for (uint32_t i = 0; i < warm; ++i) {
    value = load(address(c, page) + value);
    page = static_cast<uint32_t>((static_cast<uint64_t>(page) + c.step) % c.n);
  }
  uint64_t total = 0;
  for (uint32_t i = 0; i < count; ++i) {
    const uint64_t at = address(c, page) + value;
    waited[1] = at;
    const uint32_t begin = now();
    value = load(at);
    waited[0] = value;  // in order: the clock is read when the value is there
    const uint32_t cycles = now() - begin;
    total += cycles;
    if (each != nullptr && sm == sm_a) waited[2 + i % 8192] = cycles;
    page = static_cast<uint32_t>((static_cast<uint64_t>(page) + c.step) % c.n);
  }
  if (sm == sm_a) {
    *mean = static_cast<double>(total) / count;
    if (each != nullptr)
      for (uint32_t i = 0; i < count && i < 8192; ++i) each[i] = static_cast<uint32_t>(waited[2 + i]);
  }
}
// Loads a line of each page, so that L2 has the data and, with `sm` all, everybody has the translations.
__global__ void warm_up(Chain c, int64_t sm, uint64_t* out) {
  if (sm >= 0 && sm_number() != static_cast<uint32_t>(sm)) return;
  uint64_t sum = 0;
  for (uint32_t i = threadIdx.x; i < c.n; i += blockDim.x) sum += load(address(c, i));
  if (sum == 1) *out = sum;
}
__global__ void random_loads(Chain c, const uint8_t* takes_part, int loads, uint64_t* out, uint32_t* cycles) {
  if (!takes_part[sm_number()]) return;
  uint64_t x = (blockIdx.x * 1024ull + threadIdx.x) * 0x9E3779B97F4A7C15ull + 12345;
  uint64_t sum = 0;
  const uint32_t begin = now();
  for (int i = 0; i < loads; i += 8) {
    uint64_t at[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      x = x * 6364136223846793005ull + 1442695040888963407ull;
      at[k] = address(c, static_cast<uint32_t>(((x >> 40) * c.n) >> 24)) + (x >> 30) % 2 * 128;
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += load(at[k]);
  }
  if (sum == 1) *out = sum;
  __syncthreads();
  if (threadIdx.x == 0) cycles[sm_number()] = now() - begin;
}

struct Physical {
  uint64_t chunk;
  std::vector<CUmemGenericAllocationHandle> handles;
};
CUmemAllocationProp prop() {
  CUmemAllocationProp p{};
  p.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  p.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  return p;
}
Physical create(uint64_t bytes, uint64_t chunk) {
  const CUmemAllocationProp p = prop();
  Physical m{chunk, std::vector<CUmemGenericAllocationHandle>(bytes / chunk)};
  for (auto& h : m.handles) CHECK(cuMemCreate(&h, chunk, &p, 0));
  std::shuffle(m.handles.begin(), m.handles.end(), std::mt19937(5));
  return m;
}
// Maps the physical memory again and again over `bytes` of addresses.
uint64_t map(const Physical& m, uint64_t bytes, uint64_t fixed = 0) {
  CUdeviceptr va = 0;
  CHECK(cuMemAddressReserve(&va, bytes, kGiB, fixed, 0));
  for (uint64_t i = 0; i < bytes / m.chunk; ++i)
    CHECK(cuMemMap(va + i * m.chunk, m.chunk, 0, m.handles[i % m.handles.size()], 0));
  CUmemAccessDesc access{};
  access.location = prop().location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK(cuMemSetAccess(va, bytes, &access, 1));
  return va;
}
void unmap(uint64_t va, uint64_t bytes) {
  CHECK(cuMemUnmap(va, bytes));
  CHECK(cuMemAddressFree(va, bytes));
}

int g_sms;
uint32_t *g_each, *g_cycles;
double* g_mean;
uint64_t* g_out;
uint8_t* g_takes;
constexpr uint32_t kShared = 100u << 10;

double run(const Chain& a, uint32_t sm_a, const Chain& b, uint32_t sm_b, uint32_t warm, uint32_t count,
           std::vector<uint32_t>* each = nullptr) {
  follow<<<g_sms, 32, kShared>>>(a, sm_a, b, sm_b, warm, count, each ? g_each : nullptr, g_mean);
  CHECK(cudaDeviceSynchronize());
  double mean = 0;
  CHECK(cudaMemcpy(&mean, g_mean, 8, cudaMemcpyDeviceToHost));
  if (each) {
    each->resize(std::min(count, 8192u));
    CHECK(cudaMemcpy(each->data(), g_each, each->size() * 4, cudaMemcpyDeviceToHost));
  }
  return mean;
}
double run(const Chain& a, uint32_t sm, uint32_t warm, uint32_t count, std::vector<uint32_t>* each = nullptr) {
  return run(a, sm, a, sm, warm, count, each);
}
uint32_t coprime(uint32_t n) {
  uint32_t s = static_cast<uint32_t>(n * 0.6180339887) | 1u;
  while (std::gcd(s, n) != 1) s += 2;
  return n < 4 ? 1 : s;
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
