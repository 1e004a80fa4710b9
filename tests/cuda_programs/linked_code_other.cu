#include <cuda_runtime.h>

__device__ int table[4] = {5, 6, 7, 8};
__constant__ int factor = 3;

static __device__ int helper(int x) {
  return x + 100;
}

__device__ int twice(int x) {
  return 2 * x;
}

__global__ void add(int* data) {
  data[threadIdx.x] += helper(static_cast<int>(threadIdx.x));
}

void add_hundred(int* data) {
  add<<<1, 32>>>(data);
}
