// Reach and cost of address translation: chains over pages whose lines stay in L2, the SMs that share translations, and
// loads of all SMs over up to 128 GiB, by how the memory is mapped.
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

constexpr uint64_t kPage = 2u << 20;
constexpr int kBuckets = 512;      // of 8 cycles
constexpr uint64_t kLineArea = 1u << 20;

#define CHECK(x)                                                                   \
  do {                                                                             \
    const int error_ = static_cast<int>(x);                                        \
    if (error_ != 0) {                                                             \
      fprintf(stderr, "line %d: error %d\n", __LINE__, error_);                    \
      exit(1);                                                                     \
    }                                                                              \
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

// Line `kind` of a page: different pages use different sets.
__host__ __device__ __forceinline__ uint64_t line_of(uint64_t base, uint32_t page, uint64_t stride, uint32_t kind) {
  return base + page * stride + ((page * 2654435761u >> 8) * 128u + kind * 128u) % kLineArea;
}

__global__ void link(uint64_t base, const uint32_t* order, uint32_t n, uint64_t stride, uint32_t kind) {
  for (uint32_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    *reinterpret_cast<uint64_t*>(line_of(base, order[i], stride, kind)) =
        line_of(base, order[(i + 1) % n], stride, kind);
  }
}

// One thread follows the chain for `warm` loads, then `n` measured ones. Only on SM `sm`.
__global__ void follow(uint64_t start, uint32_t warm, uint32_t n, uint32_t sm, uint32_t* histogram, uint64_t* sum,
                       uint32_t* each) {
  if (sm_number() != sm || threadIdx.x != 0) return;
  extern __shared__ volatile uint64_t waited[];
  uint64_t at = start;
  for (uint32_t i = 0; i < warm; ++i) at = load(at);
  uint64_t total = 0;
  for (uint32_t i = 0; i < n; ++i) {
    const uint32_t begin = now();
    at = load(at);
    waited[i % 32] = at;  // in order: the clock is read when the value is there
    const uint32_t cycles = now() - begin;
    total += cycles;
    histogram[min(cycles / 8, kBuckets - 1)]++;
    if (each != nullptr) each[i] = cycles;
  }
  *sum = total + (at & 1);
}

// All SMs, or one, load a line of each page.
__global__ void sweep(uint64_t base, uint32_t pages, uint64_t stride, int rounds, uint32_t kind, int only, uint64_t* out) {
  if (only >= 0 && sm_number() != static_cast<uint32_t>(only)) return;
  uint64_t sum = 0;
  for (int r = 0; r < rounds; ++r) {
    for (uint32_t i = threadIdx.x; i < pages; i += blockDim.x) sum += load(line_of(base, i, stride, kind));
  }
  if (sum == 1) *out = sum;
}

// Random loads: each lane, or each warp, an address of its own in the window of its SM.
__global__ void random_loads(uint64_t base, const uint32_t* first_page, uint32_t pages, uint32_t lines, int loads,
                             int by_lane, uint64_t* out) {
  const uint32_t who = by_lane ? threadIdx.x : threadIdx.x / 32;
  uint64_t x = (blockIdx.x * 1024ull + who) * 0x9E3779B97F4A7C15ull + 12345;
  const uint64_t start = base + first_page[sm_number()] * kPage + (by_lane ? 0 : threadIdx.x % 32 * 4 / 8 * 8);
  uint64_t sum = 0;
  for (int i = 0; i < loads; i += 8) {
    uint64_t at[8];
#pragma unroll
    for (int k = 0; k < 8; ++k) {
      x = x * 6364136223846793005ull + 1442695040888963407ull;
      const uint32_t page = static_cast<uint32_t>(((x >> 40) * pages) >> 24);
      // `lines` of 0: any line of the page.
      const uint64_t in_page = lines == 0 ? (x >> 16) % (kPage / 128) * 128
                                          : ((page * 2654435761u >> 8) * 128u + (x >> 16) % lines * 128u) % kLineArea;
      at[k] = start + page * kPage + in_page;
    }
#pragma unroll
    for (int k = 0; k < 8; ++k) sum += load(at[k]);
  }
  if (sum == 1) *out = sum;
}

struct Memory {
  std::string name;
  uint64_t base = 0;
  uint64_t bytes = 0;
  std::vector<CUmemGenericAllocationHandle> handles;
};

Memory map_chunks(const std::string& name, uint64_t bytes, uint64_t chunk, bool shuffled) {
  Memory m{name, 0, bytes, {}};
  CUmemAllocationProp prop{};
  prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
  prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
  CUdeviceptr va = 0;
  CHECK(cuMemAddressReserve(&va, bytes, 1ull << 30, 0, 0));
  const uint32_t n = bytes / chunk;
  std::vector<uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  if (shuffled) std::shuffle(order.begin(), order.end(), std::mt19937(5));
  m.handles.resize(n);
  for (uint32_t i = 0; i < n; ++i) {
    CHECK(cuMemCreate(&m.handles[i], chunk, &prop, 0));
  }
  for (uint32_t i = 0; i < n; ++i) CHECK(cuMemMap(va + i * chunk, chunk, 0, m.handles[order[i]], 0));
  CUmemAccessDesc access{};
  access.location = prop.location;
  access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
  CHECK(cuMemSetAccess(va, bytes, &access, 1));
  m.base = va;
  return m;
}
void unmap(Memory& m) {
  CHECK(cuMemUnmap(m.base, m.bytes));
  for (auto h : m.handles) CHECK(cuMemRelease(h));
  CHECK(cuMemAddressFree(m.base, m.bytes));
}

int g_sms = 0;
uint32_t *g_order, *g_histogram, *g_each, *g_first;
uint64_t *g_sum, *g_out;

struct Result {
  double mean = 0;
  uint32_t p10 = 0, p50 = 0, p90 = 0, p99 = 0;
};
Result follow_on(uint64_t start, uint32_t warm, uint32_t n, uint32_t sm, std::vector<uint32_t>* each = nullptr) {
  CHECK(cudaMemset(g_histogram, 0, kBuckets * 4));
  follow<<<g_sms, 1024, 100 << 10>>>(start, warm, n, sm, g_histogram, g_sum, each ? g_each : nullptr);
  CHECK(cudaDeviceSynchronize());
  std::vector<uint32_t> h(kBuckets);
  uint64_t sum = 0;
  CHECK(cudaMemcpy(h.data(), g_histogram, kBuckets * 4, cudaMemcpyDeviceToHost));
  CHECK(cudaMemcpy(&sum, g_sum, 8, cudaMemcpyDeviceToHost));
  if (each) {
    each->resize(n);
    CHECK(cudaMemcpy(each->data(), g_each, n * 4, cudaMemcpyDeviceToHost));
  }
  Result r;
  r.mean = static_cast<double>(sum) / n;
  uint64_t seen = 0;
  for (int i = 0; i < kBuckets; ++i) {
    const uint64_t before = seen;
    seen += h[i];
    auto at = [&](double q, uint32_t& to) {
      if (before < q * n && seen >= q * n) to = i * 8;
    };
    at(0.1, r.p10), at(0.5, r.p50), at(0.9, r.p90), at(0.99, r.p99);
  }
  return r;
}

void chase(const Memory& m, uint64_t stride, uint32_t n) {
  std::vector<uint32_t> order(n);
  std::iota(order.begin(), order.end(), 0);
  std::shuffle(order.begin(), order.end(), std::mt19937(n));
  CHECK(cudaMemcpy(g_order, order.data(), n * 4, cudaMemcpyHostToDevice));
  link<<<64, 256>>>(m.base, g_order, n, stride, 0);
  CHECK(cudaDeviceSynchronize());
  const Result r = follow_on(line_of(m.base, order[0], stride, 0), std::max(2 * n, 64u), std::max(n, 64u), 0);
  printf("chase,%s,%llu,%u,%.1f,%u,%u,%u,%u\n", m.name.c_str(), (unsigned long long)(stride >> 20), n, r.mean, r.p10,
         r.p50, r.p90, r.p99);
  fflush(stdout);
}

void random_rate(const Memory& m, uint32_t pages, uint32_t lines, int warps, int by_lane, const std::vector<uint32_t>& first,
                 const char* windows) {
  CHECK(cudaMemcpy(g_first, first.data(), first.size() * 4, cudaMemcpyHostToDevice));
  cudaEvent_t a, b;
  cudaEventCreate(&a), cudaEventCreate(&b);
  const int loads = by_lane ? 256 : 1024;
  float best = 1e9;
  for (int i = 0; i < 3; ++i) {
    cudaEventRecord(a);
    random_loads<<<g_sms, 32 * warps, 100 << 10>>>(m.base, g_first, pages, lines, loads, by_lane, g_out);
    cudaEventRecord(b);
    CHECK(cudaDeviceSynchronize());
    float ms = 0;
    cudaEventElapsedTime(&ms, a, b);
    best = std::min(best, ms);
  }
  const double accesses = static_cast<double>(g_sms) * warps * (by_lane ? 32 : 1) * loads;
  printf("random,%s,%s,%u,%u,%d,%s,%.3f\n", m.name.c_str(), windows, pages, lines, warps, by_lane ? "lane" : "warp",
         accesses / best / 1e6);
  fflush(stdout);
}

int main(int argc, char** argv) {
  const uint64_t gib = argc > 1 ? strtoull(argv[1], nullptr, 10) : 128;
  CHECK(cudaSetDevice(0));
  CHECK(cudaFree(nullptr));
  CHECK(cudaDeviceGetAttribute(&g_sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaFuncSetAttribute(follow, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
  CHECK(cudaFuncSetAttribute(random_loads, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
  CHECK(cudaFuncSetAttribute(sweep, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10));
  CHECK(cudaMalloc(&g_order, 1 << 20));
  CHECK(cudaMalloc(&g_histogram, kBuckets * 4));
  CHECK(cudaMalloc(&g_each, 1 << 20));
  CHECK(cudaMalloc(&g_first, 1024 * 4));
  CHECK(cudaMalloc(&g_sum, 8));
  CHECK(cudaMalloc(&g_out, 8));
  const std::vector<uint32_t> same(g_sms, 0);
  for (int kind = 0; kind < 4; ++kind) {
    Memory m;
    const uint64_t bytes = gib << 30;
    if (kind == 0) {
      m = {"malloc", 0, bytes, {}};
      void* p = nullptr;
      CHECK(cudaMalloc(&p, bytes + kPage));
      m.base = (reinterpret_cast<uint64_t>(p) + kPage - 1) / kPage * kPage;
    } else if (kind == 1) {
      m = map_chunks("2m_in_order", bytes, kPage, false);
    } else if (kind == 2) {
      m = map_chunks("2m_shuffled", bytes, kPage, true);
    } else {
      m = map_chunks("512m", bytes, 512ull << 20, true);
    }
    fprintf(stderr, "%s mapped\n", m.name.c_str());
    CHECK(cudaMemset(reinterpret_cast<void*>(m.base), 0, m.bytes));
    CHECK(cudaDeviceSynchronize());
    for (uint64_t stride_mib : {2, 4, 8, 16, 32, 64, 128, 512}) {
      if (kind == 3 && stride_mib != 2 && stride_mib != 512) continue;
      for (uint32_t n = 4; n * stride_mib <= (gib << 10) && n <= 65536; n = n < 16 ? n + 4 : n < 128 ? n + n / 4 : n * 3 / 2) {
        chase(m, stride_mib << 20, n);
      }
    }
    for (uint32_t g : {1u, 2u, 4u, 8u, 16u, 24u, 32u, 40u, 48u, 56u, 64u, 80u, 96u, 112u, 128u}) {
      if (g > gib) continue;
      for (int warps : {1, 4, 32}) random_rate(m, g * 512, 2, warps, 0, same, "same");
      for (int warps : {4, 32}) random_rate(m, g * 512, 0, warps, 0, same, "same");
      for (int warps : {4, 32}) random_rate(m, g * 512, 0, warps, 1, same, "same");
      random_rate(m, g * 512, 2, 32, 1, same, "same");
    }
    if (kind < 3) {
      // Which SMs find the translations that SM `a` has used.
      const uint32_t pages = gib * 512;
      std::vector<uint32_t> order(256);
      for (uint32_t i = 0; i < order.size(); ++i) order[i] = (i * 0x9E37u + 77) % pages;
      CHECK(cudaMemcpy(g_order, order.data(), order.size() * 4, cudaMemcpyHostToDevice));
      link<<<64, 256>>>(m.base, g_order, order.size(), kPage, 3);
      link<<<64, 256>>>(m.base, g_order, order.size(), kPage, 5);
      const uint64_t first_line = line_of(m.base, order[0], kPage, 3), second_line = line_of(m.base, order[0], kPage, 5);
      std::vector<int> group(g_sms, -1);
      int groups = 0;
      for (int a = 0; a < g_sms && groups < 26; ++a) {
        if (group[a] >= 0) continue;
        std::vector<double> mean(g_sms);
        std::vector<uint32_t> each;
        double cold = 0;
        for (int b = 0; b < g_sms; ++b) {
          sweep<<<g_sms, 1024, 100 << 10>>>(m.base, pages, kPage, 2, 0, -1, g_out);
          follow_on(second_line, 0, order.size(), b == a ? (a + 1) % g_sms : a);  // lines to L2 and translations
          sweep<<<g_sms, 1024, 100 << 10>>>(m.base, pages, kPage, 2, 0, -1, g_out);
          const Result r = follow_on(first_line, 0, order.size(), a, &each);
          cold += r.mean / g_sms;
          if (b < 3) {
            printf("cold,%s,%d,%d", m.name.c_str(), a, b);
            for (int i = 0; i < 64; ++i) printf(",%u", each[i]);
            printf("\n");
          }
          mean[b] = follow_on(second_line, 0, order.size(), b).mean;
        }
        double low = 1e9, high = 0;
        for (double x : mean) low = std::min(low, x), high = std::max(high, x);
        printf("shared,%s,%d,%.1f", m.name.c_str(), a, cold);
        for (int b = 0; b < g_sms; ++b) printf(",%.0f", mean[b]);
        printf("\n");
        fflush(stdout);
        for (int b = 0; b < g_sms; ++b) {
          if (group[b] < 0 && (b == a || mean[b] < (low + high) / 2)) group[b] = groups;
        }
        ++groups;
        
      }
      printf("groups,%s,%d", m.name.c_str(), groups);
      for (int g : group) printf(",%d", g);
      printf("\n");
      // Each group in a window of its own.
      for (uint32_t parts : {1u, 2u, 4u, 8u}) {
        std::vector<uint32_t> first(g_sms), mixed(g_sms);
        for (int s = 0; s < g_sms; ++s) {
          first[s] = (group[s] < 0 ? 0 : group[s]) % parts * (pages / parts);
          mixed[s] = (s / 2) % parts * (pages / parts);
        }
        for (int warps : {4, 32}) {
          random_rate(m, pages / parts, 2, warps, 0, first, "by_group");
          random_rate(m, pages / parts, 2, warps, 0, mixed, "mixed");
          random_rate(m, pages / parts, 0, warps, 0, first, "by_group");
          random_rate(m, pages / parts, 0, warps, 0, mixed, "mixed");
        }
      }
    }
    if (kind == 0) {
      CHECK(cudaFree(reinterpret_cast<void*>(m.base)));
    } else {
      unmap(m);
    }
  }
  return 0;
}
