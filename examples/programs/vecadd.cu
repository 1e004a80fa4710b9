// Adds two vectors on the GPU and checks the sum on the host. Prints PASS or FAIL.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void vecadd(const float* a, const float* b, float* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) {
    sum[i] = a[i] + b[i];
  }
}

static void check(cudaError_t code) {
  if (code != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(code));
    std::exit(1);
  }
}

int main() {
  constexpr int kCount = 1 << 16;
  constexpr int kThreads = 256;
  constexpr std::size_t kBytes = kCount * sizeof(float);
  std::vector<float> a(kCount), b(kCount), sum(kCount);
  for (int i = 0; i < kCount; ++i) {
    a[i] = std::sin(static_cast<float>(i));
    b[i] = std::cos(static_cast<float>(i));
  }
  float *device_a, *device_b, *device_sum;
  check(cudaMalloc(&device_a, kBytes));
  check(cudaMalloc(&device_b, kBytes));
  check(cudaMalloc(&device_sum, kBytes));
  check(cudaMemcpy(device_a, a.data(), kBytes, cudaMemcpyHostToDevice));
  check(cudaMemcpy(device_b, b.data(), kBytes, cudaMemcpyHostToDevice));
  vecadd<<<(kCount + kThreads - 1) / kThreads, kThreads>>>(device_a, device_b, device_sum, kCount);
  check(cudaGetLastError());
  check(cudaMemcpy(sum.data(), device_sum, kBytes, cudaMemcpyDeviceToHost));
  int wrong = 0;
  for (int i = 0; i < kCount; ++i) {
    wrong += sum[i] != a[i] + b[i];
  }
  check(cudaFree(device_a));
  check(cudaFree(device_b));
  check(cudaFree(device_sum));
  std::printf("%s\n", wrong == 0 ? "PASS" : "FAIL");
  return wrong == 0 ? 0 : 1;
}
