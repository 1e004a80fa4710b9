// Memory that kernels allocate themselves: a thread for itself, one thread for its block, and memory that outlasts the
// kernel that allocated it.
#include <cstdlib>
#include <cstring>

__global__ void per_thread(unsigned char* last, int* aligned) {
  constexpr std::size_t kBytes = 123;
  auto* const bytes = static_cast<unsigned char*>(malloc(kBytes));
  memset(bytes, static_cast<int>(threadIdx.x), kBytes);
  last[threadIdx.x] = bytes[kBytes - 1];
  aligned[threadIdx.x] = reinterpret_cast<unsigned long long>(bytes) % 16 == 0 ? 1 : 0;
  free(bytes);
}

__global__ void per_block(int* sums) {
  constexpr int kNumbers = 64;  // of a thread
  __shared__ int* numbers;
  const int threads = static_cast<int>(blockDim.x);
  if (threadIdx.x == 0) {
    numbers = static_cast<int*>(malloc(static_cast<std::size_t>(threads) * kNumbers * sizeof(int)));
  }
  __syncthreads();
  if (numbers == nullptr) {
    return;
  }
  // Neighbours are adjacent.
  for (int i = 0; i < kNumbers; ++i) {
    numbers[i * threads + static_cast<int>(threadIdx.x)] = static_cast<int>(threadIdx.x) + i;
  }
  __syncthreads();
  int sum = 0;
  for (int i = 0; i < kNumbers; ++i) {
    sum += numbers[i * threads + (static_cast<int>(threadIdx.x) + 1) % threads];
  }
  sums[blockIdx.x * blockDim.x + threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    free(numbers);
  }
}

constexpr int kBlocks = 20;
__device__ int* kept[kBlocks];

__global__ void allocate() {
  if (threadIdx.x == 0) {
    kept[blockIdx.x] = static_cast<int*>(malloc(blockDim.x * sizeof(int)));
  }
  __syncthreads();
  if (kept[blockIdx.x] != nullptr) {
    kept[blockIdx.x][threadIdx.x] = 0;
  }
}

__global__ void use() {
  if (kept[blockIdx.x] != nullptr) {
    kept[blockIdx.x][threadIdx.x] += static_cast<int>(threadIdx.x);
  }
}

__global__ void release(int* values) {
  if (kept[blockIdx.x] != nullptr) {
    values[blockIdx.x * blockDim.x + threadIdx.x] = kept[blockIdx.x][threadIdx.x];
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    free(kept[blockIdx.x]);
    kept[blockIdx.x] = nullptr;
  }
}
