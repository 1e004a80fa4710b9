// Where the SMs are: the partition of L2 that is near to each, and the SMs that can be in one cluster.

#include <algorithm>
#include <numeric>
#include <string>

#include "probe.h"

namespace calibration {
namespace {

constexpr int kWords = 256;

// Cycles of an atomic operation on each of kWords words 4 KiB apart, which is done where the word is at home.
__global__ void time_words(unsigned* data, unsigned* cycles, unsigned* sms, unsigned zero) {
  __shared__ unsigned sink[kWords];
  if (threadIdx.x != 0) {
    return;
  }
  sms[blockIdx.x] = sm_of_block();
  for (int round = 0; round < 3; ++round) {
    for (int i = 0; i < kWords; ++i) {
      const int word = (i + static_cast<int>(blockIdx.x) * 11) % kWords;
      const long long start = now();
      const unsigned value = atomicAdd(data + word * 1024, zero) & zero;
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(static_cast<unsigned>(__cvta_generic_to_shared(sink + word))),
                   "r"(value)
                   : "memory");
      const auto passed = static_cast<unsigned>(now() - start);
      unsigned* least = cycles + blockIdx.x * kWords + word;
      *least = round == 0 ? passed : min(*least, passed);
    }
  }
}

// SM of each block of a grid of clusters.
__global__ void record_sms(unsigned* sms) {
  if (threadIdx.x == 0) {
    sms[blockIdx.x] = sm_of_block();
    // A block that stays keeps the next one from its SM.
    const long long start = now();
    while (now() - start < 5000) {
#if __CUDA_ARCH__ >= 700
      __nanosleep(500);
#endif
    }
  }
  __syncthreads();
}

#if CUDART_VERSION >= 11080
int root_of(std::vector<int>& parents, int sm) {
  while (parents[sm] != sm) {
    sm = parents[sm] = parents[parents[sm]];
  }
  return sm;
}

// Joins SMs that had blocks of one cluster.
void join_clusters(int sms, int cluster_blocks, std::vector<int>& parents) {
  cudaLaunchAttribute attribute{};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim.x = cluster_blocks;
  attribute.val.clusterDim.y = 1;
  attribute.val.clusterDim.z = 1;
  cudaLaunchConfig_t config{};
  config.blockDim = dim3(1024);
  config.attrs = &attribute;
  config.numAttrs = 1;
  const int blocks = (sms / cluster_blocks) * cluster_blocks;
  config.gridDim = dim3(blocks);
  const Memory<unsigned> places(blocks);
  if (cudaLaunchKernelEx(&config, record_sms, places.get()) != cudaSuccess) {
    cudaGetLastError();  // such clusters do not fit
    return;
  }
  finish();
  const std::vector<unsigned> host = places.copy();
  for (int first = 0; first < blocks; first += cluster_blocks) {
    for (int i = 1; i < cluster_blocks; ++i) {
      parents[root_of(parents, host[first + i])] = root_of(parents, host[first]);
    }
  }
}
#endif

}  // namespace

// For each SM and word the least of three times. The host program finds the sides.
void probe_sides(const Device& device, Results& results) {
  const Memory<unsigned> data(kWords * 1024);
  const Memory<unsigned> cycles(static_cast<std::size_t>(device.sms) * kWords);
  const Memory<unsigned> sms(device.sms);
  time_words<<<device.sms, 1024>>>(data.get(), cycles.get(), sms.get(), 0);
  finish();
  const std::vector<unsigned> host_cycles = cycles.copy();
  const std::vector<unsigned> host_sms = sms.copy();
  for (int block = 0; block < device.sms; ++block) {
    for (int word = 0; word < kWords; ++word) {
      results.add("side.sm" + std::to_string(host_sms[block]) + ".word" + std::to_string(word), "cycles",
                  host_cycles[static_cast<std::size_t>(block) * kWords + word]);
    }
  }
}

// The least SM of those with which each can share a cluster: the GPC. There are clusters from 9.0 on.
void probe_clusters([[maybe_unused]] const Device& device, [[maybe_unused]] Results& results) {
#if CUDART_VERSION >= 11080
  if (device.capability < 90) {
    return;
  }
  REQUIRE(cudaFuncSetAttribute(record_sms, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
  std::vector<int> parents(device.sms);
  std::iota(parents.begin(), parents.end(), 0);
  for (const int blocks : {2, 3, 4, 5, 6, 7, 8, 16}) {
    for (int repetition = 0; repetition < 4; ++repetition) {
      join_clusters(device.sms, blocks, parents);
    }
  }
  std::vector<int> least(device.sms, device.sms);
  for (int sm = 0; sm < device.sms; ++sm) {
    const int root = root_of(parents, sm);
    least[root] = std::min(least[root], sm);
  }
  for (int sm = 0; sm < device.sms; ++sm) {
    results.add("cluster.sm" + std::to_string(sm), "sm", least[root_of(parents, sm)]);
  }
#endif
}

}  // namespace calibration
