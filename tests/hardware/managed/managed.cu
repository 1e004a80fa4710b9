// Managed memory: page faults, migration, prefetch, on one GPU and its host.
#include <cuda_runtime.h>
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>
#include <vector>
#define CHECK(x)                                                      \
  do {                                                                \
    cudaError_t e_ = (x);                                             \
    if (e_ != cudaSuccess) {                                          \
      std::printf("error,%d,%s\n", __LINE__, cudaGetErrorString(e_)); \
      std::exit(1);                                                   \
    }                                                                 \
  } while (0)
__global__ void touch(char* p, size_t bytes, size_t stride, int write) {
  const size_t step = (size_t)gridDim.x * blockDim.x * stride;
  int sum = 0;
  for (size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * stride; i < bytes; i += step) {
    if (write)
      p[i] = 1;
    else
      sum += ((volatile char*)p)[i];
  }
  if (sum == 123456789)
    p[0] = 2;
}
static double us_since(std::chrono::steady_clock::time_point s) {
  return std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - s).count();
}
static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}
int main() {
  std::printf("scene,what,value,unit\n");
  int v = 0;
  CHECK(cudaDeviceGetAttribute(&v, cudaDevAttrConcurrentManagedAccess, 0));
  std::printf("attribute,concurrent_managed,%d,\n", v);
  CHECK(cudaDeviceGetAttribute(&v, cudaDevAttrPageableMemoryAccess, 0));
  std::printf("attribute,pageable_access,%d,\n", v);
  cudaStream_t s;
  CHECK(cudaStreamCreate(&s));
  cudaMemLocation gpu{cudaMemLocationTypeDevice, 0}, cpu{cudaMemLocationTypeHost, 0};
  char* warm;
  CHECK(cudaMalloc(&warm, 1 << 20));
  touch<<<132, 256, 0, s>>>(warm, 1 << 20, 4, 1);
  CHECK(cudaStreamSynchronize(s));
  const auto kernel = [&](char* p, size_t bytes, size_t stride, int write, int blocks, int threads) {
    cudaEvent_t a, b;
    CHECK(cudaEventCreate(&a));
    CHECK(cudaEventCreate(&b));
    CHECK(cudaEventRecord(a, s));
    touch<<<blocks, threads, 0, s>>>(p, bytes, stride, write);
    CHECK(cudaEventRecord(b, s));
    CHECK(cudaEventSynchronize(b));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, a, b));
    CHECK(cudaEventDestroy(a));
    CHECK(cudaEventDestroy(b));
    return ms * 1e3;
  };
  for (size_t bytes : {size_t{1}, size_t{65536}, size_t{1} << 21, size_t{16} << 20, size_t{128} << 20}) {
    std::vector<double> r[9];
    for (int i = 0; i < 5; ++i) {
      char* p;
      CHECK(cudaMallocManaged(&p, std::max(bytes, size_t{4096})));
      const int blocks = bytes == 1 ? 1 : 132, threads = bytes == 1 ? 1 : 256;
      r[0].push_back(kernel(p, bytes, 4, 1, blocks, threads));  // GPU first
      r[1].push_back(kernel(p, bytes, 4, 1, blocks, threads));  // again
      auto t = std::chrono::steady_clock::now();
      {
        volatile char x = 0;
        for (size_t k = 0; k < bytes; k += 4096)
          x = p[k];
        (void)x;
      }
      r[2].push_back(us_since(t));                              // host reads
      r[3].push_back(kernel(p, bytes, 4, 0, blocks, threads));  // GPU reads what the host has
      for (size_t k = 0; k < bytes; k += 4096)
        p[k] = 3;  // host writes
      r[4].push_back(kernel(p, bytes, 4, 1, blocks, threads));
      std::memset(p, 1, bytes);
      t = std::chrono::steady_clock::now();
      CHECK(cudaMemPrefetchAsync(p, bytes, gpu, 0, s));
      CHECK(cudaStreamSynchronize(s));
      r[5].push_back(us_since(t));
      r[6].push_back(kernel(p, bytes, 4, 1, blocks, threads));
      t = std::chrono::steady_clock::now();
      CHECK(cudaMemPrefetchAsync(p, bytes, cpu, 0, s));
      CHECK(cudaStreamSynchronize(s));
      r[7].push_back(us_since(t));
      CHECK(cudaMemPrefetchAsync(p, bytes, gpu, 0, s));
      CHECK(cudaStreamSynchronize(s));
      t = std::chrono::steady_clock::now();
      for (size_t k = 0; k < bytes; k += 4096)
        p[k] = 3;
      r[8].push_back(us_since(t));
      CHECK(cudaFree(p));
    }
    const char* names[] = {"gpu_first_touch",
                           "gpu_again",
                           "host_reads_after_gpu",
                           "gpu_reads_after_host_read",
                           "gpu_writes_after_host_write",
                           "prefetch_to_gpu",
                           "gpu_after_prefetch",
                           "prefetch_to_host",
                           "host_writes_after_gpu"};
    for (int k = 0; k < 9; ++k)
      std::printf("managed.%zu,%s,%.2f,us\n", bytes, names[k], median(r[k]));
  }
  // Advice: read-mostly and preferred location at the host.
  {
    const size_t bytes = size_t{16} << 20;
    char* p;
    CHECK(cudaMallocManaged(&p, bytes));
    std::memset(p, 1, bytes);
    CHECK(cudaMemAdvise(p, bytes, cudaMemAdviseSetPreferredLocation, cpu));
    CHECK(cudaMemAdvise(p, bytes, cudaMemAdviseSetAccessedBy, gpu));
    for (int i = 0; i < 3; ++i)
      std::printf("advice.preferred_host,gpu_reads_16MB,%.2f,us\n", kernel(p, bytes, 4, 0, 132, 256));
    CHECK(cudaFree(p));
    CHECK(cudaMallocManaged(&p, bytes));
    std::memset(p, 1, bytes);
    CHECK(cudaMemAdvise(p, bytes, cudaMemAdviseSetReadMostly, gpu));
    for (int i = 0; i < 3; ++i)
      std::printf("advice.read_mostly,gpu_reads_16MB,%.2f,us\n", kernel(p, bytes, 4, 0, 132, 256));
    auto t = std::chrono::steady_clock::now();
    {
      volatile char x = 0;
      for (size_t k = 0; k < bytes; k += 4096)
        x = p[k];
      (void)x;
    }
    std::printf("advice.read_mostly,host_reads,%.2f,us\n", us_since(t));
    std::printf("advice.read_mostly,gpu_reads_again,%.2f,us\n", kernel(p, bytes, 4, 0, 132, 256));
  }
  // Faults of single threads in different pages: strides.
  for (size_t stride : {size_t{4096}, size_t{65536}, size_t{2} << 20}) {
    const size_t bytes = size_t{64} << 20;
    std::vector<double> r;
    for (int i = 0; i < 5; ++i) {
      char* p;
      CHECK(cudaMallocManaged(&p, bytes));
      std::memset(p, 1, bytes);
      r.push_back(kernel(p, bytes, stride, 0, 1, 1));
      CHECK(cudaFree(p));
    }
    std::printf("faults.one_thread,stride_%zu_of_64MB,%.2f,us\n", stride, median(r));
    r.clear();
    for (int i = 0; i < 5; ++i) {
      char* p;
      CHECK(cudaMallocManaged(&p, bytes));
      std::memset(p, 1, bytes);
      r.push_back(kernel(p, bytes, stride, 0, 64, 256));
      CHECK(cudaFree(p));
    }
    std::printf("faults.many_threads,stride_%zu_of_64MB,%.2f,us\n", stride, median(r));
  }
}
