// Kernels that wait for kernels that they have launched (cudaDeviceSynchronize(), before 9.0): more blocks than are
// resident, recursion, the other threads of a block at a barrier, and the depth from which on the wait is an error.
#include <cuda_runtime.h>

#include <cstdio>

constexpr int kBlocks = 60;
constexpr int kValues = 200;

__global__ void change(int* values, int round) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (i < kValues)
    values[i] = 2 * values[i] + round;
}

// Thread 0 waits, the others at a barrier; all read what the children have written.
__global__ void parent(int* values, int* failures) {
  __shared__ int expected;
  int* const own = values + blockIdx.x * kValues;
  if (threadIdx.x == 0)
    expected = 1;
  for (int i = static_cast<int>(threadIdx.x); i < kValues; i += static_cast<int>(blockDim.x))
    own[i] = 1;
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    if (threadIdx.x == 0) {
      change<<<(kValues + 63) / 64, 64>>>(own, round);
      if (cudaDeviceSynchronize() != cudaSuccess)
        atomicAdd(failures, 1);
      expected = 2 * expected + round;
    }
    __syncthreads();
    for (int i = static_cast<int>(threadIdx.x); i < kValues; i += static_cast<int>(blockDim.x)) {
      if (own[i] != expected)
        atomicAdd(failures, 1);
    }
    __syncthreads();
  }
}

// The sum of 1 to `last`, by halves.
__global__ void sum(int* out, int first, int last, int* parts, int level) {
  if (first == last) {
    *out = first;
    return;
  }
  const int half = (first + last) / 2;
  int* const own = parts + 2 * (1 << level) * 32 + 2 * first;
  sum<<<1, 1>>>(own, first, half, parts, level + 1);
  sum<<<1, 1>>>(own + 1, half + 1, last, parts, level + 1);
  const cudaError_t waited = cudaDeviceSynchronize();
  *out = waited == cudaSuccess ? own[0] + own[1] : -static_cast<int>(waited);
}

// Every warp waits for its own children, some of which are copies.
__global__ void warps(int* values, int* failures) {
  const int warp = static_cast<int>(threadIdx.x / 32);
  if (threadIdx.x % 32 == 0) {
    values[warp] = warp;
    change<<<1, 1>>>(values + warp, 5);
    cudaMemcpyAsync(values + 32 + warp, values + warp, sizeof(int), cudaMemcpyDeviceToDevice, 0);
    cudaDeviceSynchronize();
    if (values[32 + warp] != 2 * warp + 5)
      atomicAdd(failures, 1);
  }
}

int main() {
  int* memory = nullptr;
  int* failures = nullptr;
  cudaMalloc(&memory, sizeof(int) * kBlocks * kValues);
  cudaMalloc(&failures, sizeof(int));
  cudaMemset(failures, 0, sizeof(int));
  parent<<<kBlocks, 1024>>>(memory, failures);
  cudaMemset(memory, 0, sizeof(int) * kBlocks * kValues);
  warps<<<1, 128>>>(memory, failures);
  int found = 0;
  cudaMemcpy(&found, failures, sizeof found, cudaMemcpyDeviceToHost);
  int bad = found;

  // Four grids below the host's wait; by default only two levels may.
  int results[2] = {};
  for (int i = 0; i < 2; ++i) {
    if (i == 1)
      cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 5);
    sum<<<1, 1>>>(memory, 1, 16, memory + 1, 0);
    cudaMemcpy(results + i, memory, sizeof(int), cudaMemcpyDeviceToHost);
  }
  bad += results[0] == 136 || results[0] >= 0 ? 1 : 0;
  bad += results[1] == 136 ? 0 : 1;
  const cudaError_t last = cudaDeviceSynchronize();
  std::printf(bad == 0 && last == cudaSuccess ? "PASS\n" : "FAIL: %d, %d, %d, %s\n", bad, results[0], results[1],
              cudaGetErrorString(last));
  return bad;
}
