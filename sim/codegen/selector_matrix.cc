// Products of matrices.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "codegen/function_selector.h"

namespace warpsim::codegen {

namespace {

using ptx::Instruction;
using ptx::Operand;

// "m16n8k16" among the modifiers.
struct Shape {
  std::uint32_t m = 16;
  std::uint32_t n = 8;
  std::uint32_t k = 16;
};
Shape shape_of(const Instruction& instruction) {
  Shape shape;
  for (const std::string_view word : instruction.modifiers) {
    const std::size_t n = word.find('n');
    const std::size_t k = word.find('k');
    if (word.size() < 6 || word[0] != 'm' || n == std::string_view::npos || k == std::string_view::npos || k < n) {
      continue;
    }
    const auto number = [&](std::size_t begin, std::size_t end) {
      std::uint32_t value = 0;
      for (std::size_t i = begin; i < end && word[i] >= '0' && word[i] <= '9'; ++i) {
        value = value * 10 + static_cast<std::uint32_t>(word[i] - '0');
      }
      return value;
    };
    if (word[1] >= '0' && word[1] <= '9') {
      shape = {number(1, n), number(n + 1, k), number(k + 1, word.size())};
    }
  }
  return shape;
}

// The product of one machine instruction, by elements of A and B.
struct Product {
  std::string_view element;
  std::string_view opcode;  // {} of shape
  std::uint32_t n;
  std::uint32_t k;
  std::string_view shape;
};
constexpr auto kProducts = std::to_array<Product>({
    {"f64", "DMMA", 8, 4, "884"},
    {"tf32", "HMMA", 8, 8, "1688.F32.TF32"},
    {"bf16", "HMMA", 8, 16, "16816.F32.BF16"},
    {"e4m3", "QMMA", 8, 32, "16832.F32.E4M3.E4M3"},
    {"e5m2", "QMMA", 8, 32, "16832.F32.E5M2.E5M2"},
    {"s8", "IMMA", 8, 32, "16832.S8.S8"},
    {"u8", "IMMA", 8, 32, "16832.U8.U8"},
    {"s4", "IMMA", 8, 64, "16864.S4.S4"},
    {"u4", "IMMA", 8, 64, "16864.U4.U4"},
    {"b1", "BMMA", 8, 256, "168256.POPC"},
    {"f16", "HMMA", 8, 16, "16816"},
});

const Product& product_of(const Instruction& instruction) {
  for (const Product& product : kProducts) {
    if (has_word(instruction, product.element)) {
      return product;
    }
  }
  return kProducts.back();
}

}  // namespace

// A product of the PTX shape consists of several consecutive machine products, on parts of the registers.
void FunctionSelector::select_product(const Instruction& instruction) {
  const Shape shape = shape_of(instruction);
  const Product& product = product_of(instruction);
  constexpr std::uint32_t kRows = 16;
  const std::uint32_t rows = product.opcode == "DMMA" ? 8 : kRows;
  const std::uint32_t count =
      std::max(1U, shape.m * shape.n * shape.k / (rows * product.n * std::min(product.k, shape.k)));
  const MachineOperand d = vector_destination(instruction.operands[0]);
  const MachineOperand a = vector_source(instruction.operands[1]);
  const MachineOperand b = vector_source(instruction.operands[2]);
  const MachineOperand c = vector_source(instruction.operands[3]);
  const bool to_single = has_word(instruction, "f32");
  std::string name = fmt::format("{}.{}", product.opcode, product.shape);
  if (product.element == "f16") {
    name = fmt::format("HMMA.{}.{}", shape.k == 8 ? "1688" : "16816", to_single ? "F32" : "F16");
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    const auto word = static_cast<std::uint8_t>(i * (to_single ? 4U : 2U));
    const bool fits = d.value != kNone && word < emitter_.values[d.value].words;
    MachineOperand part_d = d;
    MachineOperand part_c = c;
    MachineOperand part_b = b;
    if (b.value != kNone && i * 2 < emitter_.values[b.value].words) {
      part_b.word = static_cast<std::uint8_t>(i * 2);
    }
    if (fits && i != 0) {
      part_d.word = word;
      part_c.word = c.value != kNone && word < emitter_.values[c.value].words ? word : 0;
    }
    emitter_.emit(name, {part_d, a, part_b, part_c});
  }
}

// The addresses of two rows of a fragment, eight rows apart: what the lane adds to the address, and the stride.
std::array<MachineOperand, 2> FunctionSelector::fragment_rows(const Instruction& instruction,
                                                              const MachineOperand& place) {
  const bool is_wide = place.value != kNone && emitter_.values[place.value].file == Value::File::kGeneral &&
                       emitter_.values[place.value].words == 2;
  if (!is_wide) {
    return {place, place};
  }
  const MachineOperand carry = emitter_.predicate();
  const MachineOperand base = emitter_.temporary(2);
  const MachineOperand row = emitter_.temporary(2);
  const auto word = [](MachineOperand operand, std::uint8_t number) {
    operand.word = number;
    return operand;
  };
  const MachineOperand from = emitter_.operand(place.value);
  emitter_.emit("IADD3", {base, carry, from, text_operand("RZ"), text_operand("RZ")});
  emitter_.emit("IMAD.X", {word(base, 1), word(from, 1), text_operand("0x1"), text_operand("RZ"), carry});
  const bool has_stride = instruction.operands.size() > 2;
  const MachineOperand stride = has_stride ? held_in_register(source(instruction.operands[2]), 1) : text_operand("RZ");
  emitter_.emit("IMAD.WIDE.U32", {row, stride, text_operand("0x10"), base});
  std::array<MachineOperand, 2> rows{place, place};
  rows[0].value = base.value;
  rows[1].value = row.value;
  return rows;
}

// Fragments of halves hold each element twice in PTX, but once in registers.
void FunctionSelector::hold_elements_once(Number vector) {
  if (vector == kNone || emitter_.values[vector].words < 2 || emitter_.values[vector].part_of != kNone) {
    return;
  }
  const auto words = static_cast<std::uint8_t>(emitter_.values[vector].words / 2);
  emitter_.values[vector].words = words;
  for (Value& value : emitter_.values) {
    if (value.part_of == vector) {
      value.word = static_cast<std::uint8_t>(value.word % words);
    }
  }
}

void FunctionSelector::select_wmma_move(const Instruction& instruction) {
  const bool loads = has_word(instruction, "load");
  const bool is_shared = has_word(instruction, "shared");
  const ptx::StateSpace space = is_shared                         ? ptx::StateSpace::kShared
                                : has_word(instruction, "global") ? ptx::StateSpace::kGlobal
                                                                  : ptx::StateSpace::kGeneric;
  const Operand& vector = instruction.operands[loads ? 0 : 1];
  const std::array<MachineOperand, 2> rows =
      fragment_rows(instruction, address(instruction.operands[loads ? 1 : 0], space));
  const MachineOperand registers = loads ? vector_destination(vector) : vector_source(vector);
  const std::uint32_t words = registers.value == kNone ? 1 : emitter_.values[registers.value].words;
  const bool halves = has_word(instruction, "f16") || has_word(instruction, "bf16");
  // Each element is loaded once; those that are not halves are moved in pairs.
  const std::uint32_t pieces = std::max(1U, words / 2);
  const bool transposes = loads && halves && has_word(instruction, "b") && has_word(instruction, "row");
  if (loads && halves && (has_word(instruction, "a") || has_word(instruction, "b"))) {
    hold_elements_once(registers.value);
  }
  const std::string opcode = loads ? (is_shared ? "LDS" : "LDG.E") : (is_shared ? "STS" : "STG.E");
  const std::string width = halves ? "" : ".64";
  effect_ = emitter_.count();
  for (std::uint32_t i = 0; i < pieces; ++i) {
    const MachineOperand& place = rows[i % 2];
    MachineOperand part = registers;
    part.word = static_cast<std::uint8_t>(halves ? i : i * 2);
    std::vector<MachineOperand> operands;
    if (loads) {
      operands.push_back(part);
    }
    operands.push_back(place);
    if (!loads) {
      operands.push_back(part);
    }
    emitter_.emit(opcode + width, operands);
  }
  for (std::uint32_t i = 0; transposes && i < pieces; ++i) {
    MachineOperand part = registers;
    part.word = static_cast<std::uint8_t>(i);
    emitter_.emit("MOVM.16.MT88", {part, part});
  }
}

void FunctionSelector::select_warpgroup(const Instruction& instruction) {
  mark_effect();
  if (has_word(instruction, "fence")) {
    emitter_.emit("WARPGROUP.ARRIVE", {});
  } else if (has_word(instruction, "commit_group")) {
    emitter_.emit("NOP", {});
  } else if (has_word(instruction, "wait_group")) {
    const std::uint64_t left = instruction.operands.empty() ? 0 : instruction.operands[0].bits;
    emitter_.emit("WARPGROUP.DEPBAR.LE", {text_operand("gsb0"), text_operand(fmt::format("0x{:x}", left))});
  } else {
    const Shape shape = shape_of(instruction);
    const bool to_single = has_word(instruction, "f32");
    emitter_.emit(fmt::format("HGMMA.{}x{}x{}.{}", shape.m, shape.n, shape.k, to_single ? "F32" : "F16"),
                  {vector_destination(instruction.operands[0])});
  }
}

}  // namespace warpsim::codegen
