// What the measurements of translation share: chains of loads over pages of a thread of one or two SMs, random loads of
// chosen SMs, and memory that is mapped at many addresses.
#pragma once

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

#define CHECK(x)                                                \
  do {                                                          \
    const int error_ = static_cast<int>(x);                     \
    if (error_ != 0) {                                          \
      fprintf(stderr, "line %d: error %d\n", __LINE__, error_); \
      exit(1);                                                  \
    }                                                           \
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
// One thread of each of up to two SMs follows its chain; memory holds zeros.
__global__ void follow(Chain a, uint32_t sm_a, Chain b, uint32_t sm_b, uint32_t warm, uint32_t count, uint32_t* each,
                       double* mean) {
  extern __shared__ volatile uint64_t waited[];
  const uint32_t sm = sm_number();
  if (threadIdx.x != 0 || (sm != sm_a && sm != sm_b))
    return;
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
    if (each != nullptr && sm == sm_a)
      waited[2 + i % 8192] = cycles;
    page = static_cast<uint32_t>((static_cast<uint64_t>(page) + c.step) % c.n);
  }
  if (sm == sm_a) {
    *mean = static_cast<double>(total) / count;
    if (each != nullptr)
      for (uint32_t i = 0; i < count && i < 8192; ++i)
        each[i] = static_cast<uint32_t>(waited[2 + i]);
  }
}
__global__ void random_loads(Chain c, const uint8_t* takes_part, int loads, uint64_t* out, uint32_t* cycles) {
  if (!takes_part[sm_number()])
    return;
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
    for (int k = 0; k < 8; ++k)
      sum += load(at[k]);
  }
  if (sum == 1)
    *out = sum;
  __syncthreads();
  if (threadIdx.x == 0)
    cycles[sm_number()] = now() - begin;
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
  for (auto& h : m.handles)
    CHECK(cuMemCreate(&h, chunk, &p, 0));
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
  while (std::gcd(s, n) != 1)
    s += 2;
  return n < 4 ? 1 : s;
}
