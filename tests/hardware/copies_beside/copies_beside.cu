// Copies and fills beside kernels: how much they slow each other down; and what copies leave in L2.
//
//   nvcc -arch=native copies_beside.cu -o copies_beside && ./copies_beside > h100.csv
//
// Prints name,unit,value. Rates of kernels are bytes read (of `compute`: operations) in the time of the kernel; rates
// of copies are bytes copied, each counted once.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../cuda_check.h"
#include "read_all.h"

__global__ void compute(int rounds, float* out) {
  float a = threadIdx.x;
  float b = blockIdx.x;
  for (int i = 0; i < rounds; ++i) {
    a = a * b + 1.0f;
    b = b * a + 1.0f;
    a = a * b + 1.0f;
    b = b * a + 1.0f;
  }
  if (a == 12345.0f) {
    *out = b;
  }
}

// One warp reads lines one after another; the mean time of a load in cycles.
__global__ void latency(const unsigned* data, int lines, unsigned* out) {
  unsigned offset = 0;
  const long long begin = clock64();
  for (int i = 0; i < lines; ++i) {
    offset = __ldcg(data + i * 32 + offset);  // always 0
  }
  const long long end = clock64();
  out[0] = static_cast<unsigned>((end - begin) / lines);
  out[1] = offset;
}

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kLarge = 512 * kMiB;
constexpr std::size_t kSmall = 8 * kMiB;

void* from = nullptr;
void* to = nullptr;
void* pinned = nullptr;
void* pinned2 = nullptr;
unsigned* data = nullptr;
unsigned* out = nullptr;
cudaStream_t kernels;
cudaStream_t copies;

void print(const std::string& name, const char* unit, double value) {
  std::printf("%s,%s,%.5g\n", name.c_str(), unit, value);
}

enum class What { kNone, kInDevice, kToDevice, kToHost, kFill };
const char* const kNames[] = {"none", "d2d", "h2d", "d2h", "fill"};

void copy(What what, std::size_t bytes, std::size_t at) {
  char* const target = static_cast<char*>(to) + at;
  if (what == What::kInDevice) {
    CHECK(cudaMemcpyAsync(target, static_cast<char*>(from) + at, bytes, cudaMemcpyDeviceToDevice, copies));
  } else if (what == What::kToDevice) {
    CHECK(cudaMemcpyAsync(target, pinned, bytes, cudaMemcpyHostToDevice, copies));
  } else if (what == What::kToHost) {
    CHECK(cudaMemcpyAsync(pinned2, static_cast<char*>(from) + at, bytes, cudaMemcpyDeviceToHost, copies));
  } else if (what == What::kFill) {
    CHECK(cudaMemsetAsync(target, 0, bytes, copies));
  }
}

enum class Kernel { kNone, kMemory, kCache, kCompute };
const char* const kKernels[] = {"none", "dram", "l2", "compute"};

double launch(Kernel kernel) {
  if (kernel == Kernel::kMemory) {
    read_all<<<132 * 4, 512, 0, kernels>>>(reinterpret_cast<uint4*>(data), kLarge / 16, 40, out);
    return kLarge * 40.0;
  }
  if (kernel == Kernel::kCache) {
    read_all<<<132 * 4, 512, 0, kernels>>>(reinterpret_cast<uint4*>(data), kSmall / 16, 8000, out);
    return kSmall * 8000.0;
  }
  if (kernel == Kernel::kCompute) {
    compute<<<132 * 4, 512, 0, kernels>>>(1000000, reinterpret_cast<float*>(out));
    return 132.0 * 4 * 512 * 1000000 * 8;
  }
  return 0;
}

void beside(Kernel kernel, What what, std::size_t bytes) {
  constexpr int kCopies = 400;
  static std::vector<cudaEvent_t> events;
  while (events.size() < kCopies + 1) {
    events.emplace_back();
    CHECK(cudaEventCreate(&events.back()));
  }
  cudaEvent_t begin;
  cudaEvent_t end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaEventRecord(begin, kernels));
  const double work = launch(kernel);
  CHECK(cudaEventRecord(end, kernels));
  CHECK(cudaEventRecord(events[0], copies));
  int done = 0;
  if (what != What::kNone) {
    for (; done < kCopies; ++done) {
      copy(what, bytes, (done * bytes) % kLarge);
      CHECK(cudaEventRecord(events[done + 1], copies));
      if (kernel == Kernel::kNone ? done == 20 : (done > 4 && cudaEventQuery(end) == cudaSuccess)) {
        ++done;
        break;
      }
      // Few are waiting, so that copies end soon after the kernel.
      if (done >= 4) {
        CHECK(cudaEventSynchronize(events[done - 3]));
      }
    }
  }
  CHECK(cudaDeviceSynchronize());
  const std::string name = std::string(kKernels[static_cast<int>(kernel)]) + "." + kNames[static_cast<int>(what)];
  float all = 0;
  CHECK(cudaEventElapsedTime(&all, begin, end));
  if (kernel != Kernel::kNone) {
    print(name + ".kernel", kernel == Kernel::kCompute ? "Gop/s" : "GB/s", work / (all * 1e6));
  }
  if (what != What::kNone) {
    std::vector<float> times;
    for (int i = 1; i < done; ++i) {
      float at = 0;
      CHECK(cudaEventElapsedTime(&at, begin, events[i + 1]));
      if (kernel == Kernel::kNone || at < all) {
        float each = 0;
        CHECK(cudaEventElapsedTime(&each, events[i], events[i + 1]));
        times.push_back(each);
      }
    }
    if (times.empty()) {
      print(name + ".copies", "GB/s", 0);
      return;
    }
    std::sort(times.begin(), times.end());
    print(name + ".copies", "GB/s", bytes / (times[times.size() / 2] * 1e6));
    print(name + ".counted", "copies", static_cast<double>(times.size()));
  }
}

unsigned measure_latency(const void* at, int lines) {
  latency<<<1, 1, 0, kernels>>>(static_cast<const unsigned*>(at), lines, out);
  CHECK(cudaDeviceSynchronize());
  unsigned result = 0;
  CHECK(cudaMemcpy(&result, out, sizeof result, cudaMemcpyDeviceToHost));
  return result;
}

void left_in_cache() {
  constexpr int kLines = 4096;  // 512 KiB
  const std::size_t bytes = kLines * 128;
  CHECK(cudaMemset(from, 0, kLarge));
  CHECK(cudaMemset(to, 0, kLarge));
  CHECK(cudaMemset(pinned, 0, kLarge));
  const auto empty = [] {
    read_all<<<132 * 4, 512, 0, kernels>>>(reinterpret_cast<uint4*>(data), kLarge / 16, 2, out);
    CHECK(cudaDeviceSynchronize());
  };
  empty();
  print("latency.dram", "cycles", measure_latency(to, kLines));
  print("latency.l2", "cycles", measure_latency(to, kLines));
  for (const What what : {What::kInDevice, What::kToDevice, What::kToHost, What::kFill}) {
    empty();
    copy(what, bytes, 0);
    CHECK(cudaDeviceSynchronize());
    const std::string name = std::string("latency.after.") + kNames[static_cast<int>(what)];
    if (what != What::kToHost) {
      print(name + ".target", "cycles", measure_latency(to, kLines));
    }
    if (what == What::kInDevice || what == What::kToHost) {
      print(name + ".source", "cycles", measure_latency(from, kLines));
    }
  }
  // What a kernel has left in L2 before a copy reads or replaces it.
  for (const What what : {What::kToDevice, What::kInDevice, What::kFill}) {
    empty();
    measure_latency(to, kLines);
    copy(what, bytes, 0);
    CHECK(cudaDeviceSynchronize());
    print(std::string("latency.resident.after.") + kNames[static_cast<int>(what)], "cycles",
          measure_latency(to, kLines));
  }
  // Copies of what L2 holds, and of what it does not.
  cudaEvent_t begin;
  cudaEvent_t end;
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  for (const std::size_t size : {std::size_t{1} * kMiB, std::size_t{8} * kMiB, std::size_t{64} * kMiB}) {
    for (const bool warm : {false, true}) {
      std::vector<float> times;
      for (int i = 0; i < 5; ++i) {
        empty();
        if (warm) {
          copy(What::kInDevice, size, 0);
        }
        CHECK(cudaEventRecord(begin, copies));
        copy(What::kInDevice, size, 0);
        CHECK(cudaEventRecord(end, copies));
        CHECK(cudaDeviceSynchronize());
        float time = 0;
        CHECK(cudaEventElapsedTime(&time, begin, end));
        times.push_back(time);
      }
      std::sort(times.begin(), times.end());
      print("d2d." + std::to_string(size / kMiB) + "MiB." + (warm ? "warm" : "cold"), "us", times[2] * 1e3);
    }
  }
}

}  // namespace

int main() {
  std::printf("name,unit,value\n");
  CHECK(cudaMalloc(&from, kLarge));
  CHECK(cudaMalloc(&to, kLarge));
  CHECK(cudaMalloc(&data, kLarge));
  CHECK(cudaMalloc(&out, 4096));
  CHECK(cudaMallocHost(&pinned, kLarge));
  CHECK(cudaMallocHost(&pinned2, kLarge));
  CHECK(cudaStreamCreateWithFlags(&kernels, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
  CHECK(cudaMemset(data, 0, kLarge));
  for (const Kernel kernel : {Kernel::kNone, Kernel::kMemory, Kernel::kCache, Kernel::kCompute}) {
    for (const What what : {What::kNone, What::kInDevice, What::kToDevice, What::kToHost, What::kFill}) {
      if (kernel != Kernel::kNone || what != What::kNone) {
        beside(kernel, what, 64 * kMiB);
      }
    }
  }
  left_in_cache();
}
