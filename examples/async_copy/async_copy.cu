// From global to shared memory without the threads' registers: plain, with a barrier, and as a pipeline that copies one
// batch while the previous one is processed. All kernels compute the same: for each batch, out = 3 * in + the number of
// the batch, in reverse order within the batch.
#include <cooperative_groups.h>
#include <cooperative_groups/memcpy_async.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline_primitives.h>

namespace groups = cooperative_groups;

constexpr int kBatch = 128;  // elements, and threads of a block

__device__ void compute(int* out, const int* batch, int number) {
  const int thread = static_cast<int>(threadIdx.x);
  out[number * kBatch + thread] = 3 * batch[kBatch - 1 - thread] + number;
}

__global__ void copy_in_registers(const int* in, int* out, int batches) {
  __shared__ int batch[kBatch];
  for (int number = 0; number < batches; ++number) {
    batch[threadIdx.x] = in[number * kBatch + static_cast<int>(threadIdx.x)];
    __syncthreads();
    compute(out, batch, number);
    __syncthreads();
  }
}

__global__ void copy_by_group(const int* in, int* out, int batches) {
  __shared__ __align__(16) int batch[kBatch];
  const groups::thread_block block = groups::this_thread_block();
  for (int number = 0; number < batches; ++number) {
    groups::memcpy_async(block, batch, in + number * kBatch, cuda::aligned_size_t<16>(sizeof batch));
    groups::wait(block);
    compute(out, batch, number);
    block.sync();
  }
}

__global__ void copy_with_barrier(const int* in, int* out, int batches) {
  __shared__ __align__(16) int batch[kBatch];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ cuda::barrier<cuda::thread_scope_block> barrier;
  if (threadIdx.x == 0) {
    init(&barrier, blockDim.x);
  }
  __syncthreads();
  for (int number = 0; number < batches; ++number) {
    cuda::memcpy_async(&batch[threadIdx.x], &in[number * kBatch + static_cast<int>(threadIdx.x)], sizeof(int),
                       barrier);
    barrier.arrive_and_wait();
    compute(out, batch, number);
    barrier.arrive_and_wait();
  }
}

__global__ void copy_in_two_stages(const int* in, int* out, int batches) {
  constexpr int kStages = 2;
  __shared__ __align__(16) int batch[kStages][kBatch];
  cuda::pipeline<cuda::thread_scope_thread> pipeline = cuda::make_pipeline();
  const auto start = [&](int number) {
    pipeline.producer_acquire();
    if (number < batches) {
      const int thread = static_cast<int>(threadIdx.x);
      cuda::memcpy_async(&batch[number % kStages][thread], &in[number * kBatch + thread], sizeof(int), pipeline);
    }
    pipeline.producer_commit();
  };
  start(0);
  for (int number = 0; number < batches; ++number) {
    start(number + 1);
    cuda::pipeline_consumer_wait_prior<1>(pipeline);
    __syncthreads();
    compute(out, batch[number % kStages], number);
    __syncthreads();
    pipeline.consumer_release();
  }
}

// A pipeline that the whole block shares, with its barriers in shared memory.
__global__ void copy_in_shared_pipeline(const int* in, int* out, int batches) {
  constexpr int kStages = 2;
  __shared__ __align__(16) int batch[kStages][kBatch];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, kStages> state;
  const groups::thread_block block = groups::this_thread_block();
  auto pipeline = cuda::make_pipeline(block, &state);
  int started = 0;
  for (int number = 0; number < batches; ++number) {
    for (; started < batches && started < number + kStages; ++started) {
      pipeline.producer_acquire();
      cuda::memcpy_async(block, batch[started % kStages], in + started * kBatch, sizeof(int) * kBatch, pipeline);
      pipeline.producer_commit();
    }
    pipeline.consumer_wait();
    compute(out, batch[number % kStages], number);
    pipeline.consumer_release();
  }
}

// The primitives of these interfaces; the last elements of a batch are not copied but filled with zeros.
__global__ void copy_by_primitives(const int* in, int* out, int batches) {
  __shared__ __align__(16) int batch[kBatch];
  constexpr int kWords = 4;  // of a copy
  for (int number = 0; number < batches; ++number) {
    if (threadIdx.x < kBatch / kWords) {
      const int at = static_cast<int>(threadIdx.x) * kWords;
      const unsigned left_out = threadIdx.x == kBatch / kWords - 1 ? 8 : 0;
      __pipeline_memcpy_async(&batch[at], &in[number * kBatch + at], kWords * sizeof(int), left_out);
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    compute(out, batch, number);
    __syncthreads();
  }
}

// The lanes of a warp diverge: each makes its copies a batch of its own, and waits for it separately.
__global__ void copy_by_single_lanes(const int* in, int* out, int batches) {
  __shared__ __align__(16) int batch[kBatch];
  const int thread = static_cast<int>(threadIdx.x);
  for (int number = 0; number < batches; ++number) {
    for (int lane = 0; lane < 32; ++lane) {
      if (thread % 32 == lane) {
        __pipeline_memcpy_async(&batch[thread], &in[number * kBatch + thread], sizeof(int));
        __pipeline_commit();
      }
    }
    __pipeline_wait_prior(0);
    __syncthreads();
    compute(out, batch, number);
    __syncthreads();
  }
}
