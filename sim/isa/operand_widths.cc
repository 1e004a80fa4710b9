#include "isa/operand_widths.h"

#include <algorithm>

#include "isa/opcode_lookup.h"
#include "isa/tensor_shape.h"

namespace warpsim {
namespace {

bool is_float_type(std::string_view modifier) {
  return modifier == "F16" || modifier == "F32" || modifier == "F64" || modifier == "BF16";
}

bool is_integer_type(std::string_view modifier) {
  return modifier.size() >= 2 && (modifier[0] == 'S' || modifier[0] == 'U') && modifier[1] >= '0' && modifier[1] <= '9';
}

// F2F.to.from, F2I.to[.from], I2F[.to][.from], FRND.type: a 64-bit type takes a register pair.
OperandWidths conversion_widths(const OpcodeText& opcode) {
  OperandWidths widths;
  const bool to_integer = opcode.base() == "F2I";
  const bool from_integer = opcode.base() == "I2F";
  std::uint32_t floats = 0;
  opcode.for_each_modifier([&](std::string_view modifier) {
    const bool wide = modifier.ends_with("64");
    if (is_float_type(modifier)) {
      const bool result = from_integer || (!to_integer && floats == 0);
      const bool source = to_integer || (!from_integer && (floats > 0 || opcode.base() == "FRND"));
      widths.destination = result && wide ? 2 : widths.destination;
      widths.sources[0] = source && wide ? 2 : widths.sources[0];
      ++floats;
    } else if (is_integer_type(modifier) && wide) {
      (from_integer ? widths.sources[0] : widths.destination) = 2;
    }
  });
  return widths;
}

std::uint8_t data_registers(const StaticInstruction& instruction) {
  if (instruction.matrices > 0) {
    return instruction.matrices;
  }
  return static_cast<std::uint8_t>(std::max<std::uint32_t>(1, (instruction.bytes_per_lane + 3U) / 4U));
}

}  // namespace

OperandWidths operand_widths(std::string_view opcode, const StaticInstruction& instruction) {
  const OpcodeText text(opcode);
  const ResolvedOpcode resolved = resolve_opcode(text, kNewestArchitecture);
  OperandWidths widths = resolved.widths;
  if (resolved.rule == WidthRule::kConversionTypes) {
    widths = conversion_widths(text);
  } else if (resolved.rule == WidthRule::kTensorShape) {
    if (const auto shape = tensor_shape(text)) {
      widths = shape->widths;
    }
  }
  const std::uint8_t data = data_registers(instruction);
  const auto fill = [data](std::uint8_t& width) { width = width == OperandWidths::kData ? data : width; };
  fill(widths.destination);
  std::ranges::for_each(widths.sources, fill);
  return widths;
}

std::uint8_t address_registers(std::string_view opcode, const StaticInstruction& instruction) {
  const bool global = instruction.space == MemorySpace::kGlobal || instruction.space == MemorySpace::kGeneric;
  return global && OpcodeText(opcode).has("E") ? 2 : 1;
}

Results operand_results(std::string_view opcode) {
  return resolve_opcode(OpcodeText(opcode), kNewestArchitecture).behaviour.results;
}

SourceSlots operand_slots(std::string_view opcode) {
  return resolve_opcode(OpcodeText(opcode), kNewestArchitecture).slots;
}

}  // namespace warpsim
