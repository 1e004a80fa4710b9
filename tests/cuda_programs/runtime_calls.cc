// A program that needs no device: prints versions and the results of an unsupported function, twice.
#include "cuda/runtime/runtime_api.h"

#include <cstdio>
#include <cstdlib>

extern "C" int cudaImportExternalMemory(void* memory, const void* description);

int main(int argc, char** argv) {
  int version = 0;
  cudaRuntimeGetVersion(&version);
  std::printf("runtime %d\n", version);
  int count = 0;
  cudaGetDeviceCount(&count);
  std::printf("devices %d\n", count);
  char memory[64];
  std::printf("memory %d", cudaImportExternalMemory(memory, nullptr));
  std::printf(" %d\n", cudaImportExternalMemory(memory, nullptr));
  std::printf("last error %s\n", cudaGetErrorName(cudaGetLastError()));
  const char* const gpu = std::getenv("WARPSIM_GPU");
  std::printf("gpu %s\n", gpu == nullptr ? "none" : gpu);
  return argc > 1 ? std::atoi(argv[1]) : 0;
}
