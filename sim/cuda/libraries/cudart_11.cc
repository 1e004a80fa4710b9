// What the runtime of the toolkit 11 has in another layout than later ones.
#include "cuda/runtime_api.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the names are CUDA's
extern "C" {

int cudaFuncGetAttributes(cuda_abi::FunctionAttributes* attributes, const void* function) {
  return warpsimFuncGetAttributes11(attributes, function);
}

int cudaGetDeviceProperties(void* properties, int device) {
  return warpsimGetDeviceProperties11(properties, device);
}

int cudaRuntimeGetVersion(int* version) {
  constexpr int kVersion = 11080;
  const int code = cudaDriverGetVersion(version);
  if (code == 0) {
    *version = kVersion;
  }
  return code;
}
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
#pragma GCC visibility pop
