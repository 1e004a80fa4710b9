// Latencies of mbarrier operations, in one block and across a cluster. Prints: measurement, variant, repeat, cycles.
#include "../async_ptx.h"

constexpr int kRepeats = 4;  // the first loads the code
constexpr int kChain = 16;

enum Operation { kArrive, kExpect, kTryWait, kTestWait, kTestWaitFails, kOperations };
const char* const kNames[] = {"arrive_with_state", "arrive_expect_tx_with_state", "try_wait_true", "test_wait_true",
                              "test_wait_false"};

// A chain of operations each address of which depends on the previous result: cycles of one.
template <int kOperation>
__global__ void chain(uint64_t* out, uint32_t zero) {
  __shared__ uint64_t memory;
  const uint32_t barrier = shared_address(&memory);
  init(barrier, kOperation >= kTryWait ? 1 : 1 << 19);
  fence_init();
  __syncwarp();
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    uint32_t address = barrier;
    const uint64_t begin = now();
#pragma unroll
    for (int i = 0; i < kChain; ++i) {
      uint64_t state = 0;
      if (kOperation == kArrive) {
        asm volatile("mbarrier.arrive.shared::cta.b64 %0, [%1];" : "=l"(state) : "r"(address) : "memory");
      } else if (kOperation == kExpect) {
        asm volatile("mbarrier.arrive.expect_tx.shared::cta.b64 %0, [%1], 0;" : "=l"(state) : "r"(address) : "memory");
      } else if (kOperation == kTryWait) {
        state = try_wait(address, 1);
      } else if (kOperation == kTestWait) {
        state = test_wait(address, 1);
      } else {
        state = test_wait(address, 0);
      }
      address = barrier + (static_cast<uint32_t>(state) & zero);
    }
    out[repeat] = now_after(address) - begin;
  }
}

// Issue of operations whose results are not read.
template <int kOperation>
__global__ void stream(uint64_t* out) {
  __shared__ uint64_t memory;
  const uint32_t barrier = shared_address(&memory);
  init(barrier, 1 << 19);
  fence_init();
  __syncthreads();
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const uint64_t begin = now();
#pragma unroll
    for (int i = 0; i < kChain; ++i) {
      if (kOperation == kArrive) {
        arrive(barrier);
      } else {
        expect(barrier, 0);
      }
    }
    const uint64_t end = now();
    if (threadIdx.x == 0) out[repeat] = end - begin;
  }
}

// How long try_wait suspends when nothing happens.
template <bool kHint>
__global__ void suspend(uint64_t* out, int hint) {
  __shared__ uint64_t memory;
  const uint32_t barrier = shared_address(&memory);
  init(barrier, 1);
  fence_init();
  __syncwarp();
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const uint64_t begin = now();
    const bool done = kHint ? try_wait_hint(barrier, 0, hint) : try_wait(barrier, 0);
    if (done) asm volatile("trap;");  // resolved before the clock is read
    out[repeat] = now() - begin;
  }
}

// Thread 0 of warp 1 + `distance` arrives; warp 0 waits. Same sub-core when distance is 3.
__global__ void wake_up(uint64_t* out, int distance) {
  __shared__ uint64_t memory;
  __shared__ uint64_t arrived;
  const uint32_t barrier = shared_address(&memory);
  const uint32_t warp = threadIdx.x / 32;
  if (threadIdx.x == 0) {
    init(barrier, 1);
    fence_init();
  }
  __syncthreads();
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    uint64_t woken = 0;
    if (warp == 0) {
      wait(barrier, repeat & 1);
      woken = now();
    } else if (static_cast<int>(warp) == 1 + distance && threadIdx.x % 32 == 0) {
      const uint64_t begin = now();
      while (now() - begin < 1000) {
      }
      const uint64_t at = now();
      arrive(barrier);
      arrived = at;
    }
    __syncthreads();
    if (threadIdx.x == 0) out[repeat] = woken - arrived;
    __syncthreads();
  }
}

// Rank 0 arrives at `peer`'s barrier, which answers: cycles of the round trip.
template <bool kRelease>
__global__ void ping_pong(uint64_t* out, uint32_t peer) {
  __shared__ uint64_t memory;
  const uint32_t barrier = shared_address(&memory);
  if (threadIdx.x == 0) {
    init(barrier, 1);
    fence_init();
  }
  cluster_sync();
  const uint32_t rank = cluster_rank();
  if (threadIdx.x == 0 && (rank == 0 || rank == peer)) {
    const uint32_t other = in_block(barrier, rank == 0 ? peer : 0);
    for (int repeat = 0; repeat < kRepeats; ++repeat) {
      const uint64_t begin = now();
      if (rank == 0) {
        kRelease ? arrive_remote_released(other) : arrive_remote(other);
        wait(barrier, repeat & 1);
        out[repeat] = now() - begin;
      } else {
        wait(barrier, repeat & 1);
        kRelease ? arrive_remote_released(other) : arrive_remote(other);
      }
    }
  }
  cluster_sync();
}

void print(const char* name, const char* variant, int number, const uint64_t* device, double divisor) {
  uint64_t host[kRepeats];
  require(cudaMemcpy(host, device, sizeof host, cudaMemcpyDeviceToHost), name);
  for (int i = 1; i < kRepeats; ++i) {
    std::printf("%s,%s%d,%d,%.2f\n", name, variant, number, i, static_cast<double>(host[i]) / divisor);
  }
}

template <typename... Arguments>
void launch_cluster(void (*kernel)(Arguments...), int blocks, int threads, Arguments... arguments) {
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = threads;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(blocks), 1, 1};
  config.attrs = &attribute;
  config.numAttrs = 1;
  require(cudaLaunchKernelEx(&config, kernel, arguments...), "cluster");
}

template <int kOperation>
void run_chain(uint64_t* device) {
  chain<kOperation><<<1, 32>>>(device, 0);
  print("latency_all_lanes", kNames[kOperation], 32, device, kChain);
  chain<kOperation><<<1, 1>>>(device, 0);
  print("latency", kNames[kOperation], 1, device, kChain);
}

int main() {
  uint64_t* device = nullptr;
  require(cudaMalloc(&device, 4096), "memory");
  std::printf("measurement,variant,repeat,cycles\n");
  run_chain<kArrive>(device);
  run_chain<kExpect>(device);
  run_chain<kTryWait>(device);
  run_chain<kTestWait>(device);
  run_chain<kTestWaitFails>(device);
  for (const int threads : {1, 32, 128, 512}) {
    stream<kArrive><<<1, threads>>>(device);
    print("issue", "arrive_threads", threads, device, kChain);
    stream<kExpect><<<1, threads>>>(device);
    print("issue", "expect_tx_threads", threads, device, kChain);
  }
  suspend<false><<<1, 1>>>(device, 0);
  print("try_wait_false", "no_hint", 0, device, 1);
  for (const int hint : {0, 1, 100, 1000, 10000, 100000, 1000000}) {
    suspend<true><<<1, 1>>>(device, hint);
    print("try_wait_false", "hint_ns", hint, device, 1);
  }
  for (const int distance : {0, 1, 3}) {
    wake_up<<<1, 256>>>(device, distance);
    print("wake_up", "warps_apart", distance + 1, device, 1);
  }
  for (const int blocks : {2, 4, 8}) {
    for (int peer = 0; peer < blocks; ++peer) {
      if (blocks != 8 && peer > 1) continue;
      char variant[40];
      std::snprintf(variant, sizeof variant, "cluster%d_peer", blocks);
      launch_cluster(ping_pong<false>, blocks, 32, device, static_cast<uint32_t>(peer));
      print("remote_arrive_round_trip", variant, peer, device, 1);
      launch_cluster(ping_pong<true>, blocks, 32, device, static_cast<uint32_t>(peer));
      print("remote_released_arrive_round_trip", variant, peer, device, 1);
    }
  }
  return 0;
}
