// Relocatable code of two units: this one, and linked_code_other.cu.
#include <cuda_runtime.h>

#include <cstdio>

extern __device__ int table[4];
extern __constant__ int factor;
__device__ int twice(int x);
__device__ int (*pointer)(int) = twice;
static __device__ int helper(int x) { return x + 1; }

__global__ void write(int* out) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = twice(table[i % 4]) * factor + helper(i) + pointer(i);
}

void add_hundred(int* data);

int main() {
  int* data = nullptr;
  cudaMalloc(&data, 32 * sizeof(int));
  write<<<1, 32>>>(data);
  add_hundred(data);
  int got[32] = {};
  cudaMemcpy(got, data, sizeof got, cudaMemcpyDeviceToHost);
  int read = 0;
  bool good = cudaMemcpyFromSymbol(&read, factor, sizeof read) == cudaSuccess && read == 3;
  for (int i = 0; i < 32; ++i) {
    good = good && got[i] == 2 * (5 + i % 4) * 3 + (i + 1) + 2 * i + (i + 100);
  }
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
