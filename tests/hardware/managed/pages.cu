// Managed memory in detail: which accesses fault, what a fault moves, and how long it takes; faults of several blocks at
// once, prefetches, advice, eviction.
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

using Clock = std::chrono::steady_clock;
static double us_since(Clock::time_point s) { return std::chrono::duration<double, std::micro>(Clock::now() - s).count(); }
static const cudaMemLocation kGpu{cudaMemLocationTypeDevice, 0}, kHost{cudaMemLocationTypeHost, 0};

__device__ unsigned long long timer() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(t));
  return t;
}
// One thread, one access after the other.
__global__ void each(volatile char* p, int accesses, size_t stride, int write, unsigned* ns) {
  for (int i = 0; i < accesses; ++i) {
    const unsigned long long t = timer();
    if (write) {
      p[i * stride] = 1;
      __threadfence_system();
      if (p[i * stride] == 77) ns[0] = 1;
    } else if (p[i * stride] == 77) {
      ns[0] = 1;
    }
    ns[i] = (unsigned)(timer() - t);
  }
}
// Each block of one thread: one access.
__global__ void spread(volatile char* p, size_t stride, int write, unsigned* ns) {
  const unsigned long long t = timer();
  if (write) {
    p[blockIdx.x * stride] = 1;
    __threadfence_system();
  }
  if (p[blockIdx.x * stride] == 77) ns[0] = 1;
  ns[blockIdx.x] = (unsigned)(timer() - t);
}
__global__ void touch(char* p, size_t bytes, size_t stride, int write) {
  const size_t step = (size_t)gridDim.x * blockDim.x * stride;
  int sum = 0;
  for (size_t i = ((size_t)blockIdx.x * blockDim.x + threadIdx.x) * stride; i < bytes; i += step) {
    if (write) p[i] = 1;
    else sum += ((volatile char*)p)[i];
  }
  if (sum == 123456789) p[0] = 2;
}
// Warp 0 of block 0 faults; other warps and block 1 read their own device memory and note the longest access.
__global__ void beside(volatile char* p, volatile char* own, unsigned long long* worst, int other_lines) {
  const int warp = threadIdx.x / 32;
  const unsigned long long begin = timer();
  if (blockIdx.x == 0 && warp == 0) {
    if (threadIdx.x == 0) {
      if (p[0] == 77) worst[0] = 1;
      worst[0] = timer() - begin;
    }
    return;
  }
  unsigned long long longest = 0, count = 0;
  size_t at = (blockIdx.x * 8 + warp) * 65536;
  while (timer() - begin < 150000) {
    const unsigned long long t = timer();
    at = (at + 128 * other_lines) % (1 << 22);
    if (own[at] == 77) worst[0] = 1;
    longest = max(longest, timer() - t);
    ++count;
  }
  if (threadIdx.x % 32 == 0) {
    worst[2 * (blockIdx.x * 8 + warp)] = longest;
    worst[2 * (blockIdx.x * 8 + warp) + 1] = count;
  }
}
static char* managed(size_t bytes) {
  char* p;
  CHECK(cudaMallocManaged(&p, bytes));
  return p;
}
static float kernel_us(const std::function<void()>& launch) {
  cudaEvent_t a, b;
  CHECK(cudaEventCreate(&a));
  CHECK(cudaEventCreate(&b));
  CHECK(cudaEventRecord(a));
  launch();
  CHECK(cudaEventRecord(b));
  CHECK(cudaEventSynchronize(b));
  float ms;
  CHECK(cudaEventElapsedTime(&ms, a, b));
  CHECK(cudaEventDestroy(a));
  CHECK(cudaEventDestroy(b));
  return ms * 1e3f;
}
static void slow_ones(const char* scene, const std::vector<double>& us, double least) {
  int n = 0;
  double sum = 0;
  for (size_t i = 0; i < us.size(); ++i)
    if (us[i] > least) {
      if (n++ < 40) std::printf("%s,access_%zu,%.1f,us\n", scene, i, us[i]);
      sum += us[i];
    }
  std::printf("%s,slow,%d,\n%s,slow_sum,%.1f,us\n", scene, n, scene, sum);
}

int main() {
  unsigned* ns;
  CHECK(cudaMalloc(&ns, 1 << 20));
  unsigned long long* worst;
  CHECK(cudaMalloc(&worst, 4096));
  char* own;
  CHECK(cudaMalloc(&own, 1 << 22));
  std::vector<unsigned> got(1 << 16);
  const auto fetch = [&](int n) {
    CHECK(cudaMemcpy(got.data(), ns, n * 4, cudaMemcpyDeviceToHost));
    std::vector<double> us(n);
    for (int i = 0; i < n; ++i) us[i] = got[i] / 1e3;
    return us;
  };
  std::printf("scene,what,value,unit\n");
  for (int i = 0; i < 3; ++i) {  // warm
    char* p = managed(4 << 20);
    each<<<1, 1>>>(p, 4, 1 << 20, 1, ns);
    CHECK(cudaDeviceSynchronize());
    p[0] = 1;
    CHECK(cudaFree(p));
  }
  // One access after another.
  const struct { const char* name; bool host; int write; size_t stride; int count; } lines[] = {
      {"each.host_4K_read", true, 0, 4096, 1024},   {"each.host_4K_write", true, 1, 4096, 1024},
      {"each.new_4K_write", false, 1, 4096, 1024},  {"each.new_4K_read", false, 0, 4096, 1024},
      {"each.host_64K_read", true, 0, 65536, 128},  {"each.host_2M_read", true, 0, 2 << 20, 16},
      {"each.new_2M_write", false, 1, 2 << 20, 16}, {"each.host_32M_read", true, 0, 32 << 20, 8}};
  for (const auto& s : lines) {
    for (int round = 0; round < 2; ++round) {
      char* p = managed(s.stride * s.count);
      if (s.host) std::memset(p, 1, s.stride * s.count);
      each<<<1, 1>>>(p, s.count, s.stride, s.write, ns);
      CHECK(cudaDeviceSynchronize());
      if (round == 1) slow_ones(s.name, fetch(s.count), 5);
      if (round == 1 && s.stride == 4096) {  // then the host
        std::vector<double> us;
        for (int i = 0; i < s.count; ++i) {
          const auto t = Clock::now();
          if (s.write) p[i * 4096] = 3;
          else if (((volatile char*)p)[i * 4096] == 77) std::printf("?");
          us.push_back(us_since(t));
        }
        slow_ones((std::string(s.name) + ".then_host").c_str(), us, 3);
        each<<<1, 1>>>(p, s.count, s.stride, s.write, ns);
        CHECK(cudaDeviceSynchronize());
        slow_ones((std::string(s.name) + ".then_gpu").c_str(), fetch(s.count), 5);
      }
      CHECK(cudaFree(p));
    }
  }
  // Host touches only one page after the GPU, then the GPU reads all.
  {
    char* p = managed(4 << 20);
    touch<<<132, 256>>>(p, 4 << 20, 4, 1);
    CHECK(cudaDeviceSynchronize());
    auto t = Clock::now();
    p[(2 << 20) + 5 * 65536] = 1;
    std::printf("one_page.host,first,%.1f,us\n", us_since(t));
    each<<<1, 1>>>(p, 1024, 4096, 0, ns);
    CHECK(cudaDeviceSynchronize());
    slow_ones("one_page.then_gpu", fetch(1024), 5);
    CHECK(cudaFree(p));
  }
  // Several blocks at once.
  for (size_t stride : {size_t{4096}, size_t{65536}, size_t{2} << 20})
    for (int n : {1, 2, 4, 8, 16, 32, 64, 128, 256}) {
      if (stride == 4096 && n > 64) continue;
      for (int write = 0; write < 2; ++write) {
        std::vector<double> all, longest, shortest;
        for (int round = 0; round < 4; ++round) {
          char* p = managed(stride * n);
          if (write == 0) std::memset(p, 1, stride * n);
          all.push_back(kernel_us([&] { spread<<<n, 1>>>(p, stride, write, ns); }));
          const auto us = fetch(n);
          longest.push_back(*std::max_element(us.begin(), us.end()));
          shortest.push_back(*std::min_element(us.begin(), us.end()));
          CHECK(cudaFree(p));
        }
        const auto median = [](std::vector<double>& v) { std::sort(v.begin(), v.end()); return v[1]; };
        std::printf("spread.%s.%zuK,blocks_%d_kernel,%.1f,us\n", write ? "new_write" : "host_read", stride >> 10, n, median(all));
        std::printf("spread.%s.%zuK,blocks_%d_longest,%.1f,us\n", write ? "new_write" : "host_read", stride >> 10, n, median(longest));
        std::printf("spread.%s.%zuK,blocks_%d_shortest,%.1f,us\n", write ? "new_write" : "host_read", stride >> 10, n, median(shortest));
      }
    }
  // All SMs, the same page.
  for (int n : {1, 132, 1056}) {
    char* p = managed(4096);
    p[0] = 1;
    std::printf("same_page,blocks_%d,%.1f,us\n", n, kernel_us([&] { spread<<<n, 1>>>(p, 0, 0, ns); }));
    CHECK(cudaFree(p));
  }
  // Other accesses of the SM.
  for (int lines_apart : {1, 97}) {
    CHECK(cudaMemset(worst, 0, 4096));
    beside<<<2, 256>>>(own, own, worst, lines_apart);
    char* p = managed(4096);
    p[0] = 1;
    CHECK(cudaMemset(worst, 0, 4096));
    beside<<<2, 256>>>(p, own, worst, lines_apart);
    unsigned long long w[32];
    CHECK(cudaMemcpy(w, worst, sizeof w, cudaMemcpyDeviceToHost));
    std::printf("beside.%d,fault,%llu,ns\nbeside.%d,same_sm_longest,%llu,ns\nbeside.%d,same_sm_accesses,%llu,\nbeside.%d,other_sm_longest,%llu,ns\nbeside.%d,other_sm_accesses,%llu,\n",
                lines_apart, w[0], lines_apart, w[2], lines_apart, w[3], lines_apart, w[18], lines_apart, w[19]);
    CHECK(cudaFree(p));
  }
  // Prefetch: the host's call, the stream's time, all.
  for (size_t bytes : {size_t{4096}, size_t{65536}, size_t{1} << 20, size_t{2} << 20, size_t{8} << 20, size_t{32} << 20, size_t{128} << 20, size_t{512} << 20})
    for (int scene = 0; scene < 5; ++scene) {
      const char* names[] = {"prefetch.to_gpu", "prefetch.to_host", "prefetch.new_to_gpu", "prefetch.gpu_again", "prefetch.host_again"};
      std::vector<double> call, all;
      for (int round = 0; round < 3; ++round) {
        char* p = managed(bytes);
        if (scene != 2) std::memset(p, 1, bytes);
        const bool to_gpu = scene == 0 || scene == 2 || scene == 3;
        if (scene == 1 || scene == 3) CHECK(cudaMemPrefetchAsync(p, bytes, kGpu, 0, 0));
        CHECK(cudaDeviceSynchronize());
        const auto t = Clock::now();
        CHECK(cudaMemPrefetchAsync(p, bytes, to_gpu ? kGpu : kHost, 0, 0));
        call.push_back(us_since(t));
        CHECK(cudaDeviceSynchronize());
        all.push_back(us_since(t));
        CHECK(cudaFree(p));
      }
      std::sort(call.begin(), call.end());
      std::sort(all.begin(), all.end());
      std::printf("%s,%zuK_call,%.1f,us\n%s,%zuK_all,%.1f,us\n", names[scene], bytes >> 10, call[1], names[scene], bytes >> 10, all[1]);
    }
  // Advice, and who has the pages then.
  const size_t m16 = size_t{16} << 20;
  const auto host_reads = [&](char* p) {
    const auto t = Clock::now();
    int sum = 0;
    for (size_t i = 0; i < m16; i += 4096) sum += ((volatile char*)p)[i];
    if (sum == 123456789) std::printf("?");
    return us_since(t);
  };
  const auto host_writes = [&](char* p) {
    const auto t = Clock::now();
    for (size_t i = 0; i < m16; i += 4096) p[i] = 3;
    return us_since(t);
  };
  const auto gpu = [&](char* p, int write) { return kernel_us([&] { touch<<<132, 256>>>(p, m16, 4, write); }); };
  const auto advise = [&](const char* name, const std::vector<std::pair<cudaMemoryAdvise, cudaMemLocation>>& advice) {
    char* p = managed(m16);
    std::memset(p, 1, m16);
    auto t = Clock::now();
    for (const auto& a : advice) CHECK(cudaMemAdvise(p, m16, a.first, a.second));
    std::printf("advice.%s,call,%.1f,us\n", name, us_since(t));
    std::printf("advice.%s,gpu_reads,%.1f,us\n", name, gpu(p, 0));
    std::printf("advice.%s,gpu_reads_again,%.1f,us\n", name, gpu(p, 0));
    std::printf("advice.%s,host_reads,%.1f,us\n", name, host_reads(p));
    std::printf("advice.%s,gpu_reads_after_host_read,%.1f,us\n", name, gpu(p, 0));
    std::printf("advice.%s,gpu_writes,%.1f,us\n", name, gpu(p, 1));
    std::printf("advice.%s,gpu_writes_again,%.1f,us\n", name, gpu(p, 1));
    std::printf("advice.%s,host_writes,%.1f,us\n", name, host_writes(p));
    std::printf("advice.%s,gpu_reads_after_host_write,%.1f,us\n", name, gpu(p, 0));
    std::printf("advice.%s,host_reads_after_gpu_read,%.1f,us\n", name, host_reads(p));
    CHECK(cudaFree(p));
  };
  advise("none", {});
  advise("read_mostly", {{cudaMemAdviseSetReadMostly, kGpu}});
  advise("preferred_gpu", {{cudaMemAdviseSetPreferredLocation, kGpu}});
  advise("preferred_host", {{cudaMemAdviseSetPreferredLocation, kHost}});
  advise("accessed_by_gpu", {{cudaMemAdviseSetAccessedBy, kGpu}});
  advise("accessed_by_host", {{cudaMemAdviseSetAccessedBy, kHost}});
  advise("preferred_host_accessed_by_gpu", {{cudaMemAdviseSetPreferredLocation, kHost}, {cudaMemAdviseSetAccessedBy, kGpu}});
  advise("preferred_gpu_accessed_by_host", {{cudaMemAdviseSetPreferredLocation, kGpu}, {cudaMemAdviseSetAccessedBy, kHost}});
  // Copies.
  {
    char *p = managed(m16), *device, *pinned;
    CHECK(cudaMalloc(&device, m16));
    CHECK(cudaMallocHost(&pinned, m16));
    std::memset(pinned, 1, m16);
    const auto copy = [&](const char* name, void* to, const void* from) {
      const auto t = Clock::now();
      CHECK(cudaMemcpy(to, from, m16, cudaMemcpyDefault));
      CHECK(cudaDeviceSynchronize());
      std::printf("copy.16M,%s,%.1f,us\n", name, us_since(t));
    };
    std::memset(p, 1, m16);
    copy("managed_at_host_to_device", device, p);
    copy("again", device, p);
    copy("device_to_managed_at_host", p, device);
    copy("again", p, device);
    CHECK(cudaMemPrefetchAsync(p, m16, kGpu, 0, 0));
    CHECK(cudaDeviceSynchronize());
    copy("managed_at_gpu_to_device", device, p);
    copy("device_to_managed_at_gpu", p, device);
    copy("pinned_to_managed_at_gpu", p, pinned);
    copy("managed_to_pinned", pinned, p);
    std::printf("copy.16M,then_host_reads,%.1f,us\n", host_reads(p));
    std::printf("copy.16M,then_gpu_reads,%.1f,us\n", gpu(p, 0));
    const auto t = Clock::now();
    CHECK(cudaMemset(p, 1, m16));
    CHECK(cudaDeviceSynchronize());
    std::printf("copy.16M,memset_at_gpu,%.1f,us\n", us_since(t));
    host_writes(p);
    const auto t2 = Clock::now();
    CHECK(cudaMemset(p, 1, m16));
    CHECK(cudaDeviceSynchronize());
    std::printf("copy.16M,memset_at_host,%.1f,us\n", us_since(t2));
  }
  // More than the GPU has: 256 MiB of its memory are left.
  {
    size_t left, total;
    CHECK(cudaMemGetInfo(&left, &total));
    std::vector<char*> fill;
    for (size_t piece = size_t{8} << 30; piece >= (size_t{32} << 20); piece /= 2)
      while (true) {
        CHECK(cudaMemGetInfo(&left, &total));
        char* p;
        if (left < piece + (size_t{256} << 20) || cudaMalloc(&p, piece) != cudaSuccess) break;
        fill.push_back(p);
      }
    CHECK(cudaMemGetInfo(&left, &total));
    std::printf("evict,left,%zu,MiB\n", left >> 20);
    const size_t part = size_t{64} << 20;
    char* p = managed(16 * part);
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 10; ++i)
        std::printf("evict.write.%d,part_%d,%.1f,us\n", round, i, kernel_us([&] { touch<<<132, 256>>>(p + i * part, part, 4, 1); }));
    }
    for (int i = 0; i < 10; ++i)
      std::printf("evict.read,part_%d,%.1f,us\n", i, kernel_us([&] { touch<<<132, 256>>>(p + i * part, part, 4, 0); }));
    for (int i = 0; i < 10; ++i) {
      const auto t = Clock::now();
      CHECK(cudaMemPrefetchAsync(p + i * part, part, kGpu, 0, 0));
      CHECK(cudaDeviceSynchronize());
      std::printf("evict.prefetch,part_%d,%.1f,us\n", i, us_since(t));
    }
  }
}
