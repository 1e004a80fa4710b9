// Products of a warpgroup with operands in every layout of shared memory, and boxes of tensors loaded by bulk copies.
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CHECK(call)                                                                 \
  do {                                                                              \
    const cudaError_t error = (call);                                               \
    if (error != cudaSuccess) {                                                     \
      std::printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error)); \
      std::exit(1);                                                                 \
    }                                                                               \
  } while (false)

namespace {

constexpr int kSide = 64;  // rows of A, columns of B
constexpr int kStep = 16;  // elements along K of an operation
constexpr int kDepth = 64;
constexpr int kThreads = 128;
constexpr int kPieceBytes = 8192;

__device__ std::uint32_t shared_address(const void* pointer) {
  return static_cast<std::uint32_t>(__cvta_generic_to_shared(pointer));
}

// --- layouts: offset in bytes of the element (row, k), and the distances of its descriptor ---

struct Layout {
  int swizzle;  // 0, or 32, 64, 128 bytes
  bool along_rows;

  __host__ __device__ int units() const { return swizzle == 0 ? 1 : swizzle / 16; }
  __host__ __device__ int offset(int row, int k) const {
    int offset = 0;
    if (!along_rows) {
      offset = swizzle == 0 ? row / 8 * 256 + k / 8 * 128 + row % 8 * 16 + k % 8 * 2
                            : row / 8 * 8 * swizzle + row % 8 * swizzle + k * 2;
    } else if (swizzle == 0) {
      offset = row / 8 * 256 + k / 8 * 128 + k % 8 * 16 + row % 8 * 2;
    } else {
      offset = (row / (8 * units()) * 2 + k / 8) * units() * 128 + k % 8 * swizzle + row % (8 * units()) * 2;
    }
    const int mask = units() - 1;
    return offset ^ ((offset >> 7 & mask) << 4);
  }
  __host__ __device__ int leading() const { return swizzle == 0 ? 128 : along_rows ? 2 * units() * 128 : 16; }
  __host__ __device__ int stride() const { return swizzle == 0 ? 256 : along_rows ? units() * 128 : 8 * swizzle; }
  __device__ std::uint64_t descriptor(std::uint32_t start) const {
    const std::uint64_t mode = swizzle == 0 ? 0 : swizzle == 128 ? 1 : swizzle == 64 ? 2 : 3;
    return (start & 0x3ffff) >> 4 | static_cast<std::uint64_t>(leading() >> 4) << 16 |
           static_cast<std::uint64_t>(stride() >> 4) << 32 | mode << 62;
  }
};

__device__ void fence() { asm volatile("wgmma.fence.sync.aligned;" ::: "memory"); }
__device__ void finish() {
  asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
  asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
}

#define ACCUMULATORS                                                                                                \
  "{%0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, " \
  "%24, %25, %26, %27, %28, %29, %30, %31}"
#define EIGHT(d, i)                                                                                               \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
      "+f"(d[i + 7])
#define ALL(d) EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24)

template <bool kA, bool kB>
__device__ void multiply(float (&d)[32], std::uint64_t a, std::uint64_t b, int adds) {
  asm volatile("{.reg .pred p;\nsetp.ne.b32 p, %34, 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " ACCUMULATORS
               ", %32, %33, p, 1, -1, %35, %36;}\n"
               : ALL(d)
               : "l"(a), "l"(b), "r"(adds), "n"(kA ? 1 : 0), "n"(kB ? 1 : 0));
}

__device__ void multiply_registers(float (&d)[32], const std::uint32_t (&a)[4], std::uint64_t b) {
  asm volatile("wgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " ACCUMULATORS
               ", {%32, %33, %34, %35}, %36, 1, 1, 1, 0;\n"
               : ALL(d)
               : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "l"(b));
}

__device__ void store(float* out, const float (&d)[32]) {
  const int lane = threadIdx.x % 32;
  for (int i = 0; i < 32; ++i) {
    const int row = threadIdx.x / 32 * 16 + lane / 4 + i / 2 % 2 * 8;
    const int column = i / 4 * 8 + lane % 4 * 2 + i % 2;
    out[row * kSide + column] = d[i];
  }
}

// out = 10 - A B, of matrices stored by threads.
template <bool kA, bool kB>
__global__ void layouts(const half* a, const half* b, float* out, int swizzle) {
  __shared__ __align__(1024) char left[kPieceBytes];
  __shared__ __align__(1024) char right[kPieceBytes];
  const Layout of_a{swizzle, kA};
  const Layout of_b{swizzle, kB};
  for (int i = threadIdx.x; i < kSide * kStep; i += kThreads) {
    const int row = i / kStep;
    const int k = i % kStep;
    *reinterpret_cast<half*>(left + of_a.offset(row, k)) = a[row * kDepth + k];
    *reinterpret_cast<half*>(right + of_b.offset(row, k)) = b[row * kDepth + k];
  }
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  float d[32];
  for (float& value : d) {
    value = 10;
  }
  fence();
  multiply<kA, kB>(d, of_a.descriptor(shared_address(left)), of_b.descriptor(shared_address(right)), 1);
  finish();
  store(out, d);
}

__device__ void start_barrier(std::uint32_t barrier) {
  asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\nfence.mbarrier_init.release.cluster;" ::"r"(barrier) : "memory");
}
__device__ void expect(std::uint32_t barrier, std::uint32_t bytes) {
  asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;" ::"r"(barrier), "r"(bytes) : "memory");
}
__device__ void wait(std::uint32_t barrier) {
  asm volatile(
      "{.reg .pred p;\nagain:\nmbarrier.try_wait.parity.shared::cta.b64 p, [%0], 0;\n@!p bra again;\n}" ::"r"(barrier)
      : "memory");
}
__device__ void load(std::uint32_t target, const CUtensorMap* map, int x, int y, std::uint32_t barrier) {
  asm volatile(
      "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
          target),
      "l"(map), "r"(x), "r"(y), "r"(barrier)
      : "memory");
}

// out += A B of rows of 64 elements in boxes of a tensor, and A from registers.
__global__ void tensors(const __grid_constant__ CUtensorMap map_a, const __grid_constant__ CUtensorMap map_b,
                        const __grid_constant__ CUtensorMap map_out, const half* a, float* from_registers) {
  __shared__ __align__(1024) char left[kPieceBytes];
  __shared__ __align__(1024) char right[kPieceBytes];
  __shared__ __align__(1024) float result[kSide * kSide];
  __shared__ __align__(8) std::uint64_t barrier;
  const std::uint32_t place = shared_address(&barrier);
  if (threadIdx.x == 0) {
    start_barrier(place);
    expect(place, 2 * kPieceBytes);
    load(shared_address(left), &map_a, 0, 0, place);
    load(shared_address(right), &map_b, 0, 0, place);
  }
  __syncthreads();
  wait(place);
  const Layout layout{128, false};
  float d[32];
  fence();
  for (int step = 0; step < kDepth / kStep; ++step) {
    multiply<false, false>(d, layout.descriptor(shared_address(left) + step * 32),
                           layout.descriptor(shared_address(right) + step * 32), step != 0);
  }
  finish();
  for (float& value : d) {
    value = -value;
  }
  store(result, d);
  asm volatile("fence.proxy.async;" ::: "memory");
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int half_of = 0; half_of < 2; ++half_of) {
      asm volatile("cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%0, {%1, %2}], [%3];" ::"l"(
                       &map_out),
                   "r"(0), "r"(half_of * 32), "r"(shared_address(result) + half_of * 32 * kSide * 4)
                   : "memory");
    }
    asm volatile("cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;" ::: "memory");
  }
  // The same with A in registers.
  for (float& value : d) {
    value = 0;
  }
  const int row = threadIdx.x / 32 * 16 + threadIdx.x % 32 / 4;
  fence();
  for (int step = 0; step < kDepth / kStep; ++step) {
    std::uint32_t words[4];
    for (int i = 0; i < 4; ++i) {
      const int k = step * kStep + threadIdx.x % 4 * 2 + i / 2 * 8;
      words[i] = *reinterpret_cast<const std::uint32_t*>(a + (row + i % 2 * 8) * kDepth + k);
    }
    multiply_registers(d, words, layout.descriptor(shared_address(right) + step * 32));
    finish();
    fence();
  }
  store(from_registers, d);
}

// Two blocks: the first loads the box for both; each block adds its copy to its own part of `out`.
__global__ void __cluster_dims__(2, 1, 1) multicast(const __grid_constant__ CUtensorMap map, float* out) {
  __shared__ __align__(1024) char box[kPieceBytes];
  __shared__ __align__(8) std::uint64_t barrier;
  std::uint32_t rank = 0;
  asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
  const std::uint32_t place = shared_address(&barrier);
  if (threadIdx.x == 0) {
    start_barrier(place);
    expect(place, kPieceBytes);
  }
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
  if (rank == 0 && threadIdx.x == 0) {
    asm volatile(
        "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1, {%2, "
        "%3}], [%4], %5;" ::"r"(shared_address(box)),
        "l"(&map), "r"(-32), "r"(16), "r"(place), "h"(static_cast<std::uint16_t>(3))
        : "memory");
  }
  wait(place);
  const Layout layout{128, false};
  for (int i = threadIdx.x; i < kSide * kDepth; i += blockDim.x) {
    out[rank * kSide * kDepth + i] =
        __half2float(*reinterpret_cast<const half*>(box + layout.offset(i / kDepth, i % kDepth)));
  }
  asm volatile("barrier.cluster.arrive.aligned;\nbarrier.cluster.wait.aligned;" ::: "memory");
}

// --- the host's side ---

int failures = 0;

void compare(const char* what, int index, float got, float expected) {
  if (got != expected && ++failures <= 20) {
    std::printf("%s, %d: %g instead of %g\n", what, index, got, expected);
  }
}

using Encode = decltype(&cuTensorMapEncodeTiled);

CUtensorMap map_of(Encode encode, CUtensorMapDataType type, void* data, std::uint32_t rows, CUtensorMapSwizzle swizzle) {
  CUtensorMap map;
  const std::uint64_t element = type == CU_TENSOR_MAP_DATA_TYPE_FLOAT16 ? 2 : 4;
  const std::uint64_t size[] = {64, 64};
  const std::uint64_t stride[] = {64 * element};
  const std::uint32_t box[] = {64, rows};
  const std::uint32_t steps[] = {1, 1};
  if (encode(&map, type, 2, data, size, stride, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
             CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) != CUDA_SUCCESS) {
    std::puts("cuTensorMapEncodeTiled failed");
    std::exit(1);
  }
  return map;
}

}  // namespace

int main() {
  std::vector<half> a(kSide * kDepth);
  std::vector<half> b(kSide * kDepth);
  for (int i = 0; i < kSide * kDepth; ++i) {
    a[i] = __float2half(static_cast<float>((i * 37 + i / 64 * 11) % 17 - 8));
    b[i] = __float2half(static_cast<float>((i * 53 + i / 64 * 7) % 13 - 6) / 2);
  }
  const auto product = [&](int row, int column, int depth) {
    float sum = 0;
    for (int k = 0; k < depth; ++k) {
      sum += __half2float(a[row * kDepth + k]) * __half2float(b[column * kDepth + k]);
    }
    return sum;
  };
  half* device_a = nullptr;
  half* device_b = nullptr;
  float* out = nullptr;
  float* second = nullptr;
  CHECK(cudaMalloc(&device_a, a.size() * sizeof(half)));
  CHECK(cudaMalloc(&device_b, b.size() * sizeof(half)));
  CHECK(cudaMalloc(&out, 2 * kSide * kSide * sizeof(float)));
  CHECK(cudaMalloc(&second, kSide * kSide * sizeof(float)));
  CHECK(cudaMemcpy(device_a, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(device_b, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice));
  std::vector<float> got(2 * kSide * kSide);
  using Kernel = void (*)(const half*, const half*, float*, int);
  const Kernel kernels[] = {layouts<false, false>, layouts<false, true>, layouts<true, false>, layouts<true, true>};
  for (const int swizzle : {0, 32, 64, 128}) {
    for (int kernel = 0; kernel < 4; ++kernel) {
      CHECK(cudaMemset(out, 0, kSide * kSide * sizeof(float)));
      kernels[kernel]<<<1, kThreads>>>(device_a, device_b, out, swizzle);
      CHECK(cudaMemcpy(got.data(), out, kSide * kSide * sizeof(float), cudaMemcpyDeviceToHost));
      char what[64];
      std::snprintf(what, sizeof what, "layout %d, swizzle %d", kernel, swizzle);
      for (int i = 0; i < kSide * kSide; ++i) {
        compare(what, i, got[i], 10 - product(i / kSide, i % kSide, kStep));
      }
    }
  }
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found));
  const auto encode = reinterpret_cast<Encode>(entry);
  const CUtensorMap map_a =
      map_of(encode, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, device_a, 64, CU_TENSOR_MAP_SWIZZLE_128B);
  const CUtensorMap map_b =
      map_of(encode, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, device_b, 64, CU_TENSOR_MAP_SWIZZLE_128B);
  const CUtensorMap map_out = map_of(encode, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, out, 32, CU_TENSOR_MAP_SWIZZLE_NONE);
  std::vector<float> ones(kSide * kSide, 1);
  CHECK(cudaMemcpy(out, ones.data(), ones.size() * sizeof(float), cudaMemcpyHostToDevice));
  tensors<<<1, kThreads>>>(map_a, map_b, map_out, device_a, second);
  CHECK(cudaMemcpy(got.data(), out, kSide * kSide * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < kSide * kSide; ++i) {
    compare("tensors", i, got[i], 1 + product(i / kSide, i % kSide, kDepth));
  }
  CHECK(cudaMemcpy(got.data(), second, kSide * kSide * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < kSide * kSide; ++i) {
    compare("registers", i, got[i], product(i / kSide, i % kSide, kDepth));
  }
  multicast<<<2, kThreads>>>(map_a, out);
  CHECK(cudaMemcpy(got.data(), out, got.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (int i = 0; i < 2 * kSide * kDepth; ++i) {
    const int row = i / kDepth % kSide + 16;
    const int column = i % kDepth - 32;
    const bool inside = row < kSide && column >= 0;
    compare("multicast", i, got[i], inside ? __half2float(a[row * kDepth + column]) : 0);
  }
  CHECK(cudaDeviceSynchronize());
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures == 0 ? 0 : 1;
}
