// Memory of another GPU and of the host, seen by kernels and by copies, on two GPUs of one host.
// Prints: scene, parameters, value, unit. Medians of several rounds.
#include <cuda_runtime.h>
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#define CHECK(x)                                                                   \
  do {                                                                             \
    cudaError_t e_ = (x);                                                          \
    if (e_ != cudaSuccess) {                                                       \
      std::printf("error,%s:%d,%s\n", __FILE__, __LINE__, cudaGetErrorString(e_)); \
      std::exit(1);                                                                \
    }                                                                              \
  } while (0)

static void say(const std::string& scene, const std::string& what, double value, const char* unit) {
  std::printf("%s,%s,%.4g,%s\n", scene.c_str(), what.c_str(), value, unit);
  std::fflush(stdout);
}
static double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v[v.size() / 2];
}
__device__ inline unsigned long long now() {
  unsigned long long t;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(t));
  return t;
}

template <int kOperator>
__global__ void chase(const uint64_t* first, int steps, long long* cycles, uint64_t* out) {
  const uint64_t* p = first;
  long long start = 0;
  for (int pass = 0; pass < 2; ++pass) {
    start = clock64();
    for (int i = 0; i < steps; ++i) {
      uint64_t next;
      if (kOperator == 0)
        asm volatile("ld.global.ca.u64 %0, [%1];" : "=l"(next) : "l"(p) : "memory");
      if (kOperator == 1)
        asm volatile("ld.global.cg.u64 %0, [%1];" : "=l"(next) : "l"(p) : "memory");
      if (kOperator == 2)
        asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(next) : "l"(p) : "memory");
      p = (const uint64_t*)next;
    }
    cycles[pass] = clock64() - start;
  }
  *out = (uint64_t)p;
}
__global__ void atomics(unsigned* target, int steps, long long* cycles, unsigned* out) {
  unsigned sum = 0;
  const long long start = clock64();
  for (int i = 0; i < steps; ++i) {
    sum = atomicAdd_system(target, 1u + (sum & 0u));
  }
  cycles[0] = clock64() - start;
  *out = sum;
}
__global__ void stores_and_fence(unsigned* target, int steps, long long* cycles, int scope) {
  const long long start = clock64();
  for (int i = 0; i < steps; ++i) {
    ((volatile unsigned*)target)[i * 32] = i;
    if (scope == 0)
      __threadfence();
    else
      __threadfence_system();
  }
  cycles[0] = clock64() - start;
}
template <int kDo>
__global__ void stream(float4* data, size_t n, float4* sink) {
  const size_t step = (size_t)gridDim.x * blockDim.x;
  float sum = 0;
  size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x;
  if (kDo == 0) {
    for (; i + 3 * step < n; i += 4 * step) {
      const float4 a = __ldcg(data + i), b = __ldcg(data + i + step), c = __ldcg(data + i + 2 * step),
                   d = __ldcg(data + i + 3 * step);
      sum += a.x + b.x + c.x + d.x;
    }
    if (sum == 12345.f)
      *sink = make_float4(sum, 0, 0, 0);
  } else if (kDo == 1) {
    for (; i < n; i += step)
      data[i] = make_float4(1, 2, 3, 4);
  } else if (kDo == 2) {
    for (; i < n; i += step)
      atomicAdd((unsigned*)(data + i), 1u);
  } else if (kDo == 3) {
    for (; i < n * 4; i += step)
      ((float*)data)[i] = 1.f;
  } else {
    for (; i < n * 4; i += step)
      sum += __ldcg((float*)data + i);
    if (sum == 12345.f)
      *sink = make_float4(sum, 0, 0, 0);
  }
}
// One side of a game of ping-pong.
__global__ void pingpong(volatile unsigned* mine, volatile unsigned* theirs, int rounds, int first, long long* ns) {
  const unsigned long long start = now();
  for (int i = 1; i <= rounds; ++i) {
    if (first) {
      *theirs = i;
      while (*mine != (unsigned)i) {
      }
    } else {
      while (*mine != (unsigned)i) {
      }
      *theirs = i;
    }
  }
  ns[0] = now() - start;
}
__global__ void empty() {}
__global__ void spin(long long cycles) {
  const long long s = clock64();
  while (clock64() - s < cycles) {
  }
}

static void make_chain(uint64_t* device, size_t bytes, size_t stride) {
  const size_t n = bytes / stride;
  std::vector<uint64_t> host(bytes / 8);
  std::vector<size_t> order(n);
  for (size_t i = 0; i < n; ++i)
    order[i] = i;
  uint64_t seed = 12345;
  for (size_t i = n - 1; i > 0; --i) {
    seed = seed * 6364136223846793005ULL + 1442695040888963407ULL;
    std::swap(order[i], order[(seed >> 33) % (i + 1)]);
  }
  for (size_t i = 0; i < n; ++i)
    host[order[i] * stride / 8] = (uint64_t)device + order[(i + 1) % n] * stride;
  CHECK(cudaMemcpy(device, host.data(), bytes, cudaMemcpyDefault));
}

static double timed(cudaStream_t s, const std::function<void()>& work, int rounds = 5) {
  cudaEvent_t a, b;
  CHECK(cudaEventCreate(&a));
  CHECK(cudaEventCreate(&b));
  std::vector<double> us;
  for (int i = 0; i < rounds + 1; ++i) {
    CHECK(cudaEventRecord(a, s));
    work();
    CHECK(cudaEventRecord(b, s));
    CHECK(cudaEventSynchronize(b));
    float ms;
    CHECK(cudaEventElapsedTime(&ms, a, b));
    if (i > 0)
      us.push_back(ms * 1e3);
  }
  CHECK(cudaEventDestroy(a));
  CHECK(cudaEventDestroy(b));
  return median(us);
}

int main() {
  int devices = 0, khz = 0;
  CHECK(cudaGetDeviceCount(&devices));
  cudaDeviceProp prop;
  CHECK(cudaGetDeviceProperties(&prop, 0));
  CHECK(cudaDeviceGetAttribute(&khz, cudaDevAttrClockRate, 0));
  std::printf("scene,what,value,unit\n");
  std::printf("gpu,%s,%d,GPUs\n", prop.name, devices);
  say("gpu", "clock", khz / 1e6, "GHz");
  int can = 0, perf = 0, atom = 0;
  if (devices > 1) {
    CHECK(cudaDeviceCanAccessPeer(&can, 0, 1));
    cudaDeviceGetP2PAttribute(&perf, cudaDevP2PAttrPerformanceRank, 0, 1);
    cudaDeviceGetP2PAttribute(&atom, cudaDevP2PAttrNativeAtomicSupported, 0, 1);
  }
  say("peer", "can_access", can, "");
  say("peer", "performance_rank", perf, "");
  say("peer", "native_atomics", atom, "");
  const size_t kBytes = size_t{256} << 20;
  char *local, *peer = nullptr, *host, *local2;
  CHECK(cudaSetDevice(0));
  CHECK(cudaMalloc(&local, kBytes));
  CHECK(cudaMalloc(&local2, kBytes));
  CHECK(cudaMallocHost(&host, kBytes));
  if (can) {
    CHECK(cudaDeviceEnablePeerAccess(1, 0));
    CHECK(cudaSetDevice(1));
    CHECK(cudaDeviceEnablePeerAccess(0, 0));
    CHECK(cudaMalloc(&peer, kBytes));
    CHECK(cudaSetDevice(0));
  }
  long long* cycles;
  uint64_t* out;
  CHECK(cudaMallocHost(&cycles, 64));
  CHECK(cudaMalloc(&out, 64));
  cudaStream_t s0;
  CHECK(cudaStreamCreateWithFlags(&s0, cudaStreamNonBlocking));
  struct Place {
    const char* name;
    char* data;
  };
  std::vector<Place> places{{"local", local}, {"host", host}};
  if (can)
    places.insert(places.begin() + 1, {"peer", peer});
  // Warm the clock up.
  spin<<<132, 32>>>(400000000);
  CHECK(cudaDeviceSynchronize());
  for (const Place& place : places) {
    for (size_t kb : {4, 64, 1024, 16384, 131072}) {
      make_chain((uint64_t*)place.data, kb << 10, 256);
      const int steps = (int)std::min<size_t>((kb << 10) / 256, 4096);
      for (int op = 0; op < 3; ++op) {
        if (op == 0)
          chase<0><<<1, 1>>>((uint64_t*)place.data, steps, cycles, out);
        if (op == 1)
          chase<1><<<1, 1>>>((uint64_t*)place.data, steps, cycles, out);
        if (op == 2)
          chase<2><<<1, 1>>>((uint64_t*)place.data, steps, cycles, out);
        CHECK(cudaDeviceSynchronize());
        const char* names[] = {"ca", "cg", "relaxed.sys"};
        say(std::string("chase.") + place.name, std::to_string(kb) + "KB." + names[op] + ".first",
            double(cycles[0]) / steps, "cycles");
        say(std::string("chase.") + place.name, std::to_string(kb) + "KB." + names[op] + ".second",
            double(cycles[1]) / steps, "cycles");
      }
    }
    CHECK(cudaMemset(place.data, 0, 4096));
    atomics<<<1, 1>>>((unsigned*)place.data, 1000, cycles, (unsigned*)out);
    CHECK(cudaDeviceSynchronize());
    say(std::string("atomic.") + place.name, "latency", cycles[0] / 1000.0, "cycles");
    for (int scope = 0; scope < 2; ++scope) {
      stores_and_fence<<<1, 1>>>((unsigned*)place.data, 500, cycles, scope);
      CHECK(cudaDeviceSynchronize());
      say(std::string("store_fence.") + place.name, scope == 0 ? "gpu" : "sys", cycles[0] / 500.0, "cycles");
    }
    for (int blocks : {1, 2, 4, 8, 16, 32, 66, 132, 264}) {
      const size_t bytes = std::min<size_t>(kBytes, size_t{4} << 20 << (blocks >= 16 ? 4 : blocks >= 4 ? 2 : 0));
      const char* kinds[] = {"read16", "write16", "reduce4of16", "write4", "read4"};
      for (int kind = 0; kind < 5; ++kind) {
        const size_t n = bytes / 16;
        const double us = timed(
            s0,
            [&] {
              if (kind == 0)
                stream<0><<<blocks, 512, 0, s0>>>((float4*)place.data, n, (float4*)out);
              if (kind == 1)
                stream<1><<<blocks, 512, 0, s0>>>((float4*)place.data, n, (float4*)out);
              if (kind == 2)
                stream<2><<<blocks, 512, 0, s0>>>((float4*)place.data, n, (float4*)out);
              if (kind == 3)
                stream<3><<<blocks, 512, 0, s0>>>((float4*)place.data, n, (float4*)out);
              if (kind == 4)
                stream<4><<<blocks, 512, 0, s0>>>((float4*)place.data, n, (float4*)out);
            },
            3);
        CHECK(cudaGetLastError());
        say(std::string("stream.") + place.name, std::to_string(blocks) + "blocks." + kinds[kind], bytes / us / 1e3,
            "GB/s");
      }
    }
  }
  if (!can)
    return 0;
  cudaStream_t s1;
  CHECK(cudaSetDevice(1));
  CHECK(cudaStreamCreateWithFlags(&s1, cudaStreamNonBlocking));
  char* sink1;
  CHECK(cudaMalloc(&sink1, 64));
  CHECK(cudaSetDevice(0));
  // Both directions at once: a thread of the host waits for both.
  for (int kind = 0; kind < 2; ++kind) {
    std::vector<double> us;
    for (int i = 0; i < 4; ++i) {
      CHECK(cudaDeviceSynchronize());
      const auto start = std::chrono::steady_clock::now();
      for (int device = 0; device < 2; ++device) {
        CHECK(cudaSetDevice(device));
        float4* data = (float4*)(device == 0 ? peer : local);
        if (kind == 0)
          stream<0><<<264, 512, 0, device ? s1 : s0>>>(data, kBytes / 16, (float4*)(device ? sink1 : (char*)out));
        else
          stream<1><<<264, 512, 0, device ? s1 : s0>>>(data, kBytes / 16, (float4*)(device ? sink1 : (char*)out));
      }
      CHECK(cudaStreamSynchronize(s0));
      CHECK(cudaStreamSynchronize(s1));
      us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    CHECK(cudaSetDevice(0));
    say("stream.both", kind == 0 ? "read16" : "write16", 2.0 * kBytes / median(us) / 1e3, "GB/s");
  }
  // Copies between GPUs.
  for (size_t bytes : {size_t{4}, size_t{4096}, size_t{65536}, size_t{1} << 20, size_t{16} << 20, size_t{256} << 20}) {
    say("copy.peer", std::to_string(bytes) + ".write",
        timed(s0, [&] { CHECK(cudaMemcpyPeerAsync(peer, 1, local, 0, bytes, s0)); }), "us");
    say("copy.peer", std::to_string(bytes) + ".read",
        timed(s0, [&] { CHECK(cudaMemcpyPeerAsync(local, 0, peer, 1, bytes, s0)); }), "us");
  }
  {  // several in a row: what one more takes
    for (size_t bytes : {size_t{4}, size_t{65536}, size_t{1} << 20}) {
      const double one = timed(s0, [&] {
        spin<<<1, 1, 0, s0>>>(400000);
        for (int i = 0; i < 2; ++i)
          CHECK(cudaMemcpyPeerAsync(peer, 1, local, 0, bytes, s0));
      });
      const double ten = timed(s0, [&] {
        spin<<<1, 1, 0, s0>>>(400000);
        for (int i = 0; i < 12; ++i)
          CHECK(cudaMemcpyPeerAsync(peer, 1, local, 0, bytes, s0));
      });
      say("copy.peer", std::to_string(bytes) + ".each_further", (ten - one) / 10, "us");
    }
  }
  {
    std::vector<double> us;
    for (int i = 0; i < 4; ++i) {
      CHECK(cudaDeviceSynchronize());
      const auto start = std::chrono::steady_clock::now();
      CHECK(cudaMemcpyPeerAsync(peer, 1, local, 0, kBytes / 2, s0));
      CHECK(cudaSetDevice(1));
      CHECK(cudaMemcpyPeerAsync(local2, 0, peer + kBytes / 2, 1, kBytes / 2, s1));
      CHECK(cudaSetDevice(0));
      CHECK(cudaStreamSynchronize(s0));
      CHECK(cudaStreamSynchronize(s1));
      us.push_back(std::chrono::duration<double, std::micro>(std::chrono::steady_clock::now() - start).count());
    }
    say("copy.both", "2x128MB", double(kBytes) / median(us) / 1e3, "GB/s");
  }
  CHECK(cudaDeviceDisablePeerAccess(1));
  CHECK(cudaSetDevice(1));
  CHECK(cudaDeviceDisablePeerAccess(0));
  CHECK(cudaSetDevice(0));
  for (size_t bytes : {size_t{4}, size_t{1} << 20, size_t{64} << 20})
    say("copy.without_access", std::to_string(bytes),
        timed(s0, [&] { CHECK(cudaMemcpyPeerAsync(peer, 1, local, 0, bytes, s0)); }), "us");
  CHECK(cudaDeviceEnablePeerAccess(1, 0));
  CHECK(cudaSetDevice(1));
  CHECK(cudaDeviceEnablePeerAccess(0, 0));
  CHECK(cudaSetDevice(0));
  // A stream of the one GPU waits for an event of the other: ping-pong of empty kernels.
  {
    cudaEvent_t e[2][64];
    for (int d = 0; d < 2; ++d) {
      CHECK(cudaSetDevice(d));
      for (auto& x : e[d])
        CHECK(cudaEventCreateWithFlags(&x, cudaEventDisableTiming));
    }
    for (int mode = 0; mode < 2; ++mode) {  // 1: both streams on GPU 0
      cudaStream_t other = s1;
      CHECK(cudaSetDevice(0));
      if (mode == 1)
        CHECK(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
      const double us = timed(s0, [&] {
        CHECK(cudaSetDevice(0));
        spin<<<1, 1, 0, s0>>>(1500000);
        for (int i = 0; i < 32; ++i) {
          CHECK(cudaEventRecord(e[0][i], s0));
          CHECK(cudaStreamWaitEvent(other, e[0][i], 0));
          CHECK(cudaSetDevice(mode == 0));
          empty<<<1, 1, 0, other>>>();
          CHECK(cudaEventRecord(e[mode == 0][i + (mode ? 32 : 0)], other));
          CHECK(cudaSetDevice(0));
          CHECK(cudaStreamWaitEvent(s0, e[mode == 0][i + (mode ? 32 : 0)], 0));
          empty<<<1, 1, 0, s0>>>();
        }
      });
      const double base = timed(s0, [&] { spin<<<1, 1, 0, s0>>>(1500000); });
      say("event.pingpong", mode == 0 ? "two GPUs.each_way" : "one GPU.each_way", (us - base) / 64, "us");
    }
  }
  // Host calls with two GPUs.
  {
    const auto cost = [&](const char* name, const std::function<void()>& work) {
      CHECK(cudaSetDevice(0));
      spin<<<1, 1, 0, s0>>>(30000000);
      const auto start = std::chrono::steady_clock::now();
      for (int i = 0; i < 200; ++i)
        work();
      const double ns =
          std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() / 200;
      CHECK(cudaSetDevice(0));
      CHECK(cudaDeviceSynchronize());
      say("host", name, ns, "ns");
    };
    int d = 0;
    cost("set_device.alternating", [&] {
      d = 1 - d;
      cudaSetDevice(d);
    });
    cost("set_device.same", [&] { cudaSetDevice(0); });
    cost("copy_peer", [&] { cudaMemcpyPeerAsync(peer, 1, local, 0, 4, s0); });
    cost("stream_write_kernel", [&] { empty<<<1, 1, 0, s0>>>(); });
  }
  // Flags.
  {
    unsigned* flags0 = (unsigned*)local;
    unsigned* flags1 = (unsigned*)peer;
    long long* ns;
    CHECK(cudaMallocManaged(&ns, 64));
    long long *ns0, *ns1;
    CHECK(cudaMalloc(&ns0, 64));
    CHECK(cudaSetDevice(1));
    CHECK(cudaMalloc(&ns1, 64));
    CHECK(cudaSetDevice(0));
    for (int mode = 0; mode < 2; ++mode) {
      CHECK(cudaMemset(flags0, 0, 4096));
      CHECK(cudaMemset(flags1, 0, 4096));
      CHECK(cudaMemset(host, 0, 4096));
      CHECK(cudaDeviceSynchronize());
      unsigned *a = mode == 0 ? flags0 : (unsigned*)host, *b = mode == 0 ? flags1 : (unsigned*)(host + 1024);
      CHECK(cudaSetDevice(1));
      pingpong<<<1, 1, 0, s1>>>(b, a, 1000, 0, ns1);
      CHECK(cudaSetDevice(0));
      pingpong<<<1, 1, 0, s0>>>(a, b, 1000, 1, ns0);
      CHECK(cudaStreamSynchronize(s0));
      CHECK(cudaStreamSynchronize(s1));
      long long t;
      CHECK(cudaMemcpy(&t, ns0, 8, cudaMemcpyDefault));
      say("flag", mode == 0 ? "peer.round_trip" : "host.round_trip", t / 1000.0, "ns");
    }
    // Both sides on one GPU.
    CHECK(cudaMemset(flags0, 0, 4096));
    CHECK(cudaDeviceSynchronize());
    cudaStream_t s2;
    CHECK(cudaStreamCreateWithFlags(&s2, cudaStreamNonBlocking));
    pingpong<<<1, 1, 0, s2>>>(flags0, flags0 + 256, 1000, 0, ns0 + 1);
    pingpong<<<1, 1, 0, s0>>>(flags0 + 256, flags0, 1000, 1, ns0);
    CHECK(cudaDeviceSynchronize());
    long long t;
    CHECK(cudaMemcpy(&t, ns0, 8, cudaMemcpyDefault));
    say("flag", "local.round_trip", t / 1000.0, "ns");
  }
  return 0;
}
