#include "emulator/memory/tensor_map.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace warpsim {

namespace {

// The words of a map, as cuTensorMapEncodeTiled and cuTensorMapEncodeIm2col of driver 580 fill them
// (tests/hardware/tensor_maps): what the hardware reads, and behind it two words of the driver.
enum Word : std::uint32_t {
  kAddressWord = 0,  // and its upper half
  kFlagsWord = 2,
  kStrideWord = 3,  // in 16 bytes, of the dimensions from the second on
  kStrideTopWord = 7,
  kSizeWord = 8,    // less one
  kStepWord = 13,   // of elements, less one, 3 bits each; box[0] less one in the topmost byte
  kBoxWord = 14,    // less one, a byte for each dimension from the second on; or the corners of columns
  kPixelWord = 15,  // less one
  kBoxBytesWord = 16,
  kAlignmentWord = 18,
  kMapWords = kTensorMapBytes / 4,
};
using Words = std::array<std::uint32_t, kMapWords>;

// A field of the flags.
struct Field {
  std::uint32_t shift;
  std::uint32_t bits;

  std::uint32_t get(const Words& words) const { return words[kFlagsWord] >> shift & ((1U << bits) - 1); }
  void set(Words& words, std::uint32_t value) const { words[kFlagsWord] |= value << shift; }
};
constexpr Field kInColumnsField = {0, 1};
constexpr Field kDimensionField = {4, 3};
constexpr Field kTypeField = {7, 4};
constexpr Field kInterleaveField = {11, 2};
constexpr Field kSwizzleField = {13, 2};
constexpr Field kFillField = {15, 1};
constexpr Field kRoundingField = {16, 1};

// By the field of the type; tf32 is F32 with rounding.
constexpr std::array kMapTypes = {TensorType::kU8,         TensorType::kU16, TensorType::kU32, TensorType::kS32,
                                  TensorType::kU64,        TensorType::kS64, TensorType::kF16, TensorType::kF32,
                                  TensorType::kF32Flushed, TensorType::kF64, TensorType::kBf16};

constexpr std::uint32_t kStrideUnit = 16;
constexpr std::uint32_t kStepBits = 3;
constexpr std::uint32_t kByteBits = 8;
constexpr std::uint32_t kCornerBits = 16;  // of one corner, shared by the inner dimensions

// The bits of a dimension in a corner: of one dimension 16, of two 8, of three 5.
std::uint32_t bits_of_corner(std::uint32_t dimensions) {
  return dimensions <= 3 ? kCornerBits : dimensions == 4 ? kByteBits : 5;
}

std::int16_t signed_field(std::uint32_t word, std::uint32_t shift, std::uint32_t bits) {
  const auto raw = static_cast<std::int32_t>(word >> shift << (32 - bits));
  return static_cast<std::int16_t>(raw >> (32 - bits));
}

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
  Words words{};
  words[kAddressWord] = static_cast<std::uint32_t>(address);
  words[kAddressWord + 1] = static_cast<std::uint32_t>(address >> 32U);
  kInColumnsField.set(words, in_columns ? 1 : 0);
  kDimensionField.set(words, dimensions - 1U);
  const bool rounds = type == TensorType::kTf32 || type == TensorType::kTf32Flushed;
  const TensorType plain = type == TensorType::kTf32          ? TensorType::kF32
                           : type == TensorType::kTf32Flushed ? TensorType::kF32Flushed
                                                              : type;
  kTypeField.set(words, static_cast<std::uint32_t>(std::ranges::find(kMapTypes, plain) - kMapTypes.begin()));
  kRoundingField.set(words, rounds ? 1 : 0);
  kSwizzleField.set(words, swizzle);
  kFillField.set(words, fills_nan ? 1 : 0);
  for (std::uint32_t i = 1; i < dimensions; ++i) {
    const std::uint64_t units = stride[i] / kStrideUnit;
    words[kStrideWord + i - 1] = static_cast<std::uint32_t>(units);
    words[kStrideTopWord] |= static_cast<std::uint32_t>(units >> 32U & 0xfU) << 4U * (i - 1);
  }
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    words[kSizeWord + i] = static_cast<std::uint32_t>(size[i] - 1);
    words[kStepWord] |= (element_stride[i] - 1U) << kStepBits * i;
  }
  words[kStepWord] |= (box[0] - 1U) << 24U;
  if (in_columns) {
    const std::uint32_t bits = bits_of_corner(dimensions);
    const std::uint32_t mask = (1U << bits) - 1;
    for (std::uint32_t i = 1; i + 1 < dimensions; ++i) {
      words[kBoxWord] |= (static_cast<std::uint32_t>(lower[i]) & mask) << bits * (i - 1);
      words[kBoxWord] |= (static_cast<std::uint32_t>(upper[i]) & mask) << (kCornerBits + bits * (i - 1));
    }
    words[kPixelWord] = pixels - 1U;
  } else {
    for (std::uint32_t i = 1; i < dimensions; ++i) {
      words[kBoxWord] |= (box[i] - 1U) << kByteBits * (i - 1);
    }
  }
  // The driver's own number, of elements that are copied as a whole.
  std::uint32_t bytes = warpsim::bytes_of(type) * (in_columns ? box[0] * std::uint32_t{pixels} : 1);
  for (std::uint32_t i = 0; i < dimensions && !in_columns; ++i) {
    bytes *= box[i] / element_stride[i];
  }
  words[kBoxBytesWord] = bytes;
  words[kAlignmentWord] = swizzle == 0 ? 0x10 : 0x80U << swizzle;
  std::memcpy(map, words.data(), kTensorMapBytes);
}

bool TensorMap::decode(const std::byte* map) {
  Words words{};
  std::memcpy(words.data(), map, kTensorMapBytes);
  const std::uint32_t number = kTypeField.get(words);
  if (std::ranges::all_of(words, [](std::uint32_t word) { return word == 0; }) || number >= kMapTypes.size() ||
      kDimensionField.get(words) >= kMostTensorDimensions || kInterleaveField.get(words) != 0) {
    return false;
  }
  *this = TensorMap{};
  address = words[kAddressWord] | Address{words[kAddressWord + 1]} << 32U;
  dimensions = static_cast<std::uint8_t>(kDimensionField.get(words) + 1);
  type = kMapTypes[number];
  if (kRoundingField.get(words) != 0) {
    type = type == TensorType::kF32Flushed ? TensorType::kTf32Flushed : TensorType::kTf32;
  }
  swizzle = static_cast<std::uint8_t>(kSwizzleField.get(words));
  fills_nan = kFillField.get(words) != 0;
  stride[0] = warpsim::bytes_of(type);
  for (std::uint32_t i = 1; i < dimensions; ++i) {
    const std::uint64_t top = words[kStrideTopWord] >> 4U * (i - 1) & 0xfU;
    stride[i] = (words[kStrideWord + i - 1] | top << 32U) * kStrideUnit;
  }
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    size[i] = std::uint64_t{words[kSizeWord + i]} + 1;
    element_stride[i] = static_cast<std::uint8_t>((words[kStepWord] >> kStepBits * i & 7U) + 1);
  }
  box[0] = static_cast<std::uint16_t>((words[kStepWord] >> 24U) + 1);
  in_columns = kInColumnsField.get(words) != 0;
  if (in_columns) {
    const std::uint32_t bits = bits_of_corner(dimensions);
    for (std::uint32_t i = 1; i + 1 < dimensions; ++i) {
      lower[i] = signed_field(words[kBoxWord] & 0xffffU, bits * (i - 1), bits);
      upper[i] = signed_field(words[kBoxWord] >> kCornerBits, bits * (i - 1), bits);
    }
    pixels = static_cast<std::uint16_t>(words[kPixelWord] + 1);
  } else {
    for (std::uint32_t i = 1; i < dimensions; ++i) {
      box[i] = static_cast<std::uint16_t>((words[kBoxWord] >> kByteBits * (i - 1) & 0xffU) + 1);
    }
  }
  return true;
}

}  // namespace warpsim
