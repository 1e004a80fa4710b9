// Managed variables and managed memory: for a kernel they are memory like any other.
__device__ __managed__ int pair[2];
__device__ __managed__ int results[1000];

__global__ void add_to_first(int number) {
  pair[1] = pair[0] + number;
}

__global__ void sums(int a, int b) {
  results[threadIdx.x] = a + b + static_cast<int>(threadIdx.x);
}

__global__ void sums_through_pointer(int* out, int a, int b) {
  out[threadIdx.x] = a + b + static_cast<int>(threadIdx.x);
}
