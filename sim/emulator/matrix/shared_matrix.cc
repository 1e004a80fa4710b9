#include "emulator/matrix/shared_matrix.h"

#include "emulator/memory/tensor_map.h"

namespace warpsim {

namespace {

constexpr std::uint32_t kRows = 8;  // of the smallest piece

std::uint32_t field(std::uint64_t descriptor, std::uint32_t first) {
  constexpr std::uint64_t kMask = (1U << 14U) - 1;
  return static_cast<std::uint32_t>(descriptor >> first & kMask) * SharedMatrix::kUnitBytes;
}

}  // namespace

SharedMatrix SharedMatrix::decode(std::uint64_t descriptor) {
  const auto mode = static_cast<std::uint32_t>(descriptor >> 62U);
  SharedMatrix matrix;
  matrix.start = field(descriptor, 0);
  matrix.leading = field(descriptor, 16);
  matrix.stride = field(descriptor, 32);
  matrix.base_offset = static_cast<std::uint32_t>(descriptor >> 49U & 7U);
  matrix.swizzle = mode == 0 ? 0 : 4 - mode;  // 1: the widest
  return matrix;
}

std::uint32_t SharedMatrix::unit_along_k(std::uint32_t row, std::uint32_t unit) const {
  const std::uint32_t place = row / kRows * stride + row % kRows * (SharedMatrix::kUnitBytes << swizzle);
  return swizzled(start + place + unit * (swizzle == 0 ? leading : SharedMatrix::kUnitBytes), swizzle);
}

std::uint32_t SharedMatrix::unit_along_rows(std::uint32_t row, std::uint32_t k) const {
  const std::uint32_t unit = row / kRows;
  if (swizzle == 0) {
    return start + unit * stride + k / kRows * leading + k % kRows * SharedMatrix::kUnitBytes;
  }
  const std::uint32_t units = 1U << swizzle;
  return swizzled(start + unit % units * SharedMatrix::kUnitBytes + unit / units * leading + k / kRows * stride +
                      k % kRows * units * SharedMatrix::kUnitBytes,
                  swizzle);
}

}  // namespace warpsim
