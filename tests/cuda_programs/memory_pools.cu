// Memory pools: streams that allocate from a pool of their own and from that of the device, counters and the threshold,
// and one pool for each GPU, which the others may access. It checks itself.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <vector>

namespace {

int failures = 0;

void check(bool good, const char* what) {
  if (!good) {
    std::printf("failed: %s\n", what);
    ++failures;
  }
}
void must(cudaError_t code, const char* what) {
  if (code != cudaSuccess) {
    std::printf("failed: %s (%s)\n", what, cudaGetErrorName(code));
    ++failures;
  }
}

__global__ void fill(int* data, int value) {
  data[threadIdx.x] = value;
}
__global__ void sum(const int* a, const int* b, int* c) {
  c[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x];
}

constexpr int kThreads = 128;
constexpr size_t kBytes = kThreads * sizeof(int);
constexpr uint64_t kMiB = 1 << 20;

cudaMemPool_t pool_of(int device, size_t most = 0) {
  cudaMemPoolProps properties = {};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, device};
  properties.maxSize = most;
  cudaMemPool_t pool = nullptr;
  must(cudaMemPoolCreate(&pool, &properties), "a pool");
  return pool;
}

uint64_t count(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  uint64_t value = 0;
  must(cudaMemPoolGetAttribute(pool, attribute, &value), "an attribute");
  return value;
}

void use_in_a_loop() {
  const cudaMemPool_t pool = pool_of(0);
  cudaStream_t stream = nullptr;
  must(cudaStreamCreate(&stream), "a stream");
  uint64_t keep = UINT64_MAX;
  must(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &keep), "threshold");
  std::vector<int> results(kThreads);
  for (int round = 0; round < 4; ++round) {
    int* a = nullptr;
    int* b = nullptr;
    int* c = nullptr;
    must(cudaMallocFromPoolAsync(&a, 10 * kMiB, pool, stream), "a");
    must(cudaMallocFromPoolAsync(&b, 10 * kMiB, pool, stream), "b");
    must(cudaMallocFromPoolAsync(&c, kBytes, pool, stream), "c");
    fill<<<1, kThreads, 0, stream>>>(a, round);
    fill<<<1, kThreads, 0, stream>>>(b, 10);
    sum<<<1, kThreads, 0, stream>>>(a, b, c);
    must(cudaFreeAsync(a, stream), "free a");
    must(cudaFreeAsync(b, stream), "free b");
    must(cudaMemcpyAsync(results.data(), c, kBytes, cudaMemcpyDeviceToHost, stream), "result");
    must(cudaFreeAsync(c, stream), "free c");
    must(cudaStreamSynchronize(stream), "wait");
    check(results == std::vector<int>(kThreads, 10 + round), "the sum");
  }
  check(count(pool, cudaMemPoolAttrReservedMemCurrent) == 32 * kMiB, "each round has used the same memory");
  check(count(pool, cudaMemPoolAttrUsedMemHigh) == 20 * kMiB + kBytes, "the largest use");
  check(count(pool, cudaMemPoolAttrUsedMemCurrent) == 0, "nothing is in use");
  must(cudaMemPoolTrimTo(pool, 0), "trim");
  check(count(pool, cudaMemPoolAttrReservedMemCurrent) == 0, "nothing is reserved");
  must(cudaMemPoolDestroy(pool), "destroy");
  must(cudaStreamDestroy(stream), "destroy the stream");
}

void set_the_pool_of_the_device() {
  cudaMemPool_t first = nullptr;
  cudaMemPool_t current = nullptr;
  must(cudaDeviceGetDefaultMemPool(&first, 0), "default pool");
  const cudaMemPool_t limited = pool_of(0, 64 * kMiB);
  must(cudaDeviceSetMemPool(0, limited), "set the pool");
  int* data = nullptr;
  must(cudaMallocAsync(&data, 48 * kMiB, nullptr), "memory of the pool");
  int* more = nullptr;
  check(cudaMallocAsync(&more, 32 * kMiB, nullptr) == cudaErrorMemoryAllocation, "the pool has a limit");
  check(count(limited, cudaMemPoolAttrUsedMemCurrent) == 48 * kMiB, "it is of the pool");
  check(count(first, cudaMemPoolAttrUsedMemCurrent) == 0, "and not of the default pool");
  must(cudaMemPoolDestroy(limited), "destroy it while it is used");
  must(cudaDeviceGetMemPool(&current, 0), "current pool");
  check(current == first, "the default pool is current again");
  fill<<<1, kThreads>>>(data, 3);
  must(cudaFreeAsync(data, nullptr), "free to a pool that is destroyed");
  must(cudaDeviceSynchronize(), "wait");
}

// The kernel of each GPU reads what is in the pool of the other one.
void share_between(int devices) {
  for (int device = 0; device < devices; ++device) {
    const int peer = (device + 1) % devices;
    const cudaMemPool_t pool = pool_of(peer);
    const cudaMemAccessDesc access = {{cudaMemLocationTypeDevice, device}, cudaMemAccessFlagsProtReadWrite};
    must(cudaMemPoolSetAccess(pool, &access, 1), "access");
    must(cudaSetDevice(device), "device");
    int* data = nullptr;
    must(cudaMallocFromPoolAsync(&data, kBytes, pool, nullptr), "memory of the other GPU");
    fill<<<1, kThreads>>>(data, device + 5);
    std::vector<int> results(kThreads);
    must(cudaMemcpy(results.data(), data, kBytes, cudaMemcpyDeviceToHost), "results");
    check(results == std::vector<int>(kThreads, device + 5), "values in a pool of the other GPU");
    must(cudaFreeAsync(data, nullptr), "free");
    must(cudaDeviceSynchronize(), "wait");
    must(cudaMemPoolDestroy(pool), "destroy");
  }
}

}  // namespace

int main() {
  int supported = 0;
  must(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0), "attribute");
  check(supported == 1, "the GPU has pools");
  int devices = 0;
  must(cudaGetDeviceCount(&devices), "devices");
  use_in_a_loop();
  set_the_pool_of_the_device();
  share_between(devices);
  std::puts(failures == 0 ? "PASS" : "FAIL");
  return failures == 0 ? 0 : 1;
}
