// The driver's encoding of tensor maps for bulk tensor copies.
#include <algorithm>

#include "cuda/calls.h"
#include "cuda/driver_api.h"
#include "emulator/memory/tensor_map.h"

namespace warpsim::cuda {

namespace {

constexpr int kLastType = static_cast<int>(TensorType::kTf32Flushed);
constexpr int kLastSwizzle = 3;  // of 128 bytes
constexpr std::uint64_t kMostSize = std::uint64_t{1} << 32U;
constexpr std::uint64_t kMostStride = std::uint64_t{1} << 40U;
constexpr std::uint32_t kMostBox = 256;
constexpr std::uint32_t kMostElementStride = 8;
constexpr std::uint32_t kUnit = 16;  // bytes
constexpr std::size_t kMapAlignment = 64;

void require(bool holds) {
  if (!holds) {
    throw CallError(kInvalidValue);
  }
}

struct Sizes {
  unsigned dimensions;
  const std::uint64_t* size;
  const std::uint64_t* stride;
  const std::uint32_t* box;
  const std::uint32_t* element_stride;
};

// Within the limits of the driver's interface.
void set_sizes(TensorMap& map, const Sizes& sizes) {
  require(sizes.dimensions >= 1 && sizes.dimensions <= kMostTensorDimensions);
  require(sizes.size != nullptr && sizes.box != nullptr && sizes.element_stride != nullptr);
  require(sizes.dimensions == 1 || sizes.stride != nullptr);
  map.dimensions = static_cast<std::uint8_t>(sizes.dimensions);
  map.stride[0] = bytes_of(map.type);
  for (unsigned i = 0; i < sizes.dimensions; ++i) {
    require(sizes.size[i] >= 1 && sizes.size[i] <= kMostSize);
    require(sizes.box[i] >= 1 && sizes.box[i] <= kMostBox);
    require(sizes.element_stride[i] >= 1 && sizes.element_stride[i] <= kMostElementStride);
    map.size[i] = sizes.size[i];
    map.box[i] = static_cast<std::uint16_t>(sizes.box[i]);
    map.element_stride[i] = static_cast<std::uint8_t>(sizes.element_stride[i]);
    if (i != 0) {
      require(sizes.stride[i - 1] % kUnit == 0 && sizes.stride[i - 1] < kMostStride);
      map.stride[i] = sizes.stride[i - 1];
    }
  }
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuTensorMapEncodeTiled(void* map, int type, unsigned dimensions, void* data, const std::uint64_t* size,
                           const std::uint64_t* stride, const std::uint32_t* box, const std::uint32_t* element_stride,
                           int interleave, int swizzle, int promotion, int fill) {
  return driver_call([&](Context& context) {
    require(map != nullptr && reinterpret_cast<std::uintptr_t>(map) % kMapAlignment == 0);
    require(type >= 0 && swizzle >= 0 && interleave >= 0 && promotion >= 0 && promotion <= 3 && fill >= 0 && fill <= 1);
    if (context.device().config().specifications.features.clusters == warpsim::Support::kNo) {
      throw CallError(kNotSupported, "tensor maps need compute capability 9.0");
    }
    if (interleave != 0 || type > kLastType || swizzle > kLastSwizzle) {
      throw CallError(kNotSupported,
                      "tensor maps with interleaved layouts, types below 8 bits or newer swizzles are not supported");
    }
    warpsim::TensorMap made;
    made.type = static_cast<warpsim::TensorType>(type);
    made.swizzle = static_cast<std::uint8_t>(swizzle);
    made.fills_nan = fill != 0;
    made.address = reinterpret_cast<std::uintptr_t>(data);
    require(made.address % kUnit == 0 && (!made.fills_nan || warpsim::is_floating(made.type)));
    set_sizes(made, {dimensions, size, stride, box, element_stride});
    const std::uint32_t row = made.elements(0) * warpsim::bytes_of(made.type);
    constexpr std::uint32_t kLeastSwizzled = 16;
    require(row % kUnit == 0 && (swizzle == 0 || row <= kLeastSwizzled << static_cast<unsigned>(swizzle)));
    made.encode(static_cast<std::byte*>(map));
  });
}

int cuTensorMapReplaceAddress(void* map, void* data) {
  return driver_call([&](Context&) {
    warpsim::TensorMap made;
    require(map != nullptr && reinterpret_cast<std::uintptr_t>(data) % kUnit == 0);
    require(made.decode(static_cast<const std::byte*>(map)));
    made.address = reinterpret_cast<std::uintptr_t>(data);
    made.encode(static_cast<std::byte*>(map));
  });
}
