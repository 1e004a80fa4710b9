#include "emulator/textures/texture_layout.h"

#include <algorithm>
#include <bit>

namespace warpsim {

namespace {

using Shape = TextureDescription::Shape;

constexpr std::uint64_t kBlockWidth = 64;  // bytes
constexpr std::uint64_t kBlockRows = 8;
constexpr std::uint64_t kBlockBytes = kBlockWidth * kBlockRows;
constexpr std::uint64_t kMostBelow = 16;  // blocks that follow one another downwards

std::uint64_t blocks(std::uint64_t size, std::uint64_t of) {
  return (size + of - 1) / of;
}

// Blocks that follow one another downwards in an array of so many rows.
std::uint64_t blocks_below(std::uint64_t rows) {
  return std::min(kMostBelow, std::bit_ceil(blocks(rows, kBlockRows)));
}

std::uint64_t slice_bytes(std::uint64_t row_bytes, std::uint64_t rows) {
  const std::uint64_t below = blocks_below(rows);
  return blocks(row_bytes, kBlockWidth) * blocks(rows, kBlockRows * below) * below * kBlockBytes;
}

std::uint64_t offset_in_block(std::uint64_t x, std::uint64_t y) {
  return x / 32 * 256 + y / 2 * 64 + x % 32 / 16 * 32 + y % 2 * 16 + x % 16;
}

}  // namespace

Address texel_address(const TextureDescription& texture, std::uint64_t x_bytes, std::uint64_t row,
                      std::uint64_t slice) {
  if (texture.shape == Shape::kLinear || texture.shape == Shape::kPitched) {
    return texture.data + row * texture.pitch_bytes + x_bytes;
  }
  const std::uint64_t row_bytes = texture.width * texture.texel_bytes();
  const std::uint64_t below = blocks_below(texture.rows());
  const std::uint64_t down = row / kBlockRows;
  const std::uint64_t block =
      (down / below * blocks(row_bytes, kBlockWidth) + x_bytes / kBlockWidth) * below + down % below;
  return texture.data + slice * slice_bytes(row_bytes, texture.rows()) + block * kBlockBytes +
         offset_in_block(x_bytes % kBlockWidth, row % kBlockRows);
}

std::uint32_t texel_bank(const TextureDescription& texture, std::uint64_t x_bytes, std::uint64_t row) {
  if (texture.shape == Shape::kLinear || texture.shape == Shape::kPitched) {
    return static_cast<std::uint32_t>((x_bytes / kSectorBytes + row) % 4);
  }
  return static_cast<std::uint32_t>(x_bytes / 16 % 2 + row / 2 % 2 * 2);
}

std::uint64_t array_bytes(std::uint64_t row_bytes, std::uint64_t rows, std::uint64_t slices) {
  return slice_bytes(row_bytes, rows) * slices;
}

}  // namespace warpsim
