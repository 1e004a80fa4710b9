// Texel lookup: coordinates, addressing modes, filters and formats, as in the CUDA programming guide's appendix on
// texture fetching.
//
// Modelled: weights of linear filters with 8 bits of fraction, whose sum is exactly 1; border colours; normalised
// coordinates and values, which are filtered as integers of 16 bits. The sum of a filter is rounded once; hardware
// keeps fewer bits of small texels next to large ones. Levels of detail have 8 bits of fraction. Not modelled:
// anisotropy, filters across the edges of a cubemap's faces, the approximations by which hardware derives a level from
// gradients.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "emulator/textures/texel_footprint.h"
#include "emulator/textures/texture_description.h"

namespace warpsim {

// A texture and the host address of its texels. With a footprint the functions below add the texels that they would
// read to it and read nothing: their results have no meaning.
struct TexelImage {
  const TextureDescription* texture = nullptr;
  const std::byte* texels = nullptr;
  TexelFootprint* footprint = nullptr;
};

// Four channels: bits of floats if the texture holds or is read as floats, otherwise integers, extended. Channels that
// the texture lacks are 0.
using Texel = std::array<std::uint32_t, 4>;

struct TexelCoordinates {
  std::array<double, 3> at = {};            // as given by the program, normalised or not
  std::array<std::int32_t, 3> offset = {};  // in texels
  std::uint32_t dimensions = 1;
  std::uint32_t layer = 0;  // clamped to the last
  bool integer = false;     // coordinates count texels: never normalised, never filtered, 0 outside
  bool clamped = false;     // of integer coordinates: outside as the addressing mode says
};

Texel sample(const TexelImage& image, const TexelCoordinates& coordinates);
// The same of a mipmapped texture, at a level of detail to which the texture's bias and limits are applied.
Texel sample_level(const TexelImage& image, const TexelCoordinates& coordinates, double level);
// A level's image; the last one if there are fewer.
TexelImage image_of_level(const TexelImage& image, std::uint64_t level);
// One channel of the four texels of a linear filter in two dimensions, counterclockwise from the lower left.
Texel gather(const TexelImage& image, const TexelCoordinates& coordinates, std::uint32_t channel);

}  // namespace warpsim
