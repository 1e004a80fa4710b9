// What printf(), malloc() and free() of kernels cost: instructions and cycles by calls, threads and arguments.
#include <cstdio>

#include "../cuda_check.h"

namespace {

__global__ void nothing(int) {}

template <int kArguments>
__global__ void print(int value) {
  if constexpr (kArguments == 0) {
    printf("a\n");
  } else if constexpr (kArguments == 1) {
    printf("%d\n", value);
  } else if constexpr (kArguments == 4) {
    printf("%d %d %d %d\n", value, value, value, value);
  } else {
    printf("%d %d %d %d %d %d %d %d\n", value, value, value, value, value, value, value, value);
  }
}

__global__ void print_text(const char*) {
  printf("%s\n", "sixteen letters.");
}

__global__ void print_twice(int value) {
  printf("%d\n", value);
  printf("%d\n", value + 1);
}

__global__ void allocate(void** results, int bytes) {
  results[blockIdx.x * blockDim.x + threadIdx.x] = malloc(bytes);
}

__global__ void release(void** results) {
  free(results[blockIdx.x * blockDim.x + threadIdx.x]);
}

}  // namespace

int main() {
  CHECK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, std::size_t{256} << 20));
  void** results = nullptr;
  CHECK(cudaMalloc(&results, sizeof(void*) * 132 * 1024));
  const int shapes[][2] = {{1, 1}, {1, 2}, {1, 8}, {1, 32}, {1, 64}, {1, 256}, {4, 32}, {132, 32}};
  for (const auto& [blocks, threads] : shapes) {
    nothing<<<blocks, threads>>>(0);
    print<0><<<blocks, threads>>>(1);
    print<1><<<blocks, threads>>>(1);
    print<4><<<blocks, threads>>>(1);
    print<8><<<blocks, threads>>>(1);
    print_twice<<<blocks, threads>>>(1);
    print_text<<<blocks, threads>>>(nullptr);
    CHECK(cudaDeviceSynchronize());
    for (const int bytes : {16, 256, 4096, 65536}) {
      allocate<<<blocks, threads>>>(results, bytes);
      CHECK(cudaDeviceSynchronize());
      release<<<blocks, threads>>>(results);
      CHECK(cudaDeviceSynchronize());
    }
  }
  return 0;
}
