// Addresses of constants: offsets in a bank, of 32 bits, in general or in uniform registers.
#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

#include "codegen/constant_places.h"
#include "codegen/function_selector.h"
#include "codegen/instruction_words.h"

namespace warpsim::codegen {

using ptx::Instruction;
using ptx::Operand;

// The offset of a variable in constant memory, or of a parameter among the parameters.
std::uint64_t FunctionSelector::offset_in_bank(const Operand& symbol) const {
  const auto offset = static_cast<std::uint64_t>(symbol.offset);
  if (symbol.scope == Operand::Scope::kParameters) {
    return parameter_offset(function_, symbol.number) + offset;
  }
  const bool is_variable =
      symbol.scope == Operand::Scope::kModule && module_.symbols[symbol.number].kind == ptx::Symbol::Kind::kVariable;
  return offset + (is_variable ? constant_variable_offset(module_, module_.symbols[symbol.number].number) : 0);
}

// The symbol of which it always is the address.
const Operand* FunctionSelector::place_of(const Operand& operand) const {
  if (operand.kind == Operand::Kind::kSymbol) {
    return &operand;
  }
  if (operand.kind != Operand::Kind::kRegister || !uniform_.is_offset(operand.number)) {
    return nullptr;
  }
  const Instruction* const made = facts_.maker(operand);
  const bool is_place = made != nullptr && made->opcode == "mov" && made->operands[1].kind == Operand::Kind::kSymbol;
  return is_place ? &made->operands[1] : nullptr;
}

bool FunctionSelector::in_uniform_register(const MachineOperand& operand) const {
  return operand.value != kNone && emitter_.values[operand.value].file == Value::File::kUniform;
}

// The low word of a source. `uniform`: for the uniform datapath, which reads neither constants nor general registers.
MachineOperand FunctionSelector::address_source(const Operand& operand, bool uniform) {
  std::uint64_t bits = operand.bits;
  bool is_number = operand.kind == Operand::Kind::kInteger;
  if (const Operand* const place = place_of(operand)) {
    bits = offset_in_bank(*place);
    is_number = true;
  }
  MachineOperand result =
      is_number ? text_operand(fmt::format("0x{:x}", static_cast<std::uint32_t>(bits))) : plain_source(operand, 0);
  if (result.before == "0x0" || result.before == "RZ") {
    return text_operand(uniform ? "URZ" : "RZ");
  }
  if (uniform && result.value == kNone && result.before.starts_with("c[")) {
    MachineOperand held = emitter_.uniform();
    emitter_.emit("ULDC", {held, result});
    return held;
  }
  return result;
}

// In a register of its own if it is a number: instructions have one immediate.
MachineOperand FunctionSelector::address_in_register(const Operand& operand, bool uniform) {
  MachineOperand value = address_source(operand, uniform);
  if (value.value != kNone || !value.before.starts_with("0x")) {
    return value;
  }
  MachineOperand held = uniform ? emitter_.uniform() : emitter_.temporary();
  emitter_.emit(uniform ? "UMOV" : "MOV", {held, std::move(value)});
  return held;
}

void FunctionSelector::add_product(const MachineOperand& d, const Instruction& product, const Operand* summand,
                                   bool uniform) {
  const MachineOperand zero = text_operand(uniform ? "URZ" : "RZ");
  const std::string prefix = uniform ? "U" : "";
  const Operand& factor = product.operands[2];
  const MachineOperand other = summand == nullptr ? zero : address_in_register(*summand, uniform);
  const bool shifts = product.opcode == "shl";
  const bool by_power = factor.kind == Operand::Kind::kInteger && std::has_single_bit(factor.bits);
  const MachineOperand first = address_source(product.operands[1], uniform);
  if ((shifts || by_power) && other.before == zero.before && other.value == kNone) {
    const auto steps = shifts ? static_cast<int>(factor.bits) : std::countr_zero(factor.bits);
    emitter_.emit(prefix + "SHF.L.U32", {d, first, text_operand(fmt::format("0x{:x}", steps)), zero});
  } else if (shifts) {
    emitter_.emit(prefix + "LEA", {d, first, other, address_source(factor, uniform)});
  } else {
    emitter_.emit(prefix + "IMAD", {d, first, address_source(factor, uniform), other});
  }
}

void FunctionSelector::add_addresses(const MachineOperand& d, const Instruction& sum, bool uniform) {
  const std::string prefix = uniform ? "U" : "";
  const MachineOperand zero = text_operand(uniform ? "URZ" : "RZ");
  for (std::size_t at = 2; at >= 1 && sum.opcode == "add"; --at) {
    const Instruction* const made = facts_.folded(sum.operands[at]);
    if (made != nullptr && (made->opcode == "mul" || made->opcode == "shl")) {
      add_product(d, *made, &sum.operands[3 - at], uniform);
      return;
    }
    if (made != nullptr) {
      emitter_.emit(prefix + "IADD3",
                    {d, address_in_register(made->operands[1], uniform), address_source(made->operands[2], uniform),
                     address_in_register(sum.operands[3 - at], uniform)});
      return;
    }
  }
  MachineOperand first = address_source(sum.operands[1], uniform);
  MachineOperand second = address_source(sum.operands[2], uniform);
  if (sum.opcode == "sub") {
    second = negated(std::move(second));
  } else if (first.value == kNone) {  // the first source is a register
    std::swap(first, second);
  }
  emitter_.emit(prefix + "IADD3", {d, first, second, zero});
}

// An instruction that computes an address of constants or a part of it; false: it is none.
bool FunctionSelector::select_address_part(const Instruction& instruction) {
  if (instruction.operands.size() < 2 || instruction.operands[0].kind != Operand::Kind::kRegister) {
    return false;
  }
  const Operand& to = instruction.operands[0];
  const bool uniform = uniform_.is_uniform(to.number);
  if ((!uniform && !uniform_.is_offset(to.number)) || instruction.opcode == "ld" || place_of(to) != nullptr) {
    return place_of(to) != nullptr;
  }
  const MachineOperand d = destination(to);
  const std::string prefix = uniform ? "U" : "";
  const Operand& from = instruction.operands[1];
  if (instruction.opcode == "mul" || instruction.opcode == "shl") {
    add_product(d, instruction, nullptr, uniform);
  } else if (instruction.opcode == "mad") {
    add_product(d, instruction, &instruction.operands[3], uniform);
  } else if (instruction.opcode == "add" || instruction.opcode == "sub") {
    add_addresses(d, instruction, uniform);
  } else if (instruction.opcode == "and") {
    emitter_.emit(prefix + "LOP3.LUT",
                  {d, address_source(from, uniform), address_source(instruction.operands[2], uniform),
                   text_operand(uniform ? "URZ" : "RZ"), text_operand("0xc0"), text_operand(uniform ? "!UPT" : "!PT")});
  } else if (from.kind == Operand::Kind::kSpecial && uniform) {
    const std::string size = launch_size_place(from);
    const MachineOperand read =
        text_operand(size.empty() ? fmt::format("SR_CTAID.{}", "XYZ"[std::clamp(from.component, 0, 2)]) : size);
    emitter_.emit(size.empty() ? "S2UR" : "ULDC", {d, read});
  } else {
    emitter_.emit(prefix + "MOV", {d, address_source(from, uniform)});
  }
  return true;
}

// "c[0x3][UR5+0x10]": where a load at a computed address reads. `uniform`: its result is in uniform registers.
MachineOperand FunctionSelector::constant_address(const Operand& at, bool of_parameters, bool uniform) {
  const Operand& base = at.elements[0];
  std::int64_t offset = base.offset + at.offset;
  if (of_parameters) {
    offset += static_cast<std::int64_t>(parameters_offset(architecture_));
  }
  const std::string bank = of_parameters ? "c[0x0][" : "c[0x3][";
  const Operand* const place = place_of(base);
  if (place != nullptr) {
    return text_operand(fmt::format("{}0x{:x}]", bank, offset_in_bank(*place) + static_cast<std::uint64_t>(offset)));
  }
  MachineOperand result = plain_source(base, 0);
  if (result.value == kNone) {
    return text_operand(bank + "0x0]");
  }
  if (!uniform && in_uniform_register(result)) {  // LDC reads its address from a general register
    const MachineOperand held = emitter_.temporary();
    emitter_.emit("MOV", {held, result});
    result = held;
  }
  result.before = bank;
  result.behind = offset == 0 ? "]" : fmt::format("{}0x{:x}]", offset < 0 ? "+-" : "+", std::abs(offset));
  return result;
}

}  // namespace warpsim::codegen
