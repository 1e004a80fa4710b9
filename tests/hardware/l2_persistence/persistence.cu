// What L2 keeps of a window of accesses that should stay (cudaAccessPolicyWindow) while other memory passes through it.
//
//   nvcc -arch=native persistence.cu -o persistence && ./persistence > h100.csv
//
// Each case resets L2's persisting lines, reads a window (once, or twice) with a policy, then reads other memory, and
// counts the lines of the window that L2 still has: one lane of each warp reads one line after the other and compares
// its latency with a threshold between those of L2 and DRAM. An argument divides all sizes, for a simulated GPU whose
// L2 is divided too (`--set l2.num_sets=64` and 4); a second one is the threshold,
// and a third one a part of the names of the cases to run. Prints
// case,set_aside_mib,window_mib,hit_ratio,stream_mib,kept (share of the window's lines). Lines `value`: attributes and
// results of calls.
#include <cuda_runtime.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>

#include "../cuda_check.h"

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr unsigned kLine = 128;

// The latency of one read, in cycles. The clock is read after the value is there.
__device__ unsigned latency(const std::uint32_t* data) {
  std::uint32_t value;
  const long long before = clock64();
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(data) : "memory");
  asm volatile("{ .reg .pred p; setp.eq.u32 p, %0, 0x12345678; @p trap; }" ::"r"(value) : "memory");
  return static_cast<unsigned>(clock64() - before);
}

__global__ void read_lines(const std::uint32_t* data, std::size_t lines, std::uint32_t* sink) {
  std::uint32_t sum = 0;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < lines * 4; i += gridDim.x * blockDim.x) {
    std::uint32_t value;
    asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(data + i * 8));
    sum += value;
  }
  if (sum == 0x12345678) {
    *sink = sum;
  }
}

__global__ void read_lines_with_priority(const std::uint32_t* data, std::size_t lines, std::uint32_t* sink, int hint) {
  std::uint32_t sum = 0;
  std::uint64_t all;
  std::uint64_t half;
  asm volatile("createpolicy.fractional.L2::evict_last.b64 %0, 1.0;" : "=l"(all));
  asm volatile("createpolicy.fractional.L2::evict_last.L2::evict_first.b64 %0, 0.5;" : "=l"(half));
  const std::uint64_t policy = hint == 1 ? all : half;
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < lines * 4; i += gridDim.x * blockDim.x) {
    std::uint32_t value;
    asm volatile("ld.global.L1::no_allocate.L2::cache_hint.u32 %0, [%1], %2;"
                 : "=r"(value)
                 : "l"(data + i * 8), "l"(policy));
    sum += value;
  }
  if (sum == 0x12345678) {
    *sink = sum;
  }
}

__global__ void write_lines(std::uint32_t* data, std::size_t lines) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < lines * 32; i += gridDim.x * blockDim.x) {
    data[i] = 1;
  }
}

// One line after the other per warp; counts latencies below the threshold.
__global__ void count_hits(const std::uint32_t* data, std::size_t lines, unsigned threshold, unsigned* hits) {
  const unsigned warp = (blockIdx.x * blockDim.x + threadIdx.x) / 32;
  const unsigned warps = gridDim.x * blockDim.x / 32;
  if (threadIdx.x % 32 != 0) {
    return;
  }
  unsigned count = 0;
  for (std::size_t line = warp; line < lines; line += warps) {
    count += latency(data + line * (kLine / 4)) < threshold;
  }
  atomicAdd(hits, count);
}

__global__ void mean_latency(const std::uint32_t* data, unsigned lines, unsigned* cycles) {
  long long sum = 0;
  for (unsigned i = 0; i < lines; ++i) {
    sum += latency(data + i * (kLine / 4) * 7);
  }
  *cycles = static_cast<unsigned>(sum / lines);
}

struct Case {
  const char* name = "";
  std::size_t set_aside = 0;
  std::size_t window = 0;
  double ratio = 1;
  cudaAccessProperty hit = cudaAccessPropertyPersisting;
  cudaAccessProperty miss = cudaAccessPropertyStreaming;
  std::size_t stream = 0;
  unsigned reads = 1;        // of the window
  bool reset = false;        // before the other memory is read
  bool normal_read = false;  // the window is read without the policy in between
  bool writes = false;       // the window is written instead
  bool policy = true;
  // The window is read once more before the other memory, with this property for all of it; -1: not.
  int again = -1;
  // Counted part of the window, of 4 quarters.
  unsigned first_quarter = 0;
  unsigned quarters = 4;
  // Reads state a priority instead of the stream: by createpolicy: 1: evict_last, 2: evict_last for half of the lines.
  int hint = 0;
};

class Runner {
 public:
  Runner(std::size_t divisor, unsigned threshold) : divisor_(divisor), threshold_(threshold) {
    CHECK(cudaStreamCreate(&stream_));
    CHECK(cudaMalloc(&window_, bytes()));
    CHECK(cudaMalloc(&other_, bytes()));
    CHECK(cudaMalloc(&hits_, 8));
    CHECK(cudaMemset(window_, 0, bytes()));
    CHECK(cudaMemset(other_, 0, bytes()));
    unsigned cold = 0;
    unsigned warm = 0;
    for (unsigned* to : {&cold, &cold, &warm}) {
      if (to == &cold) {
        stream(bytes());
      }
      mean_latency<<<1, 1, 0, stream_>>>(window_, 64, hits_);
      CHECK(cudaMemcpyAsync(to, hits_, 4, cudaMemcpyDeviceToHost, stream_));
      CHECK(cudaStreamSynchronize(stream_));
    }
    std::printf("value,latency.l2,%u\nvalue,latency.dram,%u\n", warm, cold);
    if (threshold_ == 0) {
      threshold_ = (cold + warm) / 2;
      choose_threshold();
    }
  }
  std::size_t bytes() const { return 160 * kMiB / divisor_; }

  void only(const char* name) { only_ = name; }

  void run(const Case& c) {
    if (std::strstr(c.name, only_) == nullptr) {
      return;
    }
    CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, c.set_aside));
    CHECK(cudaCtxResetPersistingL2Cache());
    stream(bytes());
    set(c, c.policy ? c.window : 0);
    for (unsigned i = 0; i < c.reads; ++i) {
      if (c.hint != 0) {
        read_lines_with_priority<<<264, 256, 0, stream_>>>(window_, c.window / kLine, hits_ + 1, c.hint);
      } else if (c.writes) {
        write_lines<<<264, 256, 0, stream_>>>(window_, c.window / kLine);
      } else {
        read_lines<<<264, 256, 0, stream_>>>(window_, c.window / kLine, hits_ + 1);
      }
    }
    set(c, 0);
    if (c.normal_read) {
      read_lines<<<264, 256, 0, stream_>>>(window_, c.window / kLine, hits_ + 1);
    }
    if (c.again >= 0) {
      Case other = c;
      other.hit = static_cast<cudaAccessProperty>(c.again);
      other.miss = other.hit == cudaAccessPropertyPersisting ? cudaAccessPropertyStreaming : other.hit;
      other.ratio = 1;
      set(other, c.window);
      read_lines<<<264, 256, 0, stream_>>>(window_, c.window / kLine, hits_ + 1);
      set(c, 0);
    }
    if (c.reset) {
      CHECK(cudaStreamSynchronize(stream_));
      CHECK(cudaCtxResetPersistingL2Cache());
    }
    if (c.stream != 0) {
      stream(c.stream);
    }
    const double kept = count(window_ + c.window / 16 * c.first_quarter, c.window / 4 * c.quarters);
    std::printf("%s,%.2f,%.2f,%.4f,%.2f,%.4f\n", c.name, mib(c.set_aside), mib(c.window), c.ratio, mib(c.stream), kept);
    std::fflush(stdout);
  }

  // How many lines of a window that is read again by the same warps are near to them, with a policy in force or
  // without.
  void near(const char* name, std::size_t window, int property) {
    CHECK(cudaCtxResetPersistingL2Cache());
    stream(bytes());
    Case c;
    c.hit = static_cast<cudaAccessProperty>(property);
    c.miss = c.hit == cudaAccessPropertyPersisting ? cudaAccessPropertyStreaming : c.hit;
    set(c, property < 0 ? 0 : window);
    const unsigned whole = threshold_;
    threshold_ = kFarther;
    count(window_, window);
    count(window_, window);
    const double share = count(window_, window);
    threshold_ = whole;
    set(c, 0);
    std::printf("value,near.%s,%.3f\n", name, share);
  }

 private:
  // Cycles between those of the near and the far part of L2.
  static constexpr unsigned kFarther = 400;
  // The least at which nearly all reads of lines in L2, near and far, are faster.
  void choose_threshold() {
    const std::size_t probed = 8 * kMiB / divisor_;
    for (const bool in_l2 : {true, false}) {
      double share = 0;
      do {
        stream(bytes());
        if (in_l2) {
          read_lines<<<264, 256, 0, stream_>>>(window_, probed / kLine, hits_ + 1);
          stream(2 * probed);  // removes the copies near to the readers
        }
        share = count(window_, probed);
        std::printf("value,below.%u.%s,%.4f\n", threshold_, in_l2 ? "l2" : "dram", share);
        threshold_ += in_l2 && share < 0.99 ? 10 : 0;
      } while (in_l2 && share < 0.99 && threshold_ < 700);
    }
  }
  // The share of lines in L2.
  double count(const std::uint32_t* data, std::size_t bytes) {
    CHECK(cudaMemsetAsync(hits_, 0, 4, stream_));
    count_hits<<<132, 256, 0, stream_>>>(data, bytes / kLine, threshold_, hits_);
    unsigned hits = 0;
    CHECK(cudaMemcpyAsync(&hits, hits_, 4, cudaMemcpyDeviceToHost, stream_));
    CHECK(cudaStreamSynchronize(stream_));
    return static_cast<double>(hits) / static_cast<double>(bytes / kLine);
  }
  static double mib(std::size_t bytes) { return static_cast<double>(bytes) / static_cast<double>(kMiB); }
  void stream(std::size_t bytes) { read_lines<<<264, 256, 0, stream_>>>(other_, bytes / kLine, hits_ + 1); }
  void set(const Case& c, std::size_t bytes) {
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow.base_ptr = window_;
    value.accessPolicyWindow.num_bytes = bytes;
    value.accessPolicyWindow.hitRatio = static_cast<float>(c.ratio);
    value.accessPolicyWindow.hitProp = bytes == 0 ? cudaAccessPropertyNormal : c.hit;
    value.accessPolicyWindow.missProp = bytes == 0 ? cudaAccessPropertyNormal : c.miss;
    CHECK(cudaStreamSetAttribute(stream_, cudaStreamAttributeAccessPolicyWindow, &value));
  }

  std::size_t divisor_;
  const char* only_ = "";
  cudaStream_t stream_ = nullptr;
  std::uint32_t* window_ = nullptr;
  std::uint32_t* other_ = nullptr;
  unsigned* hits_ = nullptr;
  unsigned threshold_;
};

void values() {
  int max_set_aside = 0;
  int max_window = 0;
  int l2 = 0;
  CHECK(cudaDeviceGetAttribute(&max_set_aside, cudaDevAttrMaxPersistingL2CacheSize, 0));
  CHECK(cudaDeviceGetAttribute(&max_window, cudaDevAttrMaxAccessPolicyWindowSize, 0));
  CHECK(cudaDeviceGetAttribute(&l2, cudaDevAttrL2CacheSize, 0));
  std::printf("value,max_set_aside,%d\nvalue,max_window,%d\nvalue,l2,%d\n", max_set_aside, max_window, l2);
  std::size_t limit = 0;
  CHECK(cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize));
  std::printf("value,limit.first,%zu\n", limit);
  for (const long long wanted :
       {0LL, 1LL, 65536LL, 1000000LL, 1LL << 20, 3LL << 20, 5000000LL, 1LL << 23, static_cast<long long>(max_set_aside),
        max_set_aside + 1LL, static_cast<long long>(l2), 1LL << 40}) {
    const cudaError_t error = cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, static_cast<std::size_t>(wanted));
    cudaDeviceGetLimit(&limit, cudaLimitPersistingL2CacheSize);
    std::printf("value,limit.%lld,%s %zu\n", wanted, cudaGetErrorName(error), limit);
    cudaGetLastError();
  }
  CHECK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 0));
  cudaStream_t stream = nullptr;
  CHECK(cudaStreamCreate(&stream));
  void* data = nullptr;
  CHECK(cudaMalloc(&data, 1 << 20));
  const auto attempt = [&](const char* name, void* base, std::size_t bytes, float ratio, int hit, int miss) {
    cudaStreamAttrValue value = {};
    value.accessPolicyWindow = {base, bytes, ratio, static_cast<cudaAccessProperty>(hit),
                                static_cast<cudaAccessProperty>(miss)};
    const cudaError_t error = cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value);
    cudaStreamAttrValue got = {};
    cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &got);
    std::printf("value,window.%s,%s %zu %.3f %d %d\n", name, cudaGetErrorName(error), got.accessPolicyWindow.num_bytes,
                got.accessPolicyWindow.hitRatio, got.accessPolicyWindow.hitProp, got.accessPolicyWindow.missProp);
    cudaGetLastError();
  };
  attempt("good", data, 1 << 20, 0.6F, 2, 1);
  attempt("miss.persisting", data, 1 << 20, 0.6F, 2, 2);
  attempt("ratio.above", data, 1 << 20, 1.5F, 2, 1);
  attempt("ratio.below", data, 1 << 20, -0.5F, 2, 1);
  attempt("large", data, static_cast<std::size_t>(max_window) + 1, 1.0F, 2, 1);
  attempt("largest", data, static_cast<std::size_t>(max_window), 1.0F, 2, 1);
  attempt("property", data, 1 << 20, 1.0F, 7, 1);
  attempt("null", nullptr, 1 << 20, 1.0F, 2, 1);
  attempt("host", &limit, 8, 1.0F, 1, 1);
  attempt("nothing", data, 0, 1.0F, 2, 0);
  attempt("normal", data, 1 << 20, 1.0F, 0, 0);
  cudaStream_t other = nullptr;
  CHECK(cudaStreamCreate(&other));
  attempt("streaming", data, 1 << 20, 0.25F, 1, 0);
  const cudaError_t copied = cudaStreamCopyAttributes(other, stream);
  cudaStreamAttrValue got = {};
  cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &got);
  std::printf("value,copied,%s %zu %.3f\n", cudaGetErrorName(copied), got.accessPolicyWindow.num_bytes,
              got.accessPolicyWindow.hitRatio);
}

}  // namespace

int main(int argc, char** argv) {
  const std::size_t divisor = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1;
  values();
  Runner runner(divisor, argc > 2 ? static_cast<unsigned>(std::strtoul(argv[2], nullptr, 10)) : 0);
  if (argc > 3) {
    runner.only(argv[3]);
  }
  const std::size_t unit = kMiB / divisor;
  runner.near("none", 8 * unit, -1);
  runner.near("normal", 8 * unit, 0);
  runner.near("streaming", 8 * unit, 1);
  runner.near("persisting", 8 * unit, 2);
  std::printf("case,set_aside_mib,window_mib,hit_ratio,stream_mib,kept\n");
  int max_set_aside = 0;
  CHECK(cudaDeviceGetAttribute(&max_set_aside, cudaDevAttrMaxPersistingL2CacheSize, 0));
  const auto most = static_cast<std::size_t>(max_set_aside);
  const std::size_t all = runner.bytes();
  for (const std::size_t window : {2, 4, 8, 12, 16, 20, 24, 32}) {
    runner.run({.name = "none", .set_aside = most, .window = window * unit, .stream = all, .policy = false});
    runner.run({.name = "kept", .set_aside = most, .window = window * unit, .stream = all});
    runner.run({.name = "kept.quarter", .set_aside = most / 4, .window = window * unit, .stream = all});
    runner.run({.name = "no.set_aside", .set_aside = 0, .window = window * unit, .stream = all});
  }
  for (const std::size_t stream : {8, 16, 24, 32, 40, 64}) {
    runner.run({.name = "part.none", .set_aside = most, .window = 8 * unit, .stream = stream * unit, .policy = false});
    runner.run({.name = "part.kept", .set_aside = most, .window = 8 * unit, .stream = stream * unit});
    runner.run({.name = "part.streaming",
                .set_aside = most,
                .window = 8 * unit,
                .hit = cudaAccessPropertyStreaming,
                .stream = stream * unit});
    runner.run({.name = "part.set_aside",
                .set_aside = most / 2,
                .window = 8 * unit,
                .stream = stream * unit,
                .policy = false});
  }
  // Each step, its beginning and its middle.
  for (int step = 0; step < 16; ++step) {
    for (const double ratio : {step / 16.0, (step + 0.5) / 16}) {
      runner.run({.name = "ratio", .set_aside = most, .window = 8 * unit, .ratio = ratio, .stream = all});
    }
  }
  for (const double ratio : {0.25, 0.5, 1.0}) {
    runner.run(
        {.name = "ratio.twice", .set_aside = most, .window = 8 * unit, .ratio = ratio, .stream = all, .reads = 2});
  }
  for (const double ratio : {0.0, 0.5, 1.0}) {
    runner.run(
        {.name = "ratio.large", .set_aside = most, .window = 32 * unit, .ratio = ratio, .stream = all, .reads = 4});
    runner.run({.name = "ratio.normal",
                .set_aside = most,
                .window = 8 * unit,
                .ratio = ratio,
                .miss = cudaAccessPropertyNormal,
                .stream = all});
  }
  runner.run({.name = "reset", .set_aside = most, .window = 8 * unit, .stream = all, .reset = true});
  runner.run({.name = "normal.read", .set_aside = most, .window = 8 * unit, .stream = all, .normal_read = true});
  runner.run({.name = "write", .set_aside = most, .window = 8 * unit, .stream = all, .writes = true});
  runner.run({.name = "to.normal",
              .set_aside = most,
              .window = 8 * unit,
              .hit = cudaAccessPropertyNormal,
              .miss = cudaAccessPropertyNormal,
              .stream = all});
  for (const int again : {0, 1, 2}) {
    const char* const names[] = {"again.normal", "again.streaming", "again.persisting"};
    runner.run({.name = names[again], .set_aside = most, .window = 8 * unit, .stream = all, .again = again});
    runner.run({.name = names[again], .set_aside = most, .window = 8 * unit, .stream = 8 * unit, .again = again});
  }
  for (unsigned quarter = 0; quarter < 4; ++quarter) {
    runner.run({.name = "quarter",
                .set_aside = most / 4,
                .window = 24 * unit,
                .stream = all,
                .first_quarter = quarter,
                .quarters = 1});
    runner.run({.name = "quarter.twice",
                .set_aside = most / 4,
                .window = 24 * unit,
                .stream = all,
                .reads = 2,
                .first_quarter = quarter,
                .quarters = 1});
  }
  for (const std::size_t window : {2, 8, 16, 32}) {
    runner.run(
        {.name = "evict_last", .set_aside = most, .window = window * unit, .stream = all, .policy = false, .hint = 1});
    runner.run(
        {.name = "evict_last", .set_aside = 0, .window = window * unit, .stream = all, .policy = false, .hint = 1});
    runner.run({.name = "half_evict_last",
                .set_aside = most,
                .window = window * unit,
                .stream = all,
                .policy = false,
                .hint = 2});
  }
  return 0;
}
