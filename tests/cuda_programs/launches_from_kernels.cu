// Kernels that launch kernels: recursion, tail launches, streams, events, copies, queries and errors.
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

extern __global__ void store(int* out, int value);  // launches_from_kernels_other.cu

__global__ void sum(int* out, const int* values, int count) {
  *out = 0;
  for (int i = 0; i < count; ++i) *out += values[i];
}

// A tail launch reads what the children of all threads have written.
__global__ void parent(int* out, int* values, int count) {
  const int i = static_cast<int>(threadIdx.x);
  if (i == 0) sum<<<1, 1, 0, cudaStreamTailLaunch>>>(out, values, count);
  if (i < count) store<<<1, 32>>>(values + i, i);
}

__global__ void count_levels(int* levels, int level, int most) {
  if (threadIdx.x != 0) return;
  atomicAdd(&levels[level], 1);
  for (int i = 0; i < 2 && level < most; ++i) {
    count_levels<<<1, 32, 0, i == 0 ? cudaStream_t{} : cudaStreamFireAndForget>>>(levels, level + 1, most);
  }
}

__global__ void count_down(int* out, int left) {
  ++*out;
  if (left != 0) count_down<<<1, 1, 0, cudaStreamTailLaunch>>>(out, left - 1);
}

// Quicksort: each grid divides its part and launches itself for both sides.
__global__ void sort(int* data, int left, int right) {
  const int pivot = data[(left + right) / 2];
  int i = left;
  int j = right;
  while (i <= j) {
    while (data[i] < pivot) ++i;
    while (data[j] > pivot) --j;
    if (i <= j) {
      const int kept = data[i];
      data[i++] = data[j];
      data[j--] = kept;
    }
  }
  if (left < j) sort<<<1, 1, 0, cudaStreamFireAndForget>>>(data, left, j);
  if (i < right) sort<<<1, 1, 0, cudaStreamFireAndForget>>>(data, i, right);
}

// The number of calls that did not give what is expected. out[0] and out[1] are written by children.
__global__ void calls(int* failures, int* out, char* bytes) {
  int bad = 0;
  int value = 0;
  cudaStream_t stream;
  cudaEvent_t event;
  bad += cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) != cudaSuccess;
  bad += cudaEventCreateWithFlags(&event, cudaEventDisableTiming) != cudaSuccess;
  store<<<1, 1, 0, stream>>>(out, 77);
  bad += cudaEventRecord(event, stream) != cudaSuccess;
  bad += cudaStreamWaitEvent(nullptr, event, 0) != cudaSuccess;
  bad += cudaMemcpyAsync(out + 1, out, sizeof(int), cudaMemcpyDeviceToDevice, nullptr) != cudaSuccess;
  bad += cudaMemsetAsync(bytes, 0x5a, 100, stream) != cudaSuccess;
  bad += cudaMemcpy2DAsync(bytes + 200, 10, bytes, 20, 5, 3, cudaMemcpyDeviceToDevice, stream) != cudaSuccess;
  bad += cudaStreamDestroy(stream) != cudaSuccess;
  bad += cudaEventDestroy(event) != cudaSuccess;
  bad += cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 0) != cudaSuccess || value != 32;
  bad += cudaGetDevice(&value) != cudaSuccess || value != 0;
  bad += cudaMemcpyAsync(out, out + 1, sizeof(int), cudaMemcpyHostToDevice, nullptr) != cudaErrorInvalidMemcpyDirection;
  cudaGetLastError();
  store<<<1, 2048>>>(out, 1);
  bad += cudaPeekAtLastError() != cudaErrorInvalidConfiguration;
  bad += cudaGetLastError() != cudaErrorInvalidConfiguration;
  bad += cudaGetLastError() != cudaSuccess;
  int* memory = nullptr;
  bad += cudaMalloc(&memory, 64) != cudaSuccess;
  memory[15] = 3;
  bad += memory[15] != 3;
  bad += cudaFree(memory) != cudaSuccess;
  *failures = bad;
}

int main() {
  constexpr int kNumbers = 200;
  int* data = nullptr;
  char* bytes = nullptr;
  cudaMallocManaged(&data, 1024 * sizeof(int));
  cudaMallocManaged(&bytes, 400);
  bool good = true;
  const auto check = [&](const char* what, bool holds) {
    if (!holds) std::printf("%s\n", what);
    good = good && holds;
  };

  parent<<<1, 64>>>(data, data + 1, 10);
  cudaDeviceSynchronize();
  check("tail launch after children", data[0] == 45);

  for (int i = 0; i < 8; ++i) data[i] = 0;
  count_levels<<<1, 32>>>(data, 0, 3);
  cudaDeviceSynchronize();
  check("levels", data[0] == 1 && data[1] == 2 && data[2] == 4 && data[3] == 8);

  data[0] = 0;
  count_down<<<1, 1>>>(data, 40);
  cudaDeviceSynchronize();
  check("tail recursion", data[0] == 41);

  std::srand(1);
  std::vector<int> expected(kNumbers);
  for (int i = 0; i < kNumbers; ++i) data[i] = expected[i] = std::rand() % 1000;
  std::sort(expected.begin(), expected.end());
  sort<<<1, 1>>>(data, 0, kNumbers - 1);
  cudaDeviceSynchronize();
  check("quicksort", std::equal(expected.begin(), expected.end(), data));

  for (int i = 0; i < 400; ++i) bytes[i] = 0;
  calls<<<1, 1>>>(data, data + 1, bytes);
  cudaDeviceSynchronize();
  check("calls", data[0] == 0);
  check("order in streams", data[1] == 77 && data[2] == 77);
  check("fill", std::accumulate(bytes, bytes + 200, 0) == 100 * 0x5a);
  check("copy of rows", std::accumulate(bytes + 200, bytes + 400, 0) == 15 * 0x5a && bytes[220] == 0x5a && bytes[225] == 0);

  check("no error", cudaGetLastError() == cudaSuccess);
  std::puts(good ? "PASS" : "FAIL");
  return good ? 0 : 1;
}
