// A program that loads code from a file, PTX or machine code, adds two vectors with its kernel, and prints a sum.
#include <cstdio>
#include <vector>

#include "cuda/driver/driver_api.h"

namespace {

bool succeeds(const char* what, int code) {
  if (code != 0) {
    std::printf("%s %d\n", what, code);
  }
  return code == 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: add_vectors FILE\n", stderr);
    return 1;
  }
  void* context = nullptr;
  ModuleHandle module = nullptr;
  KernelHandle kernel = nullptr;
  if (!succeeds("init", cuInit(0)) || !succeeds("context", cuCtxCreate_v2(&context, 0, 0)) ||
      !succeeds("load", cuModuleLoad(&module, argv[1])) ||
      !succeeds("kernel", cuModuleGetFunction(&kernel, module, "_Z10vector_addPKfS0_Pfi"))) {
    return 3;
  }
  constexpr int kElements = 300;
  constexpr unsigned kThreads = 256;
  constexpr std::size_t kBytes = kElements * sizeof(float);
  std::vector<float> host(kElements);
  std::uint64_t data[3] = {};
  for (std::uint64_t& each : data) {
    cuMemAlloc_v2(&each, kBytes);
  }
  for (int i = 0; i < kElements; ++i) {
    host[static_cast<std::size_t>(i)] = static_cast<float>(i);
  }
  cuMemcpyHtoD_v2(data[0], host.data(), kBytes);
  for (float& each : host) {
    each *= 2;
  }
  cuMemcpyHtoD_v2(data[1], host.data(), kBytes);
  int count = kElements;
  void* arguments[] = {&data[0], &data[1], &data[2], &count};
  if (!succeeds("launch", cuLaunchKernel(kernel, 2, 1, 1, kThreads, 1, 1, 0, nullptr, arguments, nullptr)) ||
      !succeeds("end", cuCtxSynchronize())) {
    return 4;
  }
  cuMemcpyDtoH_v2(host.data(), data[2], kBytes);
  std::printf("%g %g\n", static_cast<double>(host[1]), static_cast<double>(host[kElements - 1]));
  return 0;
}
