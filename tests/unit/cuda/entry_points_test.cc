// The driver's functions by name and version.
#include "cuda/entry_points.h"

#include <catch2/catch.hpp>

#include "cuda/calls.h"
#include "cuda/driver/driver_api.h"
#include "support/cuda_program.h"

namespace warpsim::cuda {
namespace {

// Tests are one program, whose functions have no names for the loader; tests/cuda_programs/own_runtime.cc finds those
// of the library.
TEST_CASE("entry points: no function is found that does not exist, or not yet") {
  CHECK(driver_function("cuNoSuchFunction", 13000, NullStream::kLegacy) == nullptr);
  CHECK(driver_function("cuGraphAddNode", 12010, NullStream::kOfThread) == nullptr);
  test::CudaProgram program;
  void* function = &program;
  int status = -1;
  CHECK(cuGetProcAddress_v2("cuNoSuchFunction", &function, 13000, 0, &status) == driver_code(kNotFound));
  CHECK(function == nullptr);
  CHECK(status == 1);
}

}  // namespace
}  // namespace warpsim::cuda
