// Kernels that read, write and copy arrays of 8 to 128 MB once, for a profiler that empties the caches before each
// launch or does not.
#include <cstddef>
#include <cstdio>

#include "../cuda_check.h"

namespace {

constexpr int kThreads = 256;

__device__ std::size_t place() {
  return blockIdx.x * static_cast<std::size_t>(kThreads) + threadIdx.x;
}

template <typename T>
__global__ void copy(T* to, const T* from) {
  to[place()] = from[place()];
}

__global__ void add_in_place(float* data) {
  data[place()] += 1;
}

__global__ void combine(float* to, const float* from, std::size_t quarter) {
  const std::size_t i = place();
  const float a = from[i];
  const float b = from[i + quarter];
  const float c = from[i + 2 * quarter];
  const float d = from[i + 3 * quarter];
  to[i] = a + b;
  to[i + quarter] = a - b;
  to[i + 2 * quarter] = c + d;
  to[i + 3 * quarter] = c - d;
}

__global__ void read_four(float* result, const float4* from) {
  const float4 value = from[place()];
  if (value.x + value.y + value.z + value.w == 1.25F) {
    *result = 1;
  }
}

__global__ void read_one(float* result, const float* from) {
  if (from[place()] == 1.25F) {
    *result = 1;
  }
}

__global__ void write_one(float* to) {
  to[place()] = 1;
}

}  // namespace

int main() {
  constexpr std::size_t kMost = std::size_t{128} << 20;
  float* a = nullptr;
  float* b = nullptr;
  CHECK(cudaMalloc(&a, kMost));
  CHECK(cudaMalloc(&b, kMost));
  CHECK(cudaMemset(a, 0, kMost));
  CHECK(cudaMemset(b, 0, kMost));
  for (const std::size_t mebibytes : {8, 16, 32, 64, 128}) {
    const std::size_t count = mebibytes << 18U;  // floats
    const auto ones = static_cast<unsigned>(count / kThreads);
    const unsigned fours = ones / 4;
    copy<float><<<ones, kThreads>>>(b, a);
    copy<float4><<<fours, kThreads>>>(reinterpret_cast<float4*>(b), reinterpret_cast<const float4*>(a));
    add_in_place<<<ones, kThreads>>>(a);
    combine<<<fours, kThreads>>>(a, a, count / 4);
    combine<<<fours, kThreads>>>(b, a, count / 4);
    read_four<<<fours, kThreads>>>(b, reinterpret_cast<const float4*>(a));
    read_one<<<ones, kThreads>>>(b, a);
    write_one<<<ones, kThreads>>>(b);
  }
  CHECK(cudaDeviceSynchronize());
  return 0;
}
