// Queries of the properties of textures and surfaces: txq, suq.
#include <algorithm>
#include <array>

#include "emulator/textures/texture_access.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::Operand;

enum class Query : std::uint8_t { kWidth, kHeight, kDepth, kLayers, kLevels, kChannelType, kOrder, kNormalised };

// The numbers of OpenCL, which PTX uses.
std::uint32_t channel_type(const TextureDescription& texture) {
  constexpr std::uint32_t kFirst = 0x10d0;  // CL_SNORM_INT8
  const std::uint32_t step = texture.channel_bits == 8 ? 0 : texture.channel_bits == 16 ? 1 : 2;
  switch (texture.channel) {
    case TextureDescription::Channel::kFloat:
      return kFirst + (texture.channel_bits == 16 ? 0xdU : 0xeU);
    case TextureDescription::Channel::kSigned:
      return kFirst + step + (texture.normalized_values ? 0U : 7U);
    case TextureDescription::Channel::kUnsigned:
      break;
  }
  return kFirst + step + (texture.normalized_values ? 2U : 0xaU);
}

std::uint32_t answer(const TextureDescription& texture, Query query) {
  constexpr std::uint32_t kOrders[] = {0x10b0, 0x10b2, 0x10b4, 0x10b5};  // R, RG, RGB, RGBA
  switch (query) {
    case Query::kWidth:
      return static_cast<std::uint32_t>(texture.width);
    case Query::kHeight:
      return static_cast<std::uint32_t>(texture.height);
    case Query::kDepth:
      // Of a texture with layers hardware has their number here, of a flat one 0.
      return static_cast<std::uint32_t>(texture.layers != 0                                    ? texture.layers
                                        : texture.shape == TextureDescription::Shape::kArray3d ? texture.depth
                                                                                               : 0);
    case Query::kLayers:
      return static_cast<std::uint32_t>(texture.layers);
    case Query::kLevels:
      return static_cast<std::uint32_t>(1 + texture.smaller.size());
    case Query::kChannelType:
      return channel_type(texture);
    case Query::kOrder:
      return kOrders[texture.channels - 1];
    case Query::kNormalised:
      return texture.normalized_coordinates ? 1 : 0;
  }
  return 0;
}

void ask(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  TexelImages images(warp, operation);
  auto* const d = warp.write<std::uint32_t>(operation.d);
  const std::uint32_t* const levels = operation.b != kNoPlace ? warp.read<std::uint32_t>(operation.b) : nullptr;
  for_lanes(lanes, [&](std::uint32_t lane) {
    const TexelImage& image = images.of(lane);
    const auto query = static_cast<Query>(operation.variant);
    const bool of_level = levels != nullptr && query != Query::kLevels;
    d[lane] = answer(of_level ? *image_of_level(image, levels[lane]).texture : *image.texture, query);
  });
}

}  // namespace

void bind_texture_query(OperationBuilder& b) {
  constexpr auto kQueries =
      std::to_array<std::string_view>({"width", "height", "depth", "array_size", "num_mipmap_levels",
                                       "channel_data_type", "channel_order", "normalized_coords"});
  const bool of_level = b.take("level");
  const auto* const query = std::ranges::find_if(kQueries, [&b](std::string_view word) { return b.take(word); });
  if (query == kQueries.end()) {
    b.fail("this query is not supported");
  }
  b.take("b32");
  const Operand& object = b.operand(1);
  if (object.kind != Operand::Kind::kAddress || (of_level && b.operands() != 3)) {
    b.fail("expected an object in brackets");
  }
  b.operation.variant = static_cast<std::uint8_t>(query - kQueries.begin());
  b.operation.d = b.destination(0, DataType::kB32);
  b.operation.a = b.source(object.elements.front(), DataType::kU64);
  b.operation.b = of_level ? b.source(2, DataType::kB32) : kNoPlace;
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kOwn;
  b.operation.run = ask;
}

}  // namespace warpsim
