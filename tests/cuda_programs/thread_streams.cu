// Compiled with a default stream for each thread: kernels of two threads run beside each other, and the calls without a
// stream of a thread wait only for its own kernels.
#include <cstdio>
#include <thread>

__global__ void wait_for(volatile int* flag, int* seen) {
  while (*flag == 0) {
  }
  *seen = *flag;
}

__global__ void set(volatile int* flag) {
  *flag = 7;
}

int main() {
  int* flag = nullptr;
  int* seen = nullptr;
  cudaMalloc(&flag, sizeof(int));
  cudaMalloc(&seen, sizeof(int));
  cudaMemset(flag, 0, sizeof(int));
  cudaDeviceSynchronize();
  wait_for<<<1, 1>>>(flag, seen);
  std::thread other([&] {
    set<<<1, 1>>>(flag);
    cudaStreamSynchronize(nullptr);  // does not wait for the other thread's kernel
  });
  other.join();
  int value = 0;
  cudaMemcpy(&value, seen, sizeof value, cudaMemcpyDeviceToHost);
  cudaStream_t blocking = nullptr;
  cudaStreamCreate(&blocking);
  // The legacy stream has a name of its own.
  const bool good = value == 7 && cudaMemsetAsync(flag, 0, sizeof(int), cudaStreamLegacy) == cudaSuccess &&
                    cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess &&
                    cudaDeviceSynchronize() == cudaSuccess;
  std::printf(good ? "PASS\n" : "FAIL: %d %s\n", value, cudaGetErrorString(cudaGetLastError()));
  return good ? 0 : 1;
}
