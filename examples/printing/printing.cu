// printf in kernels: from every thread, from one, and what it returns.
#include <cstdio>

__global__ void from_every_thread(float value) {
  printf("thread %d says %.4f\n", static_cast<int>(threadIdx.x), value);
}

__global__ void from_one_thread(float value) {
  if (threadIdx.x == 0) {
    printf("thread %d says %.4f\n", static_cast<int>(threadIdx.x), value);
  }
}

__global__ void all_conversions(int* returned) {
  returned[0] = printf("%d %u %x %c %s %5.2f|%-6d|%06d|%+d|%lld|%e|%%\n", -7, 7U, 255U, 'w', "text", 3.14159, 42, 42,
                       42, 1LL << 40, 1500.0);
  returned[1] = printf("no arguments\n");
}
