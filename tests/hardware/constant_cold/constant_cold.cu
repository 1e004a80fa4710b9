// The cost of the first accesses of a launch to its constant banks: kernel parameters (bank 0) and __constant__ data
// (bank 3), line by line, read as an operand (immediate constant cache), by ULDC and by LDC. One warp per SM.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

constexpr int kSteps = 12;  // 64-byte lines, one after another
constexpr int kWords = 16 * (kSteps + 2);

struct Parameters {
  float word[kWords];
};

__constant__ float bank3[4096];

__device__ __forceinline__ uint32_t now() {
  uint32_t value;
  asm volatile("mov.u32 %0, %%clock;" : "=r"(value)::"memory");
  return value;
}

// An operand c[bank][offset] of an FFMA: the clock reads around it depend on nothing, but the second is issued in order
// after the FFMA, which waits at issue until the constant is available.
template <int kBank, int kStep>
struct Step {
  static __device__ __forceinline__ void run(const Parameters& parameters, float& x, uint32_t* cycles) {
    const uint32_t begin = now();
    const float value = kBank == 0 ? parameters.word[16 * kStep + 4] : bank3[16 * kStep];
    asm volatile("fma.rn.f32 %0, %0, %1, %0;" : "+f"(x) : "f"(value));
    const uint32_t end = now();
    cycles[kStep] = end - begin;
    Step<kBank, kStep + 1>::run(parameters, x, cycles);
  }
};
template <int kBank>
struct Step<kBank, kSteps> {
  static __device__ __forceinline__ void run(const Parameters&, float&, uint32_t*) {}
};

template <int kBank>
__global__ void operands(uint32_t* out, const __grid_constant__ Parameters parameters) {
  float x = threadIdx.x;
  uint32_t cycles[kSteps] = {};
  uint32_t sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  Step<kBank, 0>::run(parameters, x, cycles);
  if (threadIdx.x == 0) {
    for (int i = 0; i < kSteps; ++i) {
      out[blockIdx.x * (kSteps + 1) + i] = cycles[i];
    }
    out[blockIdx.x * (kSteps + 1) + kSteps] = sm;
  }
  if (x == 1234.5f) {
    out[0] = 0;
  }
}

// LDC: the offset is unknown to the compiler.
__global__ void indexed(uint32_t* out, int zero, const __grid_constant__ Parameters parameters) {
  uint32_t cycles[kSteps];
  uint32_t sm;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  float x = 0;
  int index = 4 + zero * threadIdx.x;
#pragma unroll
  for (int i = 0; i < kSteps; ++i) {
    const uint32_t begin = now();
    const float value = parameters.word[index];
    x += value;
    index = index + 16 + (value == 77.f);
    cycles[i] = now() - begin;
  }
  if (threadIdx.x == 0) {
    for (int i = 0; i < kSteps; ++i) {
      out[blockIdx.x * (kSteps + 1) + i] = cycles[i];
    }
    out[blockIdx.x * (kSteps + 1) + kSteps] = sm;
  }
  if (x == 1234.5f) {
    out[0] = 0;
  }
}

static void print(const char* name, uint32_t* device, int blocks) {
  std::vector<uint32_t> host(blocks * (kSteps + 1));
  cudaMemcpy(host.data(), device, host.size() * 4, cudaMemcpyDeviceToHost);
  for (int block = 0; block < blocks; ++block) {
    printf("%s,%d,%d,%u", name, blocks, block, host[block * (kSteps + 1) + kSteps]);
    for (int i = 0; i < kSteps; ++i) {
      printf(",%u", host[block * (kSteps + 1) + i]);
    }
    printf("\n");
  }
  if (cudaGetLastError() != cudaSuccess) {
    std::exit(1);
  }
}

int main() {
  uint32_t* out = nullptr;
  cudaMalloc(&out, 1 << 20);
  Parameters parameters = {};
  for (int repetition = 0; repetition < 2; ++repetition) {
    for (const int blocks : {1, 132}) {
      operands<0><<<blocks, 32>>>(out, parameters);
      print("bank0.operand", out, blocks);
      operands<3><<<blocks, 32>>>(out, parameters);
      print("bank3.operand", out, blocks);
      indexed<<<blocks, 32>>>(out, 0, parameters);
      print("bank0.ldc", out, blocks);
    }
  }
  return 0;
}
