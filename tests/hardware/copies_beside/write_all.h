// A kernel whose time is that of writes.
#pragma once

#include <cuda_runtime.h>

#include <cstddef>

__global__ void write_all(uint4* data, std::size_t count, int rounds) {
  for (int round = 0; round < rounds; ++round) {
    for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < count;
         i += std::size_t{gridDim.x} * blockDim.x) {
      data[i] = make_uint4(round, 1, 2, 3);
    }
  }
}
