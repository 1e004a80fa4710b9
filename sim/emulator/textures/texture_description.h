// A texture or surface object: its texels in memory, and the lookup rules.
#pragma once

#include <cstdint>
#include <vector>

#include "base/types.h"

namespace warpsim {

struct TextureDescription {
  enum class Shape : std::uint8_t { kLinear, kPitched, kArray1d, kArray2d, kArray3d, kCubemap };
  enum class AddressMode : std::uint8_t { kWrap, kClamp, kMirror, kBorder };
  enum class Channel : std::uint8_t { kUnsigned, kSigned, kFloat };
  Shape shape = Shape::kLinear;
  Address data = 0;
  std::uint64_t width = 0;  // elements
  std::uint64_t height = 0;
  std::uint64_t depth = 0;
  std::uint64_t layers = 0;  // 0: not layered; of cubemaps: faces, 6 per layer
  std::uint64_t pitch_bytes = 0;
  std::uint32_t channels = 1;
  std::uint32_t channel_bits = 32;
  Channel channel = Channel::kFloat;
  AddressMode address_mode[3] = {AddressMode::kClamp, AddressMode::kClamp, AddressMode::kClamp};
  bool linear_filter = false;
  bool normalized_coordinates = false;
  bool normalized_values = false;  // integers read as floats in [0, 1] or [-1, 1]
  bool srgb = false;               // colours of 8 bits become linear; needs normalized_values
  float border[4] = {};            // as given by the program; for integer channels their bits
  // Mipmaps: the smaller images, each half as large as the one before, in the same allocation at ascending addresses.
  // Their shape, format and modes are those of this one. Empty: there is one level.
  std::vector<TextureDescription> smaller;
  bool blends_levels = false;  // linear between levels
  float level_bias = 0;
  float least_level = 0;
  float most_level = 0;

  std::uint64_t texel_bytes() const { return std::uint64_t{channels} * channel_bits / 8; }
  std::uint64_t rows() const { return height == 0 ? 1 : height; }
  std::uint64_t slices() const { return layers != 0 ? layers : depth == 0 ? 1 : depth; }
  // From the first texel to the end of the last, of all levels.
  std::uint64_t bytes() const {
    return smaller.empty() ? pitch_bytes * (rows() * slices() - 1) + width * texel_bytes()
                           : smaller.back().data - data + smaller.back().bytes();
  }
};

}  // namespace warpsim
