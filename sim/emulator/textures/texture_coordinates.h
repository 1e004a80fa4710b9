// Coordinates of textures: extents, directions into cubemaps, and levels of detail that follow from gradients.
//
// Evidence: CUDA programming guide, texture fetching; for the estimated lengths as for sample_level()
// (texture_sampling.h).
#pragma once

#include <array>
#include <cstdint>

#include "emulator/textures/texture_description.h"

namespace warpsim {

// Texels along a dimension, at least 1.
std::uint64_t extent_of(const TextureDescription& texture, std::uint32_t dimension);

// For a direction: face of the cubemap, and coordinates on it (normalised).
struct CubeFace {
  std::uint32_t face = 0;
  double s = 0;
  double t = 0;
};
CubeFace cube_face(double x, double y, double z);

// The level of detail for these derivatives of the coordinates, normalised or not, along two axes of the screen.
double level_of_gradients(const TextureDescription& texture, std::uint32_t dimensions,
                          const std::array<double, 3>& along_x, const std::array<double, 3>& along_y);

}  // namespace warpsim
