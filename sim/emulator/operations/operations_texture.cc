// Binds texture fetches: tex and tld4, of PTX and of machine code (sass.tex, sass.tld4).
#include <algorithm>
#include <array>

#include "emulator/code/function_decoder.h"
#include "emulator/operations/operation_table.h"
#include "emulator/operations/texture_fetch.h"
#include "emulator/textures/texture_access.h"

namespace warpsim {

namespace {

using ptx::DataType;
using ptx::Operand;

constexpr std::uint32_t kMostChannels = 4;

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
  b.operation.bytes = static_cast<std::uint8_t>(pairs                    ? FetchedChannels::kHalfPairs
                                                : type == DataType::kF16 ? FetchedChannels::kHalves
                                                                         : FetchedChannels::kWords);
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
  b.operation.addresses = AddressForm::kTexels;
  b.operation.run = fetch_texels;
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
  b.operation.addresses = AddressForm::kTexels;
  b.operation.run = fetch_four_texels;
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
