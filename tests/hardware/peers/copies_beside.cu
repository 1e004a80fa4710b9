// A kernel on GPU 0 beside copies between GPU 0 and GPU 1: how much they slow each other down.
//
//   nvcc -arch=native -std=c++17 copies_beside.cu -o copies_beside && ./copies_beside > h100_copies_beside.csv
//
// Arguments: rounds, how many copies and how long the kernels are, and a part of the names of kernels: others are left
// out. `1 1 far` is small enough for a simulator.
// Prints name,unit,value: bytes accessed or copied in the time of the kernel or of the copies, which take longer than
// the kernel. Kernels: `dram` reads 72 MiB of GPU 0, `l2` 8 MiB, `far.read` and `far.write` access 16 MiB of GPU 1.
// Copies: `out` from GPU 0 to GPU 1, `in` the other way, `both` at once; in streams of GPU 0.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../copies_beside/read_all.h"
#include "../copies_beside/write_all.h"
#include "../cuda_check.h"

namespace {

constexpr std::size_t kMiB = std::size_t{1} << 20;
constexpr std::size_t kCopied = 4 * kMiB;

struct World {
  void* near[2] = {};  // copied from and to, on GPU 0
  void* far[2] = {};   // on GPU 1
  uint4* data = nullptr;
  uint4* far_data = nullptr;
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

struct Access {
  const char* name;
  std::size_t bytes;
  int passes;
  bool far;
  bool writes;
};

void launch(const World& world, const Access& access) {
  uint4* const data = access.far ? world.far_data : world.data;
  const int passes = access.passes * world.scale;
  if (access.writes) {
    write_all<<<world.sms * 2, 1024, 0, world.kernels>>>(data, access.bytes / sizeof(uint4), passes);
  } else {
    read_all<<<world.sms * 2, 1024, 0, world.kernels>>>(data, access.bytes / sizeof(uint4), passes, world.out);
  }
}

double rate(double bytes, cudaEvent_t begin, cudaEvent_t end) {
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, begin, end));
  return bytes / ms / 1e6;
}

// `ways`: bit 0: out, bit 1: in. The first round does not count.
void measure(World& world, const Access* access, int ways) {
  std::vector<double> kernel;
  std::vector<double> copied[2];
  const int count = 12 * world.scale;
  for (int round = 0; round <= world.rounds; ++round) {
    for (int way = 0; way < 2; ++way) {
      if ((ways >> way & 1) != 0) {
        CHECK(cudaEventRecord(world.events[2 + 2 * way], world.copies[way]));
        for (int i = 0; i < count; ++i) {
          void* const from = way == 0 ? world.near[0] : world.far[1];
          void* const to = way == 0 ? world.far[0] : world.near[1];
          CHECK(cudaMemcpyPeerAsync(to, way == 0 ? 1 : 0, from, way == 0 ? 0 : 1, kCopied, world.copies[way]));
        }
        CHECK(cudaEventRecord(world.events[3 + 2 * way], world.copies[way]));
      }
    }
    if (access != nullptr) {
      CHECK(cudaEventRecord(world.events[0], world.kernels));
      launch(world, *access);
      CHECK(cudaEventRecord(world.events[1], world.kernels));
    }
    CHECK(cudaDeviceSynchronize());
    if (round == 0) {
      continue;
    }
    if (access != nullptr) {
      const double bytes = static_cast<double>(access->bytes) * access->passes * world.scale;
      kernel.push_back(rate(bytes, world.events[0], world.events[1]));
    }
    for (int way = 0; way < 2; ++way) {
      if ((ways >> way & 1) != 0) {
        copied[way].push_back(
            rate(static_cast<double>(kCopied) * count, world.events[2 + 2 * way], world.events[3 + 2 * way]));
      }
    }
  }
  const char* const beside[] = {"alone", "out", "in", "both"};
  const std::string name = std::string(access == nullptr ? "none" : access->name) + "." + beside[ways];
  if (access != nullptr) {
    std::printf("%s.kernel,GB/s,%.1f\n", name.c_str(), median(kernel));
  }
  for (int way = 0; way < 2; ++way) {
    if (!copied[way].empty()) {
      std::printf("%s.copy.%s,GB/s,%.1f\n", name.c_str(), way == 0 ? "out" : "in", median(copied[way]));
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  World world;
  world.rounds = argc > 1 ? std::atoi(argv[1]) : world.rounds;
  world.scale = argc > 2 ? std::atoi(argv[2]) : world.scale;
  CHECK(cudaSetDevice(1));
  CHECK(cudaDeviceEnablePeerAccess(0, 0));
  for (void*& far : world.far) {
    CHECK(cudaMalloc(&far, kCopied));
  }
  CHECK(cudaMalloc(&world.far_data, 16 * kMiB));
  CHECK(cudaMemset(world.far_data, 0, 16 * kMiB));
  CHECK(cudaDeviceSynchronize());
  CHECK(cudaSetDevice(0));
  CHECK(cudaDeviceEnablePeerAccess(1, 0));
  for (void*& near : world.near) {
    CHECK(cudaMalloc(&near, kCopied));
  }
  CHECK(cudaMalloc(&world.data, 72 * kMiB));
  CHECK(cudaMemset(world.data, 0, 72 * kMiB));
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
  for (int ways = 1; ways < 4; ++ways) {
    measure(world, nullptr, ways);
  }
  const Access accesses[] = {{"dram", 72 * kMiB, 2, false, false},
                             {"l2", 8 * kMiB, 40, false, false},
                             {"far.read", 16 * kMiB, 1, true, false},
                             {"far.write", 16 * kMiB, 1, true, true}};
  for (const Access& access : accesses) {
    if (argc > 3 && std::strstr(access.name, argv[3]) == nullptr) {
      continue;
    }
    for (int ways = 0; ways < 4; ++ways) {
      measure(world, &access, ways);
    }
  }
  return 0;
}
