#include "cuda/memory/textures.h"

#include <algorithm>
#include <cstring>

#include "cuda/memory/memory_calls.h"

namespace warpsim::cuda {

namespace {

constexpr unsigned kLayered = 0x01;
constexpr unsigned kCubemap = 0x04;
constexpr int kMostAddressModes = 3;
constexpr std::uint32_t kMostNormalisedBits = 16;

enum FormatKind : int { kSigned = 0, kUnsigned = 1, kFloat = 2 };

struct FormatRow {
  int driver;
  int bits;
  int kind;
};
constexpr FormatRow kFormats[] = {{0x01, 8, kUnsigned}, {0x02, 16, kUnsigned}, {0x03, 32, kUnsigned},
                                  {0x08, 8, kSigned},   {0x09, 16, kSigned},   {0x0a, 32, kSigned},
                                  {0x10, 16, kFloat},   {0x20, 32, kFloat}};

void set_format(TextureDescription& t, const abi::ChannelFormat& format) {
  t.channels = channels_of(format);
  t.channel_bits = static_cast<std::uint32_t>(format.bits[0]);
  const bool equal = std::all_of(format.bits, format.bits + std::max(t.channels, 1U),
                                 [&](int bits) { return bits == format.bits[0]; });
  if (t.channels == 0 || t.channels == 3 || !equal) {
    throw CallError(kInvalidChannelDescriptor);
  }
  switch (format.kind) {
    case kSigned:
      t.channel = TextureDescription::Channel::kSigned;
      return;
    case kUnsigned:
      t.channel = TextureDescription::Channel::kUnsigned;
      return;
    case kFloat:
      t.channel = TextureDescription::Channel::kFloat;
      return;
    default:
      throw CallError(kInvalidChannelDescriptor);
  }
}

void set_array(TextureDescription& t, const Array& array) {
  using Shape = TextureDescription::Shape;
  t.data = array.data;
  t.width = array.extent.width;
  t.height = array.rows();
  t.depth = 1;
  t.pitch_bytes = array.pitch();
  set_format(t, array.format);
  const bool layered = (array.flags & kLayered) != 0;
  const bool cubemap = (array.flags & kCubemap) != 0;
  if (layered || cubemap) {
    t.layers = array.slices();
  }
  if (cubemap) {
    t.shape = Shape::kCubemap;
  } else if (array.extent.height == 0) {
    t.shape = Shape::kArray1d;
  } else if (array.extent.depth == 0 || layered) {
    t.shape = Shape::kArray2d;
  } else {
    t.shape = Shape::kArray3d;
    t.depth = array.extent.depth;
  }
}

TextureDescription describe_resource(Context& context, const abi::ResourceDescription& resource) {
  TextureDescription t;
  switch (resource.type) {
    case kArrayResource:
      set_array(t, context.array(resource.resource.array));
      return t;
    case kLinearResource: {
      const auto& linear = resource.resource.linear;
      set_format(t, linear.format);
      t.shape = TextureDescription::Shape::kLinear;
      linear_box(context, linear.data, linear.bytes, Side::kDevice);
      t.data = to_address(linear.data);
      t.width = linear.bytes / (t.channels * t.channel_bits / 8);
      t.height = 1;
      t.depth = 1;
      t.pitch_bytes = linear.bytes;
      return t;
    }
    case kPitchedResource: {
      const auto& pitched = resource.resource.pitched;
      set_format(t, pitched.format);
      t.shape = TextureDescription::Shape::kPitched;
      const std::size_t row = pitched.width * (t.channels * t.channel_bits / 8);
      pitched_box(context, pitched.data, {pitched.pitch, 0}, {row, pitched.height, 1}, Side::kDevice);
      t.data = to_address(pitched.data);
      t.width = pitched.width;
      t.height = pitched.height;
      t.depth = 1;
      t.pitch_bytes = pitched.pitch;
      return t;
    }
    case kMipmappedResource: {
      const Array& array = context.array(resource.resource.array);
      if (!array.is_mipmapped) {
        throw CallError(kInvalidHandle);
      }
      set_array(t, array);
      for (const ArrayHandle level : array.smaller) {
        set_array(t.smaller.emplace_back(), context.array(level));
      }
      return t;
    }
    default:
      throw CallError(kInvalidValue);
  }
}

std::uint64_t create(Context& context, const TextureDescription& texture) {
  const std::uint64_t object = context.device().create_texture(texture);
  if (object == 0) {
    throw CallError(kNotSupported, "this kind of texture or surface is not supported");
  }
  return object;
}

void set_modes(TextureDescription& t, const abi::TextureDescription& texture) {
  for (int i = 0; i < 3; ++i) {
    if (texture.address_mode[i] < 0 || texture.address_mode[i] > kMostAddressModes) {
      throw CallError(kInvalidValue);
    }
    t.address_mode[i] = static_cast<TextureDescription::AddressMode>(texture.address_mode[i]);
  }
  t.linear_filter = texture.filter_mode != 0;
  t.normalized_coordinates = texture.normalized_coordinates != 0;
  t.normalized_values = texture.read_mode != 0 && t.channel != TextureDescription::Channel::kFloat;
  t.srgb = texture.srgb != 0;
  std::copy(texture.border, texture.border + 4, t.border);
  t.blends_levels = texture.mipmap_filter_mode != 0;
  t.level_bias = texture.mipmap_bias;
  t.least_level = texture.mipmap_least;
  t.most_level = texture.mipmap_most;
}

}  // namespace

abi::ChannelFormat format_of(int driver_format, unsigned channels) {
  for (const FormatRow& row : kFormats) {
    if (row.driver == driver_format && (channels == 1 || channels == 2 || channels == 4)) {
      abi::ChannelFormat format = {{0, 0, 0, 0}, row.kind};
      std::fill_n(format.bits, channels, row.bits);
      return format;
    }
  }
  throw CallError(kInvalidValue);
}

int driver_format_of(const abi::ChannelFormat& format) {
  for (const FormatRow& row : kFormats) {
    if (row.bits == format.bits[0] && row.kind == format.kind) {
      return row.driver;
    }
  }
  throw CallError(kInvalidChannelDescriptor);
}

unsigned channels_of(const abi::ChannelFormat& format) {
  return static_cast<unsigned>(std::count_if(format.bits, format.bits + 4, [](int bits) { return bits != 0; }));
}

std::uint64_t create_texture(Context& context, const abi::ResourceDescription& resource,
                             const abi::TextureDescription& texture) {
  TextureDescription t = describe_resource(context, resource);
  set_modes(t, texture);
  // Coordinates of mipmapped textures are normalised whatever is requested.
  t.normalized_coordinates = t.normalized_coordinates || resource.type == kMipmappedResource;
  for (TextureDescription& level : t.smaller) {
    set_modes(level, texture);
    level.normalized_coordinates = t.normalized_coordinates;
  }
  if (texture.seamless_cubemap != 0 && t.linear_filter && t.shape == TextureDescription::Shape::kCubemap) {
    throw CallError(kNotSupported, "filters across the edges of a cubemap's faces are not supported");
  }
  if (t.normalized_values && t.channel_bits > kMostNormalisedBits) {
    throw CallError(kInvalidValue);
  }
  if ((t.linear_filter || (t.blends_levels && !t.smaller.empty())) &&
      t.channel != TextureDescription::Channel::kFloat && !t.normalized_values) {
    throw CallError(kInvalidValue);
  }
  return create(context, t);
}

std::uint64_t create_surface(Context& context, const abi::ResourceDescription& resource) {
  if (resource.type != kArrayResource) {
    throw CallError(kInvalidValue);
  }
  return create(context, describe_resource(context, resource));
}

namespace {

void set_variable(Context& context, TextureReference& reference, std::uint64_t object) {
  const VariableInfo& variable = context.variable(*reference.module, reference.name);
  if (variable.bytes != sizeof object) {
    throw CallError(kInvalidSymbol);
  }
  if (reference.object != 0) {
    context.device().destroy_texture(reference.object);
  }
  reference.object = object;
  std::memcpy(context.device().memory().host(variable.address, sizeof object), &object, sizeof object);
}

}  // namespace

void bind(Context& context, TextureReference& reference) {
  set_variable(context, reference,
               reference.of_surface ? create_surface(context, reference.resource)
                                    : create_texture(context, reference.resource, reference.texture));
}

void unbind(Context& context, TextureReference& reference) {
  set_variable(context, reference, 0);
}

abi::ResourceDescription translate(const abi::DriverResourceDescription& driver) {
  abi::ResourceDescription r = {};
  r.type = driver.type;
  if (driver.type == kLinearResource) {
    const auto& linear = driver.resource.linear;
    r.resource.linear = {to_pointer(linear.data), format_of(linear.format, linear.channels), linear.bytes};
  } else if (driver.type == kPitchedResource) {
    const auto& pitched = driver.resource.pitched;
    r.resource.pitched = {to_pointer(pitched.data), format_of(pitched.format, pitched.channels), pitched.width,
                          pitched.height, pitched.pitch};
  } else {
    r.resource.array = driver.resource.array;
  }
  return r;
}

abi::TextureDescription translate(const abi::DriverTextureDescription& driver) {
  constexpr unsigned kReadAsInteger = 0x01;
  constexpr unsigned kNormalizedCoordinates = 0x02;
  constexpr unsigned kSrgb = 0x10;
  abi::TextureDescription t = {};
  std::copy(driver.address_mode, driver.address_mode + 3, t.address_mode);
  t.filter_mode = driver.filter_mode;
  t.read_mode = (driver.flags & kReadAsInteger) != 0 ? 0 : 1;
  t.normalized_coordinates = (driver.flags & kNormalizedCoordinates) != 0 ? 1 : 0;
  t.srgb = (driver.flags & kSrgb) != 0 ? 1 : 0;
  std::copy(driver.border, driver.border + 4, t.border);
  t.mipmap_filter_mode = driver.mipmap_filter_mode;
  t.mipmap_bias = driver.mipmap_bias;
  t.mipmap_least = driver.mipmap_least;
  t.mipmap_most = driver.mipmap_most;
  return t;
}

}  // namespace warpsim::cuda
