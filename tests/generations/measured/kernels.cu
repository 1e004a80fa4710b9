// Small kernels that others measured on GPUs of several generations (small_kernels.csv). `n` and `m` are the number of
// elements, or the rows and columns. All inputs are zero there, so all indices and histogram values are, too.
// kernels.ptx was made from this file: nvcc -O3 -ptx -arch=compute_75 kernels.cu, with the target set to sm_50.
namespace {
constexpr int kTile = 32;
constexpr int kBins = 256;
}  // namespace

extern "C" __global__ void vector_add(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                      int n, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[i] + b[i];
  }
}

extern "C" __global__ void saxpy(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n,
                                 int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = 2.0f * a[i] + b[i];
  }
}

extern "C" __global__ void strided_copy_8(const float* __restrict__ a, const float* __restrict__, float* __restrict__ c,
                                          int n, int) {
  const int i = (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  if (i < n) {
    c[i] = a[i];
  }
}

extern "C" __global__ void random_access(const float* __restrict__ a, const float* __restrict__ b,
                                         float* __restrict__ c, int n, int) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    c[i] = a[__float_as_int(b[i])];
  }
}

extern "C" __global__ void naive_transpose(const float* __restrict__ a, const float* __restrict__,
                                           float* __restrict__ c, int n, int m) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < n && column < m) {
    c[column * n + row] = a[row * m + column];
  }
}

extern "C" __global__ void shared_transpose(const float* __restrict__ a, const float* __restrict__,
                                            float* __restrict__ c, int n, int m) {
  __shared__ float tile[kTile][kTile + 1];
  const int x = blockIdx.x * kTile + threadIdx.x;
  const int y = blockIdx.y * kTile + threadIdx.y;
  if (x < m && y < n) {
    tile[threadIdx.y][threadIdx.x] = a[y * m + x];
  }
  __syncthreads();
  const int to_x = blockIdx.y * kTile + threadIdx.x;
  const int to_y = blockIdx.x * kTile + threadIdx.y;
  if (to_x < n && to_y < m) {
    c[to_y * n + to_x] = tile[threadIdx.x][threadIdx.y];
  }
}

extern "C" __global__ void matmul_naive(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                        int n, int) {
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  const int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n || column >= n) {
    return;
  }
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    sum += a[row * n + k] * b[k * n + column];
  }
  c[row * n + column] = sum;
}

extern "C" __global__ void matmul_tiled(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                        int n, int) {
  __shared__ float of_a[kTile][kTile];
  __shared__ float of_b[kTile][kTile];
  const unsigned x = threadIdx.x;
  const unsigned y = threadIdx.y;
  const int row = blockIdx.y * kTile + y;
  const int column = blockIdx.x * kTile + x;
  float sum = 0;
  for (int first = 0; first < n; first += kTile) {
    of_a[y][x] = row < n && first + x < n ? a[row * n + first + x] : 0;
    of_b[y][x] = first + y < n && column < n ? b[(first + y) * n + column] : 0;
    __syncthreads();
#pragma unroll
    for (int k = 0; k < kTile; ++k) {
      sum += of_a[y][k] * of_b[k][x];
    }
    __syncthreads();
  }
  if (row < n && column < n) {
    c[row * n + column] = sum;
  }
}

// Half of the block's elements are added by each thread, then the block's sums in shared memory.
namespace {
__device__ void sum_of_block(float value, float* __restrict__ c) {
  extern __shared__ float sums[];
  const unsigned thread = threadIdx.x;
  sums[thread] = value;
  __syncthreads();
  for (unsigned half = blockDim.x / 2; half > 0; half /= 2) {
    if (thread < half) {
      sums[thread] += sums[thread + half];
    }
    __syncthreads();
  }
  if (thread == 0) {
    c[blockIdx.x] = sums[0];
  }
}
}  // namespace

extern "C" __global__ void reduce_sum(const float* __restrict__ a, const float* __restrict__, float* __restrict__ c,
                                      int n, int) {
  const int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  float value = i < n ? a[i] : 0;
  if (i + blockDim.x < n) {
    value += a[i + blockDim.x];
  }
  sum_of_block(value, c);
}

extern "C" __global__ void dot_product(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                       int n, int) {
  const int i = blockIdx.x * blockDim.x * 2 + threadIdx.x;
  float value = i < n ? a[i] * b[i] : 0;
  if (i + blockDim.x < n) {
    value += a[i + blockDim.x] * b[i + blockDim.x];
  }
  sum_of_block(value, c);
}

extern "C" __global__ void histogram(const float* __restrict__ a, const float* __restrict__, float* __restrict__ c,
                                     int n, int) {
  extern __shared__ unsigned bins[];
  for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
    bins[bin] = 0;
  }
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x) {
    atomicAdd(&bins[__float_as_uint(a[i]) % kBins], 1u);
  }
  __syncthreads();
  for (unsigned bin = threadIdx.x; bin < kBins; bin += blockDim.x) {
    atomicAdd(reinterpret_cast<unsigned*>(c) + bin, bins[bin]);
  }
}

namespace {
template <int kSize>
__device__ void convolve(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c, int n,
                         int m) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= m - (kSize - 1) || y >= n - (kSize - 1)) {
    return;
  }
  float sum = 0;
  for (int dy = 0; dy < kSize; ++dy) {
    for (int dx = 0; dx < kSize; ++dx) {
      sum += a[(y + dy) * m + x + dx] * b[dy * kSize + dx];
    }
  }
  c[y * m + x] = sum;
}
}  // namespace

extern "C" __global__ void conv2d_3x3(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                      int n, int m) {
  convolve<3>(a, b, c, n, m);
}

extern "C" __global__ void conv2d_7x7(const float* __restrict__ a, const float* __restrict__ b, float* __restrict__ c,
                                      int n, int m) {
  convolve<7>(a, b, c, n, m);
}
