// A program that needs no device: prints versions and the results of an unsupported function, twice.
#include "cuda/runtime_api.h"

#include <cstdio>
#include <cstdlib>

extern "C" int cudaGraphCreate(void** graph, unsigned flags);

int main(int argc, char** argv) {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  std::printf("runtime %d\n", version);
  int count = 0;
  cudaGetDeviceCount(&count);
  std::printf("devices %d\n", count);
  void* graph = nullptr;
  std::printf("graph %d", cudaGraphCreate(&graph, 0));
  std::printf(" %d\n", cudaGraphCreate(&graph, 0));
  std::printf("last error %s\n", cudaGetErrorName(cudaGetLastError()));
  const char* const gpu = std::getenv("WARPSIM_GPU");
  std::printf("gpu %s\n", gpu == nullptr ? "none" : gpu);
  return argc > 1 ? std::atoi(argv[1]) : 0;
}
