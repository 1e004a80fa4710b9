// A program that loads the code in a file in all ways of the driver, for tests with damaged code. Prints what
// each call returned; these are not failures.
#include "cuda/driver/driver_api.h"

#include <cstdio>
#include <fstream>
#include <iterator>
#include <string>

int main(int argc, char** argv) {
  if (argc != 2) {
    std::fputs("usage: load_module FILE\n", stderr);
    return 1;
  }
  std::ifstream file(argv[1], std::ios::binary);
  const std::string code{std::istreambuf_iterator<char>(file), {}};
  void* context = nullptr;
  std::printf("init %d\n", cuInit(0));
  std::printf("context %d\n", cuCtxCreate_v2(&context, 0, 0));
  ModuleHandle module = nullptr;
  const int of_file = cuModuleLoad(&module, argv[1]);
  std::printf("file %d\n", of_file);
  KernelHandle kernel = nullptr;
  if (of_file == 0) {
    std::printf("kernel %d\n", cuModuleGetFunction(&kernel, module, "scale"));
  }
  std::printf("data %d\n", cuModuleLoadData(&module, code.c_str()));
  return 0;
}
