#include "emulator/textures/texture_sampling.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "emulator/numbers/half_float.h"

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

std::uint64_t extent_of(const TextureDescription& texture, std::uint32_t dimension) {
  return dimension == 0 ? texture.width : dimension == 1 ? texture.rows() : std::max<std::uint64_t>(texture.depth, 1);
}

// The texel that represents a place beyond the edges; kOutside: the border.
std::int64_t addressed(const TextureDescription& texture, std::uint32_t dimension, std::int64_t index, bool integer) {
  const auto count = static_cast<std::int64_t>(extent_of(texture, dimension));
  if (index >= 0 && index < count) {
    return index;
  }
  if (integer && texture.shape == TextureDescription::Shape::kLinear) {
    return kOutside;
  }
  AddressMode mode = texture.address_mode[dimension];
  const bool repeats = texture.normalized_coordinates && !integer;
  if (!repeats && mode != AddressMode::kBorder) {
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

bool reads_floats(const TextureDescription& texture) {
  return texture.normalized_values || texture.channel == Channel::kFloat;
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

Texel border_of(const TextureDescription& texture) {
  Texel texel{};
  for (std::size_t i = 0; i < texel.size(); ++i) {
    texel[i] = std::bit_cast<std::uint32_t>(texture.border[i]);
  }
  return texel;
}

Texel texel_at(const TexelImage& image, const TexelCoordinates& coordinates, const TexelPlace& place) {
  const TextureDescription& texture = *image.texture;
  std::array<std::uint64_t, 3> index = {};
  for (std::uint32_t i = 0; i < coordinates.dimensions; ++i) {
    const std::int64_t found = addressed(texture, i, place.index[i], coordinates.integer);
    if (found == kOutside) {
      return texture.shape == TextureDescription::Shape::kLinear ? Texel{} : border_of(texture);
    }
    index[i] = static_cast<std::uint64_t>(found);
  }
  const std::uint64_t slice =
      texture.layers != 0 ? std::min<std::uint64_t>(coordinates.layer, texture.layers - 1) : index[2];
  const std::byte* const at =
      image.texels + (slice * texture.rows() + index[1]) * texture.pitch_bytes + index[0] * texture.texel_bytes();
  Texel texel{0, 0, 0, reads_floats(texture) ? std::bit_cast<std::uint32_t>(1.0F) : 1U};
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
  const bool normalised = texture.normalized_coordinates && !coordinates.integer;
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

// Adds `share` times the filtered texels to the sum.
using ChannelSums = std::array<double, 4>;
void add_filtered(const TexelImage& image, const TexelCoordinates& coordinates, double share, ChannelSums& sum) {
  std::array<FilterPlace, 3> places = {};
  for (std::uint32_t i = 0; i < coordinates.dimensions; ++i) {
    places[i] = filter_place(*image.texture, coordinates, i);
  }
  const double whole = std::pow(static_cast<double>(kFraction), coordinates.dimensions);
  for (std::uint32_t corner = 0; corner < 1U << coordinates.dimensions; ++corner) {
    std::int64_t weight = 1;
    TexelPlace place;
    for (std::uint32_t i = 0; i < coordinates.dimensions; ++i) {
      const bool upper = (corner >> i & 1U) != 0;
      weight *= upper ? places[i].weight : kFraction - places[i].weight;
      place.index[i] = places[i].index + (upper ? 1 : 0);
    }
    if (weight == 0) {
      continue;  // an infinite neighbour does not contribute
    }
    const Texel texel = texel_at(image, coordinates, place);
    for (std::size_t channel = 0; channel < texel.size(); ++channel) {
      sum[channel] += share * static_cast<double>(weight) / whole * std::bit_cast<float>(texel[channel]);
    }
  }
}

Texel rounded(const ChannelSums& sum) {
  Texel result{};
  for (std::size_t channel = 0; channel < result.size(); ++channel) {
    result[channel] = std::bit_cast<std::uint32_t>(static_cast<float>(sum[channel]));
  }
  return result;
}

Texel filtered(const TexelImage& image, const TexelCoordinates& coordinates) {
  ChannelSums sum = {};
  add_filtered(image, coordinates, 1, sum);
  return rounded(sum);
}

// In parts of kFraction, towards 0.
double in_parts(double level) {
  constexpr double kMost = 1e6;  // beyond every level
  return std::isnan(level) ? 0 : std::trunc(std::clamp(level, -kMost, kMost) * static_cast<double>(kFraction));
}

// Adds a level's part of a blend of levels.
void add_level(const TexelImage& image, const TexelCoordinates& coordinates, double share, ChannelSums& sum) {
  if (share == 0) {
    return;
  }
  if (image.texture->linear_filter) {
    add_filtered(image, coordinates, share, sum);
    return;
  }
  const Texel texel = sample(image, coordinates);
  for (std::size_t channel = 0; channel < texel.size(); ++channel) {
    sum[channel] += share * std::bit_cast<float>(texel[channel]);
  }
}

}  // namespace

CubeFace cube_face(double x, double y, double z) {
  const double ax = std::fabs(x);
  const double ay = std::fabs(y);
  const double az = std::fabs(z);
  CubeFace result;
  double longest = az;
  double s = z < 0 ? -x : x;
  double t = -y;
  result.face = z < 0 ? 5 : 4;
  if (ax > ay && ax > az) {
    longest = ax;
    s = x < 0 ? z : -z;
    result.face = x < 0 ? 1 : 0;
  } else if (ay > az) {
    longest = ay;
    s = x;
    t = y < 0 ? -z : z;
    result.face = y < 0 ? 3 : 2;
  }
  result.s = (s / longest + 1) / 2;
  result.t = (t / longest + 1) / 2;
  return result;
}

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
  return {&chosen, image.texels + (chosen.data - image.texture->data)};
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
  const auto lower = static_cast<std::uint64_t>(parts) / static_cast<std::uint64_t>(kFraction);
  const double upper_share = parts / fraction - static_cast<double>(lower);
  ChannelSums sum = {};
  if (upper_share == 0) {
    return sample(image_of_level(image, lower), coordinates);
  }
  add_level(image_of_level(image, lower), coordinates, 1 - upper_share, sum);
  add_level(image_of_level(image, lower + 1), coordinates, upper_share, sum);
  return rounded(sum);
}

double level_of_gradients(const TextureDescription& texture, std::uint32_t dimensions,
                          const std::array<double, 3>& along_x, const std::array<double, 3>& along_y) {
  double longest = 0;
  for (const std::array<double, 3>& gradient : {along_x, along_y}) {
    double square = 0;
    for (std::uint32_t i = 0; i < dimensions; ++i) {
      const double texels =
          gradient[i] * (texture.normalized_coordinates ? static_cast<double>(extent_of(texture, i)) : 1.0);
      square += texels * texels;
    }
    longest = std::max(longest, square);
  }
  return std::log2(longest) / 2;
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
