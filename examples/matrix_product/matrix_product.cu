// The product of an m x k and a k x n matrix, stored by rows, twice: directly from global memory, and through
// tiles in shared memory, which read every element of both matrices kTile times less often.
constexpr int kTile = 16;

__global__ void product_naive(const float* a, const float* b, float* c, int m, int k, int n) {
  const int row = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int column = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  if (row >= m || column >= n) {
    return;
  }
  float sum = 0;
  for (int i = 0; i < k; ++i) {
    sum += a[row * k + i] * b[i * n + column];
  }
  c[row * n + column] = sum;
}

// The sizes need not be multiples of the tile: elements beyond an edge count as 0.
__global__ void product_tiled(const float* a, const float* b, float* c, int m, int k, int n) {
  __shared__ float a_tile[kTile][kTile];
  __shared__ float b_tile[kTile][kTile];
  const int y = static_cast<int>(threadIdx.y);
  const int x = static_cast<int>(threadIdx.x);
  const int row = static_cast<int>(blockIdx.y) * kTile + y;
  const int column = static_cast<int>(blockIdx.x) * kTile + x;
  float sum = 0;
  for (int begin = 0; begin < k; begin += kTile) {
    a_tile[y][x] = row < m && begin + x < k ? a[row * k + begin + x] : 0.0F;
    b_tile[y][x] = begin + y < k && column < n ? b[(begin + y) * n + column] : 0.0F;
    __syncthreads();
    for (int i = 0; i < kTile; ++i) {
      sum += a_tile[y][i] * b_tile[i][x];
    }
    __syncthreads();
  }
  if (row < m && column < n) {
    c[row * n + column] = sum;
  }
}
