// One kernel, a constant and a managed variable, printf, events, two streams and properties: prints PASS.
#include <cstdio>
#include <vector>

__constant__ float factor;
__managed__ unsigned blocks_seen;

__global__ void add(const float* a, const float* b, float* sum, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (threadIdx.x == 0) {
    atomicAdd(&blocks_seen, 1);
  }
  if (i == 0) {
    printf("factor %.1f\n", factor);
  }
  if (i < count) {
    sum[i] = factor * (a[i] + b[i]);
  }
}

static bool failed = false;
static void check(cudaError_t code, int line) {
  if (code != cudaSuccess) {
    std::fprintf(stderr, "line %d: %s\n", line, cudaGetErrorString(code));
    failed = true;
  }
}

int main() {
  constexpr int kCount = 1000;
  constexpr int kThreads = 128;
  constexpr int kBlocks = (kCount + kThreads - 1) / kThreads;
  std::vector<float> a(kCount), b(kCount), sum(kCount);
  for (int i = 0; i < kCount; ++i) {
    a[i] = static_cast<float>(i);
    b[i] = 1;
  }
  float *device_a, *device_b, *device_sum;
  constexpr std::size_t kBytes = kCount * sizeof(float);
  check(cudaMalloc(&device_a, kBytes), __LINE__);
  check(cudaMalloc(&device_b, kBytes), __LINE__);
  check(cudaMalloc(&device_sum, kBytes), __LINE__);
  const float two = 2;
  check(cudaMemcpyToSymbol(factor, &two, sizeof two), __LINE__);
  blocks_seen = 0;
  cudaStream_t stream;
  cudaEvent_t begin, end;
  check(cudaStreamCreate(&stream), __LINE__);
  check(cudaEventCreate(&begin), __LINE__);
  check(cudaEventCreate(&end), __LINE__);
  check(cudaMemcpyAsync(device_a, a.data(), kBytes, cudaMemcpyHostToDevice, stream), __LINE__);
  check(cudaMemcpyAsync(device_b, b.data(), kBytes, cudaMemcpyHostToDevice, stream), __LINE__);
  check(cudaEventRecord(begin, stream), __LINE__);
  add<<<kBlocks, kThreads, 0, stream>>>(device_a, device_b, device_sum, kCount);
  check(cudaGetLastError(), __LINE__);
  check(cudaEventRecord(end, stream), __LINE__);
  check(cudaStreamSynchronize(stream), __LINE__);
  check(cudaMemcpy(sum.data(), device_sum, kBytes, cudaMemcpyDeviceToHost), __LINE__);
  for (int i = 0; i < kCount; ++i) {
    failed |= sum[i] != 2 * (a[i] + b[i]);
  }
  failed |= blocks_seen != kBlocks;
  float ms = -1;
  check(cudaEventElapsedTime(&ms, begin, end), __LINE__);
  failed |= ms < 0;
  std::printf("%s\n", failed ? "FAIL" : "PASS");
  return failed ? 1 : 0;
}
