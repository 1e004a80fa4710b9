// How long blocks occupy an SM: kernels of a few instructions in grids of many blocks, by what the instructions do, by warps
// per block and by resident blocks. The profiler gives each launch's cycles, active cycles of SMs and lifetimes of warps.
#include <cstdint>
#include <cstdio>

enum Body { kEmpty, kCompare, kIndex, kChain, kBlock, kBlocks, kThreads, kBarrier, kStore, kStoreOneThread, kBodies };
const char* const kNames[kBodies] = {"empty", "compare", "index", "chain", "block", "blocks", "threads", "barrier", "store", "store_one"};

// `never` is a value that no comparison meets; each body but the stores' has one store that is not executed.
template <Body kBody>
__global__ void body(uint32_t* out, uint32_t never) {
  const uint32_t index = blockIdx.x * blockDim.x + threadIdx.x;
  if constexpr (kBody == kCompare) {
    if (never == 1) {
      *out = 1;
    }
  } else if constexpr (kBody == kIndex) {
    if (index == never) {
      *out = 1;
    }
  } else if constexpr (kBody == kChain) {
    if ((threadIdx.x ^ 16) == never) {
      *out = 1;
    }
  } else if constexpr (kBody == kBlock) {
    if (blockIdx.x == never) {
      *out = 1;
    }
  } else if constexpr (kBody == kBlocks) {
    if (blockIdx.x * 3 + blockIdx.y * 5 + blockIdx.z == never) {
      *out = 1;
    }
  } else if constexpr (kBody == kThreads) {
    if (threadIdx.x * 3 + threadIdx.y * 5 + threadIdx.z == never) {
      *out = 1;
    }
  } else if constexpr (kBody == kBarrier) {
    __syncthreads();
    if (threadIdx.x == never) {
      *out = 1;
    }
  } else if constexpr (kBody == kStore) {
    out[index] = never;
  } else if constexpr (kBody == kStoreOneThread) {
    if (threadIdx.x == 0) {
      out[blockIdx.x] = never;
    }
  }
}

using Kernel = void (*)(uint32_t*, uint32_t);
const Kernel kKernels[kBodies] = {body<kEmpty>,   body<kCompare>, body<kIndex>,   body<kChain>, body<kBlock>, body<kBlocks>,
                                  body<kThreads>, body<kBarrier>, body<kStore>, body<kStoreOneThread>};

int main() {
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  const int blocks = sms * 64;
  uint32_t* out = nullptr;
  cudaMalloc(&out, sizeof(uint32_t) * blocks * 1024);
  cudaMemset(out, 0, sizeof(uint32_t) * blocks * 1024);
  constexpr int kOnlyOne = 120 * 1024;  // bytes of shared memory of which an SM has no second one
  for (int which = 0; which < kBodies; ++which) {
    cudaFuncSetAttribute(kKernels[which], cudaFuncAttributeMaxDynamicSharedMemorySize, kOnlyOne);
    for (int warps : {1, 2, 4, 8, 16, 32}) {
      for (int shared : {kOnlyOne, 0}) {
        kKernels[which]<<<blocks, warps * 32, shared>>>(out, 0xffffffffu);
        printf("DATA,%s,%d,%d\n", kNames[which], warps, shared == 0 ? 0 : 1);
      }
    }
  }
  if (cudaDeviceSynchronize() != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(cudaGetLastError()));
    return 1;
  }
  return 0;
}
