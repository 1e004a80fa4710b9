// Functions that are called through pointers, one that calls itself, and a null pointer. Linked code, in which functions
// have sections of their own and instructions hold addresses. The cubins are made by nvcc 13.0:
//
//   for sm in 75 90; do
//     nvcc -arch=sm_$sm -rdc=true -cubin functions.cu -o functions_unit.sm_$sm.cubin
//     nvlink -arch=sm_$sm functions_unit.sm_$sm.cubin -o functions.sm_$sm.cubin
//   done
using Function = int (*)(int);

__device__ __noinline__ int next(int x) {
  return x + 1;
}
__device__ __noinline__ int triple(int x) {
  return x * 3;
}
__device__ __noinline__ int fibonacci(int n) {
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__device__ Function functions[4] = {next, triple, fibonacci, nullptr};
__constant__ Function constant_functions[2] = {triple, next};
__device__ int calls;

extern "C" __global__ void call(int* values, int which) {
  const int lane = threadIdx.x;
  values[lane] = functions[which < 3 ? (which + lane) % 3 : which](lane);
  atomicAdd(&calls, 1);
}

extern "C" __global__ void call_constant(int* values) {
  values[threadIdx.x] = constant_functions[threadIdx.x % 2](threadIdx.x);
}

extern "C" __global__ void name(Function* pointer) {
  *pointer = triple;
}

extern "C" __global__ void call_pointer(int* values, Function* pointer) {
  values[threadIdx.x] = (*pointer)(threadIdx.x);
}
