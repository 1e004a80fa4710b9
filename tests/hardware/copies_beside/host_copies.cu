// A kernel that reads memory beside copies between the host and the device: how much they slow each other down.
//
//   nvcc -arch=native host_copies.cu -o host_copies && ./host_copies > h100_host.csv
//
// Arguments: rounds, and how many copies and how long the kernels are; `1 1` is small enough for a simulator. On
// hardware such short kernels also show that they start later beside a copy.
// Prints name,unit,value: bytes read or copied in the time of the kernel or of the copies. The copies take longer than
// the kernel. `event`: the time from event to event, in us; `between.events`: from the start of a kernel to that of the
// next one with an event between them; `between.kernels`: without an event. `dram`: 72 MiB, more than L2 holds; `l2`: 8
// MiB.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../cuda_check.h"
#include "read_all.h"

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kCopied = 4 * kMiB;

struct World {
  void* device = nullptr;
  void* pinned = nullptr;
  uint4* data = nullptr;
  unsigned* out = nullptr;
  cudaStream_t kernels = nullptr;
  cudaStream_t copies = nullptr;
  cudaEvent_t events[4] = {};
  int sms = 0;
  int rounds = 9;
  int scale = 16;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

// Several copies one after another; cudaMemcpyDefault: none.
void copy(World& world, cudaMemcpyKind kind, int count) {
  const bool to_device = kind == cudaMemcpyHostToDevice;
  for (int i = 0; i < count && kind != cudaMemcpyDefault; ++i) {
    CHECK(cudaMemcpyAsync(to_device ? world.device : world.pinned, to_device ? world.pinned : world.device, kCopied,
                          kind, world.copies));
  }
}

// Several times; the first does not count. `kind`: cudaMemcpyDefault: no copy.
void measure(World& world, const std::string& name, std::size_t bytes, int passes, cudaMemcpyKind kind) {
  std::vector<double> read;
  std::vector<double> copied;
  for (int round = 0; round <= world.rounds; ++round) {
    if (kind != cudaMemcpyDefault) {
      CHECK(cudaEventRecord(world.events[2], world.copies));
      copy(world, kind, world.scale);
      CHECK(cudaEventRecord(world.events[3], world.copies));
    }
    CHECK(cudaEventRecord(world.events[0], world.kernels));
    read_all<<<world.sms * 2, 1024, 0, world.kernels>>>(world.data, bytes / sizeof(uint4), passes, world.out);
    CHECK(cudaEventRecord(world.events[1], world.kernels));
    CHECK(cudaDeviceSynchronize());
    float ms = 0;
    CHECK(cudaEventElapsedTime(&ms, world.events[0], world.events[1]));
    if (round != 0) {
      read.push_back(static_cast<double>(bytes) * passes / ms / 1e6);
    }
    if (kind != cudaMemcpyDefault) {
      CHECK(cudaEventElapsedTime(&ms, world.events[2], world.events[3]));
      if (round != 0) {
        copied.push_back(static_cast<double>(kCopied) * world.scale / ms / 1e6);
      }
    }
  }
  std::printf("%s.kernel,GB/s,%.1f\n", name.c_str(), median(read));
  if (!copied.empty()) {
    std::printf("%s.copy,GB/s,%.2f\n", name.c_str(), median(copied));
  }
}

__global__ void stamp(long long* times) {
  long long now = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  *times = now;
}

// Holds the stream until all that follows is in it.
__global__ void wait_ns(long long ns) {
  long long begin = 0;
  long long now = 0;
  asm volatile("mov.u64 %0, %globaltimer;" : "=l"(begin));
  do {
    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(now));
  } while (now - begin < ns);
}

void measure_events(World& world, const std::string& name, cudaMemcpyKind kind) {
  constexpr int kKernels = 6;
  long long* times = nullptr;
  CHECK(cudaMalloc(&times, 2 * kKernels * sizeof(long long)));
  std::vector<double> event;
  std::vector<double> events;
  std::vector<double> kernels;
  for (int round = 0; round <= world.rounds; ++round) {
    copy(world, kind, 2);
    wait_ns<<<1, 1, 0, world.kernels>>>(40000);
    CHECK(cudaEventRecord(world.events[0], world.kernels));
    CHECK(cudaEventRecord(world.events[1], world.kernels));
    for (int i = 0; i < 2 * kKernels; ++i) {
      stamp<<<1, 1, 0, world.kernels>>>(times + i);
      if (i >= kKernels) {
        CHECK(cudaEventRecord(world.events[2], world.kernels));
      }
    }
    CHECK(cudaDeviceSynchronize());
    float ms = 0;
    long long at[2 * kKernels];
    CHECK(cudaEventElapsedTime(&ms, world.events[0], world.events[1]));
    CHECK(cudaMemcpy(at, times, sizeof at, cudaMemcpyDeviceToHost));
    if (round != 0) {
      event.push_back(ms * 1e3);
      kernels.push_back(static_cast<double>(at[kKernels - 1] - at[0]) / (kKernels - 1) / 1e3);
      events.push_back(static_cast<double>(at[2 * kKernels - 1] - at[kKernels]) / (kKernels - 1) / 1e3);
    }
  }
  std::printf("%s.event,us,%.2f\n", name.c_str(), median(event));
  std::printf("%s.between.kernels,us,%.2f\n", name.c_str(), median(kernels));
  std::printf("%s.between.events,us,%.2f\n", name.c_str(), median(events));
  CHECK(cudaFree(times));
}

}  // namespace

int main(int argc, char** argv) {
  World world;
  world.rounds = argc > 1 ? std::atoi(argv[1]) : world.rounds;
  world.scale = argc > 2 ? std::atoi(argv[2]) : world.scale;
  CHECK(cudaMalloc(&world.device, kCopied));
  CHECK(cudaMalloc(&world.data, 72 * kMiB));
  CHECK(cudaMalloc(&world.out, 4));
  CHECK(cudaMallocHost(&world.pinned, kCopied));
  CHECK(cudaMemset(world.data, 0, 72 * kMiB));
  CHECK(cudaStreamCreateWithFlags(&world.kernels, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&world.copies, cudaStreamNonBlocking));
  for (cudaEvent_t& event : world.events) {
    CHECK(cudaEventCreate(&event));
  }
  CHECK(cudaDeviceGetAttribute(&world.sms, cudaDevAttrMultiProcessorCount, 0));
  std::printf("name,unit,value\n");
  measure_events(world, "alone", cudaMemcpyDefault);
  measure_events(world, "to_device", cudaMemcpyHostToDevice);
  measure_events(world, "to_host", cudaMemcpyDeviceToHost);
  const struct {
    const char* name;
    std::size_t bytes;
    int passes;
  } kernels[] = {{"dram", 72 * kMiB, 2}, {"l2", 8 * kMiB, 30}};
  for (const auto& kernel : kernels) {
    const std::string name = kernel.name;
    const int passes = kernel.passes * world.scale;
    measure(world, name + ".alone", kernel.bytes, passes, cudaMemcpyDefault);
    measure(world, name + ".to_device", kernel.bytes, passes, cudaMemcpyHostToDevice);
    measure(world, name + ".to_host", kernel.bytes, passes, cudaMemcpyDeviceToHost);
  }
}
