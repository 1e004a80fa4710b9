// The asynchronous units of capability 9.0 with the toolkit's libraries: barriers with bytes, bulk and tensor copies,
// copies of each lane, clusters with shared memory of other blocks, warpgroup products fed by a producer warp.
#include <cooperative_groups.h>
#include <cuda.h>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda/ptx>
#include <vector>

#define CHECK(call)                                                                 \
  do {                                                                              \
    const cudaError_t error = (call);                                               \
    if (error != cudaSuccess) {                                                     \
      std::printf("line %d: %s: %s\n", __LINE__, #call, cudaGetErrorString(error)); \
      std::exit(1);                                                                 \
    }                                                                               \
  } while (false)

namespace cg = cooperative_groups;
namespace ptx = cuda::ptx;

int failures = 0;
void expect(bool holds, const char* what) {
  if (!holds) {
    std::printf("%s: wrong\n", what);
    ++failures;
  }
}

__device__ void begin(std::uint64_t* barrier, unsigned arrivals) {
  ptx::mbarrier_init(barrier, arrivals);
  ptx::fence_mbarrier_init(ptx::sem_release, ptx::scope_cluster);
}
__device__ void expect_bytes(std::uint64_t* barrier, unsigned bytes) {
  ptx::mbarrier_arrive_expect_tx(ptx::sem_release, ptx::scope_cta, ptx::space_shared, barrier, bytes);
}
__device__ void wait(std::uint64_t* barrier, unsigned parity) {
  while (!ptx::mbarrier_try_wait_parity(barrier, parity)) {
  }
}

// --- each lane has its own copy; a third of them writes instead ---

__global__ void copies_of_lanes(const int* in, int* out) {
  __shared__ alignas(128) int pieces[32][16];
  __shared__ std::uint64_t barrier;
  const unsigned lane = threadIdx.x;
  if (lane == 0) {
    begin(&barrier, 32);
  }
  __syncwarp();
  if (lane % 3 != 1) {
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, pieces[lane], in + lane * 5 % 32 * 16, 64, &barrier);
    expect_bytes(&barrier, 64);
  } else {
    for (int& element : pieces[lane]) {
      element = -1;
    }
    ptx::mbarrier_arrive(&barrier);
  }
  wait(&barrier, 0);
  for (int i = 0; i < 16; ++i) {
    out[lane * 16 + i] = pieces[lane][i];
  }
}

// --- a ring of blocks: stores and updates in the next block, a copy to all, a read of the block before ---

__global__ void __cluster_dims__(4, 1, 1) ring(const int* in, int* out) {
  __shared__ alignas(128) int all[256];
  __shared__ alignas(16) int box[32][4];
  __shared__ int own[32];
  __shared__ unsigned sum;
  __shared__ std::uint64_t barriers[2];
  const cg::cluster_group cluster = cg::this_cluster();
  const unsigned rank = cluster.block_rank();
  const unsigned next = (rank + 1) % 4;
  if (threadIdx.x == 0) {
    sum = 0;
    begin(&barriers[0], 1);
    begin(&barriers[1], 1);
    expect_bytes(&barriers[0], sizeof all);
    expect_bytes(&barriers[1], sizeof box + sizeof sum);
  }
  own[threadIdx.x] = static_cast<int>(rank * 100 + threadIdx.x);
  cluster.sync();
  if (threadIdx.x == 0) {
    const std::uint16_t everyone = 0xf;
    ptx::cp_async_bulk(ptx::space_cluster, ptx::space_global, all + rank * 64, in + rank * 64, 256, &barriers[0],
                       everyone);
    ptx::red_async(ptx::op_add, cluster.map_shared_rank(&sum, next), rank + 1,
                   cluster.map_shared_rank(&barriers[1], next));
  }
  const int values[4] = {static_cast<int>(rank), static_cast<int>(threadIdx.x), 5, 7};
  ptx::st_async(cluster.map_shared_rank(box[threadIdx.x], next), values, cluster.map_shared_rank(&barriers[1], next));
  wait(&barriers[0], 0);
  wait(&barriers[1], 0);
  const int before = cluster.map_shared_rank(own, (rank + 3) % 4)[threadIdx.x];
  int total = before + static_cast<int>(sum) * 1000;
  for (const int value : box[threadIdx.x]) {
    total += value;
  }
  for (int i = 0; i < 8; ++i) {
    total += all[threadIdx.x * 8 + i];
  }
  out[blockIdx.x * 32 + threadIdx.x] = total;
  cluster.sync();
}

// --- a pipeline of the block whose producers and consumers are other threads; barriers that threads leave ---

__global__ void tiles(const int* in, int* out, int count) {
  __shared__ int stages[2][64];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  const bool produces = block.thread_rank() < 32;
  auto pipe =
      cuda::make_pipeline(block, &state, produces ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  int sum = 0;
  for (int i = 0; i < count; ++i) {
    if (produces) {
      pipe.producer_acquire();
      for (int k = 0; k < 2; ++k) {
        const unsigned place = threadIdx.x + 32 * k;
        cuda::memcpy_async(&stages[i % 2][place], in + i * 64 + place, sizeof(int), pipe);
      }
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      sum += stages[i % 2][threadIdx.x - 32];
      pipe.consumer_release();
    }
  }
  if (!produces) {
    out[threadIdx.x - 32] = sum;
  }
}

__global__ void leaving(int* out) {
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  __shared__ int turns[64];
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
  }
  turns[threadIdx.x] = 0;
  __syncthreads();
  for (unsigned i = 0; i < 4; ++i) {
    if (threadIdx.x / 16 == i) {
      barrier.arrive_and_drop();
      break;
    }
    ++turns[threadIdx.x];
    barrier.arrive_and_wait();
  }
  out[threadIdx.x] = turns[threadIdx.x];
}

// --- C = A B^T: a producer warp copies tiles, two warpgroups multiply them, results leave by copies of boxes ---

constexpr int kTile = 128;
constexpr int kDepth = 64;
constexpr int kStages = 3;

struct Stages {
  alignas(1024) half a[kStages][kTile * kDepth];
  alignas(1024) half b[kStages][kTile * kDepth];
  alignas(128) float c[2][64 * 64];
  std::uint64_t full[kStages];
  std::uint64_t empty[kStages];
};

__device__ std::uint64_t descriptor(const void* tile) {
  const auto place = static_cast<std::uint32_t>(__cvta_generic_to_shared(tile));
  return (place & 0x3ffff) >> 4 | std::uint64_t{1} << 16 | std::uint64_t{64} << 32 | std::uint64_t{1} << 62;
}

#define EIGHT(d, i)                                                                                           \
  "+f"(d[i]), "+f"(d[i + 1]), "+f"(d[i + 2]), "+f"(d[i + 3]), "+f"(d[i + 4]), "+f"(d[i + 5]), "+f"(d[i + 6]), \
      "+f"(d[i + 7])
__device__ void multiply(float (&d)[64], std::uint64_t a, std::uint64_t b, int adds) {
  asm volatile(
      "{.reg .pred p;\nsetp.ne.b32 p, %66, 0;\nwgmma.mma_async.sync.aligned.m64n128k16.f32.f16.f16 {%0, %1, %2, %3, "
      "%4, "
      "%5, %6, %7, %8, %9, %10, %11, %12, %13, %14, %15, %16, %17, %18, %19, %20, %21, %22, %23, %24, %25, %26, %27, "
      "%28, %29, %30, %31, %32, %33, %34, %35, %36, %37, %38, %39, %40, %41, %42, %43, %44, %45, %46, %47, %48, %49, "
      "%50, %51, %52, %53, %54, %55, %56, %57, %58, %59, %60, %61, %62, %63}, %64, %65, p, 1, 1, 0, 0;}"
      : EIGHT(d, 0), EIGHT(d, 8), EIGHT(d, 16), EIGHT(d, 24), EIGHT(d, 32), EIGHT(d, 40), EIGHT(d, 48), EIGHT(d, 56)
      : "l"(a), "l"(b), "r"(adds));
}

__device__ void produce(Stages& s, const CUtensorMap& a, const CUtensorMap& b, int steps) {
  for (int i = 0; i < steps; ++i) {
    const int stage = i % kStages;
    wait(&s.empty[stage], (i / kStages & 1) ^ 1);
    expect_bytes(&s.full[stage], 2 * kTile * kDepth * sizeof(half));
    const int of_a[] = {i * kDepth, static_cast<int>(blockIdx.y) * kTile};
    const int of_b[] = {i * kDepth, static_cast<int>(blockIdx.x) * kTile};
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, s.a[stage], &a, of_a, &s.full[stage]);
    ptx::cp_async_bulk_tensor(ptx::space_cluster, ptx::space_global, s.b[stage], &b, of_b, &s.full[stage]);
  }
}

__device__ void consume(Stages& s, const CUtensorMap& c, int steps, int group) {
  float sums[64];
  for (int i = 0; i < steps; ++i) {
    const int stage = i % kStages;
    wait(&s.full[stage], i / kStages & 1);
    asm volatile("wgmma.fence.sync.aligned;" ::: "memory");
    const std::uint64_t a = descriptor(s.a[stage] + group * 64 * kDepth);
    const std::uint64_t b = descriptor(s.b[stage]);
    for (int k = 0; k < kDepth / 16; ++k) {
      multiply(sums, a + 2 * k, b + 2 * k, i + k);
    }
    asm volatile("wgmma.commit_group.sync.aligned;" ::: "memory");
    asm volatile("wgmma.wait_group.sync.aligned 0;" ::: "memory");
    if (threadIdx.x % 32 == 0) {
      ptx::mbarrier_arrive(&s.empty[stage]);
    }
  }
  const int warp = static_cast<int>(threadIdx.x) / 32 % 4;
  const int lane = static_cast<int>(threadIdx.x) % 32;
  for (int half = 0; half < 2; ++half) {
    for (int i = 0; i < 32; ++i) {
      const int column = i / 4 * 8 + lane % 4 * 2 + i % 2;
      const int row = warp * 16 + lane / 4 + i / 2 % 2 * 8;
      s.c[group][row * 64 + column] = sums[half * 32 + i];
    }
    ptx::fence_proxy_async(ptx::space_shared);
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
    if (threadIdx.x % 128 == 0) {
      const int place[] = {static_cast<int>(blockIdx.x) * kTile + half * 64,
                           static_cast<int>(blockIdx.y) * kTile + group * 64};
      ptx::cp_async_bulk_tensor(ptx::space_global, ptx::space_shared, &c, place, s.c[group]);
      ptx::cp_async_bulk_commit_group();
      ptx::cp_async_bulk_wait_group_read(ptx::n32_t<0>());
    }
    asm volatile("bar.sync %0, 128;" ::"r"(group + 1) : "memory");
  }
}

__global__ void __launch_bounds__(384)
    product(const __grid_constant__ CUtensorMap a, const __grid_constant__ CUtensorMap b,
            const __grid_constant__ CUtensorMap c, int steps) {
  extern __shared__ __align__(1024) unsigned char memory[];
  Stages& s = *reinterpret_cast<Stages*>(memory);
  if (threadIdx.x == 0) {
    for (int i = 0; i < kStages; ++i) {
      begin(&s.full[i], 1);
      begin(&s.empty[i], 8);
    }
  }
  __syncthreads();
  if (threadIdx.x >= 256) {
    asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
    if (threadIdx.x == 256) {
      produce(s, a, b, steps);
    }
  } else {
    asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
    consume(s, c, steps, static_cast<int>(threadIdx.x) / 128);
  }
}

// --- host ---

CUtensorMap map_of(void* data, CUtensorMapDataType type, std::size_t element, unsigned columns, unsigned rows,
                   unsigned box_columns, unsigned box_rows, CUtensorMapSwizzle swizzle) {
  void* entry = nullptr;
  cudaDriverEntryPointQueryResult found;
  CHECK(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &entry, 12000, cudaEnableDefault, &found));
  CUtensorMap map;
  const cuuint64_t size[] = {columns, rows};
  const cuuint64_t distance[] = {columns * element};
  const cuuint32_t box[] = {box_columns, box_rows};
  const cuuint32_t steps[] = {1, 1};
  const CUresult made = reinterpret_cast<decltype(&cuTensorMapEncodeTiled)>(entry)(
      &map, type, 2, data, size, distance, box, steps, CU_TENSOR_MAP_INTERLEAVE_NONE, swizzle,
      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  expect(made == CUDA_SUCCESS, "tensor map");
  return map;
}

void test_product() {
  constexpr int kSize = 2 * kTile;
  constexpr int kSteps = 5;
  constexpr int kInner = kSteps * kDepth;
  std::vector<half> a(kSize * kInner);
  std::vector<half> b(kSize * kInner);
  for (int i = 0; i < kSize * kInner; ++i) {
    a[i] = __float2half(static_cast<float>(i * 7 % 13 - 6) / 4);
    b[i] = __float2half(static_cast<float>(i * 5 % 11 - 5) / 4);
  }
  half* on_device = nullptr;
  float* result = nullptr;
  CHECK(cudaMalloc(&on_device, 2 * a.size() * sizeof(half)));
  CHECK(cudaMalloc(&result, kSize * kSize * sizeof(float)));
  half* const second = on_device + a.size();
  CHECK(cudaMemcpy(on_device, a.data(), a.size() * sizeof(half), cudaMemcpyHostToDevice));
  CHECK(cudaMemcpy(second, b.data(), b.size() * sizeof(half), cudaMemcpyHostToDevice));
  const auto factor = [](half* data) {
    return map_of(data, CU_TENSOR_MAP_DATA_TYPE_FLOAT16, sizeof(half), kInner, kSize, kDepth, kTile,
                  CU_TENSOR_MAP_SWIZZLE_128B);
  };
  CHECK(cudaFuncSetAttribute(product, cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(Stages)));
  product<<<dim3(2, 2), 384, sizeof(Stages)>>>(
      factor(on_device), factor(second),
      map_of(result, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, sizeof(float), kSize, kSize, 64, 64, CU_TENSOR_MAP_SWIZZLE_NONE),
      kSteps);
  CHECK(cudaDeviceSynchronize());
  std::vector<float> c(kSize * kSize);
  CHECK(cudaMemcpy(c.data(), result, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  bool good = true;
  for (int row = 0; row < kSize; row += 3) {
    for (int column = 0; column < kSize; ++column) {
      float sum = 0;  // exact: multiples of 1/16
      for (int k = 0; k < kInner; ++k) {
        sum += __half2float(a[row * kInner + k]) * __half2float(b[column * kInner + k]);
      }
      good = good && c[row * kSize + column] == sum;
    }
  }
  expect(good, "product");
}

int main() {
  constexpr int kCount = 1024;
  std::vector<int> in(kCount);
  for (int i = 0; i < kCount; ++i) {
    in[i] = i * 7 % 101;
  }
  int* on_device = nullptr;
  int* results = nullptr;
  CHECK(cudaMalloc(&on_device, kCount * sizeof(int)));
  CHECK(cudaMalloc(&results, kCount * sizeof(int)));
  CHECK(cudaMemcpy(on_device, in.data(), kCount * sizeof(int), cudaMemcpyHostToDevice));
  std::vector<int> out(kCount);
  const auto finish = [&] {
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaMemcpy(out.data(), results, kCount * sizeof(int), cudaMemcpyDeviceToHost));
  };
  copies_of_lanes<<<1, 32>>>(on_device, results);
  finish();
  bool good = true;
  for (int i = 0; i < 512; ++i) {
    const int lane = i / 16;
    good = good && out[i] == (lane % 3 != 1 ? in[lane * 5 % 32 * 16 + i % 16] : -1);
  }
  expect(good, "copies of lanes");
  ring<<<8, 32>>>(on_device, results);
  finish();
  good = true;
  for (int i = 0; i < 256; ++i) {
    const int before = (i / 32 + 3) % 4;
    const int thread = i % 32;
    int total = before * 100 + thread + (before + 1) * 1000 + before + thread + 12;
    for (int k = 0; k < 8; ++k) {
      total += in[thread * 8 + k];
    }
    good = good && out[i] == total;
  }
  expect(good, "ring");
  tiles<<<1, 96>>>(on_device, results, 9);
  finish();
  good = true;
  for (int i = 0; i < 64; ++i) {
    int sum = 0;
    for (int k = 0; k < 9; ++k) {
      sum += in[k * 64 + i];
    }
    good = good && out[i] == sum;
  }
  expect(good, "tiles");
  leaving<<<1, 64>>>(results);
  finish();
  good = true;
  for (int i = 0; i < 64; ++i) {
    good = good && out[i] == i / 16;
  }
  expect(good, "leaving");
  test_product();
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures == 0 ? 0 : 1;
}
