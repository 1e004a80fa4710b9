// Two units of relocatable code, with units_second.cu: variables, constants, shared memory and functions of each other,
// a function that both define, calls through a pointer. The cubins are made by nvcc 13.0; units.sm_XX.cubin is what
// nvlink makes of both:
//
//   for sm in 75 90; do
//     nvcc -arch=sm_$sm -rdc=true -cubin units_first.cu -o units_first.sm_$sm.cubin
//     nvcc -arch=sm_$sm -rdc=true -cubin units_second.cu -o units_second.sm_$sm.cubin
//     nvlink -arch=sm_$sm units_first.sm_$sm.cubin units_second.sm_$sm.cubin -o units.sm_$sm.cubin
//   done
extern __device__ int launches;
extern __constant__ int table[4];
extern __shared__ int dynamic[];
extern __device__ int scale(int x);

__constant__ int own_table[3] = {5, 6, 7};
__device__ int (*pointer)(int) = scale;

static __device__ __noinline__ int local_function(int x) {
  return x * 7 + own_table[x & 1];
}
template <class T>
__device__ __noinline__ T thrice(T x) {
  return x * 3;
}

// out[i] = scale(n + 31 - i) + local_function(n) + table[n & 3] for 32 threads.
extern "C" __global__ void first(int* out, int n) {
  __shared__ int values[32];
  values[threadIdx.x] = n + threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = scale(values[31 - threadIdx.x]) + local_function(n) + table[n & 3];
  atomicAdd(&launches, 1);
}

// out[i] = scale(i) + i.
extern "C" __global__ void through_pointer(int* out) {
  dynamic[threadIdx.x] = threadIdx.x;
  __syncthreads();
  out[threadIdx.x] = pointer(threadIdx.x) + dynamic[threadIdx.x];
}

extern "C" __global__ void alone(int* out) {
  out[threadIdx.x] = thrice<int>(out[threadIdx.x]);
}
