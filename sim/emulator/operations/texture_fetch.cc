#include "emulator/operations/texture_fetch.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "emulator/numbers/half_float.h"
#include "emulator/numbers/interpolated_functions.h"
#include "emulator/textures/texture_access.h"
#include "emulator/textures/texture_coordinates.h"

namespace warpsim {

namespace {

// Lists of an operation, one after another from `target` on: destinations (operation.count), coordinates, if
// operation.offset is set offsets in texels, and gradients.
struct FetchLists {
  const OperandPlace* destinations;
  const OperandPlace* coordinates;
  const OperandPlace* offsets;    // null: none
  const OperandPlace* gradients;  // null: none
};
FetchLists lists_of(const WarpContext& warp, const Operation& operation, const TextureShape& shape) {
  const OperandPlace* const first = warp.lists + operation.target;
  const OperandPlace* const coordinates = first + operation.count;
  const OperandPlace* const offsets = coordinates + shape.dimensions + (shape.layered ? 1U : 0U);
  const bool has_offsets = operation.offset != 0;
  return {first, coordinates, has_offsets ? offsets : nullptr,
          (operation.e & kByGradient) != 0 ? offsets + (has_offsets ? shape.dimensions : 0U) : nullptr};
}

// A direction, divided by its longest component as the code for it does: with the approximate reciprocal.
void shorten(std::array<double, 3>& direction) {
  float longest = 0;
  for (const double each : direction) {
    longest = std::max(longest, std::fabs(static_cast<float>(each)));
  }
  if (longest == 0 || !std::isfinite(longest)) {
    return;
  }
  const auto inverse = static_cast<float>(interpolated::reciprocal(longest));
  for (double& each : direction) {
    each = static_cast<double>(static_cast<float>(each) * inverse);
  }
}

TexelCoordinates coordinates_of(const WarpContext& warp, const Operation& operation, const FetchLists& lists,
                                const TextureDescription& texture, std::uint32_t lane) {
  const TextureShape shape = texture_shape(operation.variant);
  const bool integer = operation.c != kNoPlace;
  TexelCoordinates result;
  result.integer = integer;
  result.clamped = (operation.e & kClamped) != 0;
  result.dimensions = shape.dimensions;
  const std::uint32_t first = shape.layered ? 1 : 0;
  if (shape.layered) {
    result.layer = warp.read<std::uint32_t>(lists.coordinates[0])[lane];
  }
  for (std::uint32_t i = 0; i < shape.dimensions; ++i) {
    const std::uint32_t word = warp.read<std::uint32_t>(lists.coordinates[first + i])[lane];
    result.at[i] = static_cast<double>(std::bit_cast<float>(word));
    if (integer) {
      result.at[i] = static_cast<std::int32_t>(word);
    }
    if (lists.offsets != nullptr) {
      result.offset[i] = static_cast<std::int32_t>(warp.read<std::uint32_t>(lists.offsets[i])[lane]);
    }
  }
  if (shape.of_cube()) {
    constexpr std::uint32_t kFaces = 6;
    if ((operation.e & kOfMachineCode) == 0) {
      shorten(result.at);
    }
    const CubeFace face = cube_face(result.at[0], result.at[1], result.at[2]);
    result.dimensions = 2;
    result.at = {face.s, face.t, 0};
    result.layer = result.layer * kFaces + face.face;
  }
  if (texture.shape == TextureDescription::Shape::kArray1d) {
    result.dimensions = 1;  // machine code has a second coordinate, which is 0
  }
  return result;
}

// The words of a list as floats.
std::array<double, 3> gradient_of(const WarpContext& warp, const OperandPlace* places, std::uint32_t dimensions,
                                  std::uint32_t lane) {
  std::array<double, 3> gradient = {};
  for (std::uint32_t i = 0; i < dimensions; ++i) {
    gradient[i] = static_cast<double>(std::bit_cast<float>(warp.read<std::uint32_t>(places[i])[lane]));
  }
  return gradient;
}

// Without a level, code for computations asks for the most detailed one.
constexpr double kMostDetailed = -32;

double level_for(const WarpContext& warp, const Operation& operation, const FetchLists& lists,
                 const TextureDescription& texture, std::uint32_t lane) {
  const TextureShape shape = texture_shape(operation.variant);
  if ((operation.e & kOfLevel) != 0) {
    return static_cast<double>(std::bit_cast<float>(warp.read<std::uint32_t>(operation.b)[lane]));
  }
  if (shape.of_cube() && (operation.e & (kByGradient | kDerived)) != 0) {
    warp.fault(FaultKind::kIllegalInstruction, operation, lane,
               "gradients of directions into mipmapped cubemaps are not supported");
  }
  if (lists.gradients != nullptr) {
    return level_of_gradients(texture, shape.dimensions, gradient_of(warp, lists.gradients, shape.dimensions, lane),
                              gradient_of(warp, lists.gradients + shape.dimensions, shape.dimensions, lane));
  }
  if ((operation.e & kDerived) != 0) {
    const std::uint32_t first = lane / 4 * 4;
    const OperandPlace* const places = lists.coordinates + (shape.layered ? 1 : 0);
    const std::array<double, 3> here = gradient_of(warp, places, shape.dimensions, first);
    std::array<double, 3> right = gradient_of(warp, places, shape.dimensions, first + 1);
    std::array<double, 3> down = gradient_of(warp, places, shape.dimensions, first + 2);
    for (std::size_t i = 0; i < here.size(); ++i) {
      right[i] -= here[i];
      down[i] -= here[i];
    }
    return level_of_gradients(texture, shape.dimensions, right, down);
  }
  return kMostDetailed;
}

Texel fetch_one(const WarpContext& warp, const Operation& operation, const FetchLists& lists, const TexelImage& image,
                std::uint32_t lane) {
  const TextureDescription& texture = *image.texture;
  const TexelCoordinates coordinates = coordinates_of(warp, operation, lists, texture, lane);
  if (texture.smaller.empty()) {
    return sample(image, coordinates);
  }
  if (coordinates.integer) {
    const std::uint32_t level = (operation.e & kOfLevel) != 0 ? warp.read<std::uint32_t>(operation.b)[lane] : 0;
    return sample(image_of_level(image, level), coordinates);
  }
  return sample_level(image, coordinates, level_for(warp, operation, lists, texture, lane));
}

std::uint32_t half_of(std::uint32_t word) {
  return to_half<Half>(std::bit_cast<float>(word)).bits;
}

void put(WarpContext& warp, const Operation& operation, const OperandPlace* destinations, std::uint32_t lane,
         const Texel& texel) {
  const auto how = static_cast<FetchedChannels>(operation.bytes);
  for (std::uint32_t i = 0; i < operation.count; ++i) {
    std::uint32_t word = texel[i];
    if (how == FetchedChannels::kHalves) {
      word = half_of(word);
    } else if (how == FetchedChannels::kHalfPairs) {
      word = half_of(texel[std::size_t{2} * i]) | half_of(texel[std::size_t{2} * i + 1]) << 16U;
    }
    warp.write<std::uint32_t>(destinations[i])[lane] = word;
  }
}

// All texels are resident.
void set_residence(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  if (operation.p != kNoPlace) {
    warp.set_predicate(operation.p, lanes, (operation.e & kOfMachineCode) != 0 ? 0 : kAllLanes);
  }
}

bool fits(const Operation& operation, const TextureShape& shape, const TextureDescription& texture) {
  return (operation.e & kOfMachineCode) != 0 && shape.kind == TextureShape::Kind::k2d &&
         texture.shape == TextureDescription::Shape::kArray1d && texture.layers == 0;
}

// The image that a lane fetches from, whose shape fits. operation.c: not kNoPlace if coordinates are integers.
const TexelImage& image_for(const WarpContext& warp, const Operation& operation, const TextureShape& shape,
                            TexelImages& images, std::uint32_t lane) {
  const TexelImage& image = images.of(lane);
  if (!fits(operation, shape, *image.texture)) {
    check_shape(warp, operation, lane, shape, *image.texture);
  }
  if (operation.c == kNoPlace && image.texture->shape == TextureDescription::Shape::kLinear) {
    warp.fault(FaultKind::kIllegalInstruction, operation, lane,
               "a texture of linear memory only has integer coordinates");
  }
  return image;
}

// operation.b: the channel.
Texel gather_one(const WarpContext& warp, const Operation& operation, const FetchLists& lists, const TexelImage& image,
                 std::uint32_t lane) {
  check_shape(warp, operation, lane, texture_shape(operation.variant), *image.texture);
  return gather(image, coordinates_of(warp, operation, lists, *image.texture, lane),
                static_cast<std::uint32_t>(operation.b));
}

}  // namespace

void fetch_texels(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const TextureShape shape = texture_shape(operation.variant);
  const FetchLists lists = lists_of(warp, operation, shape);
  TexelImages images(warp, operation);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const TexelImage& image = image_for(warp, operation, shape, images, lane);
    put(warp, operation, lists.destinations, lane, fetch_one(warp, operation, lists, image, lane));
  });
  set_residence(warp, operation, lanes);
}

void fetch_four_texels(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const FetchLists lists = lists_of(warp, operation, texture_shape(operation.variant));
  TexelImages images(warp, operation);
  for_lanes(lanes, [&](std::uint32_t lane) {
    put(warp, operation, lists.destinations, lane, gather_one(warp, operation, lists, images.of(lane), lane));
  });
  set_residence(warp, operation, lanes);
}

void find_fetched_texels(const WarpContext& warp, const Operation& operation, LaneMask lanes,
                         TexelFootprint& footprint) {
  const TextureShape shape = texture_shape(operation.variant);
  const FetchLists lists = lists_of(warp, operation, shape);
  const std::uint32_t dimensions = shape.of_cube() ? 2 : shape.dimensions;
  const bool four = operation.run == fetch_four_texels;
  TexelImages images(warp, operation, &footprint);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const TexelImage& image = four ? images.of(lane) : image_for(warp, operation, shape, images, lane);
    const bool filtered = !four && operation.c == kNoPlace && image.texture->linear_filter;
    footprint.begin_lane(lane, static_cast<std::uint32_t>(image.texture->texel_bytes()), *image.texture,
                         filtered ? dimensions : 0);
    if (four) {
      gather_one(warp, operation, lists, image, lane);
    } else {
      fetch_one(warp, operation, lists, image, lane);
    }
  });
}

}  // namespace warpsim
