// A kernel that accesses pinned memory of the host beside copies over the same link: how much they slow each other
// down.
//
//   nvcc -arch=native -std=c++17 host_accesses.cu -o host_accesses && ./host_accesses > h100_host_accesses.csv
//
// Arguments: rounds, and how many copies and how long the kernels are; `1 1` is small enough for a simulator.
// Prints name,unit,value: bytes accessed or copied in the time of the kernel or of the copies, which take longer than
// the kernel. Kernels: `read`, `write`. Copies: `to` the device, `from` it, or `both`.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "../cuda_check.h"
#include "read_all.h"
#include "write_all.h"

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kCopied = 4 * kMiB;
constexpr std::size_t kAccessed = 2 * kMiB;

struct World {
  void* device = nullptr;
  void* pinned[2] = {};
  uint4* accessed = nullptr;  // of the host
  unsigned* out = nullptr;
  cudaStream_t kernels = nullptr;
  cudaStream_t copies[2] = {};
  cudaEvent_t events[6] = {};
  int sms = 0;
  int rounds = 9;
  int scale = 16;
};

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  return values[values.size() / 2];
}

double rate(double bytes, cudaEvent_t begin, cudaEvent_t end) {
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, begin, end));
  return bytes / ms / 1e6;
}

// `access`: 0: none, 1: read, 2: write. `ways`: bit 0: to the device, bit 1: from it. The first round does not count.
void measure(World& world, int access, int ways) {
  std::vector<double> kernel;
  std::vector<double> copied[2];
  const int count = 3 * world.scale;
  for (int round = 0; round <= world.rounds; ++round) {
    for (int way = 0; way < 2; ++way) {
      if ((ways >> way & 1) != 0) {
        CHECK(cudaEventRecord(world.events[2 + 2 * way], world.copies[way]));
        for (int i = 0; i < count; ++i) {
          CHECK(cudaMemcpyAsync(way == 0 ? world.device : world.pinned[1], way == 0 ? world.pinned[0] : world.device,
                                kCopied, cudaMemcpyDefault, world.copies[way]));
        }
        CHECK(cudaEventRecord(world.events[3 + 2 * way], world.copies[way]));
      }
    }
    if (access != 0) {
      CHECK(cudaEventRecord(world.events[0], world.kernels));
      if (access == 1) {
        read_all<<<world.sms * 2, 1024, 0, world.kernels>>>(world.accessed, kAccessed / sizeof(uint4), world.scale,
                                                            world.out);
      } else {
        write_all<<<world.sms * 2, 1024, 0, world.kernels>>>(world.accessed, kAccessed / sizeof(uint4), world.scale);
      }
      CHECK(cudaEventRecord(world.events[1], world.kernels));
    }
    CHECK(cudaDeviceSynchronize());
    if (round == 0) {
      continue;
    }
    if (access != 0) {
      kernel.push_back(rate(static_cast<double>(kAccessed) * world.scale, world.events[0], world.events[1]));
    }
    for (int way = 0; way < 2; ++way) {
      if ((ways >> way & 1) != 0) {
        copied[way].push_back(
            rate(static_cast<double>(kCopied) * count, world.events[2 + 2 * way], world.events[3 + 2 * way]));
      }
    }
  }
  const char* const accesses[] = {"none", "read", "write"};
  const char* const beside[] = {"alone", "to", "from", "both"};
  const std::string name = std::string(accesses[access]) + "." + beside[ways];
  if (access != 0) {
    std::printf("%s.kernel,GB/s,%.2f\n", name.c_str(), median(kernel));
  }
  for (int way = 0; way < 2; ++way) {
    if (!copied[way].empty()) {
      std::printf("%s.copy.%s,GB/s,%.2f\n", name.c_str(), way == 0 ? "to" : "from", median(copied[way]));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  World world;
  world.rounds = argc > 1 ? std::atoi(argv[1]) : world.rounds;
  world.scale = argc > 2 ? std::atoi(argv[2]) : world.scale;
  CHECK(cudaMalloc(&world.device, kCopied));
  for (void*& pinned : world.pinned) {
    CHECK(cudaMallocHost(&pinned, kCopied));
  }
  CHECK(cudaMallocHost(&world.accessed, kAccessed));
  CHECK(cudaMalloc(&world.out, 4));
  CHECK(cudaStreamCreateWithFlags(&world.kernels, cudaStreamNonBlocking));
  for (cudaStream_t& stream : world.copies) {
    CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  }
  for (cudaEvent_t& event : world.events) {
    CHECK(cudaEventCreate(&event));
  }
  CHECK(cudaDeviceGetAttribute(&world.sms, cudaDevAttrMultiProcessorCount, 0));
  std::printf("name,unit,value\n");
  for (int access = 0; access < 3; ++access) {
    for (int ways = access == 0 ? 1 : 0; ways < 4; ++ways) {
      measure(world, access, ways);
    }
  }
  return 0;
}
