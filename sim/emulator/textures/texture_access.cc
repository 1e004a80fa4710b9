#include "emulator/textures/texture_access.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "emulator/code/function_decoder.h"
#include "emulator/execution/launch_context.h"
#include "emulator/textures/texture_unit.h"

namespace warpsim {

namespace {

using ptx::Operand;
using Kind = TextureShape::Kind;
using Shape = TextureDescription::Shape;

struct ShapeWord {
  std::string_view word;
  TextureShape shape;
};
constexpr auto kShapes = std::to_array<ShapeWord>({
    {"1d", {Kind::k1d, 1, false}},
    {"2d", {Kind::k2d, 2, false}},
    {"3d", {Kind::k3d, 3, false}},
    {"a1d", {Kind::kArray1d, 1, true}},
    {"a2d", {Kind::kArray2d, 2, true}},
    {"cube", {Kind::kCube, 3, false}},
    {"acube", {Kind::kCubeArray, 3, true}},
});

bool fits(Kind kind, const TextureDescription& texture) {
  const bool layered = texture.layers != 0;
  switch (kind) {
    case Kind::k1d:
      return texture.shape == Shape::kLinear || (texture.shape == Shape::kArray1d && !layered);
    case Kind::k2d:
      return texture.shape == Shape::kPitched || (texture.shape == Shape::kArray2d && !layered);
    case Kind::k3d:
      return texture.shape == Shape::kArray3d;
    case Kind::kArray1d:
      return texture.shape == Shape::kArray1d && layered;
    case Kind::kArray2d:
      return (texture.shape == Shape::kArray2d && layered) || texture.shape == Shape::kCubemap;
    case Kind::kCube:
    case Kind::kCubeArray:
      return texture.shape == Shape::kCubemap;
  }
  return false;
}

}  // namespace

TextureShape texture_shape(std::uint8_t kind) {
  return kShapes[kind].shape;
}

TextureShape take_texture_shape(OperationBuilder& b) {
  for (std::size_t i = 0; i < kShapes.size(); ++i) {
    if (b.take(kShapes[i].word)) {
      b.operation.variant = static_cast<std::uint8_t>(i);
      return kShapes[i].shape;
    }
  }
  b.fail("a shape like .2d is missing");
}

std::uint32_t bind_texture_operand(OperationBuilder& b, const Operand& operand, const TextureShape& shape,
                                   ptx::DataType coordinates) {
  if (operand.kind != Operand::Kind::kAddress || operand.elements.size() < 2) {
    b.fail("expected an object and coordinates in brackets");
  }
  if (operand.elements.size() > 2) {
    b.fail("separate samplers are not supported");
  }
  b.operation.a = b.source(operand.elements.front(), ptx::DataType::kU64);
  const Operand& given = operand.elements.back();
  std::vector<Operand> single;
  if (given.kind != Operand::Kind::kVector) {
    single.emplace_back();
    single.back().kind = given.kind;
    single.back().number = given.number;
    single.back().component = given.component;
    single.back().bits = given.bits;
    single.back().single = given.single;
  }
  const std::vector<Operand>& elements = single.empty() ? given.elements : single;
  const std::size_t needed = shape.dimensions + (shape.layered ? 1U : 0U);
  if (elements.size() < needed) {
    b.fail(fmt::format("expected {} coordinates, found {}", needed, elements.size()));
  }
  std::vector<OperandPlace> places;
  for (std::size_t i = 0; i < needed; ++i) {
    places.push_back(b.source(elements[i], shape.layered && i == 0 ? ptx::DataType::kB32 : coordinates));
  }
  std::vector<OperandPlace>& lists = b.function().code().lists;
  const auto first = static_cast<std::uint32_t>(lists.size());
  lists.insert(lists.end(), places.begin(), places.end());
  return first;
}

const TexelImage& TexelImages::of(std::uint32_t lane) {
  const std::uint64_t object = warp_.read<std::uint64_t>(operation_.a)[lane];
  if (object == object_ && object != 0) {
    return image_;
  }
  const LaunchContext& launch = *warp_.launch;
  // A number is that of an object; an address that of a variable that holds one.
  std::uint64_t number = object;
  const std::byte* const variable = launch.memory->host(object, sizeof(number));
  if (variable != nullptr) {
    std::memcpy(&number, variable, sizeof(number));
  }
  const TextureDescription* const texture = launch.textures == nullptr ? nullptr : launch.textures->find(number);
  if (texture == nullptr) {
    warp_.fault(FaultKind::kIllegalInstruction, operation_, lane,
                variable != nullptr ? "nothing is bound to this texture or surface reference"
                                    : fmt::format("there is no texture or surface object {:#x}", object));
  }
  const std::byte* const texels = launch.memory->host(texture->data, texture->bytes());
  if (texels == nullptr) {
    warp_.fault(FaultKind::kIllegalAddress, operation_, lane,
                fmt::format("the memory at {:#x} of texture or surface object {:#x} was freed", texture->data, number));
  }
  object_ = object;
  image_ = {texture, texels, footprint_};
  return image_;
}

void check_shape(const WarpContext& warp, const Operation& operation, std::uint32_t lane, const TextureShape& shape,
                 const TextureDescription& texture) {
  if (!fits(shape.kind, texture)) {
    const auto word = std::ranges::find(kShapes, shape.kind, [](const ShapeWord& row) { return row.shape.kind; })->word;
    warp.fault(FaultKind::kIllegalInstruction, operation, lane,
               fmt::format("the texture or surface cannot be accessed as .{}", word));
  }
}

void find_texels(const WarpContext& warp, const Operation& operation, LaneMask lanes, TexelFootprint& footprint) {
  if (operation.addresses == AddressForm::kTexels) {
    footprint.begin(TexelFootprint::Use::kFetch);
    find_fetched_texels(warp, operation, lanes, footprint);
  } else {
    footprint.begin(operation.addresses == AddressForm::kSurfaceLoad ? TexelFootprint::Use::kLoad
                                                                     : TexelFootprint::Use::kStore);
    find_surface_texels(warp, operation, lanes, footprint);
  }
}

}  // namespace warpsim
