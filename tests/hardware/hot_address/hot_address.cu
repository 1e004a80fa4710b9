// What one word of L2 serves when many blocks want it: loads past L1 (volatile, relaxed of the GPU, weak), atomics,
// atomics of one block while others poll, and barriers of a whole grid, which are both at once. Output: CSV of kind,
// blocks (one warp each, its first thread works), SM cycles per operation. Argument: the largest number of blocks to
// try.
#include "../cuda_check.h"

#include <cooperative_groups.h>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace cg = cooperative_groups;

namespace {

constexpr int kOperations = 200;
constexpr int kMaxBlocks = 4224;
constexpr unsigned kNeverSet = 0x40000000U;
constexpr int kWordDistance = 5 << 14;  // words of one run lie in different slices

enum class Kind {
  volatile_loads,
  gpu_loads,
  weak_loads,
  atomics,
  reductions,
  barriers,
};

/// Whether all blocks of the grid have come here (each use needs a counter of its own).
__device__ void start_together(unsigned* counter) {
  atomicAdd(counter, 1U);
  while (*static_cast<volatile unsigned*>(counter) < gridDim.x) {
    __nanosleep(1000);
  }
  __nanosleep(4000);
}

template <Kind kind>
__device__ unsigned operation(unsigned* at) {
  unsigned value = 0;
  if constexpr (kind == Kind::volatile_loads) {
    value = *static_cast<volatile unsigned*>(at);
  } else if constexpr (kind == Kind::gpu_loads) {
    asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  } else if constexpr (kind == Kind::weak_loads) {
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  } else if constexpr (kind == Kind::atomics) {
    value = atomicAdd(at, 0U);
  } else if constexpr (kind == Kind::reductions) {
    atomicAdd(at, 1U);
  } else {
    cg::this_grid().sync();
  }
  return value;
}

/// Block b uses word b modulo `words`; each operation that returns something depends on the one before.
template <Kind kind>
__global__ void work(unsigned* first_word, int words, unsigned* counter, long long* cycles) {
  if (threadIdx.x == 0) {
    start_together(counter);
  }
  __syncwarp();
  unsigned* const word = first_word + blockIdx.x % words * kWordDistance;
  const long long first = clock64();
  if (kind == Kind::barriers || threadIdx.x == 0) {
    unsigned sum = 0;
    for (int i = 0; i < kOperations; ++i) {
      sum += operation<kind>(word + (sum & kNeverSet));
    }
    if (sum == 0xffffffffU) {
      word[1] = sum;
    }
  }
  if (threadIdx.x == 0) {
    cycles[blockIdx.x] = clock64() - first;
  }
}

/// Block 0 does atomics on the word while the other blocks poll it.
__global__ void atomics_beside_polls(unsigned* word, int /*words*/, unsigned* counter, long long* cycles) {
  start_together(counter);
  volatile unsigned* end = counter + 1;
  if (blockIdx.x != 0) {
    while ((*static_cast<volatile unsigned*>(word) & kNeverSet) == 0) {
    }
    return;
  }
  __nanosleep(8000);
  unsigned sum = 0;
  const long long first = clock64();
  for (int i = 0; i < kOperations; ++i) {
    sum += atomicAdd(word + (sum & kNeverSet), 0U);
  }
  cycles[0] = clock64() - first;
  atomicAdd(word, kNeverSet + (sum & 1U));
  *end = sum;
}

struct Case {
  const char* name;
  const void* kernel;
  int words;
};

}  // namespace

int main(int argc, char** argv) {
  const int most = argc > 1 ? std::atoi(argv[1]) : kMaxBlocks;
  unsigned* words = nullptr;
  long long* cycles = nullptr;
  constexpr std::size_t kBytes = 16 << 20;
  CHECK(cudaMalloc(&words, kBytes));
  CHECK(cudaMalloc(&cycles, kMaxBlocks * sizeof(long long)));
  const Case cases[] = {
      {"volatile_loads", reinterpret_cast<const void*>(work<Kind::volatile_loads>), 1},
      {"gpu_loads", reinterpret_cast<const void*>(work<Kind::gpu_loads>), 1},
      {"weak_loads", reinterpret_cast<const void*>(work<Kind::weak_loads>), 1},
      {"volatile_loads", reinterpret_cast<const void*>(work<Kind::volatile_loads>), 2},
      {"gpu_loads", reinterpret_cast<const void*>(work<Kind::gpu_loads>), 2},
      {"volatile_loads", reinterpret_cast<const void*>(work<Kind::volatile_loads>), 8},
      {"gpu_loads", reinterpret_cast<const void*>(work<Kind::gpu_loads>), 8},
      {"atomics", reinterpret_cast<const void*>(work<Kind::atomics>), 1},
      {"reductions", reinterpret_cast<const void*>(work<Kind::reductions>), 1},
      {"barriers", reinterpret_cast<const void*>(work<Kind::barriers>), 1},
      {"atomics_beside_polls", reinterpret_cast<const void*>(atomics_beside_polls), 1},
  };
  std::printf("kind,words,blocks,cycles\n");
  for (const Case& c : cases) {
    const bool one_block = c.kernel == reinterpret_cast<const void*>(atomics_beside_polls);
    for (const int blocks : {1, 2, 8, 33, 132, 264, 528, 1056, 2112, 4224}) {
      if (blocks > most) {
        break;
      }
      double best = 1e30;
      for (int round = 0; round < 3; ++round) {
        CHECK(cudaMemset(words, 0, kBytes));
        CHECK(cudaDeviceSynchronize());
        unsigned* counter = words;
        unsigned* word = words + 4096;
        int of_case = c.words;
        void* arguments[] = {&word, &of_case, &counter, &cycles};
        CHECK(cudaLaunchCooperativeKernel(c.kernel, blocks, one_block ? 1 : 32, arguments));
        CHECK(cudaDeviceSynchronize());
        std::vector<long long> of_blocks(blocks);
        CHECK(cudaMemcpy(of_blocks.data(), cycles, blocks * sizeof(long long), cudaMemcpyDeviceToHost));
        double sum = 0;
        const int counted = one_block ? 1 : blocks;
        for (int i = 0; i < counted; ++i) {
          sum += static_cast<double>(of_blocks[i]);
        }
        const double mean = sum / counted / kOperations;
        best = mean < best ? mean : best;
      }
      std::printf("%s,%d,%d,%.1f\n", c.name, c.words, blocks, best);
      std::fflush(stdout);
    }
  }
  return 0;
}
