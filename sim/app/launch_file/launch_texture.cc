#include "app/launch_file/launch_texture.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "config/config_reader.h"

namespace warpsim {

namespace {

using cuda::TextureDescription;

constexpr std::uint64_t kMostTexels = 1U << 30U;

void read_address_modes(const LaunchMap& map, TextureDescription& texture) {
  const ConfigNode* const node = map.find("address_mode");
  if (node == nullptr) {
    return;
  }
  const std::vector<std::string> words = {"wrap", "clamp", "mirror", "border"};
  const bool list = node->kind == ConfigNode::Kind::kList;
  const std::size_t count = list ? node->items.size() : 1;
  if (count == 0 || count > std::size(texture.address_mode)) {
    map.complain(node->origin, "'address_mode' must be one word, or a list of one to three");
    return;
  }
  for (std::size_t i = 0; i < std::size(texture.address_mode); ++i) {
    const ConfigNode& item = list ? node->items[std::min(i, count - 1)] : *node;
    const auto found = std::ranges::find(words, item.scalar);
    if (found == words.end()) {
      map.complain(item.origin,
                   fmt::format("'address_mode' must be one of {}, got {}", fmt::join(words, ", "), kind_name(item)));
      return;
    }
    texture.address_mode[i] = static_cast<TextureDescription::AddressMode>(found - words.begin());
  }
}

void read_border(const LaunchMap& map, TextureDescription& texture) {
  const std::vector<ConfigNode>& items = map.items("border");
  if (items.empty()) {
    return;
  }
  if (items.size() != std::size(texture.border)) {
    map.complain(map.find("border")->origin, "'border' must be a list of 4 numbers");
    return;
  }
  for (std::size_t i = 0; i < items.size(); ++i) {
    const auto bits = bits_of(ElementType::kF32, items[i].scalar);
    if (!bits) {
      map.complain(items[i].origin, "'border' must be a list of 4 numbers, got " + kind_name(items[i]));
      return;
    }
    texture.border[i] = static_cast<float>(value_of(ElementType::kF32, *bits));
  }
}

// If integers are read as integers, the border holds integers.
void set_border(LaunchTexture& texture, ConfigProblems& problems) {
  constexpr float kLargestExact = 0x1p24F;
  TextureDescription& t = texture.description;
  if (t.channel == TextureDescription::Channel::kFloat || t.normalized_values) {
    return;
  }
  for (float& border : t.border) {
    if (border != std::trunc(border) || std::fabs(border) > kLargestExact) {
      problems.add(texture.origin, fmt::format("texture '{}': 'border' must be integers up to {}, as its channels are",
                                               texture.name, kLargestExact));
      return;
    }
    border = std::bit_cast<float>(static_cast<std::int32_t>(border));
  }
}

}  // namespace

LaunchTexture read_launch_texture(const ConfigNode& node, ConfigProblems& problems) {
  const LaunchMap map(node, {&launch_maps::kTexture}, problems);
  LaunchTexture texture;
  texture.origin = node.origin;
  texture.name = map.required_text("name");
  texture.buffer = map.required_text("buffer");
  map.require("shape");
  map.require("width");
  TextureDescription& t = texture.description;
  t.shape = static_cast<TextureDescription::Shape>(
      map.word("shape", {"linear", "pitched", "array_1d", "array_2d", "array_3d", "cubemap"}));
  t.width = map.integer_or("width", 1, kMostTexels, 1);
  t.height = map.integer_or("height", 1, kMostTexels, 1);
  t.depth = map.integer_or("depth", 1, kMostTexels, 1);
  t.layers = map.integer_or("layers", 0, kMostTexels, 0);
  if (t.shape == TextureDescription::Shape::kCubemap) {
    constexpr std::uint64_t kFaces = 6;
    t.layers = kFaces * std::max<std::uint64_t>(t.layers, 1);
  }
  t.channels = static_cast<std::uint32_t>(map.integer_or("channels", 1, 4, 1));
  constexpr std::uint32_t kNoTexel = 3;
  if (t.channels == kNoTexel) {
    map.complain(map.find("channels")->origin, "'channels' must be 1, 2 or 4");
  }
  t.linear_filter = map.word("filter", {"point", "linear"}) == 1;
  read_address_modes(map, t);
  t.normalized_coordinates = map.boolean("normalized_coordinates");
  t.normalized_values = map.boolean("normalized_values");
  read_border(map, t);
  return texture;
}

void set_texture_type(LaunchTexture& texture, ElementType type, ConfigProblems& problems) {
  using Channel = TextureDescription::Channel;
  constexpr std::uint32_t kWidestBytes = 4;
  TextureDescription& t = texture.description;
  if (bytes_of(type) > kWidestBytes || type == ElementType::kBf16) {
    problems.add(texture.origin,
                 fmt::format("texture '{}': channels of type {} are not possible", texture.name, name_of(type)));
  }
  t.channel_bits = bytes_of(type) * kBitsPerByte;
  t.channel = is_float(type) ? Channel::kFloat : is_signed(type) ? Channel::kSigned : Channel::kUnsigned;
  t.pitch_bytes = t.width * t.channels * bytes_of(type);
  t.normalized_values = t.normalized_values && t.channel != Channel::kFloat;
  set_border(texture, problems);
  if (t.linear_filter && t.channel != Channel::kFloat && !t.normalized_values) {
    problems.add(texture.origin,
                 fmt::format("texture '{}': integers are filtered only if 'normalized_values' is true", texture.name));
  }
}

std::uint64_t bytes_of(const TextureDescription& texture) {
  return texture.pitch_bytes * texture.height * texture.depth * std::max<std::uint64_t>(texture.layers, 1);
}

}  // namespace warpsim
