#include "emulator/textures/texture_sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "emulator/numbers/half_float.h"
#include "emulator/textures/texture_coordinates.h"

namespace warpsim {

namespace {

using AddressMode = TextureDescription::AddressMode;
using Channel = TextureDescription::Channel;

constexpr std::int64_t kOutside = -1;
constexpr std::int64_t kFraction = 256;  // weights of linear filters: 8 bits after the point

std::int64_t to_integer(double value) {
  constexpr double kMost = 1e15;  // beyond every texture
  return std::isnan(value) ? 0 : static_cast<std::int64_t>(std::clamp(value, -kMost, kMost));
}

// The texel that represents a place beyond the edges; kOutside: the border.
std::int64_t addressed(const TextureDescription& texture, std::uint32_t dimension, std::int64_t index,
                       const TexelCoordinates& coordinates) {
  const auto count = static_cast<std::int64_t>(extent_of(texture, dimension));
  if (index >= 0 && index < count) {
    return index;
  }
  if (coordinates.integer && (!coordinates.clamped || texture.shape == TextureDescription::Shape::kLinear)) {
    return kOutside;
  }
  AddressMode mode = texture.address_mode[dimension];
  if ((!texture.normalized_coordinates || coordinates.integer) && mode != AddressMode::kBorder) {
    mode = AddressMode::kClamp;  // the other modes exist only for normalised coordinates
  }
  switch (mode) {
    case AddressMode::kWrap:
      return (index % count + count) % count;
    case AddressMode::kMirror: {
      const std::int64_t place = (index % (2 * count) + 2 * count) % (2 * count);
      return place < count ? place : 2 * count - 1 - place;
    }
    case AddressMode::kClamp:
      return std::clamp<std::int64_t>(index, 0, count - 1);
    case AddressMode::kBorder:
      break;
  }
  return kOutside;
}

float linear_of_srgb(float value) {
  constexpr float kDark = 0.04045F;
  return value <= kDark ? value / 12.92F : std::pow((value + 0.055F) / 1.055F, 2.4F);
}

// A channel's bits, without those above them.
std::uint32_t channel_word(const TextureDescription& texture, std::uint32_t bits, std::uint32_t channel) {
  const std::uint32_t unused = 32 - texture.channel_bits;
  const auto extended = static_cast<std::int32_t>(bits << unused) >> unused;
  if (texture.channel == Channel::kFloat) {
    return texture.channel_bits == 16 ? std::bit_cast<std::uint32_t>(to_single(Half{static_cast<std::uint16_t>(bits)}))
                                      : bits;
  }
  const bool is_signed = texture.channel == Channel::kSigned;
  if (!texture.normalized_values) {
    return is_signed ? static_cast<std::uint32_t>(extended) : bits;
  }
  const auto most = static_cast<float>((std::uint64_t{1} << (texture.channel_bits - (is_signed ? 1 : 0))) - 1);
  float value = is_signed ? std::max(static_cast<float>(extended) / most, -1.0F) : static_cast<float>(bits) / most;
  if (texture.srgb && channel < 3) {
    value = linear_of_srgb(value);
  }
  return std::bit_cast<std::uint32_t>(value);
}

struct TexelPlace {
  std::array<std::int64_t, 3> index = {};
};

// A border colour in the texture's format. Hardware's rounding is that of fixed point: evidence as for sample_level().
std::uint32_t border_word(const TextureDescription& texture, float colour) {
  const auto word = std::bit_cast<std::uint32_t>(colour);
  const bool is_signed = texture.channel == Channel::kSigned;
  if (texture.channel == Channel::kFloat || texture.channel_bits == 32) {
    return word;
  }
  const std::uint32_t unused = 32 - texture.channel_bits;
  if (!texture.normalized_values) {
    return is_signed ? static_cast<std::uint32_t>(static_cast<std::int32_t>(word << unused) >> unused)
                     : word << unused >> unused;
  }
  constexpr std::uint32_t kMoreBits = 4;
  const std::uint32_t bits = texture.channel_bits - (is_signed ? 1 : 0);
  const double limited = std::isnan(colour) ? 0 : std::clamp(static_cast<double>(colour), is_signed ? -1.0 : 0.0, 1.0);
  const auto fixed = static_cast<std::int64_t>(std::fabs(limited) * std::exp2(bits + kMoreBits));
  const std::int64_t most = (std::int64_t{1} << bits) - 1;
  const std::int64_t code = (fixed * most + (std::int64_t{1} << (bits + kMoreBits - 1)) - 1) >> (bits + kMoreBits);
  const auto value = static_cast<float>(code) / static_cast<float>(most);
  return std::bit_cast<std::uint32_t>(limited < 0 ? -value : value);
}

Texel border_of(const TextureDescription& texture) {
  Texel texel{};
  for (std::size_t i = 0; i < texture.channels; ++i) {
    texel[i] = border_word(texture, texture.border[i]);
  }
  return texel;
}

Texel texel_at(const TexelImage& image, const TexelCoordinates& coordinates, const TexelPlace& place) {
  const TextureDescription& texture = *image.texture;
  std::array<std::uint64_t, 3> index = {};
  for (std::uint32_t i = 0; i < coordinates.dimensions; ++i) {
    const std::int64_t found = addressed(texture, i, place.index[i], coordinates);
    if (found == kOutside) {
      return coordinates.integer ? Texel{} : border_of(texture);
    }
    index[i] = static_cast<std::uint64_t>(found);
  }
  const std::uint64_t slice =
      texture.layers != 0 ? std::min<std::uint64_t>(coordinates.layer, texture.layers - 1) : index[2];
  if (image.footprint != nullptr) {
    image.footprint->add(texture, index[0] * texture.texel_bytes(), index[1], slice);
    return {};
  }
  const std::byte* const at =
      image.texels + (slice * texture.rows() + index[1]) * texture.pitch_bytes + index[0] * texture.texel_bytes();
  Texel texel{};
  const std::uint32_t bytes = texture.channel_bits / 8;
  for (std::uint32_t channel = 0; channel < texture.channels; ++channel) {
    std::uint32_t bits = 0;
    std::memcpy(&bits, at + std::size_t{channel} * bytes, bytes);
    texel[channel] = channel_word(texture, bits, channel);
  }
  return texel;
}

// In texels; the centre of the first is at 0.5.
double scaled(const TextureDescription& texture, const TexelCoordinates& coordinates, std::uint32_t dimension) {
  const double at = coordinates.at[dimension];
  const bool of_cube = texture.shape == TextureDescription::Shape::kCubemap;  // where directions lead
  const bool normalised = (texture.normalized_coordinates || of_cube) && !coordinates.integer;
  const double place = normalised ? at * static_cast<double>(extent_of(texture, dimension)) : at;
  return place + coordinates.offset[dimension];
}

// The lower of the two texels of a linear filter, and the weight of the upper one in parts of kFraction.
struct FilterPlace {
  std::int64_t index = 0;
  std::int64_t weight = 0;
};
FilterPlace filter_place(const TextureDescription& texture, const TexelCoordinates& coordinates,
                         std::uint32_t dimension) {
  constexpr double kHalf = 0.5;
  const double from_centre = scaled(texture, coordinates, dimension) - kHalf;
  const std::int64_t fixed = to_integer(std::floor(from_centre * static_cast<double>(kFraction) + kHalf));
  const std::int64_t index = fixed >> 8;
  return {index, fixed - index * kFraction};
}

// Weights of a footprint are whole parts of kFraction and have its share as their sum. They are divided one axis after
// another; the first part of a division is rounded, the second one is the rest.
struct CornerWeights {
  std::array<std::int64_t, 8> of = {};  // bit i of the number: the upper texel along dimension i
};

std::int64_t part_of(std::int64_t whole, std::int64_t weight) {
  return (whole * weight + kFraction / 2) / kFraction;
}

CornerWeights corner_weights(const std::array<FilterPlace, 3>& places, std::uint32_t dimensions, std::int64_t share) {
  constexpr std::uint32_t kUpperX = 1;
  constexpr std::uint32_t kUpperY = 2;
  constexpr std::uint32_t kUpperZ = 4;
  CornerWeights weights;
  const std::int64_t far = dimensions > 2 ? share - part_of(share, kFraction - places[2].weight) : 0;
  for (const std::uint32_t z : {0U, kUpperZ}) {
    const std::int64_t plane = z != 0 ? far : share - far;
    const std::int64_t right = part_of(plane, places[0].weight);
    const std::int64_t left = plane - right;
    // Of the right texels the upper one is rounded, of the left ones the lower one.
    const std::int64_t right_upper = dimensions > 1 ? part_of(right, places[1].weight) : 0;
    const std::int64_t left_lower = dimensions > 1 ? part_of(left, kFraction - places[1].weight) : left;
    weights.of[z | kUpperX | kUpperY] = right_upper;
    weights.of[z | kUpperX] = right - right_upper;
    weights.of[z | kUpperY] = left - left_lower;
    weights.of[z] = left_lower;
  }
  return weights;
}

// Normalised integers are filtered as integers of this scale; 0: values are floats.
double filter_scale(const TextureDescription& texture) {
  constexpr double kByte = 127;
  constexpr double kSigned = 32767;
  constexpr double kUnsigned = 65535;
  if (!texture.normalized_values || texture.srgb) {
    return 0;
  }
  if (texture.channel == Channel::kUnsigned) {
    return kUnsigned;
  }
  return texture.channel_bits == 8 ? kByte : kSigned;
}

// Adds `share` parts of the filtered texels to the sum.
using ChannelSums = std::array<double, 4>;
void add_texel(const TextureDescription& texture, const Texel& texel, std::int64_t weight, ChannelSums& sum) {
  const double scale = filter_scale(texture);
  for (std::size_t channel = 0; channel < texel.size(); ++channel) {
    const auto value = static_cast<double>(std::bit_cast<float>(texel[channel]));
    sum[channel] += static_cast<double>(weight) * (scale != 0 ? std::round(value * scale) : value);
  }
}

void add_filtered(const TexelImage& image, const TexelCoordinates& coordinates, std::int64_t share, ChannelSums& sum) {
  std::array<FilterPlace, 3> places = {};
  for (std::uint32_t i = 0; i < coordinates.dimensions; ++i) {
    places[i] = filter_place(*image.texture, coordinates, i);
  }
  const CornerWeights weights = corner_weights(places, coordinates.dimensions, share);
  for (std::uint32_t corner = 0; corner < 1U << coordinates.dimensions; ++corner) {
    if (weights.of[corner] == 0) {
      continue;  // an infinite neighbour does not contribute
    }
    TexelPlace place;
    for (std::uint32_t i = 0; i < coordinates.dimensions; ++i) {
      place.index[i] = places[i].index + (corner >> i & 1U);
    }
    add_texel(*image.texture, texel_at(image, coordinates, place), weights.of[corner], sum);
  }
}

// The result of a filter, of the sum over kFraction parts.
float filtered_value(const TextureDescription& texture, double sum) {
  constexpr double kHalf = 0.5;
  constexpr double kSigned = 32767;
  const double scale = filter_scale(texture);
  const auto fraction = static_cast<double>(kFraction);
  if (scale == 0) {
    return static_cast<float>(sum / fraction);
  }
  if (texture.channel == Channel::kSigned && texture.channel_bits == 8) {
    const auto parts = static_cast<std::int64_t>(sum);
    const std::int64_t code = parts + ((257 * (parts >> 4) + 1024) >> 11);
    return static_cast<float>(std::max(static_cast<double>(code), -kSigned) / kSigned);
  }
  return static_cast<float>(std::max(std::floor(sum / fraction + kHalf), -scale) / scale);
}

Texel rounded(const TextureDescription& texture, const ChannelSums& sum) {
  Texel result{};
  for (std::size_t channel = 0; channel < result.size(); ++channel) {
    result[channel] = std::bit_cast<std::uint32_t>(filtered_value(texture, sum[channel]));
  }
  return result;
}

Texel filtered(const TexelImage& image, const TexelCoordinates& coordinates) {
  ChannelSums sum = {};
  add_filtered(image, coordinates, kFraction, sum);
  return rounded(*image.texture, sum);
}

// In parts of kFraction, towards 0.
double in_parts(double level) {
  constexpr double kMost = 1e6;  // beyond every level
  return std::isnan(level) ? 0 : std::trunc(std::clamp(level, -kMost, kMost) * static_cast<double>(kFraction));
}

// Adds a level's part of a blend of levels.
void add_level(const TexelImage& image, const TexelCoordinates& coordinates, std::int64_t share, ChannelSums& sum) {
  if (image.texture->linear_filter) {
    add_filtered(image, coordinates, share, sum);
  } else {
    add_texel(*image.texture, sample(image, coordinates), share, sum);
  }
}

}  // namespace

Texel sample(const TexelImage& image, const TexelCoordinates& coordinates) {
  if (image.texture->linear_filter && !coordinates.integer) {
    return filtered(image, coordinates);
  }
  TexelPlace place;
  for (std::uint32_t i = 0; i < coordinates.dimensions; ++i) {
    place.index[i] = to_integer(std::floor(scaled(*image.texture, coordinates, i)));
  }
  return texel_at(image, coordinates, place);
}

TexelImage image_of_level(const TexelImage& image, std::uint64_t level) {
  const std::vector<TextureDescription>& smaller = image.texture->smaller;
  if (level == 0 || smaller.empty()) {
    return image;
  }
  const TextureDescription& chosen = smaller[std::min<std::uint64_t>(level, smaller.size()) - 1];
  return {&chosen, image.texels + (chosen.data - image.texture->data), image.footprint};
}

// Evidence for the order of rounding, bias and limits: measurements of an 8.6 GPU in the documentation of the
// VirtualGPU project (public repository, docs on textures).
Texel sample_level(const TexelImage& image, const TexelCoordinates& coordinates, double level) {
  const TextureDescription& texture = *image.texture;
  if (texture.smaller.empty()) {
    return sample(image, coordinates);
  }
  const auto fraction = static_cast<double>(kFraction);
  const double last = static_cast<double>(texture.smaller.size()) * fraction;
  double parts = in_parts(level) + in_parts(static_cast<double>(texture.level_bias));
  parts = std::min(std::max(parts, in_parts(static_cast<double>(texture.least_level))),
                   in_parts(static_cast<double>(texture.most_level)));
  parts = std::clamp(parts, 0.0, last);
  if (!texture.blends_levels) {
    const auto nearest = static_cast<std::uint64_t>(parts + fraction / 2) / static_cast<std::uint64_t>(kFraction);
    return sample(image_of_level(image, nearest), coordinates);
  }
  const auto whole_parts = static_cast<std::int64_t>(parts);
  const auto lower = static_cast<std::uint64_t>(whole_parts / kFraction);
  const std::int64_t upper_share = whole_parts % kFraction;
  if (upper_share == 0) {
    return sample(image_of_level(image, lower), coordinates);
  }
  ChannelSums sum = {};
  add_level(image_of_level(image, lower), coordinates, kFraction - upper_share, sum);
  add_level(image_of_level(image, lower + 1), coordinates, upper_share, sum);
  return rounded(texture, sum);
}

Texel gather(const TexelImage& image, const TexelCoordinates& coordinates, std::uint32_t channel) {
  const std::int64_t x = filter_place(*image.texture, coordinates, 0).index;
  const std::int64_t y = filter_place(*image.texture, coordinates, 1).index;
  Texel result{};
  constexpr std::int64_t kRight[] = {0, 1, 1, 0};
  constexpr std::int64_t kDown[] = {1, 1, 0, 0};
  for (std::size_t i = 0; i < result.size(); ++i) {
    result[i] = texel_at(image, coordinates, {{x + kRight[i], y + kDown[i], 0}})[channel];
  }
  return result;
}

}  // namespace warpsim
