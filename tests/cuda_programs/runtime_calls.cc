// A program that needs no device: prints versions and the results of an unsupported function, twice.
#include "cuda/runtime_api.h"

#include <cstdio>
#include <cstdlib>

extern "C" int cudaIpcGetMemHandle(void* handle, void* data);

int main(int argc, char** argv) {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  std::printf("runtime %d\n", version);
  int count = 0;
  cudaGetDeviceCount(&count);
  std::printf("devices %d\n", count);
  char handle[64];
  std::printf("handle %d", cudaIpcGetMemHandle(handle, nullptr));
  std::printf(" %d\n", cudaIpcGetMemHandle(handle, nullptr));
  std::printf("last error %s\n", cudaGetErrorName(cudaGetLastError()));
  const char* const gpu = std::getenv("WARPSIM_GPU");
  std::printf("gpu %s\n", gpu == nullptr ? "none" : gpu);
  return argc > 1 ? std::atoi(argv[1]) : 0;
}
