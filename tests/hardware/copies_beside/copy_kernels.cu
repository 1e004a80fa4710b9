// What copies within the device and fills need of SMs: they are kernels of the driver.
//
//   nvcc -arch=native copy_kernels.cu -o copy_kernels && ./copy_kernels > h100_kernels.csv
//
// A kernel holds threads, registers or shared memory of all SMs, or all of some SMs, until the host lets it go; the
// copy has ended before (1), or only afterwards (0). Prints name,unit,value.
#include <cuda_runtime.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <vector>

#include "../cuda_check.h"
#include "read_all.h"

// The flag is in the GPU's memory: many accesses to that of the host would delay launches and copies.
__global__ void hold(volatile int* go, int* started) {
  if (threadIdx.x == 0) {
    atomicAdd(started, 1);
    while (*go == 0) {
      __nanosleep(1000);
    }
  }
  __syncthreads();
}

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kLarge = 512 * kMiB;

char* from = nullptr;
char* to = nullptr;
uint4* data = nullptr;
unsigned* out = nullptr;
volatile int* go = nullptr;
int* started = nullptr;
int sms = 0;
cudaStream_t holders[2];
cudaStream_t copies;
cudaStream_t releases;
int* one = nullptr;

void print(const std::string& name, const char* unit, double value) {
  std::printf("%s,%s,%.5g\n", name.c_str(), unit, value);
}

using Copy = void (*)(std::size_t bytes);
void in_device(std::size_t bytes) {
  CHECK(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, copies));
}
void fill(std::size_t bytes) {
  CHECK(cudaMemsetAsync(to, 1, bytes, copies));
}
void in_device_2d(std::size_t bytes) {
  CHECK(cudaMemcpy2DAsync(to, 4096, from, 4096, 2048, bytes / 2048, cudaMemcpyDeviceToDevice, copies));
}

struct Hold {
  int blocks = 0;
  int threads = 0;
  int shared_bytes = 0;
};

// The time of the copy, or 0 if it has not ended while the holders were there.
double copy_beside(const std::vector<Hold>& holds, Copy copy, std::size_t bytes) {
  CHECK(cudaMemset(const_cast<int*>(go), 0, sizeof(int)));
  CHECK(cudaMemset(started, 0, sizeof(int)));
  CHECK(cudaDeviceSynchronize());
  int all = 0;
  for (std::size_t i = 0; i < holds.size(); ++i) {
    CHECK(cudaFuncSetAttribute(hold, cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024));
    hold<<<holds[i].blocks, holds[i].threads, holds[i].shared_bytes, holders[i]>>>(const_cast<int*>(go), started);
    CHECK(cudaGetLastError());
    all += holds[i].blocks;
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(2));
  cudaEvent_t events[5];
  for (cudaEvent_t& event : events) {
    CHECK(cudaEventCreate(&event));
  }
  CHECK(cudaEventRecord(events[0], copies));
  for (int i = 1; i < 5; ++i) {
    copy(bytes);
    CHECK(cudaEventRecord(events[i], copies));
  }
  std::this_thread::sleep_for(std::chrono::milliseconds(10));
  const bool ended = cudaEventQuery(events[4]) == cudaSuccess;
  CHECK(cudaMemcpyAsync(const_cast<int*>(go), one, sizeof(int), cudaMemcpyHostToDevice, releases));
  CHECK(cudaDeviceSynchronize());
  float best = 1e9;
  for (int i = 2; i < 5; ++i) {
    float each = 0;
    CHECK(cudaEventElapsedTime(&each, events[i - 1], events[i]));
    best = std::min(best, each);
  }
  for (const cudaEvent_t event : events) {
    CHECK(cudaEventDestroy(event));
  }
  return ended ? best * 1e3 : 0;
}

void sweep(const char* name, Copy copy) {
  const std::string prefix = name;
  for (const std::size_t bytes : {std::size_t{4096}, 256 * std::size_t{1024}, 64 * kMiB}) {
    const std::string at = prefix + "." + std::to_string(bytes / 1024) + "KiB";
    print(at + ".alone", "us", copy_beside({}, copy, bytes));
    for (const int left : {0, 32, 64, 128, 192, 256, 384, 512, 768, 1024}) {
      std::vector<Hold> holds = {{sms, 1024, 0}};
      if (left < 1024) {
        holds.push_back({sms, 1024 - left, 0});
      }
      print(at + ".threads.left." + std::to_string(left), "us", copy_beside(holds, copy, bytes));
    }
    print(at + ".no.shared.memory", "us", copy_beside({{sms, 256, 227 * 1024}}, copy, bytes));
    for (const int busy : {sms / 4, sms / 2, 3 * sms / 4, sms - 8, sms - 4, sms - 2, sms - 1}) {
      // Blocks of half of an SM's shared memory and threads.
      print(at + ".sms.left." + std::to_string(sms - busy), "us",
            copy_beside({{sms, 1024, 0}, {busy, 1024, 0}}, copy, bytes));
    }
  }
}

// Both use memory, and there is space for both.
void shared_rates(const char* name, Copy copy) {
  constexpr std::size_t kBytes = 64 * kMiB;
  for (const int threads : {256, 512, 1024, 1536}) {
    for (const bool cached : {false, true}) {
      const std::size_t bytes = cached ? 8 * kMiB : kLarge;
      const int rounds = cached ? 6000 : 60;
      cudaEvent_t begin;
      cudaEvent_t end;
      std::vector<cudaEvent_t> events(101);
      CHECK(cudaEventCreate(&begin));
      CHECK(cudaEventCreate(&end));
      for (cudaEvent_t& event : events) {
        CHECK(cudaEventCreate(&event));
      }
      for (const bool with : {false, true}) {
        CHECK(cudaDeviceSynchronize());
        CHECK(cudaEventRecord(begin, holders[0]));
        read_all<<<sms*(threads / 256), 256, 0, holders[0]>>>(data, bytes / 16, rounds, out);
        CHECK(cudaEventRecord(end, holders[0]));
        CHECK(cudaEventRecord(events[0], copies));
        for (int i = 1; with && i <= 100; ++i) {
          copy(kBytes);
          CHECK(cudaEventRecord(events[i], copies));
        }
        CHECK(cudaDeviceSynchronize());
        float all = 0;
        CHECK(cudaEventElapsedTime(&all, begin, end));
        const std::string at = std::string(name) + (cached ? ".l2." : ".dram.") + std::to_string(threads);
        print(at + (with ? ".kernel.beside" : ".kernel.alone"), "GB/s",
              static_cast<double>(bytes) * rounds / (all * 1e6));
        if (with) {
          std::vector<float> times;
          for (int i = 2; i <= 100; ++i) {
            float ended = 0;
            float each = 0;
            CHECK(cudaEventElapsedTime(&ended, begin, events[i]));
            CHECK(cudaEventElapsedTime(&each, events[i - 1], events[i]));
            if (ended < all) {
              times.push_back(each);
            }
          }
          std::sort(times.begin(), times.end());
          print(at + ".copies.beside", "GB/s", times.empty() ? 0 : kBytes / (times[times.size() / 2] * 1e6));
          print(at + ".copies.counted", "copies", static_cast<double>(times.size()));
        }
      }
    }
  }
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::printf("name,unit,value\n");
  CHECK(cudaMalloc(&from, kLarge));
  CHECK(cudaMalloc(&to, kLarge));
  CHECK(cudaMalloc(&data, kLarge));
  CHECK(cudaMalloc(&out, 4096));
  CHECK(cudaMalloc(&started, 4096));
  CHECK(cudaMalloc(const_cast<int**>(&go), 4096));
  CHECK(cudaMallocHost(&one, 4096));
  *one = 1;
  CHECK(cudaStreamCreateWithFlags(&releases, cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&holders[0], cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&holders[1], cudaStreamNonBlocking));
  CHECK(cudaStreamCreateWithFlags(&copies, cudaStreamNonBlocking));
  CHECK(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0));
  CHECK(cudaMemset(data, 0, kLarge));
  CHECK(cudaMemset(from, 0, kLarge));
  CHECK(cudaMemset(to, 0, kLarge));
  sweep("d2d", in_device);
  sweep("fill", fill);
  sweep("d2d.2d", in_device_2d);
  shared_rates("d2d", in_device);
  shared_rates("fill", fill);
}
