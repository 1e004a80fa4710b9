// The driver's encoding of tensor maps for bulk tensor copies.
#include <algorithm>
#include <array>

#include "cuda/calls.h"
#include "cuda/driver/driver_api.h"
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

struct MapForm {
  const void* map;
  int type;
  void* data;
  int interleave;
  int swizzle;
  int promotion;
  int fill;
};

// What all kinds of maps have.
TensorMap map_of(Context& context, const MapForm& form) {
  require(form.map != nullptr && reinterpret_cast<std::uintptr_t>(form.map) % kMapAlignment == 0);
  require(form.type >= 0 && form.swizzle >= 0 && form.interleave >= 0 && form.promotion >= 0 && form.promotion <= 3 &&
          form.fill >= 0 && form.fill <= 1);
  if (context.device().config().specifications.features.clusters == Support::kNo) {
    throw CallError(kNotSupported, "tensor maps need compute capability 9.0");
  }
  if (form.interleave != 0 || form.type > kLastType || form.swizzle > kLastSwizzle) {
    throw CallError(kNotSupported,
                    "tensor maps with interleaved layouts, types below 8 bits or newer swizzles are not supported");
  }
  TensorMap made;
  made.type = static_cast<TensorType>(form.type);
  made.swizzle = static_cast<std::uint8_t>(form.swizzle);
  made.fills_nan = form.fill != 0;
  made.address = reinterpret_cast<std::uintptr_t>(form.data);
  require(made.address % kUnit == 0 && (!made.fills_nan || is_floating(made.type)));
  return made;
}

// The innermost dimension of a box fits into the swizzle's rows.
void check_row(const TensorMap& map) {
  constexpr std::uint32_t kLeastSwizzled = 16;
  const std::uint32_t row = map.elements(0) * bytes_of(map.type);
  require(row % kUnit == 0 && (map.swizzle == 0 || row <= kLeastSwizzled << map.swizzle));
}

}  // namespace

}  // namespace warpsim::cuda

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cuTensorMapEncodeTiled(void* map, int type, unsigned dimensions, void* data, const std::uint64_t* size,
                           const std::uint64_t* stride, const std::uint32_t* box, const std::uint32_t* element_stride,
                           int interleave, int swizzle, int promotion, int fill) {
  return context_call([&](Context& context) {
    warpsim::TensorMap made = map_of(context, {map, type, data, interleave, swizzle, promotion, fill});
    set_sizes(made, {dimensions, size, stride, box, element_stride});
    check_row(made);
    made.encode(static_cast<std::byte*>(map));
  });
}

int cuTensorMapEncodeIm2col(void* map, int type, unsigned dimensions, void* data, const std::uint64_t* size,
                            const std::uint64_t* stride, const int* lower, const int* upper, unsigned channels,
                            unsigned pixels, const std::uint32_t* element_stride, int interleave, int swizzle,
                            int promotion, int fill) {
  return context_call([&](Context& context) {
    constexpr unsigned kLeastDimensions = 3;
    constexpr unsigned kMostPixels = 1024;
    require(dimensions >= kLeastDimensions && dimensions <= warpsim::kMostTensorDimensions);
    require(lower != nullptr && upper != nullptr && pixels >= 1 && pixels <= kMostPixels);
    warpsim::TensorMap made = map_of(context, {map, type, data, interleave, swizzle, promotion, fill});
    std::array<std::uint32_t, warpsim::kMostTensorDimensions> box = {channels, 1, 1, 1, 1};
    set_sizes(made, {dimensions, size, stride, box.data(), element_stride});
    // Bits of a corner: 16, 8 or 5, signed.
    const int limit = 1 << (dimensions == 3 ? 15 : dimensions == 4 ? 7 : 4);
    for (unsigned i = 0; i + 2 < dimensions; ++i) {
      require(lower[i] >= -limit && lower[i] < limit && upper[i] >= -limit && upper[i] < limit);
      made.lower[i + 1] = static_cast<std::int16_t>(lower[i]);
      made.upper[i + 1] = static_cast<std::int16_t>(upper[i]);
    }
    made.in_columns = true;
    made.pixels = static_cast<std::uint16_t>(pixels);
    check_row(made);
    made.encode(static_cast<std::byte*>(map));
  });
}

int cuTensorMapReplaceAddress(void* map, void* data) {
  return context_call([&](Context&) {
    warpsim::TensorMap made;
    require(map != nullptr && reinterpret_cast<std::uintptr_t>(data) % kUnit == 0);
    require(made.decode(static_cast<const std::byte*>(map)));
    made.address = reinterpret_cast<std::uintptr_t>(data);
    made.encode(static_cast<std::byte*>(map));
  });
}
