// Code with source lines, of an inlined function and of a function in a section of its own. The cubins are made by nvcc
// 13.0:
//
//   for sm in 75 90; do
//     nvcc -arch=sm_$sm -lineinfo -rdc=true -cubin lines.cu -o lines_unit.sm_$sm.cubin
//     nvlink -arch=sm_$sm lines_unit.sm_$sm.cubin -o lines.sm_$sm.cubin
//   done
#line 10 "/source/lines.cu"
__device__ __forceinline__ int inlined(int x) {
  return x / 3;
}
__device__ __noinline__ int called(int x) {
  return x * x + 7;
}
extern "C" __global__ void store(int* out, int n) {
  const int x = inlined(n);
  out[threadIdx.x] = x;
  out[threadIdx.x + 1000000] = called(x);
}
