// Times of warpgroup mma: single operations, chains, streams of 1 to 4 warpgroups, and when each operation issues.
// Usage: wgmma write DIRECTORY            writes the kernels as PTX
//        wgmma run DIRECTORY              runs the output of ptxas, prints CSV
//        wgmma profile DIRECTORY NUMBER   one stream, for a profiler
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <string>
#include <vector>

#include "wgmma_ptx.h"

namespace {

constexpr int kRounds = 64;  // of a stream; bursts keep the third
std::string directory;
const char* const kModes[] = {"burst", "timeline", "idle", "stream"};

std::vector<Case> cases() {
  std::vector<Case> all;
  const std::vector<int> widths = {8, 16, 32, 48, 64, 96, 128, 192, 256};
  for (int type = 0; type < static_cast<int>(kTypes.size()); ++type) {
    for (const int n : widths) {
      for (const bool registers : {false, true}) {
        for (const int count : {1, 2, 4, 16}) all.push_back({type, n, registers, true, 1, count, 1, Mode::kBurst});
        for (const int groups : {1, 2, 4}) {
          if (type > 0 && groups != 1) continue;
          all.push_back({type, n, registers, true, 1, 8, groups, Mode::kStream});
        }
      }
    }
  }
  for (const int n : {8, 64, 128}) {
    for (const int count : {1, 2, 4}) all.push_back({0, n, false, true, 1, count, 1, Mode::kStream});
    all.push_back({0, n, false, true, 1, 1, 1, Mode::kIdle});
  }
  for (const int n : widths) {
    for (const bool registers : {false, true}) {
      all.push_back({0, n, registers, false, 1, 16, 1, Mode::kBurst});
      if (n <= 96) all.push_back({0, n, registers, true, 2, 16, 1, Mode::kBurst});
      for (const int groups : {1, 2}) {
        if (n <= 128) all.push_back({0, n, registers, true, 1, 32, groups, Mode::kTimeline});
      }
    }
  }
  return all;
}

void require(cudaError_t error, const char* what) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
    std::exit(1);
  }
}

std::string name_of(const Case& c) {
  return std::string(kModes[static_cast<int>(c.mode)]) + "," + kTypes[c.type].name + "," + std::to_string(c.n) + "," +
         (c.a_in_registers ? "registers" : "shared") + "," + (c.swizzled ? "128" : "0") + "," +
         std::to_string(c.chains) + "," + std::to_string(c.count) + "," + std::to_string(c.warpgroups);
}

std::string file_name(const Case& c) {
  std::string name = name_of(c);
  std::replace(name.begin(), name.end(), ',', '-');
  return name;
}

// Clocks of every warp, 64 words each. False: the kernel does not exist (it needs more registers than available).
bool launch(const Case& c, uint64_t* device, std::vector<uint64_t>& host, int rounds) {
  cudaLibrary_t library;
  cudaKernel_t kernel;
  const std::string file = directory + "/" + file_name(c) + ".cubin";
  if (!std::ifstream(file).good()) return false;
  require(cudaLibraryLoadFromFile(&library, file.c_str(), nullptr, nullptr, 0, nullptr, nullptr, 0), file.c_str());
  require(cudaLibraryGetKernel(&kernel, library, "measure"), "kernel");
  require(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, 65536), "shared memory");
  void* arguments[] = {&device, &rounds};
  require(cudaLaunchKernel(reinterpret_cast<const void*>(kernel), 1, 128 * c.warpgroups, arguments, 65536, nullptr),
          "launch");
  require(cudaMemcpy(host.data(), device, host.size() * 8, cudaMemcpyDeviceToHost), "copy");
  require(cudaLibraryUnload(library), "unload");
  return true;
}

// Cycles from the first warp's `from` to the last warp's `to`.
uint64_t span(const std::vector<uint64_t>& host, const Case& c, int from, int to) {
  uint64_t first = host[from];
  uint64_t last = host[to];
  for (int warp = 1; warp < 4 * c.warpgroups; ++warp) {
    first = std::min(first, host[warp * 64 + from]);
    last = std::max(last, host[warp * 64 + to]);
  }
  return last - first;
}

void measure(const Case& c, uint64_t* device) {
  std::vector<uint64_t> host(64 * 16);
  const int rounds = c.mode == Mode::kStream ? kRounds : 3;
  if (!launch(c, device, host, rounds)) return;
  if (c.mode == Mode::kStream) {
    // The first rounds are included: a second length gives the slope.
    const uint64_t longer = span(host, c, 0, 4);
    launch(c, device, host, rounds / 2);
    const uint64_t shorter = span(host, c, 0, 4);
    std::printf("%s,0,%.2f\n", name_of(c).c_str(),
                static_cast<double>(longer - shorter) / (rounds / 2) / c.count / c.warpgroups);
    return;
  }
  // One row for the first warp of each warpgroup; issue times from the first clock after the fence of all.
  uint64_t begin = host[1];
  for (int group = 1; group < c.warpgroups; ++group) begin = std::min(begin, host[group * 256 + 1]);
  for (int group = 0; group < c.warpgroups; ++group) {
    const uint64_t* const clocks = host.data() + group * 256;
    std::printf("%s,%d,", name_of(c).c_str(), group);
    for (int i = 1; i < 5; ++i) std::printf(",%llu", static_cast<unsigned long long>(clocks[i] - clocks[i - 1]));
    std::printf(",%llu", static_cast<unsigned long long>(span(host, c, 1, 4)));
    for (int i = 0; c.mode == Mode::kTimeline && i < c.count; ++i) {
      std::printf(",%llu", static_cast<unsigned long long>(clocks[5 + i] - begin));
    }
    std::printf("\n");
  }
}

}  // namespace

int main(int count, char** arguments) {
  if (count < 3) return 1;
  const std::string verb = arguments[1];
  directory = arguments[2];
  const std::vector<Case> all = cases();
  if (verb == "write") {
    for (const Case& c : all) std::ofstream(directory + "/" + file_name(c) + ".ptx") << kernel_ptx(c);
    return 0;
  }
  uint64_t* device = nullptr;
  require(cudaMalloc(&device, 1 << 20), "memory");
  if (verb == "profile") {
    const std::vector<Case> profiled = {{0, 8, false, true, 1, 8, 1, Mode::kStream},
                                        {0, 64, false, true, 1, 8, 1, Mode::kStream},
                                        {0, 64, true, true, 1, 8, 1, Mode::kStream},
                                        {0, 256, false, true, 1, 8, 1, Mode::kStream},
                                        {0, 64, false, true, 1, 8, 4, Mode::kStream}};
    std::vector<uint64_t> host(64 * 16);
    return launch(profiled.at(std::atoi(arguments[3])), device, host, 4096) ? 0 : 1;
  }
  std::printf(
      "mode,type,n,a,swizzle_bytes,accumulators,operations,warpgroups,warpgroup,cycles_per_operation,fence,issue,commit,"
      "wait,total,issue_times\n");
  for (const Case& c : all) measure(c, device);
  return 0;
}
