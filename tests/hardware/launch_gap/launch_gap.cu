// The time of a launch outside of the time in which its SMs have warps: chains of FMAs of several lengths, with and
// without a store at their end, over several grids, each repeated.
#include <cstdio>
#include <cstdlib>

template <bool kStore>
__global__ void chain(float* out, int length, float a, float b) {
  float x = a;
  for (int i = 0; i < length; ++i) {
    x = __fmaf_rn(x, a, b);
  }
  if (kStore || x == 12345.0f) {
    out[blockIdx.x * blockDim.x + threadIdx.x] = x;
  }
}

int main() {
  constexpr int kMostThreads = 1056 * 256;
  float* out = nullptr;
  cudaMalloc(&out, kMostThreads * sizeof(float));
  for (int repetition = 0; repetition < 12; ++repetition) {
    for (const int blocks : {1, 8, 66, 132, 528, 1056}) {
      for (const int length : {16, 256, 1024, 4096, 16384}) {
        chain<false><<<blocks, 256>>>(out, length, 0.5f, 0.25f);
        chain<true><<<blocks, 256>>>(out, length, 0.5f, 0.25f);
      }
    }
  }
  return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
