// The functions of toolkit 11's runtime whose structures differ from later ones.
#include <cstddef>
#include <cstring>

#include "cuda/runtime/runtime_api.h"

#pragma GCC visibility push(default)
// NOLINTBEGIN(readability-identifier-naming,bugprone-reserved-identifier): the names are CUDA's
extern "C" {

int cudaFuncGetAttributes(cuda_abi::FunctionAttributes* attributes, const void* function) {
  return warpsimFuncGetAttributes11(attributes, function);
}

// There, descriptions of textures end before the seams of cubemaps.
int cudaCreateTextureObject(std::uint64_t* object, const cuda_abi::ResourceDescription* resource,
                            const cuda_abi::TextureDescription* texture, const void* view) {
  if (texture == nullptr) {
    return cudaCreateTextureObject_v2(object, resource, nullptr, view);
  }
  cuda_abi::TextureDescription whole = {};
  std::memcpy(&whole, texture, offsetof(cuda_abi::TextureDescription, seamless_cubemap));
  return cudaCreateTextureObject_v2(object, resource, &whole, view);
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
