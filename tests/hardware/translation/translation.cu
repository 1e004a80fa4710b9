// What the translation of addresses costs: latencies of loads that touch pages for the first time in a process, that another
// SM has touched before, and of chains over many pages whose lines stay in L2.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr uint64_t kPage = 2u << 20;

__device__ __forceinline__ uint32_t now() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}

__device__ __forceinline__ uint32_t sm_number() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(value));
  return value;
}

__device__ __forceinline__ uint32_t load(const char* at) {
  uint32_t value;
  asm volatile("ld.global.cg.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
  return value;
}

// One thread of the block on SM `sm` loads a word of each of `pages` pages, one after the other.
__global__ void touch(const char* data, uint64_t offset, uint64_t step, int pages, uint32_t sm, uint32_t* cycles) {
  if (sm_number() != sm) {
    return;
  }
  const char* at = data + offset;
  for (int i = 0; i < pages; ++i) {
    const uint32_t begin = now();
    const uint32_t value = load(at);
    at += step + value;  // the memory contains zeros
    cycles[i] = now() - begin + (value & 1);
  }
}

// A chain of loads over `pages` pages, a different line in each, `rounds` times; the cycles of the last round.
__global__ void chain(const char* data, uint32_t pages, uint64_t step, int rounds, uint32_t* cycles) {
  uint32_t sum = 0;
  uint32_t begin = 0;
  for (int round = 0; round < rounds; ++round) {
    begin = now();
    for (uint32_t i = 0; i < pages; ++i) {
      sum += load(data + i * step + (i * 128 * 17 % (1u << 20)) + sum);
    }
  }
  *cycles = now() - begin + sum;
}

// Every thread of many warps loads from a page of its own choice; cycles of the kernel's slowest block.
__global__ void scatter(const char* data, uint32_t pages, int loads, uint32_t seed, uint32_t* cycles) {
  uint32_t x = (blockIdx.x * 1664525u + threadIdx.x / 32 * 22695477u + seed) | 1u;
  uint32_t sum = 0;
  const uint32_t begin = now();
  for (int i = 0; i < loads; ++i) {
    x = x * 1664525u + 1013904223u;
    sum += load(data + static_cast<uint64_t>((x >> 8) % pages) * kPage + (threadIdx.x & 31) * 4 + ((x >> 4) & 0xff80u));
  }
  const uint32_t end = now() + (sum & 1);
  if (threadIdx.x == 0) {
    cycles[blockIdx.x] = end - begin;
  }
}

void check() {
  const cudaError_t error = cudaDeviceSynchronize();
  if (error != cudaSuccess) {
    fprintf(stderr, "%s\n", cudaGetErrorString(error));
    exit(1);
  }
}

int main() {
  const int sm_list[] = {0, 0, 2, 1, 16, 17, 60, 131};
  constexpr int kPages = 64;
  int sms = 0;
  cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0);
  uint32_t* cycles = nullptr;
  cudaMalloc(&cycles, 1 << 16);
  std::vector<uint32_t> host(kPages);
  const char* filler[] = {"untouched", "memset", "copied"};
  for (int kind = 0; kind < 3; ++kind) {
    char* data = nullptr;
    cudaMalloc(&data, (kPages + 1) * kPage);
    if (kind == 1) {
      cudaMemset(data, 0, (kPages + 1) * kPage);
    } else if (kind == 2) {
      std::vector<char> zeros((kPages + 1) * kPage);
      cudaMemcpy(data, zeros.data(), zeros.size(), cudaMemcpyHostToDevice);
    }
    check();
    char* aligned = reinterpret_cast<char*>((reinterpret_cast<uint64_t>(data) + kPage - 1) / kPage * kPage);
    for (int turn = 0; turn < 8; ++turn) {
      touch<<<sms, 32>>>(aligned, 4096 * (turn + 1), kPage + 256, kPages, sm_list[turn] < sms ? sm_list[turn] : 0, cycles);
      check();
      cudaMemcpy(host.data(), cycles, kPages * 4, cudaMemcpyDeviceToHost);
      printf("touch,%s,%d,%d", filler[kind], turn, sm_list[turn]);
      for (uint32_t c : host) {
        printf(",%u", c);
      }
      printf("\n");
    }
    cudaFree(data);
  }
  const uint64_t gib = 48;
  char* big = nullptr;
  if (cudaMalloc(&big, gib << 30) != cudaSuccess) {
    return 1;
  }
  cudaMemset(big, 0, gib << 30);
  check();
  for (uint64_t step : {kPage, kPage / 2, kPage / 8, kPage / 32, static_cast<uint64_t>(65536)}) {
    for (uint32_t pages = 4; pages <= 16384; pages = pages < 32 ? pages + 4 : pages * 5 / 4) {
      if (pages * step + (1u << 20) + 4096 > gib << 30) {
        break;
      }
      chain<<<1, 1>>>(big, pages, step, 3, cycles);
      check();
      cudaMemcpy(host.data(), cycles, 4, cudaMemcpyDeviceToHost);
      printf("chain,%llu,%u,%.1f\n", static_cast<unsigned long long>(step), pages, static_cast<double>(host[0]) / pages);
    }
  }
  for (uint32_t pages : {16u, 64u, 128u, 256u, 512u, 1024u, 2048u, 4096u, 8192u, 16384u, 24000u}) {
    for (int warps : {1, 8, 32}) {
      std::vector<uint32_t> all(sms);
      for (int turn = 0; turn < 2; ++turn) {
        scatter<<<sms, 32 * warps>>>(big, pages, 64, turn * 77, cycles);
        check();
      }
      cudaMemcpy(all.data(), cycles, sms * 4, cudaMemcpyDeviceToHost);
      double mean = 0;
      for (uint32_t c : all) {
        mean += static_cast<double>(c) / sms;
      }
      printf("scatter,%u,%d,%.0f\n", pages, warps, mean / 64);
    }
  }
  return 0;
}
