// Multiplies the matrices of support/matrix_samples.h on tensor cores and prints a hash of the results of each form and
// kind: the content of results.txt. Needs a Hopper GPU.
//
//   nvcc -std=c++17 -gencode arch=compute_90a,code=sm_90a -Itests -o record tests/hardware/tensor_cores/record.cu
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <type_traits>
#include <vector>

#include "support/matrix_samples.h"

using namespace warpsim::test;

#define CHECK(call)                                                                       \
  do {                                                                                    \
    const cudaError_t error = (call);                                                     \
    if (error != cudaSuccess) {                                                           \
      std::fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error)); \
      std::exit(1);                                                                       \
    }                                                                                     \
  } while (0)

enum Factor { kF16, kBf16, kTf32, kE4m3, kE5m2, kF64 };

struct Tile {
  std::uint8_t a[2048];
  std::uint8_t b[2048];
  std::uint8_t c[2048];
  std::uint8_t d[2048];
};

__device__ std::uint32_t pair(const std::uint16_t* halves, int at, int distance) {
  return halves[at] | static_cast<std::uint32_t>(halves[at + distance]) << 16;
}

__device__ void load_halves(const std::uint8_t* matrix, std::uint32_t (&words)[2]) {
  const auto* halves = reinterpret_cast<const std::uint16_t*>(matrix);
  const int group = threadIdx.x % 32 / 4, member = threadIdx.x % 4;
  for (int i = 0; i < 2; ++i) words[i] = pair(halves, (group + 8 * i) * 8 + 2 * member, 1);
}
__device__ void store_halves(std::uint8_t* matrix, const std::uint32_t (&words)[2]) {
  auto* halves = reinterpret_cast<std::uint16_t*>(matrix);
  const int group = threadIdx.x % 32 / 4, member = threadIdx.x % 4;
  for (int i = 0; i < 4; ++i) halves[(group + 8 * (i / 2)) * 8 + 2 * member + i % 2] = words[i / 2] >> 16 * (i % 2);
}
template <class T>
__device__ void load_sums(const std::uint8_t* matrix, T (&sums)[4]) {
  const int group = threadIdx.x % 32 / 4, member = threadIdx.x % 4;
  for (int i = 0; i < 4; ++i)
    sums[i] = reinterpret_cast<const T*>(matrix)[(group + 8 * (i / 2)) * 8 + 2 * member + i % 2];
}
template <class T>
__device__ void store_sums(std::uint8_t* matrix, const T (&sums)[4]) {
  const int group = threadIdx.x % 32 / 4, member = threadIdx.x % 4;
  for (int i = 0; i < 4; ++i) reinterpret_cast<T*>(matrix)[(group + 8 * (i / 2)) * 8 + 2 * member + i % 2] = sums[i];
}

#define MMA(shape, type, a_list, b_list, c_list, ...)                                                          \
  asm volatile("mma.sync.aligned." shape ".row.col.f32." type "." type ".f32 {%0,%1,%2,%3}," a_list "," b_list \
               "," c_list ";"                                                                                  \
               : "=f"(d[0]), "=f"(d[1]), "=f"(d[2]), "=f"(d[3])                                                \
               : __VA_ARGS__, "f"(c[0]), "f"(c[1]), "f"(c[2]), "f"(c[3]))
#define FOUR_A "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1])
#define TWO_A "r"(a[0]), "r"(a[1]), "r"(b[0])

template <Factor kType, int kDepth, bool kHalf>
__global__ void multiply(Tile* tiles) {
  Tile& tile = tiles[blockIdx.x];
  const int group = threadIdx.x / 4, member = threadIdx.x % 4;
  std::uint32_t a[4] = {}, b[2] = {};
  if constexpr (kType == kTf32) {
    for (int i = 0; i < kDepth / 2; ++i)
      a[i] = reinterpret_cast<std::uint32_t*>(tile.a)[(group + i % 2 * 8) * kDepth + member + i / 2 * 4];
    for (int i = 0; i < kDepth / 4; ++i) b[i] = reinterpret_cast<std::uint32_t*>(tile.b)[(member + 4 * i) * 8 + group];
  } else {
    for (int i = 0; i < kDepth / 4; ++i)
      a[i] = pair(reinterpret_cast<std::uint16_t*>(tile.a), (group + i % 2 * 8) * kDepth + 2 * member + i / 2 * 8, 1);
    for (int i = 0; i < kDepth / 8; ++i)
      b[i] = pair(reinterpret_cast<std::uint16_t*>(tile.b), (2 * member + 8 * i) * 8 + group, 8);
  }
  if constexpr (kHalf) {
    std::uint32_t c[2], d[2];
    load_halves(tile.c, c);
    if constexpr (kDepth == 16)
      asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3,%4,%5},{%6,%7},{%8,%9};"
                   : "=r"(d[0]), "=r"(d[1])
                   : FOUR_A, "r"(c[0]), "r"(c[1]));
    else
      asm volatile("mma.sync.aligned.m16n8k8.row.col.f16.f16.f16.f16 {%0,%1},{%2,%3},{%4},{%5,%6};"
                   : "=r"(d[0]), "=r"(d[1])
                   : TWO_A, "r"(c[0]), "r"(c[1]));
    store_halves(tile.d, d);
  } else {
    float c[4], d[4];
    load_sums(tile.c, c);
    if constexpr (kType == kF16 && kDepth == 16)
      MMA("m16n8k16", "f16", "{%4,%5,%6,%7}", "{%8,%9}", "{%10,%11,%12,%13}", FOUR_A);
    if constexpr (kType == kBf16 && kDepth == 16)
      MMA("m16n8k16", "bf16", "{%4,%5,%6,%7}", "{%8,%9}", "{%10,%11,%12,%13}", FOUR_A);
    if constexpr (kType == kTf32 && kDepth == 8)
      MMA("m16n8k8", "tf32", "{%4,%5,%6,%7}", "{%8,%9}", "{%10,%11,%12,%13}", FOUR_A);
    if constexpr (kType == kF16 && kDepth == 8) MMA("m16n8k8", "f16", "{%4,%5}", "{%6}", "{%7,%8,%9,%10}", TWO_A);
    if constexpr (kType == kBf16 && kDepth == 8) MMA("m16n8k8", "bf16", "{%4,%5}", "{%6}", "{%7,%8,%9,%10}", TWO_A);
    if constexpr (kType == kTf32 && kDepth == 4) MMA("m16n8k4", "tf32", "{%4,%5}", "{%6}", "{%7,%8,%9,%10}", TWO_A);
    store_sums(tile.d, d);
  }
}

__global__ void multiply_doubles_4(Tile* tiles) {
  Tile& tile = tiles[blockIdx.x];
  const int group = threadIdx.x / 4, member = threadIdx.x % 4;
  const auto* c = reinterpret_cast<const double*>(tile.c) + group * 8 + 2 * member;
  auto* d = reinterpret_cast<double*>(tile.d) + group * 8 + 2 * member;
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%4,%5};"
               : "=d"(d[0]), "=d"(d[1])
               : "d"(reinterpret_cast<const double*>(tile.a)[group * 4 + member]),
                 "d"(reinterpret_cast<const double*>(tile.b)[member * 8 + group]), "d"(c[0]), "d"(c[1]));
}

__global__ void multiply_doubles_16(Tile* tiles) {
  Tile& tile = tiles[blockIdx.x];
  const int group = threadIdx.x / 4, member = threadIdx.x % 4;
  double a[8], b[4], c[4], d[4];
  for (int i = 0; i < 8; ++i)
    a[i] = reinterpret_cast<double*>(tile.a)[(group + i % 2 * 8) * 16 + member + i / 2 * 4];
  for (int i = 0; i < 4; ++i) b[i] = reinterpret_cast<double*>(tile.b)[(member + 4 * i) * 8 + group];
  load_sums(tile.c, c);
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},"
      "{%12,%13,%14,%15},{%16,%17,%18,%19};"
      : "=d"(d[0]), "=d"(d[1]), "=d"(d[2]), "=d"(d[3])
      : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]), "d"(b[1]),
        "d"(b[2]), "d"(b[3]), "d"(c[0]), "d"(c[1]), "d"(c[2]), "d"(c[3]));
  store_sums(tile.d, d);
}

#define WGMMA(shape_and_types, tail, ...)                                                           \
  asm volatile("wgmma.mma_async.sync.aligned." shape_and_types tail                                             \
               : __VA_ARGS__                                                                                    \
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(descriptor))
#define SINGLES "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
#define SINGLE_LIST " {%0,%1,%2,%3},{%4,%5,%6,%7},%8,1,1,1"
#define HALVES "+r"(d[0]), "+r"(d[1])
#define HALF_LIST " {%0,%1},{%2,%3,%4,%5},%6,1,1,1"

// Four samples of 16 rows; the first has B.
template <Factor kType, int kDepth, bool kHalf>
__global__ void multiply_by_warpgroup(Tile* tiles) {
  constexpr int kBytes = kType == kTf32 ? 4 : kType == kE4m3 || kType == kE5m2 ? 1 : 2;
  __shared__ __align__(1024) std::uint8_t shared[1024];
  const int lane = threadIdx.x % 32, group = lane / 4, member = lane % 4;
  Tile& tile = tiles[blockIdx.x * 4 + threadIdx.x / 32];
  const Tile& first = tiles[blockIdx.x * 4];
  // Core matrices of 8 columns of B by 16 bytes.
  for (int i = threadIdx.x; i < 8 * kDepth; i += blockDim.x) {
    const int column = i / kDepth, k = i % kDepth;
    for (int byte = 0; byte < kBytes; ++byte)
      shared[k * kBytes / 16 * 128 + column * 16 + k * kBytes % 16 + byte] = first.b[(k * 8 + column) * kBytes + byte];
  }
  asm volatile("fence.proxy.async;");
  __syncthreads();
  std::uint32_t a[4];
  for (int i = 0; i < 4; ++i)
    std::memcpy(&a[i], tile.a + (group + i % 2 * 8) * kDepth * kBytes + i / 2 * 16 + member * 4, 4);
  const auto address = static_cast<std::uint64_t>(__cvta_generic_to_shared(shared));
  const std::uint64_t descriptor = (address & 0x3ffff) >> 4 | std::uint64_t{128 >> 4} << 16 | std::uint64_t{256 >> 4} << 32;
  asm volatile("wgmma.fence.sync.aligned;");
  if constexpr (kHalf) {
    std::uint32_t d[2];
    load_halves(tile.c, d);
    if constexpr (kType == kF16) WGMMA("m64n8k16.f16.f16.f16", HALF_LIST ",0;", HALVES);
    if constexpr (kType == kE4m3) WGMMA("m64n8k32.f16.e4m3.e4m3", HALF_LIST ";", HALVES);
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" : HALVES);
    store_halves(tile.d, d);
  } else {
    float d[4];
    load_sums(tile.c, d);
    if constexpr (kType == kF16) WGMMA("m64n8k16.f32.f16.f16", SINGLE_LIST ",0;", SINGLES);
    if constexpr (kType == kBf16) WGMMA("m64n8k16.f32.bf16.bf16", SINGLE_LIST ",0;", SINGLES);
    if constexpr (kType == kTf32) WGMMA("m64n8k8.f32.tf32.tf32", SINGLE_LIST ";", SINGLES);
    if constexpr (kType == kE4m3) WGMMA("m64n8k32.f32.e4m3.e4m3", SINGLE_LIST ";", SINGLES);
    if constexpr (kType == kE5m2) WGMMA("m64n8k32.f32.e5m2.e5m2", SINGLE_LIST ";", SINGLES);
    asm volatile("wgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;" : SINGLES);
    store_sums(tile.d, d);
  }
}

// In the order of kProductForms.
constexpr void (*kKernels[])(Tile*) = {
    multiply<kF16, 16, false>,
    multiply<kF16, 8, false>,
    multiply<kBf16, 16, false>,
    multiply<kBf16, 8, false>,
    multiply<kF16, 16, true>,
    multiply<kF16, 8, true>,
    multiply<kTf32, 8, false>,
    multiply<kTf32, 4, false>,
    multiply_doubles_4,
    multiply_doubles_16,
    multiply_by_warpgroup<kF16, 16, false>,
    multiply_by_warpgroup<kBf16, 16, false>,
    multiply_by_warpgroup<kTf32, 8, false>,
    multiply_by_warpgroup<kE4m3, 32, false>,
    multiply_by_warpgroup<kE5m2, 32, false>,
    multiply_by_warpgroup<kF16, 16, true>,
    multiply_by_warpgroup<kE4m3, 32, true>,
};

int main() {
  std::vector<Tile> tiles(kSamples);
  Tile* device = nullptr;
  const std::size_t bytes = tiles.size() * sizeof(Tile);
  CHECK(cudaMalloc(&device, bytes));
  std::size_t number = 0;
  for (const ProductForm& form : kProductForms) {
    const std::vector<MatrixSample> samples = matrix_samples(form);
    for (std::size_t i = 0; i < samples.size(); ++i) {
      std::memcpy(tiles[i].a, samples[i].a.data(), samples[i].a.size());
      std::memcpy(tiles[i].b, samples[i].b.data(), samples[i].b.size());
      std::memcpy(tiles[i].c, samples[i].c.data(), samples[i].c.size());
    }
    CHECK(cudaMemcpy(device, tiles.data(), bytes, cudaMemcpyHostToDevice));
    const int warps = form.of_warpgroup ? 4 : 1;
    kKernels[number++]<<<kSamples / warps, 32 * warps>>>(device);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(tiles.data(), device, bytes, cudaMemcpyDeviceToHost));
    ResultHash hashes[kSampleKinds];
    for (std::uint32_t i = 0; i < kSamples; ++i) {
      hashes[kind_of_sample(i)].add(tiles[i].d, samples[i].c.size());
    }
    for (std::uint32_t kind = 0; kind < kSampleKinds; ++kind) {
      std::printf("%.*s %u %016llx\n", static_cast<int>(form.name.size()), form.name.data(), kind,
                  static_cast<unsigned long long>(hashes[kind].value()));
    }
  }
  return 0;
}
