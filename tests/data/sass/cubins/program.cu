// Functions, constants, variables and calls for the reader of cubins. The cubins beside this file are made by nvcc 13.0:
//
//   for sm in 75 80 90; do nvcc -arch=sm_$sm -cubin program.cu -o program.sm_$sm.cubin; done
//   nvcc -arch=sm_90 -rdc=true -cubin program.cu -o relocatable.sm_90.cubin
//   nvcc -arch=sm_75 -rdc=true -cubin program.cu -o relocatable.sm_75.cubin
//   for sm in 75 90; do nvlink -arch=sm_$sm relocatable.sm_$sm.cubin -o linked.sm_$sm.cubin; done
#include <cstdio>

struct Pair {
  int first;
  double second;
};

__constant__ int weights[4] = {10, 20, 30, 40};
__device__ int counter = 7;
__device__ int zeros[16];
__device__ int* middle = &zeros[3];

__device__ __noinline__ int triple(int x) {
  return x * 3 + counter;
}

extern "C" __global__ void __launch_bounds__(128) steps(int* values, Pair pair, char step) {
  __shared__ int kept[25];
  int value = values[threadIdx.x];
  kept[threadIdx.x % 25] = value;
  __syncthreads();
  switch (step) {
    case 0:
      value = value / 3;
      break;
    case 1:
      value ^= kept[5];
      break;
    case 2:
      value += values[7];
      break;
    case 3:
      value = triple(value);
      break;
    case 4:
      value *= weights[value & 3];
      break;
    case 5:
      value -= pair.first;
      break;
  }
  *middle = value;
}

extern "C" __global__ void report(int number) {
  printf("%d\n", number);
}
