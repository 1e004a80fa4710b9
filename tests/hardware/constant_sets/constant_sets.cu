// Which words of constant memory the caches keep beside each other: cycles of one pass over words that are `distance` bytes
// apart, `unrolled` of them with addresses from one register and numbers in the instructions, `rounds` such registers.
//
// uldc: ULDC, the register is uniform. ldc: LDC. lanes: LDC of one warp or several whose lanes read `words` different words
// that are `distance` bytes apart, eight loads at a time, 64 in all; cycles of a load.
#include <cstdint>
#include <cstdio>
#include <cstdlib>

constexpr int kPasses = 4;
__constant__ uint32_t words[16384];

__device__ __forceinline__ uint32_t now() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}

template <int kUnrolled, int kDistance, bool kUniform>
__global__ void pass(uint32_t* out, int rounds, int lanes) {
  uint32_t sum = 0;
  const int first = kUniform ? 0 : threadIdx.x * lanes;
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    const uint32_t begin = now();
#pragma unroll 1
    for (int i = 0; i < rounds; ++i) {
#pragma unroll
      for (int k = 0; k < kUnrolled; ++k) {
        sum = (sum ^ words[first + (i * kUnrolled + k) * kDistance]) * 3;
      }
    }
    asm volatile("" ::"r"(sum) : "memory");
    const uint32_t end = now() + (sum == 77 ? 1 : 0);
    out[pass] = end - begin;
  }
}

template <int kWords>
__global__ void lanes(uint32_t* out, int distance, int zero) {
  int mine = threadIdx.x % kWords * distance;
  uint32_t sum = 0;
#pragma unroll 1
  for (int pass = 0; pass < kPasses; ++pass) {
    __syncthreads();
    const uint32_t begin = now();
#pragma unroll 1
    for (int i = 0; i < 64; i += 8) {
#pragma unroll
      for (int k = 0; k < 8; ++k) {
        sum += words[mine + k];
      }
      mine += sum & zero;  // which the compiler does not know: it repeats the loads
    }
    const uint32_t end = now() + (sum == 77 ? 1 : 0);
    if (threadIdx.x == 0) {
      out[pass] = end - begin;
    }
  }
}

uint32_t* out = nullptr;

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "constant_sets: %s\n", cudaGetErrorString(error));
    std::exit(1);
  }
}

uint32_t last_pass() {
  check(cudaDeviceSynchronize());
  uint32_t cycles[kPasses];
  check(cudaMemcpy(cycles, out, sizeof cycles, cudaMemcpyDeviceToHost));
  return cycles[kPasses - 1];
}

template <int kUnrolled, int kDistance>
void run() {
  for (int rounds = 1; rounds <= 16 && rounds * kUnrolled * kDistance <= 16384; ++rounds) {
    if (rounds > 6 && rounds != 8 && rounds != 16) {
      continue;
    }
    pass<kUnrolled, kDistance, true><<<1, 32>>>(out, rounds, 0);
    std::printf("uldc,%d,%d,%d,1,%.2f\n", kUnrolled, kDistance * 4, rounds, double(last_pass()) / (rounds * kUnrolled));
    pass<kUnrolled, kDistance, false><<<1, 32>>>(out, rounds, 0);
    std::printf("ldc,%d,%d,%d,1,%.2f\n", kUnrolled, kDistance * 4, rounds, double(last_pass()) / (rounds * kUnrolled));
  }
}

template <int kWords>
void diverging() {
  for (const int warps : {1, 4, 16}) {
    for (const int distance : {1, 4, 16, 20}) {
      lanes<kWords><<<1, warps * 32>>>(out, distance, 0);
      std::printf("lanes,%d,%d,1,%d,%.2f\n", kWords, distance * 4, warps, last_pass() / 64.0);
    }
  }
}

int main() {
  check(cudaMalloc(&out, 4096));
  std::printf("test,unrolled_or_words,distance_bytes,rounds,warps,cycles\n");
  run<1, 16>();
  run<2, 16>();
  run<4, 16>();
  run<8, 16>();
  run<16, 16>();
  run<32, 16>();
  run<64, 16>();
  run<4, 32>();
  run<8, 32>();
  run<16, 32>();
  run<2, 64>();
  run<4, 64>();
  run<8, 64>();
  run<1, 128>();
  run<2, 128>();
  run<4, 128>();
  run<8, 128>();
  run<4, 256>();
  run<4, 512>();
  run<8, 2>();
  run<16, 2>();
  run<32, 2>();
  run<64, 2>();
  run<64, 4>();
  run<8, 12>();
  run<8, 20>();
  diverging<1>();
  diverging<2>();
  diverging<4>();
  diverging<8>();
  diverging<16>();
  diverging<32>();
  return 0;
}
