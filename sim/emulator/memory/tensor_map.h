// A tensor map: the 128 opaque bytes that describe a tensor in global memory and the box that a bulk tensor copy moves.
// Programs get maps from cuTensorMapEncodeTiled or cuTensorMapEncodeIm2col and pass them on; libraries make some of
// them themselves. Layout: observed of driver 580 (tests/hardware/tensor_maps).
//
// Modelled: tiles of one to five dimensions, strides of elements, swizzles of 32, 64 and 128 bytes, values outside
// of the tensor; columns of pixels (im2col). Not modelled: interleaved layouts.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "base/types.h"

namespace warpsim {

inline constexpr std::size_t kTensorMapBytes = 128;
inline constexpr std::uint32_t kMostTensorDimensions = 5;

// By CUtensorMapDataType's numbers.
enum class TensorType : std::uint8_t {
  kU8,
  kU16,
  kU32,
  kS32,
  kU64,
  kS64,
  kF16,
  kF32,
  kF64,
  kBf16,
  kF32Flushed,
  kTf32,
  kTf32Flushed,
};
std::uint32_t bytes_of(TensorType type);
bool is_floating(TensorType type);

struct TensorMap {
  Address address = 0;  // of element 0 in global memory
  // Innermost dimension first.
  std::array<std::uint64_t, kMostTensorDimensions> size = {1, 1, 1, 1, 1};           // elements
  std::array<std::uint64_t, kMostTensorDimensions> stride = {};                      // bytes; [0]: of an element
  std::array<std::uint16_t, kMostTensorDimensions> box = {1, 1, 1, 1, 1};            // elements, including skipped ones
  std::array<std::uint8_t, kMostTensorDimensions> element_stride = {1, 1, 1, 1, 1};  // one of so many is copied
  TensorType type = TensorType::kU8;
  std::uint8_t dimensions = 1;
  std::uint8_t swizzle = 0;  // 0: none; 1, 2, 3: of 32, 64, 128 bytes
  bool fills_nan = false;    // outside of the tensor, instead of zeros
  // Columns: box[0] channels of `pixels` pixels; the bounding box reaches from `lower` to size + `upper` in the
  // dimensions between the innermost and the outermost one.
  bool in_columns = false;
  std::uint16_t pixels = 0;
  std::array<std::int16_t, kMostTensorDimensions> lower = {};
  std::array<std::int16_t, kMostTensorDimensions> upper = {};

  // Elements of a box in shared memory along a dimension.
  std::uint32_t elements(std::uint32_t dimension) const {
    const std::uint32_t step = dimension == 0 ? 1 : element_stride[dimension];
    return (box[dimension] + step - 1) / step;
  }
  std::uint32_t box_bytes() const;

  void encode(std::byte* map) const;
  // False if the bytes are not a map.
  bool decode(const std::byte* map);
};

// The swizzled place of the byte at an address of shared memory: within rows of 128 bytes, units of 16 bytes change
// places by the row's number.
constexpr std::uint32_t swizzled(std::uint32_t address, std::uint32_t swizzle) {
  const std::uint32_t mask = (1U << swizzle) - 1;
  return address ^ (address >> 7U & mask) << 4U;
}

}  // namespace warpsim
