// Texture fetches and queries: tex, tld4, txq.
#include <algorithm>
#include <array>
#include <bit>

#include "emulator/code/function_decoder.h"
#include "emulator/numbers/half_float.h"
#include "emulator/operations/operation_table.h"
#include "emulator/textures/texture_access.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::Operand;

constexpr std::uint32_t kMostChannels = 4;

// The format of channels in registers; Operation::bytes.
enum class Channels : std::uint8_t { kWords, kHalves, kHalfPairs };

// Lists of an operation, one after another from `target` on: destinations (operation.count), coordinates, and, if
// operation.offset is set, offsets in texels.
struct FetchLists {
  const OperandPlace* destinations;
  const OperandPlace* coordinates;
  const OperandPlace* offsets;  // null: none
};
FetchLists lists_of(const WarpContext& warp, const Operation& operation, const TextureShape& shape) {
  const OperandPlace* const first = warp.lists + operation.target;
  const OperandPlace* const coordinates = first + operation.count;
  const std::uint32_t count = shape.dimensions + (shape.layered ? 1U : 0U);
  return {first, coordinates, operation.offset != 0 ? coordinates + count : nullptr};
}

TexelCoordinates coordinates_of(const WarpContext& warp, const FetchLists& lists, const TextureShape& shape,
                                bool integer, std::uint32_t lane) {
  TexelCoordinates result;
  result.integer = integer;
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
    const CubeFace face = cube_face(result.at[0], result.at[1], result.at[2]);
    result.dimensions = 2;
    result.at = {face.s, face.t, 0};
    result.layer = result.layer * kFaces + face.face;
  }
  return result;
}

std::uint32_t half_of(std::uint32_t word) {
  return to_half<Half>(std::bit_cast<float>(word)).bits;
}

void put(WarpContext& warp, const Operation& operation, const OperandPlace* destinations, std::uint32_t lane,
         const Texel& texel) {
  const auto how = static_cast<Channels>(operation.bytes);
  for (std::uint32_t i = 0; i < operation.count; ++i) {
    std::uint32_t word = texel[i];
    if (how == Channels::kHalves) {
      word = half_of(word);
    } else if (how == Channels::kHalfPairs) {
      word = half_of(texel[std::size_t{2} * i]) | half_of(texel[std::size_t{2} * i + 1]) << 16U;
    }
    warp.write<std::uint32_t>(destinations[i])[lane] = word;
  }
}

// operation.c: not kNoPlace if coordinates are integers.
void fetch(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const TextureShape shape = texture_shape(operation.variant);
  const FetchLists lists = lists_of(warp, operation, shape);
  const bool integer = operation.c != kNoPlace;
  TexelImages images(warp, operation);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const TexelImage& image = images.of(lane);
    check_shape(warp, operation, lane, shape, *image.texture);
    if (!integer && image.texture->shape == TextureDescription::Shape::kLinear) {
      warp.fault(FaultKind::kIllegalInstruction, operation, lane,
                 "a texture of linear memory only has integer coordinates");
    }
    put(warp, operation, lists.destinations, lane, sample(image, coordinates_of(warp, lists, shape, integer, lane)));
  });
  if (operation.p != kNoPlace) {
    warp.set_predicate(operation.p, lanes, kAllLanes);  // all texels are resident
  }
}

// operation.b: the channel.
void fetch_four(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const TextureShape shape = texture_shape(operation.variant);
  const FetchLists lists = lists_of(warp, operation, shape);
  TexelImages images(warp, operation);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const TexelImage& image = images.of(lane);
    check_shape(warp, operation, lane, shape, *image.texture);
    put(warp, operation, lists.destinations, lane,
        gather(image, coordinates_of(warp, lists, shape, false, lane), static_cast<std::uint32_t>(operation.b)));
  });
  if (operation.p != kNoPlace) {
    warp.set_predicate(operation.p, lanes, kAllLanes);
  }
}

// Type of the result and its registers; the list begins at operation.target.
void bind_channels(OperationBuilder& b) {
  const bool pairs = b.take("v2");
  if (!pairs && !b.take("v4")) {
    b.fail("expected .v4, or .v2 of .f16x2");
  }
  const DataType type = b.take_type();
  if (pairs != (type == DataType::kF16x2)) {
    b.fail("expected .v4, or .v2 of .f16x2");
  }
  const bool known =
      pairs || type == DataType::kF16 || type == DataType::kF32 || type == DataType::kU32 || type == DataType::kS32;
  if (!known) {
    b.fail("texels cannot have this type");
  }
  b.operation.bytes = static_cast<std::uint8_t>(pairs                    ? Channels::kHalfPairs
                                                : type == DataType::kF16 ? Channels::kHalves
                                                                         : Channels::kWords);
  b.operation.count = static_cast<std::uint8_t>(pairs ? 2 : kMostChannels);
  b.operation.target = b.destination_list(b.operand(0), pairs ? DataType::kB32 : type, b.operation.count);
  b.operation.p = b.second_destination(0);
}

// {, offsets} {, value to compare with}: optional operands after the coordinates.
void bind_offsets(OperationBuilder& b, std::size_t operand, const TextureShape& shape) {
  if (b.operands() <= operand) {
    return;
  }
  const Operand& given = b.operand(operand);
  if (given.kind != Operand::Kind::kVector || b.operands() > operand + 1) {
    b.fail("depth comparison is not supported");
  }
  if (shape.of_cube() || given.elements.size() < shape.dimensions) {
    b.fail("expected an offset for each dimension");
  }
  for (std::uint32_t i = 0; i < shape.dimensions; ++i) {
    const OperandPlace place = b.source(given.elements[i], DataType::kS32);
    b.function().code().lists.push_back(place);
  }
  b.operation.offset = 1;
}

void bind_fetch(OperationBuilder& b) {
  const bool of_level = b.take("level");
  const bool by_gradient = !of_level && b.take("grad");
  b.take("base");
  const TextureShape shape = take_texture_shape(b);
  bind_channels(b);
  const DataType coordinates = b.take_type();
  if (coordinates != DataType::kS32 && coordinates != DataType::kF32) {
    b.fail("coordinates are .s32 or .f32");
  }
  const bool integer = coordinates == DataType::kS32;
  if (integer && shape.of_cube()) {
    b.fail("directions are .f32");
  }
  bind_texture_operand(b, b.operand(1), shape, coordinates);
  // Level and gradients choose among levels of detail, of which there is one.
  bind_offsets(b, 2 + (of_level ? 1U : by_gradient ? 2U : 0U), shape);
  b.operation.c = integer ? 0 : kNoPlace;
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kRead;
  b.operation.run = fetch;
}

void bind_fetch_four(OperationBuilder& b) {
  constexpr auto kChannels = std::to_array<std::string_view>({"r", "g", "b", "a"});
  const auto* const channel = std::ranges::find_if(kChannels, [&b](std::string_view word) { return b.take(word); });
  if (channel == kChannels.end()) {
    b.fail("expected .r, .g, .b or .a");
  }
  const TextureShape shape = take_texture_shape(b);
  if (shape.dimensions != 2 && !shape.of_cube()) {
    b.fail("only shapes of two dimensions have four neighbours");
  }
  bind_channels(b);
  if (b.take_type() != DataType::kF32) {
    b.fail("coordinates are .f32");
  }
  bind_texture_operand(b, b.operand(1), shape, DataType::kF32);
  bind_offsets(b, 2, shape);
  b.operation.b = static_cast<OperandPlace>(channel - kChannels.begin());
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kRead;
  b.operation.run = fetch_four;
}

// --- queries ---

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
      return static_cast<std::uint32_t>(texture.depth);
    case Query::kLayers:
      return static_cast<std::uint32_t>(texture.layers);
    case Query::kLevels:
      return 1;
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
  for_lanes(lanes, [&](std::uint32_t lane) {
    d[lane] = answer(*images.of(lane).texture, static_cast<Query>(operation.variant));
  });
}

void bind_query(OperationBuilder& b) {
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
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kOwn;
  b.operation.run = ask;
}

constexpr auto kTextureOperations = std::to_array<OpcodeBinder>({
    {"suq", bind_query},
    {"tex", bind_fetch},
    {"tld4", bind_fetch_four},
    {"txq", bind_query},
});

}  // namespace

std::span<const OpcodeBinder> texture_operations() {
  return kTextureOperations;
}

}  // namespace warpsim
