// A program with a profiled part and NVTX ranges. Checks the values that its kernels compute, whatever is profiled.
#include <cuda_profiler_api.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <thread>

namespace {

__global__ void add_one(int* values) {
  values[threadIdx.x] += 1;
}

__global__ void times_two(int* values) {
  values[threadIdx.x] *= 2;
}

bool failed = false;

void require(bool condition, const char* what) {
  if (!condition) {
    std::printf("FAIL: %s\n", what);
    failed = true;
  }
}

// A range of a library's domain, with a registered name, on a thread of its own.
void call_library(int* values) {
  const nvtxDomainHandle_t domain = nvtxDomainCreateA("library");
  nvtxEventAttributes_t attributes = {};
  attributes.version = NVTX_VERSION;
  attributes.size = NVTX_EVENT_ATTRIB_STRUCT_SIZE;
  attributes.messageType = NVTX_MESSAGE_TYPE_REGISTERED;
  attributes.message.registered = nvtxDomainRegisterStringA(domain, "call");
  nvtxDomainRangePushEx(domain, &attributes);
  times_two<<<1, 64>>>(values);
  cudaDeviceSynchronize();
  require(nvtxDomainRangePop(domain) == 0, "level of a range in a domain");
}

}  // namespace

int main() {
  int* values = nullptr;
  cudaMalloc(&values, 64 * sizeof(int));
  cudaMemset(values, 0, 64 * sizeof(int));
  add_one<<<1, 64>>>(values);
  cudaProfilerStart();
  require(nvtxRangePushA("step") == 0, "level of the first range");
  require(nvtxRangePushW(L"inner") == 1, "level of a range in a range");
  times_two<<<1, 64>>>(values);
  require(nvtxRangePop() == 1, "level of an ended range");
  std::thread(call_library, values).join();
  require(nvtxRangePop() == 0, "level of the last range");
  require(nvtxRangePop() < 0, "a range that is not there");
  cudaProfilerStop();
  add_one<<<1, 64>>>(values);
  int host[64] = {};
  cudaMemcpy(host, values, sizeof host, cudaMemcpyDeviceToHost);
  require(host[0] == 5 && host[63] == 5, "values");
  require(cudaGetLastError() == cudaSuccess, "an error");
  std::puts(failed ? "FAIL" : "PASS");
  return failed ? 1 : 0;
}
