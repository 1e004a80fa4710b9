// A kernel whose time is that of reads from L2 or DRAM, past L1.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

__global__ void read_all(const uint4* data, std::size_t count, int rounds, unsigned* out) {
  unsigned sum = 0;
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += std::size_t{gridDim.x} * blockDim.x) {
      const uint4 value = __ldcg(data + i);
      sum += value.x ^ value.y ^ value.z ^ value.w;
    }
  }
  if (sum == 12345) {
    *out = sum;
  }
}
