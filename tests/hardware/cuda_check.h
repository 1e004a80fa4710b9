// Ends a measuring program with the call that failed, its place and CUDA's error.
#pragma once

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#define CHECK(call)                                                                            \
  do {                                                                                         \
    const cudaError_t check_code = (call);                                                     \
    if (check_code != cudaSuccess) {                                                           \
      std::printf("%s:%d: %s: %s\n", __FILE__, __LINE__, #call, cudaGetErrorName(check_code)); \
      std::exit(1);                                                                            \
    }                                                                                          \
  } while (false)
