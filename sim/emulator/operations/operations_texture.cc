// Texture fetches: tex and tld4, of PTX and of machine code (sass.tex, sass.tld4).
//
// Those of machine code have no types: results are the texture's. They have one shape for one and two dimensions, their
// directions into cubemaps have been divided by the longest component, and their predicate says that texels were
// absent.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "emulator/code/function_decoder.h"
#include "emulator/numbers/half_float.h"
#include "emulator/numbers/interpolated_functions.h"
#include "emulator/operations/operation_table.h"
#include "emulator/textures/texture_access.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::Operand;

constexpr std::uint32_t kMostChannels = 4;

// The format of channels in registers; Operation::bytes.
enum class Channels : std::uint8_t { kWords, kHalves, kHalfPairs };

// How a fetch differs from the plain one of PTX; Operation::e.
enum FetchForm : OperandPlace {
  kOfMachineCode = 1,
  kOfLevel = 2,     // operation.b: the level
  kByGradient = 4,  // a list of both gradients
  kClamped = 16,    // coordinates of texels outside follow the addressing mode
  kDerived = 8,     // the level follows from the coordinates of neighbouring lanes
};

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

double level_for(WarpContext& warp, const Operation& operation, const FetchLists& lists,
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

Texel fetch_one(WarpContext& warp, const Operation& operation, const FetchLists& lists, const TexelImage& image,
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

// operation.c: not kNoPlace if coordinates are integers.
void fetch(WarpContext& warp, const Operation& operation, LaneMask lanes) {
  const TextureShape shape = texture_shape(operation.variant);
  const FetchLists lists = lists_of(warp, operation, shape);
  const bool integer = operation.c != kNoPlace;
  TexelImages images(warp, operation);
  for_lanes(lanes, [&](std::uint32_t lane) {
    const TexelImage& image = images.of(lane);
    if (!fits(operation, shape, *image.texture)) {
      check_shape(warp, operation, lane, shape, *image.texture);
    }
    if (!integer && image.texture->shape == TextureDescription::Shape::kLinear) {
      warp.fault(FaultKind::kIllegalInstruction, operation, lane,
                 "a texture of linear memory only has integer coordinates");
    }
    put(warp, operation, lists.destinations, lane, fetch_one(warp, operation, lists, image, lane));
  });
  set_residence(warp, operation, lanes);
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
        gather(image, coordinates_of(warp, operation, lists, *image.texture, lane),
               static_cast<std::uint32_t>(operation.b)));
  });
  set_residence(warp, operation, lanes);
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

// {, level or gradients} {, offsets}: optional operands after the coordinates.
void bind_offsets(OperationBuilder& b, std::size_t operand, const TextureShape& shape) {
  if (b.operands() <= operand) {
    return;
  }
  const Operand& given = b.operand(operand);
  // The last operand may be the reference of a depth comparison, which CUDA's textures do not ask for: it has no
  // effect.
  if (b.operands() > operand + 2) {
    b.fail("there are too many operands");
  }
  if (given.kind != Operand::Kind::kVector) {
    b.source(given, DataType::kF32);
    return;
  }
  if (b.operands() > operand + 1) {
    b.source(operand + 1, DataType::kF32);
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

void bind_gradients(OperationBuilder& b, const TextureShape& shape) {
  for (const std::size_t number : {2U, 3U}) {
    const Operand& given = b.operand(number);
    const bool single = given.kind != Operand::Kind::kVector;
    if (single ? shape.dimensions != 1 : given.elements.size() < shape.dimensions) {
      b.fail("expected a component of the gradient for each dimension");
    }
    for (std::uint32_t i = 0; i < shape.dimensions; ++i) {
      const OperandPlace place = b.source(single ? given : given.elements[i], DataType::kF32);
      b.function().code().lists.push_back(place);
    }
  }
}

void bind_fetch_form(OperationBuilder& b, OperandPlace form) {
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
  bind_offsets(b, 2 + (of_level ? 1U : by_gradient ? 2U : 0U), shape);
  if (of_level) {
    b.operation.b = b.source(2, integer ? DataType::kS32 : DataType::kF32);
    form |= integer && (form & kOfMachineCode) == 0 ? kOfLevel | kClamped : kOfLevel;
  } else if (by_gradient) {
    bind_gradients(b, shape);
    form |= kByGradient;
  }
  b.operation.e = form;
  b.operation.c = integer ? 0 : kNoPlace;
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kRead;
  b.operation.run = fetch;
}

void bind_fetch(OperationBuilder& b) {
  bind_fetch_form(b, 0);
}

void bind_fetch_four_form(OperationBuilder& b, OperandPlace form) {
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
  b.operation.e = form;
  b.operation.effect = Effect::kShared;
  b.operation.reach = EffectReach::kRead;
  b.operation.run = fetch_four;
}

void bind_fetch_four(OperationBuilder& b) {
  bind_fetch_four_form(b, 0);
}

constexpr auto kTextureOperations = std::to_array<OpcodeBinder>({
    {"suq", bind_texture_query},
    {"tex", bind_fetch},
    {"tld4", bind_fetch_four},
    {"txq", bind_texture_query},
});

}  // namespace

bool bind_machine_texture(OperationBuilder& b, std::string_view name) {
  if (name == "tex") {
    OperandPlace form = kOfMachineCode;
    form |= b.take("derived") ? kDerived : 0;
    form |= b.take("clamped") ? kClamped : 0;
    bind_fetch_form(b, form);
  } else if (name == "tld4") {
    bind_fetch_four_form(b, kOfMachineCode);
  } else {
    return false;
  }
  return true;
}

std::span<const OpcodeBinder> texture_operations() {
  return kTextureOperations;
}

}  // namespace warpsim
