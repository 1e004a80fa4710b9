// The effect of DRAM refresh on single reads and in groups of neighbouring lines: one warp reads lines that L2 does not
// hold, one group after another, and records when each group began and how long it took.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

constexpr uint32_t kLineBytes = 128;
constexpr uint32_t kLines = 1U << 22;   // 512 MiB, ten times L2
constexpr uint32_t kGroups = 16384;
constexpr uint32_t kStep = 0x9E3779B1;  // odd: visits all groups of lines before one is repeated

struct Sample {
  long long begin;
  int cycles;
};

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

__global__ void touch(const uint4* memory, size_t count, uint32_t* sink) {
  uint32_t sum = 0;
  for (size_t i = blockIdx.x * size_t{blockDim.x} + threadIdx.x; i < count; i += size_t{gridDim.x} * blockDim.x) {
    sum += __ldcg(memory + i).x;
  }
  if (sum == 12345) {
    *sink = sum;
  }
}

// kLoads loads of `lanes` lanes, each lane with its own line, all lines of a group neighbours.
template <int kLoads>
__global__ void read_groups(const char* memory, Sample* samples, uint32_t lanes, uint32_t groups, int pause) {
  const uint32_t lines = kLoads * lanes;
  const uint32_t places = kLines / lines;
  uint32_t sum = 0;
  for (uint32_t group = 0; group < groups; ++group) {
    const uint32_t place = (group * kStep + sum) & (places - 1);  // sum is 0: it makes the group wait for the last one
    const char* address = memory + (size_t{place} * lines + threadIdx.x) * kLineBytes;
    uint32_t value[kLoads];
    __syncwarp();
    const long long begin = clock64();
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value[i]) : "l"(address + i * size_t{lanes} * kLineBytes));
    }
#pragma unroll
    for (int i = 0; i < kLoads; ++i) {
      sum += value[i];
    }
    sum = __reduce_or_sync(__activemask(), sum);
    const long long end = clock64() + (sum & 1);
    if (threadIdx.x == 0) {
      samples[group] = {begin, static_cast<int>(end - begin)};
    }
    while (pause != 0 && clock64() < end + pause + static_cast<int>((group * 2654435761U) >> 22)) {
    }
  }
}

template <int kLoads>
void measure(const char* name, uint32_t lanes, int pause, const char* memory, const char* other, Sample* samples) {
  const uint32_t lines = kLoads * lanes;
  const uint32_t groups = kLines / lines < kGroups ? kLines / lines : kGroups;
  read_groups<kLoads><<<1, lanes>>>(other, samples, lanes, 64, pause);
  touch<<<528, 512>>>(reinterpret_cast<const uint4*>(other), size_t{kLines} * kLineBytes / 16, nullptr);
  read_groups<kLoads><<<1, lanes>>>(memory, samples, lanes, groups, pause);
  check(cudaDeviceSynchronize());
  std::vector<Sample> host(groups);
  check(cudaMemcpy(host.data(), samples, groups * sizeof(Sample), cudaMemcpyDeviceToHost));
  for (uint32_t i = 0; i < groups; ++i) {
    const uint32_t place = (i * kStep) & (kLines / lines - 1);
    std::printf("%s,%u,%u,%lld,%d\n", name, lines, place, host[i].begin - host[0].begin, host[i].cycles);
  }
}

}  // namespace

int main() {
  char* memory = nullptr;
  char* other = nullptr;
  Sample* samples = nullptr;
  check(cudaMalloc(&memory, size_t{kLines} * kLineBytes));
  check(cudaMalloc(&other, size_t{kLines} * kLineBytes));
  check(cudaMalloc(&samples, kGroups * sizeof(Sample)));
  check(cudaMemset(memory, 0, size_t{kLines} * kLineBytes));
  check(cudaMemset(other, 0, size_t{kLines} * kLineBytes));
  std::printf("test,lines,place,begin,cycles\n");
  measure<1>("single", 1, 0, memory, other, samples);
  measure<1>("group", 8, 0, memory, other, samples);
  measure<1>("group", 32, 0, memory, other, samples);
  measure<4>("group", 32, 0, memory, other, samples);
  measure<8>("group", 32, 0, memory, other, samples);
  measure<16>("group", 32, 0, memory, other, samples);
  return 0;
}
