// Compare-and-swap can implement any atomic operation: here the sum of doubles, which GPUs before 6.0 lack.
__device__ double add_by_swapping(double* address, double value) {
  auto* const bits = reinterpret_cast<unsigned long long*>(address);
  unsigned long long seen = *bits;
  while (true) {
    const auto sum = static_cast<unsigned long long>(__double_as_longlong(__longlong_as_double(seen) + value));
    const unsigned long long before = atomicCAS(bits, seen, sum);
    if (before == seen) {
      return __longlong_as_double(before);
    }
    seen = before;
  }
}

__global__ void sum_doubles(const double* values, double* sums, int sum_count) {
  const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  add_by_swapping(&sums[i % sum_count], values[i]);
}

// Counters that wrap: up to a limit and then 0, down to 0 and then the limit. `order` gets the value that each thread
// found; every value must appear equally often.
__global__ void wrapping_counters(unsigned* up, unsigned* down, unsigned limit, unsigned* found_up,
                                  unsigned* found_down) {
  atomicAdd(&found_up[atomicInc(up, limit)], 1U);
  atomicAdd(&found_down[atomicDec(down, limit)], 1U);
}

// The others, in shared memory first and then in global memory.
__global__ void all_kinds(const int* values, int* results) {
  __shared__ int local[6];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < 6) {
    local[thread] = thread == 3 ? -1 : 0;
  }
  __syncthreads();
  const int value = values[blockIdx.x * blockDim.x + threadIdx.x];
  atomicAdd(&local[0], value);
  atomicMax(&local[1], value);
  atomicMin(&local[2], value);
  atomicAnd(&local[3], value | 1);
  atomicOr(&local[4], value & 0xff);
  atomicXor(&local[5], value);
  __syncthreads();
  if (thread == 0) {
    atomicAdd(&results[0], local[0]);
    atomicMax(&results[1], local[1]);
    atomicMin(&results[2], local[2]);
    atomicAnd(&results[3], local[3]);
    atomicOr(&results[4], local[4]);
    atomicXor(&results[5], local[5]);
  }
}
