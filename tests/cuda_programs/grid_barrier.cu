// A cooperative grid whose blocks wait for each other, twice per round.
#include <cooperative_groups.h>
#include <cuda_runtime.h>

#include <cstdio>
#include <vector>

namespace cg = cooperative_groups;

// Each round every thread adds the value of the thread after it in the grid.
__global__ void add_neighbours(unsigned* from, unsigned* to, int rounds) {
  const cg::grid_group grid = cg::this_grid();
  const unsigned long long i = grid.thread_rank();
  const unsigned long long next = (i + 1) % grid.num_threads();
  for (int round = 0; round < rounds; ++round) {
    to[i] = from[i] + from[next];
    grid.sync();
    from[i] = to[i];
    auto token = grid.barrier_arrive();
    grid.barrier_wait(std::move(token));
  }
}

int main() {
  constexpr int kBlocks = 40;
  constexpr int kThreads = 96;
  constexpr int kCount = kBlocks * kThreads;
  int rounds = 5;
  std::vector<unsigned> values(kCount);
  for (int i = 0; i < kCount; ++i) {
    values[i] = static_cast<unsigned>(i) * 2654435761U;
  }
  unsigned* from = nullptr;
  unsigned* to = nullptr;
  cudaMalloc(&from, kCount * sizeof(unsigned));
  cudaMalloc(&to, kCount * sizeof(unsigned));
  cudaMemcpy(from, values.data(), kCount * sizeof(unsigned), cudaMemcpyHostToDevice);
  void* arguments[] = {&from, &to, &rounds};
  const cudaError_t error =
      cudaLaunchCooperativeKernel(reinterpret_cast<void*>(add_neighbours), kBlocks, kThreads, arguments, 0, nullptr);
  if (error != cudaSuccess) {
    std::printf("%s\n", cudaGetErrorString(error));
    return 1;
  }
  std::vector<unsigned> got(kCount);
  cudaMemcpy(got.data(), from, kCount * sizeof(unsigned), cudaMemcpyDeviceToHost);
  for (int round = 0; round < rounds; ++round) {
    const std::vector<unsigned> before = values;
    for (int i = 0; i < kCount; ++i) {
      values[i] = before[i] + before[(i + 1) % kCount];
    }
  }
  std::puts(got == values ? "PASS" : "FAIL");
  return got == values ? 0 : 1;
}
