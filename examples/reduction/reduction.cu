// Sums of an array: halves of a block onto each other, with barriers throughout; and the last 32 threads without
// barriers, since they belong to one warp. Then arrays of two and three dimensions.
constexpr int kBlock = 256;

__global__ void sum_with_barriers(const int* array, int* sums, int count) {
  __shared__ int values[kBlock];
  const int thread = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * kBlock + thread;
  values[thread] = i < count ? array[i] : 0;
  __syncthreads();
  for (int half = kBlock / 2; half > 0; half /= 2) {
    if (thread < half) {
      values[thread] += values[thread + half];
    }
    __syncthreads();
  }
  if (thread == 0) {
    sums[blockIdx.x] = values[0];
  }
}

__global__ void sum_by_last_warp(const int* array, int* sums, int count) {
  __shared__ int values[kBlock];
  const int thread = static_cast<int>(threadIdx.x);
  const int i = static_cast<int>(blockIdx.x) * kBlock + thread;
  values[thread] = i < count ? array[i] : 0;
  __syncthreads();
  for (int half = kBlock / 2; half >= 32; half /= 2) {
    if (thread < half) {
      values[thread] += values[thread + half];
    }
    __syncthreads();
  }
  if (thread < 32) {
    int sum = values[thread];
    for (int half = 16; half > 0; half /= 2) {
      sum += __shfl_down_sync(0xffffffffU, sum, half);
    }
    if (thread == 0) {
      sums[blockIdx.x] = sum;
    }
  }
}

// Rows begin at multiples of `pitch` bytes.
__global__ void double_rows(char* memory, int pitch, int width, int height) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < width && y < height) {
    auto* const row = reinterpret_cast<float*>(memory + y * pitch);
    row[x] *= 2;
  }
}

__global__ void number_volume(int* volume, int width, int height, int depth) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int z = static_cast<int>(blockIdx.z * blockDim.z + threadIdx.z);
  if (x < width && y < height && z < depth) {
    volume[(z * height + y) * width + x] = 10000 * z + 100 * y + x;
  }
}
