// The functions of toolkit 12's runtime whose structures differ from those of 13: programs of the toolkit 11 may call
// the plain name.
#include "cuda/runtime/runtime_api.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the names are CUDA's
extern "C" {

int cudaGetDeviceProperties(void* properties, int device) {
  return warpsimGetDeviceProperties11(properties, device);
}

int cudaRuntimeGetVersion(int* version) {
  constexpr int kVersion = 12090;
  const int code = cudaDriverGetVersion(version);
  if (code == 0) {
    *version = kVersion;
  }
  return code;
}
}
// NOLINTEND(readability-identifier-naming,bugprone-reserved-identifier)
#pragma GCC visibility pop
