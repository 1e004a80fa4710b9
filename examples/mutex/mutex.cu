// A lock with growing pauses while waiting: 8 ns, 16 ns, ... up to 256 ns.
constexpr unsigned kFirst = 8;
constexpr unsigned kLongest = 256;

__device__ unsigned next_pause(unsigned pause) {
  return pause < kLongest ? 2 * pause : kLongest;
}

__device__ void lock(unsigned* mutex) {
  unsigned pause = kFirst;
  while (atomicCAS(mutex, 0U, 1U) != 0) {
    __nanosleep(pause);
    pause = next_pause(pause);
  }
  __threadfence();
}

__device__ void unlock(unsigned* mutex) {
  __threadfence();
  atomicExch(mutex, 0U);
}

// Every thread adds to a number that only the lock protects.
__global__ void count(unsigned* mutex, volatile int* number) {
  lock(mutex);
  *number = *number + 1;
  unlock(mutex);
}

__global__ void pauses(unsigned* out, int count) {
  unsigned pause = kFirst;
  for (int i = 0; i < count; ++i) {
    out[i] = pause;
    pause = next_pause(pause);
  }
}
