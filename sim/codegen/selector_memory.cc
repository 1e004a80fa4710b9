// Loads, stores, matrices and textures.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "codegen/constant_places.h"
#include "codegen/function_selector.h"
#include "codegen/instruction_words.h"

namespace warpsim::codegen {

namespace {

using ptx::DataType;
using ptx::Instruction;
using ptx::Operand;
using ptx::StateSpace;

std::string width_of(DataType type, std::uint32_t elements) {
  const std::uint32_t bytes = ptx::bytes_of(type) * elements;
  switch (bytes) {
    case 1:
      return type == DataType::kS8 ? ".S8" : ".U8";
    case 2:
      return elements == 1 && type == DataType::kS16 ? ".S16" : ".U16";
    case 8:
      return ".64";
    case 16:
    case 32:
      return ".128";
    default:
      return "";
  }
}

std::string cache_word(const Instruction& instruction) {
  if (has_word(instruction, "nc")) {
    return ".CONSTANT";
  }
  if (has_word(instruction, "volatile") || has_word(instruction, "cv") || has_word(instruction, "sys")) {
    return ".STRONG.SYS";
  }
  if (has_word(instruction, "relaxed") || has_word(instruction, "acquire") || has_word(instruction, "release") ||
      has_word(instruction, "cg")) {
    return has_word(instruction, "cta") ? ".STRONG.SM" : ".STRONG.GPU";
  }
  return has_word(instruction, "cs") ? ".EF" : "";
}

}  // namespace

// "[R2+0x10]", "desc[UR4][R2.64+0x10]".
MachineOperand FunctionSelector::address(const Operand& operand, StateSpace space) {
  const Operand& base = operand.kind == Operand::Kind::kAddress ? operand.elements[0] : operand;
  const std::int64_t offset = base.offset + operand.offset;
  const bool is_wide = space == StateSpace::kGlobal || space == StateSpace::kGeneric;
  MachineOperand result;
  if (base.kind == Operand::Kind::kInteger) {
    result = text_operand(base.bits == 0 ? "RZ" : fmt::format("0x{:x}", base.bits));
  } else if (const Instruction* const made = facts_.folded(base); made != nullptr && made->opcode == "add") {
    result = plain_source(made->operands[1], 0);
    MachineOperand second = plain_source(made->operands[2], 0);
    if (result.value == kNone || emitter_.values[result.value].file == Value::File::kUniform) {
      std::swap(result, second);
    }
    if (second.value != kNone) {
      result.second = second.value;
    } else {
      result.behind = "+" + second.before;
    }
  } else {
    result = plain_source(base, 0);
  }
  const bool is_uniform = result.value != kNone && emitter_.values[result.value].file == Value::File::kUniform;
  result.before.insert(0, "[");
  if (is_wide && result.value != kNone && !is_uniform) {
    result.behind += ".64";
  }
  if (offset != 0) {
    result.behind += offset < 0 ? fmt::format("+-0x{:x}", -offset) : fmt::format("+0x{:x}", offset);
  }
  result.behind += "]";
  result.descriptor = is_wide ? descriptor_ : kNone;
  return result;
}

bool FunctionSelector::select_memory(const Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (opcode == "ld" || opcode == "ldu") {
    select_load(instruction);
  } else if (opcode == "st") {
    select_store(instruction);
  } else if (opcode == "atom" || opcode == "red") {
    select_atomic(instruction);
  } else if (opcode == "cp") {
    select_async_copy(instruction);
  } else if (opcode == "ldmatrix" || opcode == "stmatrix" || opcode == "mma" || opcode == "wmma" || opcode == "wgmma") {
    select_matrix(instruction);
  } else if (opcode == "tex" || opcode == "tld4" || opcode == "suld" || opcode == "sust" || opcode == "sured" ||
             opcode == "txq" || opcode == "suq") {
    select_texture(instruction);
  } else if (opcode == "mbarrier") {
    select_mbarrier(instruction);
  } else if (opcode == "prefetch" || opcode == "prefetchu" || opcode == "applypriority" || opcode == "discard") {
    mark_effect();
    emitter_.emit("CCTL.E.PF2", {address(instruction.operands[0], StateSpace::kGlobal)});
  } else {
    return false;
  }
  return true;
}

void FunctionSelector::select_parameter_load(const Instruction& instruction) {
  const Operand& to = instruction.operands[0];
  const Operand& base = instruction.operands[1].elements[0];
  const ptx::Variable* const variable = variable_of(base);
  const bool of_kernel = function_.is_entry && (variable == nullptr || base.scope == Operand::Scope::kParameters);
  const std::uint32_t elements = elements_of(instruction);
  const DataType type = type_of(instruction);
  if (!of_kernel) {  // of a call: passed in registers
    for (std::uint32_t i = 0; i < std::max(1U, ptx::bytes_of(type) / 4) && elements == 1; ++i) {
      emitter_.emit("MOV", {destination(to, static_cast<std::uint8_t>(i)), text_operand("R4")});
    }
    return;
  }
  const std::string place = constant_place(module_, function_, instruction, 0, architecture_);
  const MachineOperand d = vector_destination(to);
  const bool is_uniform = in_uniform_register(d);
  const bool is_word = is_uniform && uniform_.is_offset(to.number);  // a part of an address
  const MachineOperand from = base.kind == Operand::Kind::kRegister
                                  ? constant_address(instruction.operands[1], true, is_uniform)
                                  : text_operand(place.empty() ? parameters_place(architecture_) : place);
  emitter_.emit((is_uniform ? "ULDC" : "LDC") + (is_word ? "" : width_of(type, elements)), {d, from});
}

void FunctionSelector::select_load(const Instruction& instruction) {
  const StateSpace space = space_of(instruction);
  if (space == StateSpace::kParameter) {
    select_parameter_load(instruction);
    return;
  }
  const std::string width = width_of(type_of(instruction), elements_of(instruction));
  const MachineOperand d = vector_destination(instruction.operands[0]);
  const Operand& at = instruction.operands[1];
  if (space == StateSpace::kConstant) {
    const Operand& base = at.elements[0];
    const std::string known = constant_place(module_, function_, instruction, 0, architecture_);
    if (uniform_.reads_and_moves(static_cast<std::uint32_t>(&instruction - function_.body.data()))) {
      const MachineOperand value = emitter_.uniform();
      const MachineOperand from = constant_address(at, false, true);
      mark_effect();
      emitter_.emit("ULDC", {value, from});
      emitter_.emit("MOV", {d, value});
      return;
    }
    const bool is_uniform = in_uniform_register(d);
    const MachineOperand place = base.kind == Operand::Kind::kRegister
                                     ? constant_address(at, false, is_uniform)
                                     : text_operand(known.empty() ? "c[0x3][0x0]" : known);
    emitter_.emit((is_uniform ? "ULDC" : "LDC") + width, {d, place});
    return;
  }
  const MachineOperand place = address(at, space);
  mark_effect();
  switch (space) {
    case StateSpace::kGlobal:
      emitter_.emit("LDG.E" + width + cache_word(instruction), {d, place});
      break;
    case StateSpace::kShared:
      emitter_.emit("LDS" + width, {d, place});
      break;
    case StateSpace::kLocal:
      emitter_.emit("LDL" + width, {d, place});
      break;
    default:
      emitter_.emit("LD.E" + width + cache_word(instruction), {d, place});
      break;
  }
}

// For instructions that accept neither constants nor uniform registers.
MachineOperand FunctionSelector::held_in_register(const MachineOperand& value, std::uint8_t words) {
  MachineOperand held = emitter_.temporary(words);
  if (value.value == kNone) {
    load_number(held, value);
  } else {
    emitter_.emit("MOV", {held, value});
  }
  return held;
}

void FunctionSelector::select_store(const Instruction& instruction) {
  const StateSpace space = space_of(instruction);
  const std::uint32_t elements = elements_of(instruction);
  const DataType type = type_of(instruction);
  if (space == StateSpace::kParameter) {  // of a call: passed in registers
    for (std::uint32_t i = 0; i < std::max(1U, ptx::bytes_of(type) / 4) && elements == 1; ++i) {
      emitter_.emit("MOV", {text_operand("R4"), source(instruction.operands[1], static_cast<std::uint8_t>(i))});
    }
    return;
  }
  const std::string width = width_of(type, elements);
  MachineOperand value = vector_source(instruction.operands[1]);
  const bool in_register = value.value != kNone && emitter_.values[value.value].file == Value::File::kGeneral;
  if (!in_register && value.before != "RZ") {  // stores need registers
    value = held_in_register(value, ptx::bytes_of(type) == 8 ? 2 : 1);
  }
  const MachineOperand place = address(instruction.operands[0], space);
  mark_effect();
  switch (space) {
    case StateSpace::kGlobal:
      emitter_.emit("STG.E" + width + cache_word(instruction), {place, value});
      break;
    case StateSpace::kShared:
      emitter_.emit("STS" + width, {place, value});
      break;
    case StateSpace::kLocal:
      emitter_.emit("STL" + width, {place, value});
      break;
    default:
      emitter_.emit("ST.E" + width + cache_word(instruction), {place, value});
      break;
  }
}

void FunctionSelector::select_matrix(const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  if (instruction.opcode == "ldmatrix") {
    const std::string count = has_word(instruction, "x4") ? "4" : has_word(instruction, "x2") ? "2" : "1";
    const MachineOperand d = vector_destination(operands[0]);
    const MachineOperand at = address(operands[1], StateSpace::kShared);
    mark_effect();
    emitter_.emit(
        fmt::format("LDSM.16.{}{}", has_word(instruction, "trans") ? "MT88" : "M88", count == "1" ? "" : "." + count),
        {d, at});
    return;
  }
  if (instruction.opcode == "stmatrix") {
    const std::string count = has_word(instruction, "x4") ? "4" : has_word(instruction, "x2") ? "2" : "1";
    const MachineOperand value = vector_source(operands[1]);
    const MachineOperand at = address(operands[0], StateSpace::kShared);
    mark_effect();
    emitter_.emit(fmt::format("STSM.16.M88{}", count == "1" ? "" : "." + count), {at, value});
    return;
  }
  if (instruction.opcode == "wmma" && !has_word(instruction, "mma")) {
    select_wmma_move(instruction);
    return;
  }
  if (instruction.opcode == "wgmma") {
    select_warpgroup(instruction);
    return;
  }
  select_product(instruction);
}

namespace {

// With a level of detail in a register, as compilers write it for the level that kernels have, or without one.
std::string_view fetch_opcode(const Instruction& fetch, const RegisterFacts& facts) {
  if (fetch.opcode == "suld") {
    return "SULD.D.BA.2D";
  }
  if (fetch.opcode == "tld4") {
    return "TLD4";
  }
  if (fetch.modifiers.back() == "s32") {  // coordinates
    return "TLD.LZ";
  }
  const Operand* level = &fetch.operands.back();
  if (level->kind == Operand::Kind::kRegister) {
    level = facts.constant(level->number);
  }
  const bool at_zero =
      has_word(fetch, "level") && level != nullptr && level->kind == Operand::Kind::kFloat && level->bits == 0;
  return at_zero ? "TEX.LZ" : "TEX.LL";
}

}  // namespace

void FunctionSelector::select_texture(const Instruction& instruction) {
  const std::vector<Operand>& operands = instruction.operands;
  mark_effect();
  if (instruction.opcode == "txq" || instruction.opcode == "suq") {
    emitter_.emit("TXQ", {destination(operands[0]), text_operand("RZ")});
    return;
  }
  const bool stores = instruction.opcode == "sust" || instruction.opcode == "sured";
  const Operand& place = operands[stores ? 0 : 1];
  const MachineOperand coordinates =
      place.elements.size() > 1 ? vector_source(place.elements.back()) : text_operand("RZ");
  if (stores) {
    emitter_.emit(instruction.opcode == "sust" ? "SUST.D.BA.2D" : "SURED.2D",
                  {coordinates, vector_source(operands[1])});
    return;
  }
  const MachineOperand d = vector_destination(operands[0]);
  emitter_.emit(std::string(fetch_opcode(instruction, facts_)), {d, text_operand("RZ"), coordinates});
}

}  // namespace warpsim::codegen
