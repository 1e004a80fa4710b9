// Locks that all threads acquire, in their common forms: threads of one warp wait for each other, which
// works from compute capability 7.0 on.

// Every thread adds to a number that only the lock protects.
__device__ void count(volatile unsigned* number) {
  *number = *number + 1;
}

__device__ void release(unsigned* lock) {
  __threadfence();
  atomicExch(lock, 0U);
}

__global__ void spin(unsigned* lock, unsigned* number) {
  while (atomicCAS(lock, 0U, 1U) != 0) {
  }
  __threadfence();
  count(number);
  release(lock);
}

// The lock is released within the loop, which also works before 7.0.
__global__ void until_done(unsigned* lock, unsigned* number) {
  bool done = false;
  while (!done) {
    if (atomicCAS(lock, 0U, 1U) == 0) {
      __threadfence();
      count(number);
      release(lock);
      done = true;
    }
  }
}

// Tests the lock before it tries.
__global__ void look_first(unsigned* lock, unsigned* number) {
  do {
    while (*static_cast<volatile unsigned*>(lock) != 0) {
    }
  } while (atomicExch(lock, 1U) != 0);
  __threadfence();
  count(number);
  release(lock);
}

struct Ticket {
  unsigned next;
  unsigned serving;
};

__global__ void ticket(Ticket* tickets, unsigned* number) {
  const unsigned own = atomicAdd(&tickets->next, 1U);
  while (*static_cast<volatile unsigned*>(&tickets->serving) != own) {
    __nanosleep(50);
  }
  __threadfence();
  count(number);
  __threadfence();
  *static_cast<volatile unsigned*>(&tickets->serving) = own + 1;
}

__device__ __noinline__ void lock_and_sleep(unsigned* lock) {
  for (unsigned pause = 8; atomicCAS(lock, 0U, 1U) != 0; pause = pause < 256 ? 2 * pause : 256) {
    __nanosleep(pause);
  }
  __threadfence();
}

__device__ __noinline__ bool try_lock(unsigned* lock) {
  return atomicCAS(lock, 0U, 1U) == 0;
}

// In functions, and nested.
__global__ void nested(unsigned* outer, unsigned* inner, unsigned* number) {
  lock_and_sleep(outer);
  while (!try_lock(inner)) {
  }
  __threadfence();
  count(number);
  release(inner);
  release(outer);
}

// A lock of the block, three times; after the barrier all threads are together again and see all sums.
__global__ void in_shared_memory(unsigned* sums) {
  __shared__ unsigned lock;
  __shared__ volatile unsigned number;
  if (threadIdx.x == 0) {
    lock = 0;
    number = 0;
  }
  __syncthreads();
  for (int round = 0; round < 3; ++round) {
    while (atomicCAS(&lock, 0U, 1U) != 0) {
    }
    __threadfence_block();
    number = number + threadIdx.x;
    __threadfence_block();
    atomicExch(&lock, 0U);
  }
  __syncthreads();
  sums[blockIdx.x * blockDim.x + threadIdx.x] = number;
}

// Even threads wait for odd ones, which wait for a thread of another warp.
__global__ void flags(volatile unsigned* flag, unsigned* out) {
  const unsigned t = threadIdx.x;
  if (t % 2 == 0) {
    while (flag[t + 1] == 0) {
    }
  } else if (t < 32) {
    while (flag[t + 32] == 0) {
    }
  }
  flag[t] = 1;
  __syncthreads();
  out[t] = flag[t ^ 1];
}
