// The number of data-stage wavefronts of a shared-memory instruction, by width and by the addresses of its lanes.
// One warp executes kAccesses accesses of one pattern; Nsight Compute counts. A second program part measures barriers.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <string>
#include <vector>

constexpr int kAccesses = 128;

struct Lanes {
  uint16_t offset[32];
  uint32_t mask;
};

__device__ unsigned long long sink;

enum Op { kLoad, kStore };

template <int kBytes, Op kOp>
__global__ void access(Lanes lanes) {
  __shared__ alignas(16) unsigned char memory[32768];
  const unsigned lane = threadIdx.x % 32;
  const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(memory)) + lanes.offset[lane];
  const uint32_t on = lanes.mask >> lane & 1;
  uint32_t sum = 0;
  const long long begin = clock64();
#pragma unroll
  for (int i = 0; i < kAccesses; ++i) {
    uint32_t a = 0, b = 0, c = 0, d = 0;
    if constexpr (kOp == kLoad && kBytes == 4) {
      asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p ld.shared.u32 %0, [%1];}" : "+r"(a) : "r"(address), "r"(on));
    } else if constexpr (kOp == kLoad && kBytes == 8) {
      asm volatile("{.reg .pred p; setp.ne.u32 p, %3, 0; @p ld.shared.v2.u32 {%0,%1}, [%2];}"
                   : "+r"(a), "+r"(b) : "r"(address), "r"(on));
    } else if constexpr (kOp == kLoad) {
      asm volatile("{.reg .pred p; setp.ne.u32 p, %5, 0; @p ld.shared.v4.u32 {%0,%1,%2,%3}, [%4];}"
                   : "+r"(a), "+r"(b), "+r"(c), "+r"(d) : "r"(address), "r"(on));
    } else if constexpr (kBytes == 4) {
      asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.u32 [%1], %0;}" ::"r"(a), "r"(address), "r"(on));
    } else if constexpr (kBytes == 8) {
      asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.v2.u32 [%1], {%0,%0};}"
                   ::"r"(a), "r"(address), "r"(on));
    } else {
      asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.v4.u32 [%1], {%0,%0,%0,%0};}"
                   ::"r"(a), "r"(address), "r"(on));
    }
    sum ^= a ^ b ^ c ^ d;
  }
  const long long end = clock64();
  if (sum == 12345) {
    sink = sum;
  }
  if (threadIdx.x == 0) {
    sink = end - begin;
  }
}

// The instructions before each of `count` barriers.
enum Before { kNothing, kStored, kLoaded, kFirstWarpStored };
template <Before kBefore>
__global__ void barriers(int count) {
  __shared__ uint32_t memory[1024];
  const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(memory)) + 4 * threadIdx.x;
#pragma unroll 1
  for (int i = 0; i < count; ++i) {
    uint32_t value = 0;
    if (kBefore == kStored || (kBefore == kFirstWarpStored && threadIdx.x < 32)) {
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(address), "r"(i));
    } else if (kBefore == kLoaded) {
      asm volatile("ld.shared.u32 %0, [%1];" : "=r"(value) : "r"(address));
    }
    asm volatile("bar.sync 0;" ::"r"(value));
  }
}

// Instructions that no lane executes.
enum Off { kGlobalLoad, kGlobalStore, kGlobalReduction, kSharedStore, kSharedAtomic, kShuffle };
template <Off kOff>
__global__ void switched_off(uint32_t* global, int on) {
  __shared__ uint32_t memory[32];
  const uint32_t address = static_cast<uint32_t>(__cvta_generic_to_shared(memory)) + 4 * threadIdx.x;
  uint32_t* const mine = global + threadIdx.x;
  uint32_t sum = 0;
#pragma unroll
  for (int i = 0; i < kAccesses; ++i) {
    uint32_t a = i;
    // One instruction with its own predicate, too short for a branch around it.
    const uint32_t p = on > i;
    if (kOff == kGlobalLoad) {
      asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p ld.global.u32 %0, [%1];}" : "+r"(a) : "l"(mine), "r"(p));
    } else if (kOff == kGlobalStore) {
      asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.global.u32 [%1], %0;}" ::"r"(a), "l"(mine), "r"(p));
    } else if (kOff == kGlobalReduction) {
      asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p red.global.add.u32 [%1], %0;}" ::"r"(a), "l"(mine), "r"(p));
    } else if (kOff == kSharedStore) {
      asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p st.shared.u32 [%1], %0;}" ::"r"(a), "r"(address), "r"(p));
    } else if (kOff == kSharedAtomic) {
      asm volatile("{.reg .pred p; setp.ne.u32 p, %2, 0; @p atom.shared.exch.b32 %0, [%1], %0;}"
                   : "+r"(a) : "r"(address), "r"(p));
    } else {
      asm volatile("{.reg .pred p; setp.ne.u32 p, %1, 0; @p shfl.sync.bfly.b32 %0, %0, 1, 31, -1;}" : "+r"(a) : "r"(p));
    }
    sum += a;
  }
  if (sum == 12345) {
    sink = sum;
  }
}

struct Pattern {
  const char* name;
  std::function<int(int)> offset;
};

template <int kBytes, Op kOp>
void run(const Pattern& pattern, uint32_t mask) {
  Lanes lanes;
  lanes.mask = mask;
  for (int i = 0; i < 32; ++i) {
    lanes.offset[i] = static_cast<uint16_t>(pattern.offset(i));
  }
  access<kBytes, kOp><<<1, 32>>>(lanes);
  cudaDeviceSynchronize();
  unsigned long long cycles = 0;
  cudaMemcpyFromSymbol(&cycles, sink, sizeof(cycles));
  printf("%s,%d,%s,%08x,%.3f\n", kOp == kLoad ? "load" : "store", kBytes, pattern.name, mask,
         static_cast<double>(cycles) / kAccesses);
  if (cudaGetLastError() != cudaSuccess) {
    std::exit(1);
  }
}

int main() {
  constexpr int kB4 = 4, kB8 = 8, kB16 = 16;
  const std::vector<Pattern> p4 = {{"dense", [](int i) { return 4 * i; }},
                                   {"stride8", [](int i) { return 8 * i; }},
                                   {"broadcast", [](int) { return 0; }},
                                   {"stride128", [](int i) { return 128 * i; }},
                                   {"half_bank0_half_bank16", [](int i) { return 128 * (i % 16) + 64 * (i / 16); }}};
  const std::vector<Pattern> p8 = {
      {"dense", [](int i) { return 8 * i; }},
      {"broadcast", [](int) { return 0; }},
      {"halves_same", [](int i) { return 8 * (i % 16); }},
      {"pairs_same", [](int i) { return 8 * (i / 2); }},
      {"xor2_same", [](int i) { return 8 * ((i & 1) + (i >> 2) * 2); }},
      {"xor4_same", [](int i) { return 8 * ((i & 3) + (i >> 3) * 4); }},
      {"xor8_same", [](int i) { return 8 * ((i & 7) + (i >> 4) * 8); }},
      {"half_broadcast", [](int i) { return 8 * (i / 16); }},
      {"half_broadcast_conflict", [](int i) { return 256 * (i / 16); }},
      {"pairs_same_stride16", [](int i) { return 16 * (i / 2); }},
      {"pairs_same_stride32", [](int i) { return 32 * (i / 2); }},
      {"pairs_same_stride128", [](int i) { return 128 * (i / 2); }},
      {"stride16", [](int i) { return 16 * i; }},
      {"stride32", [](int i) { return 32 * i; }},
      {"stride128", [](int i) { return 128 * i; }},
      {"half_bank0_half_bank16", [](int i) { return 128 * (i % 16) + 64 * (i / 16); }},
      {"odd_pairs_same", [](int i) { return 8 * ((i + 1) / 2); }},
      {"all_pairs_same_but_one", [](int i) { return i == 31 ? 8 * 16 : 8 * (i / 2); }}};
  const std::vector<Pattern> p16 = {
      {"dense", [](int i) { return 16 * i; }},
      {"broadcast", [](int) { return 0; }},
      {"quarters_same", [](int i) { return 16 * (i % 8); }},
      {"halves_same", [](int i) { return 16 * (i % 16); }},
      {"quarter_broadcast", [](int i) { return 32 * (i / 8); }},
      {"quarter_broadcast_conflict", [](int i) { return 128 * (i / 8); }},
      {"half_broadcast", [](int i) { return 80 * (i / 16); }},
      {"pairs_same", [](int i) { return 16 * (i / 2); }},
      {"xor2_same", [](int i) { return 16 * ((i & 1) + (i >> 2) * 2); }},
      {"xor4_same", [](int i) { return 16 * ((i & 3) + (i >> 3) * 4); }},
      {"xor8_same", [](int i) { return 16 * ((i & 7) + (i >> 4) * 8); }},
      {"fours_same", [](int i) { return 16 * (i / 4); }},
      {"pairs_same_stride32", [](int i) { return 32 * (i / 2); }},
      {"pairs_same_stride128", [](int i) { return 128 * (i / 2); }},
      {"stride32", [](int i) { return 32 * i; }},
      {"stride128", [](int i) { return 128 * i; }},
      {"half_bank0_half_bank16", [](int i) { return 128 * (i % 16) + 64 * (i / 16); }}};
  const uint32_t masks[] = {0xffffffff, 0, 0xffff, 0xffff0000, 0xff, 0x55555555, 0x33333333, 0x0f0f0f0f, 0x7fffffff, 1,
                            0x00010001};
  for (const uint32_t mask : masks) {
    for (size_t i = 0; i < (mask == 0xffffffff ? 100 : 1); ++i) {
      if (i < p4.size()) {
        run<kB4, kLoad>(p4[i], mask);
        run<kB4, kStore>(p4[i], mask);
      }
      if (i < p8.size()) {
        run<kB8, kLoad>(p8[i], mask);
        run<kB8, kStore>(p8[i], mask);
      }
      if (i < p16.size()) {
        run<kB16, kLoad>(p16[i], mask);
        run<kB16, kStore>(p16[i], mask);
      }
    }
  }
  for (const int warps : {1, 8, 32}) {
    for (const int count : {0, 100}) {
      barriers<kNothing><<<1, 32 * warps>>>(count);
      printf("barrier,%d,nothing,%d,\n", count, warps);
      barriers<kStored><<<1, 32 * warps>>>(count);
      printf("barrier,%d,stored,%d,\n", count, warps);
      barriers<kLoaded><<<1, 32 * warps>>>(count);
      printf("barrier,%d,loaded,%d,\n", count, warps);
      barriers<kFirstWarpStored><<<1, 32 * warps>>>(count);
      printf("barrier,%d,first_warp_stored,%d,\n", count, warps);
    }
  }
  uint32_t* global = nullptr;
  cudaMalloc(&global, 4096);
  for (const int on : {0, kAccesses}) {
    switched_off<kGlobalLoad><<<1, 32>>>(global, on);
    printf("global_load,4,%s,,\n", on ? "on" : "off");
    switched_off<kGlobalStore><<<1, 32>>>(global, on);
    printf("global_store,4,%s,,\n", on ? "on" : "off");
    switched_off<kGlobalReduction><<<1, 32>>>(global, on);
    printf("global_reduction,4,%s,,\n", on ? "on" : "off");
    switched_off<kSharedStore><<<1, 32>>>(global, on);
    printf("shared_store,4,%s,,\n", on ? "on" : "off");
    switched_off<kSharedAtomic><<<1, 32>>>(global, on);
    printf("shared_atomic,4,%s,,\n", on ? "on" : "off");
    switched_off<kShuffle><<<1, 32>>>(global, on);
    printf("shuffle,4,%s,,\n", on ? "on" : "off");
  }
  cudaDeviceSynchronize();
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
