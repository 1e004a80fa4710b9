// Groups of threads, pipelines, managed memory and double precision with the toolkit's library.
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <vector>

namespace cg = cooperative_groups;

__device__ int blocks_done;
__managed__ int half_of_sum;
__constant__ float factors[4];

// Tiles of half a warp each sum their share; one atomic operation per tile.
__global__ void sum_in_tiles(const int* values, int* results, int count) {
  const cg::thread_block block = cg::this_thread_block();
  const auto tile = cg::tiled_partition<16>(block);
  int own = 0;
  for (int i = block.thread_rank(); i < count; i += block.size()) {
    own += values[i];
  }
  const int sum = cg::reduce(tile, own, cg::plus<int>());
  __shared__ int total;
  if (block.thread_rank() == 0) {
    total = 0;
  }
  block.sync();
  if (tile.thread_rank() == 0) {
    atomicAdd(&total, sum);
  }
  block.sync();
  if (block.thread_rank() == 0) {
    results[0] = total;
    half_of_sum = total / 2;
    atomicAdd(&blocks_done, 1);
  }
  if (block.thread_rank() % 3 == 0) {
    const cg::coalesced_group here = cg::coalesced_threads();
    if (block.thread_rank() == 0) {
      results[1] = here.size();
    }
  }
  const int before = cg::exclusive_scan(tile, 1);
  if (block.thread_rank() == 17) {
    results[2] = before;
  }
}

__global__ void scale_in_tiles(const float* in, float* out, int count) {
  extern __shared__ float tiles[];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  const cg::thread_block block = cg::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  const int size = block.size();
  for (int tile = 0, fetched = 0; tile < count / size; ++tile) {
    for (; fetched < count / size && fetched < tile + 2; ++fetched) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, tiles + (fetched % 2) * size, in + fetched * size, sizeof(float) * size, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    const int rank = block.thread_rank();
    out[tile * size + rank] = tiles[(tile % 2) * size + rank] * factors[tile % 4];
    block.sync();
    pipeline.consumer_release();
  }
}

__host__ __device__ double curve(double x) {
  return sqrt(x) * exp(-x) + sin(x) / (1.0 + pow(x, 1.5)) + erf(x) + tgamma(1 + x / 10);
}

__global__ void curves(double* values, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    values[i] = curve(values[i]);
  }
}

bool sums_are_right() {
  std::vector<int> values(1000);
  int expected = 0;
  for (int i = 0; i < 1000; ++i) {
    values[i] = i % 17;
    expected += values[i];
  }
  int* in = nullptr;
  int* out = nullptr;
  cudaMalloc(&in, sizeof(int) * values.size());
  cudaMalloc(&out, 64);
  cudaMemcpy(in, values.data(), sizeof(int) * values.size(), cudaMemcpyHostToDevice);
  sum_in_tiles<<<1, 128>>>(in, out, 1000);
  int results[3] = {};
  cudaMemcpy(results, out, sizeof results, cudaMemcpyDeviceToHost);
  int done = 0;
  cudaMemcpyFromSymbol(&done, blocks_done, sizeof done);
  return results[0] == expected && results[1] == 11 && results[2] == 1 && done == 1 && half_of_sum == expected / 2;
}

bool pipeline_is_right() {
  const float host_factors[4] = {1, 2, 3, 4};
  cudaMemcpyToSymbol(factors, host_factors, sizeof host_factors);
  std::vector<float> values(1024);
  for (int i = 0; i < 1024; ++i) {
    values[i] = static_cast<float>(i);
  }
  float* in = nullptr;
  float* out = nullptr;
  cudaMallocAsync(&in, 4096, 0);
  cudaMallocAsync(&out, 4096, 0);
  cudaMemcpyAsync(in, values.data(), 4096, cudaMemcpyHostToDevice, 0);
  scale_in_tiles<<<1, 128, 2 * 128 * sizeof(float)>>>(in, out, 1024);
  std::vector<float> results(1024);
  cudaMemcpy(results.data(), out, 4096, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 1024; ++i) {
    if (results[i] != values[i] * host_factors[i / 128 % 4]) {
      return false;
    }
  }
  return true;
}

bool curves_are_right() {
  double* values = nullptr;
  cudaMallocManaged(&values, 100 * sizeof(double));
  for (int i = 0; i < 100; ++i) {
    values[i] = i * 0.1;
  }
  curves<<<4, 32>>>(values, 100);
  cudaDeviceSynchronize();
  for (int i = 0; i < 100; ++i) {
    const double expected = curve(i * 0.1);
    if (std::fabs(values[i] - expected) > 1e-12 * std::fabs(expected) + 1e-13) {
      return false;
    }
  }
  return true;
}

int main() {
  const bool good = sums_are_right() && pipeline_is_right() && curves_are_right();
  std::printf("%s\n", good && cudaDeviceSynchronize() == cudaSuccess ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
