// Atomics, asynchronous copies and barriers in shared memory.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/function_selector.h"
#include "codegen/instruction_words.h"

namespace warpsim::codegen {

namespace {

using ptx::DataType;
using ptx::Instruction;
using ptx::Operand;
using ptx::StateSpace;

std::string atomic_operation(const Instruction& instruction) {
  for (const std::string_view word : {"add", "min", "max", "and", "or", "xor", "exch", "cas", "inc", "dec"}) {
    if (has_word(instruction, word)) {
      return upper(word);
    }
  }
  return "ADD";
}

std::string atomic_type(DataType type) {
  switch (type) {
    case DataType::kF32:
      return ".F32.FTZ.RN";
    case DataType::kF64:
      return ".F64.RN";
    case DataType::kF16x2:
    case DataType::kF16:
      return ".F16x2.RN";
    case DataType::kBf16x2:
    case DataType::kBf16:
      return ".BF16_V2.RN";
    case DataType::kS32:
      return ".S32";
    case DataType::kS64:
      return ".S64";
    default:
      return ptx::bytes_of(type) == 8 ? ".64" : "";
  }
}

}  // namespace

// Sums of floats in shared memory: hardware only supports them by compare-and-swap.
void FunctionSelector::select_shared_float_atomic(const Instruction& instruction, const MachineOperand& at) {
  const bool returns = instruction.opcode == "atom";
  const MachineOperand old = emitter_.temporary();
  const MachineOperand next = emitter_.temporary();
  const MachineOperand swapped = emitter_.predicate();
  emitter_.emit("LDS", {old, at});
  emitter_.emit("FADD", {next, old, source(instruction.operands[returns ? 2 : 1])});
  mark_effect();
  emitter_.emit("ATOMS.CAST.SPIN", {next, at, old, next});
  emitter_.emit("ISETP.EQ.U32.AND", {swapped, text_operand("PT"), next, text_operand("0x1"), text_operand("PT")});
  emitter_.emit("BRA", {text_operand("next")});
}

void FunctionSelector::select_atomic(const Instruction& instruction) {
  const bool returns = instruction.opcode == "atom";
  const StateSpace space = space_of(instruction);
  const DataType type = type_of(instruction);
  const std::size_t at = returns ? 1 : 0;
  const Operand& d = instruction.operands[0];
  const bool is_used = returns && d.kind == Operand::Kind::kRegister && facts_.reads(d.number) != 0;
  const std::string operation = atomic_operation(instruction);
  const bool is_float = type == DataType::kF32 || type == DataType::kF64 || type == DataType::kF16x2 ||
                        type == DataType::kBf16x2 || type == DataType::kF16 || type == DataType::kBf16;
  const MachineOperand place = address(instruction.operands[at], space);
  if (space == StateSpace::kShared && is_float) {
    select_shared_float_atomic(instruction, place);
    return;
  }
  const Operand& given = instruction.operands[at + 1];
  const Operand* const constant = given.kind == Operand::Kind::kRegister ? facts_.constant(given.number) : nullptr;
  const Operand& first = constant != nullptr ? *constant : given;
  if (space == StateSpace::kShared && !is_used && operation == "ADD" && first.kind == Operand::Kind::kInteger &&
      first.bits == 1) {
    mark_effect();
    emitter_.emit("ATOMS.POPC.INC.32", {text_operand("RZ"), place});
    return;
  }
  std::vector<MachineOperand> sources;
  for (std::size_t i = at + 1; i < instruction.operands.size(); ++i) {
    MachineOperand value = vector_source(instruction.operands[i]);
    if (value.value == kNone || emitter_.values[value.value].file != Value::File::kGeneral) {
      value = held_in_register(value, ptx::bytes_of(type) == 8 ? 2 : 1);
    }
    sources.push_back(value);
  }
  const MachineOperand result = is_used ? vector_destination(d) : text_operand("RZ");
  mark_effect();
  if (space == StateSpace::kShared) {
    std::vector<MachineOperand> operands{result, place};
    std::ranges::copy(sources, std::back_inserter(operands));
    const std::string name = instruction.spins ? "CAST.SPIN" : operation;
    emitter_.emit("ATOMS." + name + (operation == "ADD" ? "" : atomic_type(type)), operands);
    return;
  }
  const std::string scope = has_word(instruction, "sys") ? ".STRONG.SYS" : ".STRONG.GPU";
  const bool is_red = !is_used && operation != "CAS" && operation != "EXCH";
  std::vector<MachineOperand> operands;
  if (!is_red) {
    operands = {text_operand("PT"), result};
  }
  operands.push_back(place);
  std::ranges::copy(sources, std::back_inserter(operands));
  const std::string_view name =
      is_red ? (space == StateSpace::kGlobal ? "REDG" : "RED") : (space == StateSpace::kGlobal ? "ATOMG" : "ATOM");
  emitter_.emit(fmt::format("{}.E.{}{}{}", name, operation, atomic_type(type), scope), operands);
}

void FunctionSelector::select_async_copy(const Instruction& instruction) {
  if (has_word(instruction, "bulk") || has_word(instruction, "reduce")) {
    mark_effect();
    if (has_word(instruction, "commit_group")) {
      emitter_.emit("UTMACMDFLUSH", {});
    } else if (has_word(instruction, "wait_group")) {
      emitter_.emit("DEPBAR.LE", {text_operand("SB0"), text_operand("0x0")});
    } else {
      emitter_.emit(has_word(instruction, "tensor") ? "UTMALDG.2D" : "UBLKCP", {});
    }
    return;
  }
  if (has_word(instruction, "commit_group") || has_word(instruction, "mbarrier")) {
    mark_effect();
    emitter_.emit(has_word(instruction, "mbarrier") ? "ARRIVES.LDGSTSBAR.64" : "LDGDEPBAR",
                  has_word(instruction, "mbarrier") ? std::vector{address(instruction.operands[0], StateSpace::kShared)}
                                                    : std::vector<MachineOperand>{});
    return;
  }
  if (has_word(instruction, "wait_group") || has_word(instruction, "wait_all")) {
    const std::uint64_t left = instruction.operands.empty() ? 0 : instruction.operands[0].bits;
    if (instruction.operands.empty()) {
      emitter_.emit("LDGDEPBAR", {});
    }
    mark_effect();
    emitter_.emit("DEPBAR.LE", {text_operand("SB0"), text_operand(fmt::format("0x{:x}", left))});
    return;
  }
  const std::uint64_t bytes = instruction.operands.size() > 2 ? instruction.operands[2].bits : 4;
  const MachineOperand to = address(instruction.operands[0], StateSpace::kShared);
  const MachineOperand from = address(instruction.operands[1], StateSpace::kGlobal);
  for (std::uint32_t fillers = fillers_.take(); fillers != 0; --fillers) {
    emitter_.emit("LDS", {text_operand("RZ"), text_operand("[RZ]")});
    emitter_.code.back().guard = text_operand(kNobody);
  }
  mark_effect();
  emitter_.emit(fmt::format("LDGSTS.E{}{}", has_word(instruction, "cg") ? ".BYPASS" : "",
                            bytes == 16  ? ".128"
                            : bytes == 8 ? ".64"
                                         : ""),
                {to, from});
}

void FunctionSelector::select_mbarrier(const Instruction& instruction) {
  const bool returns = instruction.operands[0].kind != Operand::Kind::kAddress;
  const Operand& place = instruction.operands[returns ? 1 : 0];
  const MachineOperand at = address(place, StateSpace::kShared);
  const MachineOperand d = returns && instruction.operands[0].kind == Operand::Kind::kRegister
                               ? destination(instruction.operands[0])
                               : text_operand("RZ");
  mark_effect();
  if (has_word(instruction, "init")) {
    emitter_.emit("SYNCS.EXCH.64", {text_operand("URZ"), at});
  } else if (has_word(instruction, "test_wait") || has_word(instruction, "try_wait")) {
    const MachineOperand answer = emitter_.predicate();
    emitter_.emit("SYNCS.PHASECHK.TRANS64.TRYWAIT",
                  {returns && instruction.operands[0].kind == Operand::Kind::kRegister ? d : answer, at,
                   instruction.operands.size() > 2 ? plain_source(instruction.operands[2], 0) : text_operand("RZ")});
  } else if (has_word(instruction, "inval")) {
    emitter_.emit("SYNCS.CCTL.IV", {at});
  } else {
    emitter_.emit("SYNCS.ARRIVE.TRANS64.A1T0", {d, at});
  }
}

}  // namespace warpsim::codegen
