// Clusters: barriers, shared memory of other blocks, and which SM each block gets.
// Prints: measurement, variant, cluster, rank, repeat or threads, unit, value.
// Usage: cluster                    all, as CSV
//        cluster placement          cluster, blocks of the grid, block, SM
//        cluster launch             empty kernels for a profiler
#include <algorithm>
#include <cstring>
#include <vector>

#include "../async_ptx.h"

constexpr int kRepeats = 4;
constexpr int kChain = 16;
constexpr uint32_t kSharedBytes = 200 * 1024;
extern __shared__ __align__(1024) char buffer[];

__global__ void empty() {}

__global__ void place(uint32_t* out) {
  const uint64_t begin = now();
  while (now() - begin < 20000) {  // all that fit are resident together
  }
  out[blockIdx.x] = smid();
}

template <bool kOrdered>
__global__ void barrier(uint64_t* out) {
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    cluster_sync();
    const uint64_t begin = now();
#pragma unroll
    for (int i = 0; i < kChain; ++i) {
      if (kOrdered) {
        cluster_sync();
      } else {
        asm volatile("barrier.cluster.arrive.relaxed.aligned;\n barrier.cluster.wait.aligned;" ::: "memory");
      }
    }
    const uint64_t end = now();
    if (threadIdx.x == 0 && cluster_rank() == 0) out[repeat] = end - begin;
  }
}

// Chases a pointer of rank 0's in `target`.
__global__ void load_latency(uint64_t* out, uint32_t target) {
  __shared__ uint32_t word;
  word = 0;
  cluster_sync();
  if (cluster_rank() == 0) {
    const uint32_t remote = in_block(shared_address(&word), target);
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      uint32_t address = remote;
      const uint64_t begin = now();
#pragma unroll
      for (int i = 0; i < kChain; ++i) {
        uint32_t value;
        asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(address) : "memory");
        address = remote + value;
      }
      out[repeat] = now_after(address) - begin;
    }
  }
  cluster_sync();
}

// All blocks read or write 16 bytes per lane in the next block (distance 1) or in themselves (distance 0).
template <bool kStore, int kBytes>
__global__ void bandwidth(uint64_t* out, int distance) {
  const uint32_t blocks = cluster_blocks();
  const uint32_t remote =
      in_block(shared_address(buffer), (cluster_rank() + distance) % blocks) + threadIdx.x * kBytes;
  uint32_t sum = 0;
  cluster_sync();
  const uint64_t begin = now();
#pragma unroll 4
  for (int i = 0; i < 64; ++i) {
    const uint32_t address = remote + i % 4 * 16384;
    uint32_t a, b = 0, c = 0, d = 0;
    if (kStore && kBytes == 16) {
      asm volatile("st.shared::cluster.v4.u32 [%0], {%1, %1, %1, %1};" ::"r"(address), "r"(i) : "memory");
    } else if (kStore) {
      asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(address), "r"(i) : "memory");
    } else if (kBytes == 16) {
      asm volatile("ld.shared::cluster.v4.u32 {%0, %1, %2, %3}, [%4];"
                   : "=r"(a), "=r"(b), "=r"(c), "=r"(d)
                   : "r"(address)
                   : "memory");
      sum += a + b + c + d;
    } else {
      asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(a) : "r"(address) : "memory");
      sum += a;
    }
  }
  cluster_sync();  // stores have arrived
  const uint64_t end = now();
  if (threadIdx.x == 0) out[blockIdx.x] = end - begin + (sum == 12345);
}

// st.async from rank 0 to `target`, whose thread answers by st.async: round trip.
__global__ void store_async(uint64_t* out, uint32_t target) {
  __shared__ uint64_t memory;
  __shared__ uint32_t word;
  const uint32_t barrier = shared_address(&memory);
  if (threadIdx.x == 0) {
    init(barrier, 1);
    fence_init();
  }
  cluster_sync();
  const uint32_t rank = cluster_rank();
  if (threadIdx.x == 0 && (rank == 0 || rank == target)) {
    const uint32_t other = rank == 0 ? target : 0;
    const uint32_t to = in_block(shared_address(&word), other);
    const uint32_t its = in_block(barrier, other);
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      expect(barrier, 4);
      const uint64_t begin = now();
      if (rank != 0) wait(barrier, repeat & 1);
      asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.u32 [%0], %1, [%2];" ::"r"(to), "r"(repeat),
                   "r"(its)
                   : "memory");
      if (rank == 0) {
        wait(barrier, repeat & 1);
        out[repeat] = now() - begin;
      }
    }
  }
  cluster_sync();
}

uint64_t* device = nullptr;

template <typename... Arguments>
void launch(void (*kernel)(Arguments...), int blocks, int threads, int cluster, uint32_t shared, Arguments... arguments) {
  require(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes), "shared memory");
  require(cudaFuncSetAttribute(kernel, cudaFuncAttributeNonPortableClusterSizeAllowed, 1), "size");
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = shared;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
  config.attrs = &attribute;
  config.numAttrs = 1;
  require(cudaLaunchKernelEx(&config, kernel, arguments...), "launch");
  require(cudaDeviceSynchronize(), "kernel");
}

void print(const char* what, const char* variant, int cluster, int rank, int number, const char* unit, double value) {
  std::printf("%s,%s,%d,%d,%d,%s,%.2f\n", what, variant, cluster, rank, number, unit, value);
}

std::vector<uint64_t> results(int count) {
  std::vector<uint64_t> host(count);
  require(cudaMemcpy(host.data(), device, count * 8, cudaMemcpyDeviceToHost), "results");
  return host;
}

template <bool kStore, int kBytes>
void run_bandwidth(const char* name, int cluster) {
  for (const int distance : {0, 1}) {
    for (const int threads : {32, 256, 1024}) {
      for (const int blocks : {cluster, 128 / cluster * cluster}) {
        launch(bandwidth<kStore, kBytes>, blocks, threads, cluster, kSharedBytes, device, distance);
        launch(bandwidth<kStore, kBytes>, blocks, threads, cluster, kSharedBytes, device, distance);
        double mean = 0;
        for (const uint64_t cycles : results(blocks)) mean += static_cast<double>(cycles) / blocks;
        char variant[60];
        std::snprintf(variant, sizeof variant, "%s_distance%d_blocks%d", name, distance, blocks);
        print("throughput", variant, cluster, 0, threads, "bytes_per_cycle_and_sm", 64.0 * threads * kBytes / mean);
      }
    }
  }
}

void measure() {
  std::printf("measurement,variant,cluster,rank,repeat_or_threads,unit,value\n");
  for (const int cluster : {1, 2, 4, 8, 16}) {
    for (const int threads : {32, 128, 256, 1024}) {
      char variant[20];
      std::snprintf(variant, sizeof variant, "threads%d", threads);
      for (const bool ordered : {false, true}) {
        launch(ordered ? barrier<true> : barrier<false>, cluster, threads, cluster, 1024, device);
        const std::vector<uint64_t> host = results(kRepeats);
        for (int i = 1; i < kRepeats; ++i) {
          print(ordered ? "barrier_release_acquire" : "barrier_relaxed_acquire", variant, cluster, 0, i, "cycles",
                static_cast<double>(host[i]) / kChain);
        }
      }
    }
    for (int rank = 0; rank < cluster; ++rank) {
      for (const int threads : {1, 32}) {
        launch(load_latency, cluster, threads, cluster, kSharedBytes / 2, device, static_cast<uint32_t>(rank));
        const double cycles = static_cast<double>(results(kRepeats)[kRepeats - 1]);
        print("load_latency", threads == 1 ? "one_lane" : "same_address_32_lanes", cluster, rank, threads, "cycles",
              cycles / kChain);
      }
      launch(store_async, cluster, 32, cluster, kSharedBytes / 2, device, static_cast<uint32_t>(rank));
      if (rank != 0) {
        print("store_async_round_trip", "u32", cluster, rank, 1, "cycles",
              static_cast<double>(results(kRepeats)[kRepeats - 1]));
      }
    }
    if (cluster == 1) continue;
    run_bandwidth<false, 4>("load4", cluster);
    run_bandwidth<false, 16>("load16", cluster);
    run_bandwidth<true, 4>("store4", cluster);
    run_bandwidth<true, 16>("store16", cluster);
  }
}

void print_placement() {
  uint32_t* sms = nullptr;
  require(cudaMalloc(&sms, 1 << 16), "memory");
  std::printf("cluster,grid,block,sm\n");
  for (const int cluster : {1, 2, 4, 8, 16}) {
    for (const int grid : {32, 64, 128, 132, 264}) {
      if (grid % cluster != 0) continue;
      launch(place, grid, 32, cluster, kSharedBytes, sms);
      std::vector<uint32_t> host(grid);
      require(cudaMemcpy(host.data(), sms, grid * 4, cudaMemcpyDeviceToHost), "placement");
      for (int block = 0; block < grid; ++block) std::printf("%d,%d,%d,%u\n", cluster, grid, block, host[block]);
    }
  }
}

int main(int count, char** arguments) {
  require(cudaMalloc(&device, 1 << 16), "memory");
  if (count == 1) {
    measure();
  } else if (std::strcmp(arguments[1], "placement") == 0) {
    print_placement();
  } else {
    for (const int cluster : {1, 2, 4, 8}) {
      for (const int grid : {8, 32, 128, 264, 528, 1056}) launch(empty, grid, 128, cluster, 0);
    }
  }
  return 0;
}
