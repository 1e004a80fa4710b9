// Branches, convergence, barriers, fences, votes across lanes, calls.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/function_selector.h"

namespace warpsim::codegen {

using ptx::Instruction;
using ptx::Operand;

bool FunctionSelector::select_control(const Instruction& instruction) {
  const std::string_view opcode = instruction.opcode;
  if (opcode == "bra") {
    const std::uint32_t label = function_.labels[instruction.operands[0].number].instruction;
    emitter_.emit("BRA", {});
    emitter_.code.back().label = label;
    if (instruction.guard) {
      emitter_.code.back().guard = emitter_.operand(facts_.name_for(instruction.guard->predicate).reg);
      emitter_.code.back().guard.before = instruction.guard->negated ? "@!" : "@";
    }
  } else if (opcode == "brx") {
    const MachineOperand index = source(instruction.operands[0]);
    const MachineOperand target = emitter_.temporary(2);
    emitter_.emit("IMAD.SHL.U32", {target, index, text_operand("0x4"), text_operand("RZ")});
    emitter_.emit("LDC", {target, text_operand("c[0x2][0x0]")});
    emitter_.emit("BRX", {target});
  } else if (opcode == "ret") {
    emitter_.emit(function_.is_entry ? "EXIT" : "RET.REL.NODEC", {});
  } else if (opcode == "exit") {
    emitter_.emit("EXIT", {});
  } else if (opcode == "bar" || opcode == "barrier") {
    select_barrier(instruction);
  } else if (opcode == "membar" || opcode == "fence") {
    select_fence(instruction);
  } else if (opcode == "shfl") {
    select_shuffle(instruction);
  } else if (opcode == "call") {
    select_call(instruction);
  } else if (opcode == "griddepcontrol") {
    mark_effect();
    emitter_.emit(has_word(instruction, "wait") ? "ACQBULK" : "PREEXIT", {});
  } else if (opcode == "setmaxnreg") {
    emitter_.emit("USETMAXREG", {});
  } else {
    return false;
  }
  return true;
}

void FunctionSelector::select_barrier(const Instruction& instruction) {
  if (has_word(instruction, "cluster")) {
    mark_effect();
    emitter_.emit(has_word(instruction, "arrive") ? "UCGABAR_ARV" : "UCGABAR_WAIT", {});
    return;
  }
  if (has_word(instruction, "warp")) {
    mark_effect();
    emitter_.emit("WARPSYNC", {source(instruction.operands[0])});
    return;
  }
  const bool reduces = has_word(instruction, "red");
  const bool arrives = has_word(instruction, "arrive");
  const std::size_t at = reduces ? 1 : 0;
  std::vector<MachineOperand> operands;
  operands.push_back(at < instruction.operands.size() ? source(instruction.operands[at]) : text_operand("0x0"));
  if (operands[0].before == "RZ" && operands[0].value == kNone) {
    operands[0] = text_operand("0x0");
  }
  const std::size_t after = at + 1;
  const bool has_count = after < instruction.operands.size() && (!reduces || instruction.operands.size() > after + 1);
  if (has_count) {
    operands.push_back(source(instruction.operands[after]));
  }
  std::string opcode = arrives ? "BAR.ARV" : "BAR.SYNC.DEFER_BLOCKING";
  if (reduces) {
    opcode = fmt::format("BAR.RED.{}.DEFER_BLOCKING", has_word(instruction, "popc")  ? "POPC"
                                                      : has_word(instruction, "and") ? "AND"
                                                                                     : "OR");
    operands.push_back(predicate_source(instruction.operands.back()));
  }
  mark_effect();
  emitter_.emit(opcode, operands);
  if (reduces) {
    const MachineOperand d = destination(instruction.operands[0]);
    if (has_word(instruction, "popc")) {
      emitter_.emit("B2R.RESULT", {d});
    } else {
      const MachineOperand result = emitter_.temporary();
      emitter_.emit("B2R.RESULT", {result});
      emitter_.emit("ISETP.NE.AND", {d, text_operand("PT"), result, text_operand("RZ"), text_operand("PT")});
    }
  }
}

void FunctionSelector::select_fence(const Instruction& instruction) {
  const bool of_block = has_word(instruction, "cta");
  mark_effect();
  if (of_block || has_word(instruction, "proxy") || has_word(instruction, "mbarrier_init")) {
    emitter_.emit(of_block ? "MEMBAR.ALL.CTA" : "FENCE.VIEW.ASYNC", {});
    return;
  }
  const bool is_system = has_word(instruction, "sys");
  const bool is_full = has_word(instruction, "sc") || instruction.opcode == "membar";
  emitter_.emit(fmt::format("MEMBAR.{}.{}", is_full ? "SC" : "ALL", is_system ? "SYS" : "GPU"), {});
  emitter_.emit("ERRBAR", {});
  constexpr std::uint32_t kClusters = 90;
  if (architecture_ >= kClusters) {
    emitter_.emit("CGAERRBAR", {});
  }
  emitter_.emit("CCTL.IVALL", {});
}

void FunctionSelector::select_shuffle(const Instruction& instruction) {
  const std::string_view mode = has_word(instruction, "bfly")   ? "BFLY"
                                : has_word(instruction, "down") ? "DOWN"
                                : has_word(instruction, "up")   ? "UP"
                                                                : "IDX";
  const Operand& d = instruction.operands[0];
  const MachineOperand in_range = d.second == nullptr ? text_operand("PT") : destination(*d.second);
  emitter_.emit(fmt::format("SHFL.{}", mode), {in_range, destination(d), source(instruction.operands[1]),
                                               source(instruction.operands[2]), source(instruction.operands[3])});
}

void FunctionSelector::select_call(const Instruction& instruction) {
  const bool is_indirect = std::ranges::any_of(instruction.operands, [](const Operand& operand) {
    return operand.kind == Operand::Kind::kPrototype || operand.kind == Operand::Kind::kCallTargets;
  });
  emitter_.emit("MOV", {text_operand("R20"), text_operand("0x0")});
  emitter_.emit("MOV", {text_operand("R21"), text_operand("0x0")});
  mark_effect();
  emitter_.emit(is_indirect ? "CALL.ABS.NOINC" : "CALL.REL.NOINC", {text_operand("R20"), text_operand("0x0")});
}

}  // namespace warpsim::codegen
