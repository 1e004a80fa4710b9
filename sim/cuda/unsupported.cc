#include "cuda/unsupported.h"

#include <string>

#include "cuda/calls.h"

namespace warpsim::cuda {

namespace {

void refuse(const char* function) {
  throw CallError(kNotSupported, std::string(function) + " is not supported");
}

}  // namespace

}  // namespace warpsim::cuda

int warpsimUnsupportedRuntime(const char* function) {
  return warpsim::cuda::runtime_call([&](warpsim::cuda::Context&) { warpsim::cuda::refuse(function); });
}

int warpsimUnsupportedDriver(const char* function) {
  return warpsim::cuda::driver_call([&](warpsim::cuda::Context&) { warpsim::cuda::refuse(function); });
}
