// Threads of the same warps that wait for each other with the toolkit's library: a semaphore and a flag as locks, a
// latch, and a wait for a value.
#include <cuda_runtime.h>

#include <cstdio>
#include <cuda/atomic>
#include <cuda/latch>
#include <cuda/semaphore>

constexpr int kBlocks = 2;
constexpr int kThreads = 64;
constexpr unsigned kAll = kBlocks * kThreads;

__device__ volatile unsigned locked_sum;
__device__ volatile unsigned flagged_sums[kBlocks];
__device__ unsigned order_broken;
__device__ unsigned turn;

__global__ void wait_for_each_other(cuda::binary_semaphore<cuda::thread_scope_device>* semaphore,
                                    cuda::latch<cuda::thread_scope_device>* latch) {
  semaphore->acquire();
  locked_sum = locked_sum + 1;
  semaphore->release();

  // The sum is complete for every thread that passes the latch.
  latch->arrive_and_wait();
  if (locked_sum != kAll) {
    atomicAdd(&order_broken, 1U);
  }

  __shared__ int taken;
  cuda::atomic_ref<int, cuda::thread_scope_block> flag(taken);
  if (threadIdx.x == 0) {
    taken = 0;
  }
  __syncthreads();
  while (flag.exchange(1, cuda::std::memory_order_acquire) != 0) {
  }
  flagged_sums[blockIdx.x] = flagged_sums[blockIdx.x] + 1;
  flag.store(0, cuda::std::memory_order_release);

  // From the last thread to the first.
  cuda::atomic_ref<unsigned, cuda::thread_scope_device> next(turn);
  const unsigned own = kAll - 1 - (blockIdx.x * blockDim.x + threadIdx.x);
  for (unsigned now = next.load(); now != own; now = next.load()) {
    next.wait(now);
  }
  next.store(own + 1);
  next.notify_all();
}

__global__ void construct(cuda::binary_semaphore<cuda::thread_scope_device>* semaphore,
                          cuda::latch<cuda::thread_scope_device>* latch) {
  new (semaphore) cuda::binary_semaphore<cuda::thread_scope_device>(1);
  new (latch) cuda::latch<cuda::thread_scope_device>(kAll);
}

int main() {
  cuda::binary_semaphore<cuda::thread_scope_device>* semaphore = nullptr;
  cuda::latch<cuda::thread_scope_device>* latch = nullptr;
  cudaMalloc(&semaphore, sizeof(*semaphore));
  cudaMalloc(&latch, sizeof(*latch));
  construct<<<1, 1>>>(semaphore, latch);
  wait_for_each_other<<<kBlocks, kThreads>>>(semaphore, latch);
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  struct {
    unsigned locked;
    unsigned flagged[kBlocks];
    unsigned turn;
    unsigned order_broken;
  } found = {};
  cudaMemcpyFromSymbol(&found.locked, locked_sum, sizeof(found.locked));
  cudaMemcpyFromSymbol(&found.flagged, flagged_sums, sizeof(found.flagged));
  cudaMemcpyFromSymbol(&found.turn, turn, sizeof(found.turn));
  cudaMemcpyFromSymbol(&found.order_broken, order_broken, sizeof(found.order_broken));
  bool good = found.locked == kAll && found.turn == kAll && found.order_broken == 0;
  for (const unsigned sum : found.flagged) {
    good = good && sum == kThreads;
  }
  if (!good) {
    std::printf("%u, %u, turn %u, %u came too early\n", found.locked, found.flagged[0], found.turn, found.order_broken);
  }
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
