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

constexpr Product kHalfTf32{"tf32", "HMMA", 8, 4, "1684.F32.TF32"};  // of wmma, observed with ptxas 13

const Product& product_of(const Instruction& instruction) {
  if (instruction.opcode == "wmma" && has_word(instruction, "tf32")) {
    return kHalfTf32;
  }
  for (const Product& product : kProducts) {
    if (has_word(instruction, product.element)) {
      return product;
    }
  }
  return kProducts.back();
}

// Of the type that is moved, the last of the words.
std::uint32_t element_bytes(const Instruction& move) {
  const std::string_view type = move.modifiers.back();
  return type == "f64" ? 8 : type == "f16" || type == "bf16" ? 2 : type == "s8" || type == "u8" ? 1 : 4;
}

bool is_of_halves(const Instruction& move) {
  return has_word(move, "f16") || has_word(move, "bf16");
}

bool is_factor(const Instruction& move) {
  return has_word(move, "a") || has_word(move, "b");
}

// The factor lies in memory by the other dimension than in registers.
bool is_turned(const Instruction& move) {
  return has_word(move, has_word(move, "a") ? "col" : "row");
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
  const std::uint32_t steps = &product == &kHalfTf32 ? shape.k / product.k : 1;  // along k, with the same sums
  const auto part_of = [&](MachineOperand whole, std::uint32_t word) {
    whole.word =
        whole.value != kNone && word < emitter_.values[whole.value].words ? static_cast<std::uint8_t>(word) : 0;
    return whole;
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t word = i / steps * (to_single ? 4U : 2U);
    const bool fits = d.value != kNone && word < emitter_.values[d.value].words;
    const MachineOperand part_d = fits ? part_of(d, word) : d;
    const MachineOperand part_c = i % steps != 0 ? part_d : fits ? part_of(c, word) : c;
    const MachineOperand part_a = part_of(a, i % steps * 2);
    const MachineOperand part_b = part_of(b, steps > 1 ? i : i * 2);
    emitter_.emit(name, {part_d, part_a, part_b, part_c});
  }
}

// The lane's part of a fragment's address, which fragments with the same base in a block share.
MachineOperand FunctionSelector::fragment_base(const Operand& place, const MachineOperand& address) {
  const Operand& base = place.elements[0];
  const bool is_fixed =
      base.kind == Operand::Kind::kRegister && facts_.only_write(base.number) != RegisterFacts::kNowhere;
  if (const auto known = fragment_bases_.find(address.value); is_fixed && known != fragment_bases_.end()) {
    return emitter_.operand(known->second);
  }
  const MachineOperand carry = emitter_.predicate();
  MachineOperand sum = emitter_.temporary(2);
  const auto word = [](MachineOperand operand, std::uint8_t number) {
    operand.word = number;
    return operand;
  };
  const MachineOperand from = emitter_.operand(address.value);
  emitter_.emit("IADD3", {sum, carry, from, text_operand("RZ"), text_operand("RZ")});
  emitter_.emit("IMAD.X", {word(sum, 1), word(from, 1), text_operand("0x1"), text_operand("RZ"), carry});
  fragment_bases_[address.value] = sum.value;
  return sum;
}

// The addresses of two rows of a fragment, eight rows apart: the lane's base, and what the stride adds to it.
std::array<MachineOperand, 2> FunctionSelector::fragment_rows(const Instruction& instruction, ptx::StateSpace space) {
  constexpr std::uint64_t kRows = 8;
  const Operand& place = instruction.operands[has_word(instruction, "load") ? 1 : 0];
  std::array<MachineOperand, 2> rows{address(place, space), {}};
  rows[1] = rows[0];
  const bool is_wide = rows[0].value != kNone && emitter_.values[rows[0].value].file == Value::File::kGeneral &&
                       emitter_.values[rows[0].value].words == 2;
  if (!is_wide) {
    return rows;
  }
  const MachineOperand base = fragment_base(place, rows[0]);
  const Operand* const stride = instruction.operands.size() > 2 ? &instruction.operands[2] : nullptr;
  const Operand* const number =
      stride != nullptr && stride->kind == Operand::Kind::kRegister ? facts_.constant(stride->number) : stride;
  if (number != nullptr && number->kind == Operand::Kind::kInteger) {
    Operand below = copy_of(place);
    below.offset += static_cast<std::int64_t>(number->bits * kRows * element_bytes(instruction));
    rows[1] = address(below, space);
    rows[1].value = base.value;
  } else {
    const MachineOperand row = emitter_.temporary(2);
    emitter_.emit("IMAD.WIDE.U32", {row, stride == nullptr ? text_operand("RZ") : held_in_register(source(*stride), 1),
                                    text_operand("0x10"), base});
    rows[1].value = row.value;
  }
  rows[0].value = base.value;
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

// Rows of 16 bytes in shared memory, each of which a lane addresses (LDSM), of up to four matrices at a time.
bool FunctionSelector::select_matrix_rows(const Instruction& instruction, const MachineOperand& registers,
                                          const MachineOperand& place) {
  constexpr std::uint32_t kMost = 4;
  const bool turned = is_turned(instruction);
  const bool fits = has_word(instruction, "load") && has_word(instruction, "shared") && is_factor(instruction) &&
                    (is_of_halves(instruction) || (element_bytes(instruction) == 1 && !turned)) &&
                    registers.value != kNone;
  if (!fits) {
    return false;
  }
  const std::uint32_t words = emitter_.values[registers.value].words;
  for (std::uint32_t i = 0; i < words; i += kMost) {
    MachineOperand part = registers;
    part.word = static_cast<std::uint8_t>(i);
    emitter_.emit(fmt::format("LDSM.16.{}.{}", turned ? "MT88" : "M88", std::min(words - i, kMost)), {part, place});
  }
  return true;
}

void FunctionSelector::select_wmma_move(const Instruction& instruction) {
  const bool loads = has_word(instruction, "load");
  const bool is_shared = has_word(instruction, "shared");
  const ptx::StateSpace space = is_shared                         ? ptx::StateSpace::kShared
                                : has_word(instruction, "global") ? ptx::StateSpace::kGlobal
                                                                  : ptx::StateSpace::kGeneric;
  const Operand& vector = instruction.operands[loads ? 0 : 1];
  const std::array<MachineOperand, 2> rows = fragment_rows(instruction, space);
  const MachineOperand registers = loads ? vector_destination(vector) : vector_source(vector);
  if (loads && is_factor(instruction) && has_word(instruction, "f16")) {
    hold_elements_once(registers.value);
  }
  effect_ = emitter_.count();
  if (select_matrix_rows(instruction, registers, rows[0])) {
    return;
  }
  const bool halves = is_of_halves(instruction);
  const std::uint32_t words = registers.value == kNone ? 1 : emitter_.values[registers.value].words;
  // Results of single precision are next to each other in pairs, and so are the words of a double.
  const bool in_pairs = has_word(instruction, "f64") || (!is_factor(instruction) && !halves);
  const std::uint32_t pieces = std::max(1U, in_pairs ? words / 2 : words);
  const bool turned = loads && halves && is_factor(instruction) && is_turned(instruction);
  const std::string_view memory = is_shared                           ? (loads ? "LDS" : "STS")
                                  : space == ptx::StateSpace::kGlobal ? (loads ? "LDG.E" : "STG.E")
                                                                      : (loads ? "LD.E" : "ST.E");
  const std::string opcode = std::string(memory) + (in_pairs ? ".64" : "");
  for (std::uint32_t i = 0; i < pieces; ++i) {
    MachineOperand part = registers;
    part.word = static_cast<std::uint8_t>(in_pairs ? i * 2 : i);
    if (loads) {
      emitter_.emit(opcode, {part, rows[i % 2]});
    } else {
      emitter_.emit(opcode, {rows[i % 2], part});
    }
  }
  for (std::uint32_t i = 0; turned && i < pieces; ++i) {
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
