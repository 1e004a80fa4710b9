// The sum of an array in one launch: every block adds up its part, and the last block to finish adds up the parts.
// The fence keeps a part from becoming visible after the count that announces it; the count wraps to 0, so
// that the next launch finds it unchanged.
constexpr int kBlock = 256;

__device__ unsigned finished_blocks = 0;

__device__ float sum_of_block(float value) {
  __shared__ float values[kBlock];
  const unsigned thread = threadIdx.x;
  __syncthreads();
  values[thread] = value;
  __syncthreads();
  for (unsigned half = kBlock / 2; half > 0; half /= 2) {
    if (thread < half) {
      values[thread] += values[thread + half];
    }
    __syncthreads();
  }
  return values[0];
}

__global__ void sum(const float* array, unsigned count, volatile float* parts, float* total) {
  __shared__ bool is_last;
  float part = 0;
  for (unsigned i = blockIdx.x * kBlock + threadIdx.x; i < count; i += gridDim.x * kBlock) {
    part += array[i];
  }
  part = sum_of_block(part);
  if (threadIdx.x == 0) {
    parts[blockIdx.x] = part;
    __threadfence();
    is_last = atomicInc(&finished_blocks, gridDim.x - 1) == gridDim.x - 1;
  }
  __syncthreads();
  if (!is_last) {
    return;
  }
  float all = 0;
  for (unsigned i = threadIdx.x; i < gridDim.x; i += kBlock) {
    all += parts[i];
  }
  all = sum_of_block(all);
  if (threadIdx.x == 0) {
    *total = all;
  }
}
