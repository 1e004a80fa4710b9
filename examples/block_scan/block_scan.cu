// Inclusive prefix sums of an array in three launches: each block scans its part, one block scans the sums of the
// blocks, and each block adds the sum of the previous ones.
constexpr int kBlock = 128;

// Sums at distance 1, 2, 4, ...: every step reads one of two arrays and writes the other.
__device__ int scan_block(int value, int (&sums)[2][kBlock]) {
  const int thread = static_cast<int>(threadIdx.x);
  int from = 0;
  sums[from][thread] = value;
  __syncthreads();
  for (int distance = 1; distance < kBlock; distance *= 2) {
    const int before = thread >= distance ? sums[from][thread - distance] : 0;
    sums[1 - from][thread] = sums[from][thread] + before;
    from = 1 - from;
    __syncthreads();
  }
  return sums[from][thread];
}

__global__ void scan_parts(const int* in, int* out, int* totals, int count) {
  __shared__ int sums[2][kBlock];
  const int i = static_cast<int>(blockIdx.x) * kBlock + static_cast<int>(threadIdx.x);
  const int sum = scan_block(i < count ? in[i] : 0, sums);
  if (i < count) {
    out[i] = sum;
  }
  if (threadIdx.x == kBlock - 1) {
    totals[blockIdx.x] = sum;
  }
}

__global__ void scan_totals(int* totals, int blocks) {
  __shared__ int sums[2][kBlock];
  const int i = static_cast<int>(threadIdx.x);
  const int sum = scan_block(i < blocks ? totals[i] : 0, sums);
  if (i < blocks) {
    totals[i] = sum;
  }
}

__global__ void add_before(int* out, const int* totals, int count) {
  const int i = static_cast<int>(blockIdx.x) * kBlock + static_cast<int>(threadIdx.x);
  if (blockIdx.x > 0 && i < count) {
    out[i] += totals[blockIdx.x - 1];
  }
}
