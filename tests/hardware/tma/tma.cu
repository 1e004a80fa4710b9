// Bulk asynchronous copies: latency, issue, throughput, multicast and stores. One thread of each block issues.
// Prints: measurement, form, inner bytes, rows, bytes, blocks, cluster, unit, value.
// Usage: tma            all, as CSV
//        tma multicast  multicast kernels only of clusters of 1, 2, 4 and 8, for a profiler
#include <cuda.h>
#include <cudaTypedefs.h>

#include <algorithm>
#include <cstring>
#include <vector>

#include "../async_ptx.h"

constexpr int kRepeats = 8;
constexpr uint32_t kSharedBytes = 200 * 1024;
constexpr size_t kGlobalBytes = size_t{1} << 30;
constexpr uint32_t kWidth = 1024;  // bytes of a row of the matrix from which tensor copies take boxes

struct Box {
  int inner;  // bytes; 0: a copy of `rows` bytes without a tensor map
  int rows;
  __host__ __device__ uint32_t bytes() const { return inner == 0 ? rows : inner * rows; }
};

// --- device ---

// Positions of successive boxes: adjacent in a band of rows, then in the next band; or one after another.
template <bool kTensor>
struct Places {
  __device__ Places(const CUtensorMap* map, const char* global, Box box, uint64_t bytes, uint64_t base)
      : map(map), global(global + base), bytes(box.bytes()), rows(box.rows), width(box.inner / 4) {
    first = kTensor ? static_cast<int>(base / kWidth) : 0;
    last = kTensor ? first + static_cast<int>(bytes / kWidth) : 0;
    end = global + base + bytes;
    start = this->global;
    y = first;
  }
  __device__ void next() {
    if (kTensor) {
      x += width;
      if (x == static_cast<int>(kWidth / 4)) {
        x = 0;
        y = y + rows < last ? y + rows : first;
      }
    } else {
      global = global + bytes < end ? global + bytes : start;
    }
  }
  __device__ void load(uint32_t shared, uint32_t barrier) const {
    if (kTensor) {
      asm volatile(
          "cp.async.bulk.tensor.2d.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1, {%2, %3}], [%4];" ::"r"(
              shared),
          "l"(map), "r"(x), "r"(y), "r"(barrier)
          : "memory");
    } else {
      asm volatile(
          "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(shared),
          "l"(global), "r"(bytes), "r"(barrier)
          : "memory");
    }
  }
  __device__ void store(uint32_t shared) const {
    if (kTensor) {
      asm volatile("cp.async.bulk.tensor.2d.global.shared::cta.bulk_group [%0, {%1, %2}], [%3];" ::"l"(map), "r"(x),
                   "r"(y), "r"(shared)
                   : "memory");
    } else {
      asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(global), "r"(shared), "r"(bytes)
                   : "memory");
    }
  }
  const CUtensorMap* map;
  const char* global;
  const char* start;
  const char* end;
  uint32_t bytes;
  int rows, width, first, last;
  int x = 0, y = 0;
};

__device__ inline void load_multicast(const char* global, uint32_t bytes, uint32_t shared, uint32_t barrier, int mask) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" ::
          "r"(shared),
      "l"(global), "r"(bytes), "r"(barrier), "h"(static_cast<uint16_t>(mask))
      : "memory");
}

__device__ inline void commit() { asm volatile("cp.async.bulk.commit_group;" ::: "memory"); }
template <int kLeft>
__device__ inline void wait_read() {
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(kLeft) : "memory");
}
__device__ inline void wait_written() { asm volatile("cp.async.bulk.wait_group 0;" ::: "memory"); }

extern __shared__ __align__(1024) char buffer[];

// One copy at a time; `step`: bytes between successive copies (0: the same, so from L2).
template <bool kTensor>
__global__ void latency(const __grid_constant__ CUtensorMap map, const char* global, Box box, uint64_t step,
                        uint64_t* out) {
  if (!elected()) return;
  __shared__ uint64_t memory;
  const uint32_t barrier = shared_address(&memory);
  init(barrier, 1);
  fence_init();
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const Places<kTensor> places(&map, global, box, kWidth * box.rows, repeat * step);
    expect(barrier, box.bytes());
    const uint64_t begin = now();
    places.load(shared_address(buffer), barrier);
    const uint64_t issued = now();
    wait(barrier, repeat & 1);
    const uint64_t end = now();
    out[2 * repeat] = issued - begin;
    out[2 * repeat + 1] = end - begin;
  }
}

// `copies` copies at once on one barrier: cycles until all are issued, and until all have arrived. The second round
// finds its data in L2 if the region fits.
template <bool kTensor>
__global__ void burst(const __grid_constant__ CUtensorMap map, const char* global, Box box, int copies, int stages,
                      uint64_t region, uint64_t* out) {
  if (!elected()) return;
  __shared__ uint64_t memory;
  const uint32_t barrier = shared_address(&memory);
  init(barrier, 1);
  fence_init();
  const uint32_t stride = (box.bytes() + 127) / 128 * 128;
  const uint32_t last = shared_address(buffer) + stages * stride;
  for (int round = 0; round < 2; ++round) {
    Places<kTensor> places(&map, global, box, region, blockIdx.x * region);
    uint32_t shared = shared_address(buffer);
    expect(barrier, copies * box.bytes());
    const uint64_t begin = now();
#pragma unroll 4
    for (int i = 0; i < copies; ++i) {
      places.load(shared, barrier);
      places.next();
      shared = shared + stride == last ? shared_address(buffer) : shared + stride;
    }
    const uint64_t issued = now();
    wait(barrier, round & 1);
    const uint64_t end = now();
    out[2 * blockIdx.x] = issued - begin;
    out[2 * blockIdx.x + 1] = end - begin;
  }
}

// When each of 32 copies is issued.
template <bool kTensor>
__global__ void issue_times(const __grid_constant__ CUtensorMap map, const char* global, Box box, uint64_t* out) {
  if (!elected()) return;
  __shared__ uint64_t memory;
  __shared__ uint64_t times[33];
  const uint32_t barrier = shared_address(&memory);
  init(barrier, 1);
  fence_init();
  for (int round = 0; round < 2; ++round) {
    Places<kTensor> places(&map, global, box, 1 << 17, 0);
    expect(barrier, 32 * box.bytes());
    const uint64_t begin = now();
#pragma unroll
    for (int i = 0; i < 32; ++i) {
      places.load(shared_address(buffer), barrier);
      times[1 + i] = now() - begin;
    }
    wait(barrier, round & 1);
    times[0] = now() - begin;
  }
  for (int i = 0; i < 33; ++i) out[i] = times[i];
}

// A ring of stages, each refilled when it is full: cycles of a block for `copies` copies, an even number per stage.
template <bool kTensor>
__global__ void ring(const __grid_constant__ CUtensorMap map, const char* global, Box box, int copies, int stages,
                     uint64_t region, uint64_t* out) {
  if (!elected()) return;
  __shared__ uint64_t barriers[32];
  for (int i = 0; i < stages; ++i) init(shared_address(&barriers[i]), 1);
  fence_init();
  const uint32_t stride = (box.bytes() + 127) / 128 * 128;
  uint64_t begin = 0;
  for (int round = 0; round < 2; ++round) {
    Places<kTensor> places(&map, global, box, region, blockIdx.x * region);
    begin = now();
    for (int i = 0, stage = 0, parity = 1; i < copies + stages; ++i) {
      const uint32_t barrier = shared_address(&barriers[stage]);
      if (i >= stages) wait(barrier, parity);
      if (i < copies) {
        expect(barrier, box.bytes());
        places.load(shared_address(buffer) + stage * stride, barrier);
        places.next();
      }
      if (++stage == stages) {
        stage = 0;
        parity ^= 1;
      }
    }
  }
  out[blockIdx.x] = now() - begin;
}

// Every block of a cluster copies its share of `bytes` to all blocks, into a ring of stages. Warp 0 issues when all
// blocks have freed the stage, warp 1 frees full stages.
__global__ void multicast(const char* global, uint32_t bytes, int rounds, int stages, uint64_t* out) {
  __shared__ uint64_t full[16];
  __shared__ uint64_t empty[16];
  const uint32_t blocks = cluster_blocks();
  const uint32_t rank = cluster_rank();
  if (threadIdx.x == 0) {
    for (int i = 0; i < stages; ++i) {
      init(shared_address(&full[i]), 1);
      init(shared_address(&empty[i]), blocks);
    }
    fence_init();
  }
  cluster_sync();
  const uint32_t share = bytes / blocks;
  const char* const source = global + (blockIdx.x / blocks) * uint64_t{1 << 18} + rank * share;
  const uint64_t begin = now();
  const uint16_t mask = static_cast<uint16_t>((1 << blocks) - 1);
  if (threadIdx.x < 32) {
    if (elected()) {
      for (int i = 0, stage = 0, parity = 0; i < rounds; ++i) {
        const uint32_t ready = shared_address(&full[stage]);
        if (i >= stages) wait(shared_address(&empty[stage]), parity ^ 1);
        expect(ready, bytes);
        load_multicast(source + (i & 3) * bytes, share, shared_address(buffer) + stage * bytes + rank * share, ready, mask);
        if (++stage == stages) {
          stage = 0;
          parity ^= 1;
        }
      }
    }
    __syncwarp();
  } else if (threadIdx.x < 32 + blocks) {
    for (int i = 0, stage = 0, parity = 0; i < rounds; ++i) {
      wait(shared_address(&full[stage]), parity);
      arrive_remote(in_block(shared_address(&empty[stage]), threadIdx.x - 32));
      if (++stage == stages) {
        stage = 0;
        parity ^= 1;
      }
    }
  }
  if (threadIdx.x == 32) out[blockIdx.x] = now() - begin;
  cluster_sync();
}

// Only rank 0 copies to all; each block's time from a cluster barrier to its data.
__global__ void multicast_latency(const char* global, uint32_t bytes, uint64_t* out) {
  __shared__ uint64_t memory;
  const uint32_t barrier = shared_address(&memory);
  if (threadIdx.x == 0) {
    init(barrier, 1);
    fence_init();
  }
  for (int repeat = 0; repeat < 4; ++repeat) {
    if (threadIdx.x == 0) expect(barrier, bytes);
    cluster_sync();
    const uint64_t begin = now();
    if (cluster_rank() == 0 && elected()) {
      load_multicast(global, bytes, shared_address(buffer), barrier, (1 << cluster_blocks()) - 1);
    }
    wait(barrier, repeat & 1);
    const uint64_t end = now();
    if (threadIdx.x == 0) out[cluster_rank()] = end - begin;
    cluster_sync();
  }
}

template <bool kTensor>
__global__ void store_latency(const __grid_constant__ CUtensorMap map, const char* global, Box box, uint64_t* out) {
  if (!elected()) return;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    const Places<kTensor> places(&map, global, box, kWidth * box.rows, 0);
    const uint64_t begin = now();
    places.store(shared_address(buffer));
    commit();
    const uint64_t issued = now();
    wait_read<0>();
    const uint64_t read = now();
    wait_written();
    const uint64_t end = now();
    out[3 * repeat] = issued - begin;
    out[3 * repeat + 1] = read - begin;
    out[3 * repeat + 2] = end - begin;
  }
}

// All stores in groups of one, at most four unread: cycles until the last is read.
template <bool kTensor>
__global__ void store_ring(const __grid_constant__ CUtensorMap map, const char* global, Box box, int copies, int stages,
                           uint64_t region, uint64_t* out) {
  if (!elected()) return;
  uint64_t begin = 0;
  const uint32_t stride = (box.bytes() + 127) / 128 * 128;
  for (int round = 0; round < 2; ++round) {
    Places<kTensor> places(&map, global, box, region, blockIdx.x * region);
    begin = now();
    for (int i = 0, stage = 0; i < copies; ++i) {
      places.store(shared_address(buffer) + stage * stride);
      commit();
      wait_read<3>();
      places.next();
      if (++stage == stages) stage = 0;
    }
    wait_written();
  }
  out[blockIdx.x] = now() - begin;
}

// --- host ---

CUtensorMap make_map(void* global, Box box, bool swizzled) {
  CUtensorMap map;
  std::memset(&map, 0, sizeof map);
  if (box.inner == 0) return map;
  static PFN_cuTensorMapEncodeTiled_v12000 encode = nullptr;
  if (encode == nullptr) {
    cudaDriverEntryPointQueryResult found;
    void* function = nullptr;
    require(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000, cudaEnableDefault, &found), "entry");
    encode = reinterpret_cast<PFN_cuTensorMapEncodeTiled_v12000>(function);
  }
  const cuuint64_t extent[] = {kWidth / 4, kGlobalBytes / kWidth};
  const cuuint64_t stride[] = {kWidth};
  const cuuint32_t size[] = {static_cast<cuuint32_t>(box.inner / 4), static_cast<cuuint32_t>(box.rows)};
  const cuuint32_t steps[] = {1, 1};
  const CUresult result = encode(
      &map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 2, global, extent, stride, size, steps, CU_TENSOR_MAP_INTERLEAVE_NONE,
      swizzled ? (box.inner == 64 ? CU_TENSOR_MAP_SWIZZLE_64B : CU_TENSOR_MAP_SWIZZLE_128B) : CU_TENSOR_MAP_SWIZZLE_NONE,
      CU_TENSOR_MAP_L2_PROMOTION_NONE, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
  if (result != CUDA_SUCCESS) {
    std::fprintf(stderr, "tensor map %dx%d: %d\n", box.inner, box.rows, result);
    std::exit(1);
  }
  return map;
}

char* global = nullptr;
uint64_t* device = nullptr;

std::vector<uint64_t> results(size_t count) {
  std::vector<uint64_t> host(count);
  require(cudaMemcpy(host.data(), device, count * 8, cudaMemcpyDeviceToHost), "results");
  return host;
}

void print(const char* what, const char* form, Box box, int blocks, int cluster, const char* unit, double value) {
  std::printf("%s,%s,%d,%d,%u,%d,%d,%s,%.2f\n", what, form, box.inner, box.inner == 0 ? 1 : box.rows, box.bytes(), blocks,
              cluster, unit, value);
}

template <typename... Arguments>
void launch(void (*kernel)(Arguments...), int blocks, int cluster, int threads, Arguments... arguments) {
  require(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, kSharedBytes), "shared memory");
  cudaLaunchConfig_t config = {};
  config.gridDim = blocks;
  config.blockDim = threads;
  config.dynamicSmemBytes = kSharedBytes;
  cudaLaunchAttribute attribute = {};
  attribute.id = cudaLaunchAttributeClusterDimension;
  attribute.val.clusterDim = {static_cast<unsigned>(cluster), 1, 1};
  config.attrs = &attribute;
  config.numAttrs = cluster > 1;
  require(cudaLaunchKernelEx(&config, kernel, arguments...), "launch");
  require(cudaDeviceSynchronize(), "kernel");
}

const char* form_of(Box box, bool swizzled) {
  return box.inner == 0 ? "bulk" : swizzled ? "tensor_swizzled" : "tensor";
}
double mean_of(const std::vector<uint64_t>& values, size_t step, size_t place) {
  double sum = 0;
  for (size_t i = place; i < values.size(); i += step) sum += static_cast<double>(values[i]);
  return sum * static_cast<double>(step) / static_cast<double>(values.size());
}
// From the repeats after the first two.
double median_of(const std::vector<uint64_t>& values, size_t step, size_t place) {
  std::vector<uint64_t> kept;
  for (size_t i = 2 * step + place; i < values.size(); i += step) kept.push_back(values[i]);
  std::sort(kept.begin(), kept.end());
  return static_cast<double>(kept[kept.size() / 2]);
}

void run_latency(Box box, bool swizzled) {
  const CUtensorMap map = make_map(global, box, swizzled);
  const char* const form = form_of(box, swizzled);
  for (const bool cold : {false, true}) {
    require(cudaMemset(global + (kGlobalBytes >> 1), 1, kGlobalBytes >> 1), "flush");
    const uint64_t step = cold ? 1 << 20 : 0;
    launch(box.inner ? latency<true> : latency<false>, 1, 1, 32, map, static_cast<const char*>(global), box, step, device);
    const std::vector<uint64_t> host = results(2 * kRepeats);
    print(cold ? "load_latency_dram" : "load_latency_l2", form, box, 1, 1, "cycles", median_of(host, 2, 1));
    if (!cold) print("load_issue", form, box, 1, 1, "cycles", median_of(host, 2, 0));
  }
}

// Time and issue of one copy among many, from the difference of two numbers of copies.
void run_burst(Box box, bool swizzled, int blocks, uint64_t region, const char* what) {
  const CUtensorMap map = make_map(global, box, swizzled);
  const char* const form = form_of(box, swizzled);
  const int stages = std::min<int>(32, kSharedBytes / ((box.bytes() + 127) / 128 * 128));
  const int copies = std::min<int>(128, 983040 / box.bytes() / 2 * 2);
  double time[2], issue[2];
  for (const int half : {0, 1}) {
    const int count = half ? copies / 2 : copies;
    launch(box.inner ? burst<true> : burst<false>, blocks, 1, 32, map, static_cast<const char*>(global), box, count, stages,
           region, device);
    const std::vector<uint64_t> host = results(2 * blocks);
    issue[half] = mean_of(host, 2, 0);
    time[half] = mean_of(host, 2, 1);
  }
  const double more = copies - copies / 2;
  char name[60];
  std::snprintf(name, sizeof name, "%s_cycles_per_copy", what);
  print(name, form, box, blocks, 1, "cycles", (time[0] - time[1]) / more);
  if (blocks == 1) print("issue_cycles_per_copy", form, box, blocks, 1, "cycles", (issue[0] - issue[1]) / more);
  std::snprintf(name, sizeof name, "%s_burst", what);
  print(name, form, box, blocks, 1, "bytes_per_cycle_and_sm", more * box.bytes() / (time[0] - time[1]));
}

void run_ring(Box box, int blocks, uint64_t region, const char* what) {
  const CUtensorMap map = make_map(global, box, false);
  const int stages = std::min<int>(32, kSharedBytes / ((box.bytes() + 127) / 128 * 128));
  const int copies = std::clamp<int>((1 << 21) / box.bytes(), 256, 4096) / (2 * stages) * 2 * stages;
  launch(box.inner ? ring<true> : ring<false>, blocks, 1, 32, map, static_cast<const char*>(global), box, copies, stages,
         region, device);
  print(what, form_of(box, false), box, blocks, 1, "bytes_per_cycle_and_sm",
        static_cast<double>(copies) * box.bytes() / mean_of(results(blocks), 1, 0));
}

void run_store(Box box) {
  const CUtensorMap map = make_map(global, box, false);
  const char* const form = form_of(box, false);
  launch(box.inner ? store_latency<true> : store_latency<false>, 1, 1, 32, map, static_cast<const char*>(global), box, device);
  const std::vector<uint64_t> host = results(3 * kRepeats);
  const char* const names[] = {"store_issue", "store_read", "store_written"};
  for (int part = 0; part < 3; ++part) print(names[part], form, box, 1, 1, "cycles", median_of(host, 3, part));
  for (const int blocks : {1, 132}) {
    const int copies = std::clamp<int>((1 << 20) / box.bytes(), 64, 1024);
    const int stages = std::min<int>(8, kSharedBytes / ((box.bytes() + 127) / 128 * 128));
    launch(box.inner ? store_ring<true> : store_ring<false>, blocks, 1, 32, map, static_cast<const char*>(global), box, copies,
           stages, uint64_t{1 << 18}, device);
    print("store_throughput", form, box, blocks, 1, "bytes_per_cycle_and_sm",
          static_cast<double>(copies) * box.bytes() / mean_of(results(blocks), 1, 0));
  }
}

void run_issue_times(Box box) {
  const CUtensorMap map = make_map(global, box, false);
  launch(box.inner ? issue_times<true> : issue_times<false>, 1, 1, 32, map, static_cast<const char*>(global), box, device);
  const std::vector<uint64_t> host = results(33);
  for (int i = 0; i < 33; ++i) {
    char name[32];
    std::snprintf(name, sizeof name, i == 0 ? "issue_times_all_done" : "issue_time_%d", i - 1);
    print(name, form_of(box, false), box, 1, 1, "cycles", static_cast<double>(host[i]));
  }
}

void run_multicast(int cluster) {
  for (const int kib : {4, 8, 16, 32}) {
    for (const int blocks : {cluster, 128}) {
      const int rounds = 256;
      const int stages = std::min(16, 160 / kib);
      launch(multicast, blocks, cluster, 64, static_cast<const char*>(global), static_cast<uint32_t>(kib * 1024), rounds,
             stages, device);
      print("multicast_throughput", "bulk", {0, kib * 1024}, blocks, cluster, "bytes_received_per_cycle_and_sm",
            static_cast<double>(rounds) * kib * 1024 / mean_of(results(blocks), 1, 0));
    }
  }
  for (const int bytes : {128, 1024, 8192, 32768}) {
    launch(multicast_latency, cluster, cluster, 32, static_cast<const char*>(global), static_cast<uint32_t>(bytes), device);
    const std::vector<uint64_t> host = results(cluster);
    for (int rank = 0; rank < cluster; ++rank) {
      char name[40];
      std::snprintf(name, sizeof name, "multicast_latency_rank%d", rank);
      print(name, "bulk", {0, bytes}, cluster, cluster, "cycles", static_cast<double>(host[rank]));
    }
  }
}

int main(int count, char**) {
  require(cudaMalloc(&global, kGlobalBytes), "memory");
  require(cudaMemset(global, 0, kGlobalBytes), "memory");
  require(cudaMalloc(&device, 1 << 20), "memory");
  if (count > 1) {
    for (const int cluster : {1, 2, 4, 8}) {
      launch(multicast, 128, cluster, 64, static_cast<const char*>(global), 32768U, 256, 5, device);
    }
    return 0;
  }
  std::printf("measurement,form,inner_bytes,rows,bytes,blocks,cluster,unit,value\n");
  std::vector<Box> boxes;
  for (int bytes = 16; bytes <= 65536; bytes *= 2) boxes.push_back({0, bytes});
  for (const int inner : {64, 128, 256, 512, 1024}) {
    for (int rows = 1; rows <= 256 && inner * rows <= 65536; rows *= 2) boxes.push_back({inner, rows});
  }
  for (const Box box : boxes) {
    const bool swizzles = box.inner == 64 || box.inner == 128;
    // A band of adjacent boxes is `rows` KiB; a block's region has at least two.
    const uint64_t region = std::max<uint64_t>(1 << 17, box.inner ? 2 * kWidth * box.rows : 0);
    run_latency(box, false);
    if (swizzles) run_latency(box, true);
    run_burst(box, false, 1, region, "load_l2");
    run_burst(box, false, 132, region, "load_l2");
    if (swizzles) run_burst(box, true, 1, region, "load_l2");
    run_ring(box, 1, region, "load_ring_l2");
    if (box.bytes() >= 2048) {
      run_ring(box, 132, region, "load_ring_l2");
      run_ring(box, 132, 4 << 20, "load_ring_dram");
    }
    if (box.inner == 0 || box.inner == 128 || box.inner == 256) run_store(box);
  }
  for (const Box box : {Box{0, 16}, Box{0, 2048}, Box{128, 1}, Box{128, 8}, Box{128, 16}}) run_issue_times(box);
  for (const int cluster : {1, 2, 4, 8}) run_multicast(cluster);
  return 0;
}
