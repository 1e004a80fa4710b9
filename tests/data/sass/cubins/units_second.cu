// See units_first.cu.
__device__ int launches = 3;
__device__ int numbers[100];
__constant__ int table[4] = {1, 2, 3, 4};
__shared__ int shared_of_functions[32];

static __device__ __noinline__ int local_function(int x) {
  return x * 9;
}
// x + 50 * 49 / 2: needs local memory.
__device__ __noinline__ int deep(int x) {
  volatile int values[50];
  for (int i = 0; i < 50; ++i) {
    values[i] = i;
  }
  int sum = x;
  for (int i = 0; i < 50; ++i) {
    sum += values[(i + x) % 50];
  }
  return sum;
}
// 2 x + 9 x + (x + 1225) + x, for x >= 0.
__device__ __noinline__ int scale(int x) {
  shared_of_functions[threadIdx.x] = x;
  __syncthreads();
  return x * 2 + local_function(x) + deep(x) + shared_of_functions[threadIdx.x];
}
template <class T>
__device__ __noinline__ T thrice(T x) {
  return x * 3;
}

extern "C" __global__ void second(int* out) {
  numbers[threadIdx.x] = thrice<int>(out[threadIdx.x]);
}
