#include "emulator/memory/tensor_map.h"

#include <cstring>
#include <type_traits>

namespace warpsim {

namespace {

constexpr std::uint32_t kMagic = 0x74776d31;  // distinguishes a map from other bytes

struct Stored {
  std::uint32_t magic;
  TensorType type;
  std::uint8_t dimensions;
  std::uint8_t swizzle;
  std::uint8_t fills_nan;
  Address address;
  std::uint64_t stride[kMostTensorDimensions];
  std::uint32_t size_less_one[kMostTensorDimensions];  // a size may be 2^32
  std::uint16_t box[kMostTensorDimensions];
  std::uint8_t element_stride[kMostTensorDimensions];
  std::uint8_t in_columns;
  std::uint16_t pixels;
  std::int16_t lower[kMostTensorDimensions];
  std::int16_t upper[kMostTensorDimensions];
};
static_assert(sizeof(Stored) <= kTensorMapBytes && std::is_trivially_copyable_v<Stored>);

}  // namespace

std::uint32_t bytes_of(TensorType type) {
  switch (type) {
    case TensorType::kU8:
      return 1;
    case TensorType::kU16:
    case TensorType::kF16:
    case TensorType::kBf16:
      return 2;
    case TensorType::kU64:
    case TensorType::kS64:
    case TensorType::kF64:
      return 8;
    default:
      return 4;
  }
}

bool is_floating(TensorType type) {
  return type >= TensorType::kF16;
}

std::uint32_t TensorMap::box_bytes() const {
  std::uint32_t bytes = warpsim::bytes_of(type);
  if (in_columns) {
    return bytes * elements(0) * pixels;
  }
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    bytes *= elements(i);
  }
  return bytes;
}

void TensorMap::encode(std::byte* map) const {
  Stored stored{};
  stored.magic = kMagic;
  stored.type = type;
  stored.dimensions = dimensions;
  stored.swizzle = swizzle;
  stored.fills_nan = fills_nan ? 1 : 0;
  stored.address = address;
  for (std::uint32_t i = 0; i < kMostTensorDimensions; ++i) {
    stored.stride[i] = stride[i];
    stored.size_less_one[i] = static_cast<std::uint32_t>(size[i] - 1);
    stored.box[i] = box[i];
    stored.element_stride[i] = element_stride[i];
    stored.lower[i] = lower[i];
    stored.upper[i] = upper[i];
  }
  stored.in_columns = in_columns ? 1 : 0;
  stored.pixels = pixels;
  std::memset(map, 0, kTensorMapBytes);
  std::memcpy(map, &stored, sizeof(stored));
}

bool TensorMap::decode(const std::byte* map) {
  Stored stored{};
  std::memcpy(&stored, map, sizeof(stored));
  if (stored.magic != kMagic) {
    return false;
  }
  type = stored.type;
  dimensions = stored.dimensions;
  swizzle = stored.swizzle;
  fills_nan = stored.fills_nan != 0;
  address = stored.address;
  for (std::uint32_t i = 0; i < kMostTensorDimensions; ++i) {
    stride[i] = stored.stride[i];
    size[i] = std::uint64_t{stored.size_less_one[i]} + 1;
    box[i] = stored.box[i];
    element_stride[i] = stored.element_stride[i];
    lower[i] = stored.lower[i];
    upper[i] = stored.upper[i];
  }
  in_columns = stored.in_columns != 0;
  pixels = stored.pixels;
  return true;
}

}  // namespace warpsim
