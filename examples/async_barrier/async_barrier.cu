// Barriers in shared memory that separate arrival from waiting: independent work is done between the two.
#include <cuda/barrier>

using Barrier = cuda::barrier<cuda::thread_scope_block>;

__device__ int neighbour(int thread, int count) {
  return (thread + 1) % count;
}

// Arrive, do independent work, wait, read the neighbour's value; several phases of one barrier.
__global__ void split_arrive_wait(const int* in, int* out, int phases) {
  __shared__ int values[256];
#pragma nv_diag_suppress static_var_with_dynamic_init
  __shared__ Barrier barrier;
  const int thread = static_cast<int>(threadIdx.x);
  const int count = static_cast<int>(blockDim.x);
  if (thread == 0) {
    init(&barrier, blockDim.x);
  }
  __syncthreads();
  int value = in[static_cast<int>(blockIdx.x) * count + thread];
  for (int phase = 0; phase < phases; ++phase) {
    values[thread] = value;
    Barrier::arrival_token token = barrier.arrive();
    value *= 2;
    barrier.wait(std::move(token));
    value += values[neighbour(thread, count)];
    barrier.arrive_and_wait();
  }
  out[static_cast<int>(blockIdx.x) * count + thread] = value;
}

// The first warp fills two halves of a buffer alternately, the others empty them: for each half one barrier states that
// it is full, another that it is empty again.
__global__ void produce_and_consume(const int* in, int* out, int rounds) {
  constexpr int kHalf = 64;
  __shared__ int buffer[2][kHalf];
  __shared__ Barrier full[2];
  __shared__ Barrier empty[2];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < 2) {
    init(&full[thread], blockDim.x);
    init(&empty[thread], blockDim.x);
  }
  __syncthreads();
  if (thread < 32) {
    for (int round = 0; round < rounds; ++round) {
      empty[round % 2].arrive_and_wait();
      for (int i = thread; i < kHalf; i += 32) {
        buffer[round % 2][i] = in[round * kHalf + i];
      }
      (void)full[round % 2].arrive();
    }
    return;
  }
  const int consumer = thread - 32;
  const int consumers = static_cast<int>(blockDim.x) - 32;
  (void)empty[0].arrive();
  (void)empty[1].arrive();
  for (int round = 0; round < rounds; ++round) {
    full[round % 2].arrive_and_wait();
    for (int i = consumer; i < kHalf; i += consumers) {
      out[round * kHalf + i] = buffer[round % 2][kHalf - 1 - i] + round;
    }
    (void)empty[round % 2].arrive();
  }
}

// Threads leave one by one: each lowers the count that later phases expect.
__global__ void leave_early(int* rounds_of_thread, int rounds) {
  __shared__ Barrier barrier;
  const int thread = static_cast<int>(threadIdx.x);
  if (thread == 0) {
    init(&barrier, blockDim.x);
  }
  __syncthreads();
  for (int round = 0; round < rounds; ++round) {
    if (thread % rounds == round) {
      (void)barrier.arrive_and_drop();
      rounds_of_thread[thread] = round;
      return;
    }
    barrier.arrive_and_wait();
  }
}
