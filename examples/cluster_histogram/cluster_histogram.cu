// A histogram whose bins are distributed over the shared memory of a cluster's blocks: every block counts into the bins
// of all of them, and adds its own to those in global memory at the end.
#include <cooperative_groups.h>

namespace groups = cooperative_groups;

__global__ void histogram(const int* values, int count, int* bins, int bin_count, int bins_per_block) {
  extern __shared__ int own[];
  const groups::cluster_group cluster = groups::this_cluster();
  for (int i = static_cast<int>(threadIdx.x); i < bins_per_block; i += static_cast<int>(blockDim.x)) {
    own[i] = 0;
  }
  // No block may count before all have started and their bins are empty.
  cluster.sync();
  const int threads = static_cast<int>(gridDim.x * blockDim.x);
  for (int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x); i < count; i += threads) {
    const int bin = min(max(values[i], 0), bin_count - 1);
    int* const theirs = cluster.map_shared_rank(own, bin / bins_per_block);
    atomicAdd(theirs + bin % bins_per_block, 1);
  }
  // No block may end while others count into its memory.
  cluster.sync();
  int* const mine = bins + static_cast<int>(cluster.block_rank()) * bins_per_block;
  for (int i = static_cast<int>(threadIdx.x); i < bins_per_block; i += static_cast<int>(blockDim.x)) {
    atomicAdd(&mine[i], own[i]);
  }
}
