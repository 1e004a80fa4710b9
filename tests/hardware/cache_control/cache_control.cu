// The state of instruction, constant and data caches before a launch that Nsight Compute measures.
//
// The same kernel is launched several times: straight-line code of `N` instructions that also reads constants and one
// array. Profiled with --cache-control all and with none, the counters of the second and later launches show which
// caches were emptied in between (run.sh; results.csv).
#include <cstdio>

__constant__ float table[4096];

template <int N>
__global__ void k_code(float* io) {
  float x = io[threadIdx.x], y = table[(N * 7) & 4095];
#pragma unroll
  for (int i = 0; i < N; ++i) asm volatile("fma.rn.f32 %0, %0, %1, %1;" : "+f"(x) : "f"(y));
  if (x == 1.5f) io[threadIdx.x] = x + table[threadIdx.x & 4095];
}

int main() {
  float* io = nullptr;
  if (cudaMalloc(&io, 1 << 20) != cudaSuccess || cudaMemset(io, 0, 1 << 20) != cudaSuccess) return 1;
  for (int round = 0; round < 3; ++round) {
    k_code<16><<<1, 32>>>(io);
    k_code<512><<<1, 32>>>(io);
    k_code<4096><<<1, 32>>>(io);
    k_code<512><<<132, 128>>>(io);
  }
  const cudaError_t error = cudaDeviceSynchronize();
  std::printf("%s\n", cudaGetErrorString(error));
  return error == cudaSuccess ? 0 : 1;
}
