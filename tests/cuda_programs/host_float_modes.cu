// Kernels compute as the GPU does, whatever floating-point modes the program's own threads have: those of programs that
// are compiled with -ffast-math flush subnormal numbers.
#include <xmmintrin.h>

#include <cfenv>
#include <cstdint>
#include <cstdio>
#include <cstring>

// Half of the least normal number, a third, and their sum in double precision.
__global__ void compute(float* single, double* wide) {
  single[threadIdx.x] = single[threadIdx.x] / 2;
  wide[threadIdx.x] = wide[threadIdx.x] / 3 + wide[threadIdx.x] * 0.5;
}

int main() {
  constexpr int kThreads = 64;
  constexpr unsigned kFlushes = 0x8040;  // results and sources
  float* single = nullptr;
  double* wide = nullptr;
  cudaMallocManaged(&single, kThreads * sizeof(float));
  cudaMallocManaged(&wide, kThreads * sizeof(double));
  for (int i = 0; i < kThreads; ++i) {
    const std::uint32_t least = 0x00800000;
    std::memcpy(&single[i], &least, sizeof least);
    wide[i] = 1 + i;
  }
  const double expected = [](double one) { return one / 3 + one * 0.5; }(1.0);
  _mm_setcsr(_mm_getcsr() | kFlushes);
  std::fesetround(FE_UPWARD);
  compute<<<1, kThreads>>>(single, wide);
  const cudaError_t status = cudaDeviceSynchronize();
  const bool kept = (_mm_getcsr() & kFlushes) == kFlushes && std::fegetround() == FE_UPWARD;
  _mm_setcsr(_mm_getcsr() & ~kFlushes);
  std::fesetround(FE_TONEAREST);
  std::uint32_t half = 0;
  std::memcpy(&half, &single[kThreads - 1], sizeof half);
  const bool good = status == cudaSuccess && half == 0x00400000 && wide[0] == expected && kept;
  if (good) {
    std::puts("PASS");
  } else {
    std::printf("FAIL: %08x, %.17g for %.17g, modes %s\n", half, wide[0], expected, kept ? "kept" : "changed");
  }
  return good ? 0 : 1;
}
