// The driver's lists of a library's kernels, and their parameters.
#include <catch2/catch.hpp>
#include <cstddef>
#include <string>

#include "cuda/calls.h"
#include "cuda/driver/driver_api.h"
#include "support/cuda_program.h"

namespace warpsim::cuda {
namespace {

using test::CudaProgram;
using test::kProgramPtx;

TEST_CASE("libraries: their kernels are counted and listed in the order of the code") {
  CudaProgram program;
  ModuleHandle library = nullptr;
  REQUIRE(cuLibraryLoadData(&library, kProgramPtx, nullptr, nullptr, 0, nullptr, nullptr, 0) == kSuccess);
  unsigned count = 0;
  CHECK(cuLibraryGetKernelCount(&count, library) == kSuccess);
  REQUIRE(count == 2);
  KernelHandle kernels[3] = {};
  CHECK(cuLibraryEnumerateKernels(kernels, 0, library) == kInvalidValue);
  CHECK(cuLibraryEnumerateKernels(kernels, 1, library) == kSuccess);
  CHECK(kernels[1] == nullptr);
  CHECK(cuLibraryEnumerateKernels(kernels, 3, library) == kSuccess);
  CHECK(kernels[2] == nullptr);
  const char* name = nullptr;
  CHECK(cuKernelGetName(&name, kernels[0]) == kSuccess);
  CHECK(std::string(name) == "scale");
  ModuleHandle owner = nullptr;
  CHECK(cuKernelGetLibrary(&owner, kernels[1]) == kSuccess);
  CHECK(owner == library);
  CHECK(cudaLibraryGetKernelCount(&count, library) == kSuccess);
  CHECK(count == 2);
  KernelHandle same = nullptr;
  CHECK(cudaLibraryEnumerateKernels(&same, 1, library) == kSuccess);
  CHECK(same == kernels[0]);
}

TEST_CASE("libraries: parameters of kernels have places and sizes") {
  CudaProgram program;
  ModuleHandle library = nullptr;
  REQUIRE(cuLibraryLoadData(&library, kProgramPtx, nullptr, nullptr, 0, nullptr, nullptr, 0) == kSuccess);
  KernelHandle kernel = nullptr;
  REQUIRE(cuLibraryGetKernel(&kernel, library, "packed") == kSuccess);
  std::size_t offset = 0;
  std::size_t bytes = 0;
  CHECK(cuKernelGetParamInfo(kernel, 1, &offset, &bytes) == kSuccess);
  CHECK(offset == 8);
  CHECK(bytes == 16);
  CHECK(cuFuncGetParamInfo(kernel, 0, &offset, nullptr) == kSuccess);
  CHECK(offset == 0);
  CHECK(cuFuncGetParamInfo(kernel, 2, &offset, &bytes) == kInvalidValue);
  CHECK(cuKernelSetCacheConfig(kernel, 1, 0) == kSuccess);
}

}  // namespace
}  // namespace warpsim::cuda
