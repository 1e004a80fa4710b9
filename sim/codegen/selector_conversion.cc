// Conversions between numbers.
#include <fmt/format.h>

#include <algorithm>

#include "codegen/function_selector.h"
#include "codegen/instruction_words.h"

namespace warpsim::codegen {

namespace {

using ptx::DataType;
using ptx::Instruction;

bool is_float(DataType type) {
  return type == DataType::kF16 || type == DataType::kBf16 || type == DataType::kF32 || type == DataType::kF64 ||
         type == DataType::kF16x2 || type == DataType::kBf16x2;
}

bool is_half(DataType type) {
  return type == DataType::kF16 || type == DataType::kBf16;
}

bool is_signed(DataType type) {
  return type == DataType::kS8 || type == DataType::kS16 || type == DataType::kS32 || type == DataType::kS64;
}

std::string mode_of(const Instruction& instruction) {
  return has_word(instruction, "rmi") || has_word(instruction, "rm")   ? "FLOOR"
         : has_word(instruction, "rpi") || has_word(instruction, "rp") ? "CEIL"
         : has_word(instruction, "rzi") || has_word(instruction, "rz") ? "TRUNC"
                                                                       : "";
}

std::string machine_name(DataType type) {
  return upper(ptx::name_of(type));
}

}  // namespace

void FunctionSelector::select_conversion(const Instruction& instruction) {
  std::vector<DataType> types;
  std::size_t unknown = 0;
  for (const std::string_view word : instruction.modifiers) {
    if (const auto type = ptx::data_type_of(word)) {
      types.push_back(*type);
    } else if (word.find("x2") != std::string_view::npos || word.find("x4") != std::string_view::npos ||
               word == "tf32") {
      ++unknown;  // eight-bit formats, TF32
    }
  }
  const MachineOperand d = destination(instruction.operands[0]);
  if (has_word(instruction, "tf32") && has_word(instruction, "rna")) {  // half of the last digit is added to numbers
    const MachineOperand a = source(instruction.operands[1]);
    MachineOperand size = a;
    size.before = "|";
    size.behind = "|";
    emitter_.emit("FSETP.GEU.AND",
                  {emitter_.predicate(), text_operand("PT"), size, text_operand("+INF"), text_operand("PT")});
    emitter_.emit("IMAD.IADD.U32", {d, a, text_operand("0x1"), text_operand("0x1000")});
    return;
  }
  if (unknown != 0 || instruction.operands.size() > 2 || types.size() != 2) {  // packs or unpacks two numbers
    emitter_.emit("F2FP.PACK_AB",
                  {d, source(instruction.operands[1]),
                   instruction.operands.size() > 2 ? source(instruction.operands[2]) : text_operand("RZ")});
    return;
  }
  if (instruction.operands[0].kind == ptx::Operand::Kind::kRegister &&
      facts_.name_for(instruction.operands[0].number).reg != instruction.operands[0].number) {
    return;
  }
  const auto [to, from] = std::pair(types[0], types[1]);
  if (is_float(to)) {
    is_float(from) ? convert_floats(instruction, to, from) : convert_to_float(instruction, to, from);
  } else {
    is_float(from) ? convert_to_integer(instruction, to, from) : convert_integers(instruction, to, from);
  }
}

void FunctionSelector::convert_integers(const Instruction& instruction, DataType to, DataType from) {
  const MachineOperand d = destination(instruction.operands[0]);
  const MachineOperand a = source(instruction.operands[1]);
  const std::uint32_t to_bytes = ptx::bytes_of(to);
  const std::uint32_t from_bytes = ptx::bytes_of(from);
  const std::uint32_t narrow = std::min(to_bytes, from_bytes);
  if (to_bytes == 8) {
    if (narrow == 8) {
      return;  // the same bits
    }
    if (narrow < 4) {
      emitter_.emit(is_signed(from) ? "PRMT" : "LOP3.LUT",
                    {d, a, text_operand(narrow == 1 ? "0xff" : "0xffff"), text_operand("RZ")});
    } else {
      emitter_.emit("MOV", {d, a});
    }
    const MachineOperand high = destination(instruction.operands[0], 1);
    if (is_signed(from)) {
      emitter_.code.pop_back();
      // The sign as high word; the low word stays in place.
      emitter_.emit("SHF.R.S32.HI", {high, text_operand("RZ"), text_operand("0x1f"), a});
      emitter_.code.back().operands[0].word = 0;
    }
    return;
  }
  if (narrow == 4) {
    emitter_.emit("MOV", {d, a});
  } else if (is_signed(narrow == from_bytes ? from : to)) {
    emitter_.emit("PRMT", {d, a, text_operand(narrow == 1 ? "0x8880" : "0x9910"), text_operand("RZ")});
  } else {
    emitter_.emit("LOP3.LUT", {d, a, text_operand(narrow == 1 ? "0xff" : "0xffff"), text_operand("RZ"),
                               text_operand("0xc0"), text_operand("!PT")});
  }
}

void FunctionSelector::convert_to_float(const Instruction& instruction, DataType to, DataType from) {
  constexpr std::uint32_t kFastConversions = 86;
  const MachineOperand d = destination(instruction.operands[0]);
  const MachineOperand a = source(instruction.operands[1]);
  const std::string sign = machine_name(from);
  if (to == DataType::kF64) {
    emitter_.emit("I2F.F64." + sign, {d, a});
    return;
  }
  const MachineOperand single = is_half(to) ? emitter_.temporary() : d;
  if (ptx::bytes_of(from) == 4 && architecture_ >= kFastConversions) {
    emitter_.emit("I2FP.F32." + sign, {single, a});
  } else {
    emitter_.emit("I2F." + sign, {single, a});
  }
  if (is_half(to)) {
    emitter_.emit("F2FP.F16.F32.PACK_AB", {d, text_operand("RZ"), single});
  }
}

void FunctionSelector::convert_to_integer(const Instruction& instruction, DataType to, DataType from) {
  const MachineOperand d = destination(instruction.operands[0]);
  MachineOperand a = source(instruction.operands[1]);
  if (is_half(from)) {
    const MachineOperand single = emitter_.temporary();
    emitter_.emit("HADD2.F32", {single, text_operand("-RZ"), a});
    a = single;
  }
  const std::string mode = mode_of(instruction);
  std::string opcode = from == DataType::kF64 ? "F2I" : ptx::bytes_of(to) == 8 ? "F2I" : "F2I.FTZ";
  opcode += is_signed(to) ? (ptx::bytes_of(to) == 8 ? ".S64" : "") : (ptx::bytes_of(to) == 8 ? ".U64" : ".U32");
  opcode += from == DataType::kF64 ? ".F64" : "";
  opcode += mode.empty() ? "" : "." + mode;
  emitter_.emit(opcode, {d, a});
}

void FunctionSelector::convert_floats(const Instruction& instruction, DataType to, DataType from) {
  const MachineOperand d = destination(instruction.operands[0]);
  const MachineOperand a = source(instruction.operands[1]);
  const bool to_integral = has_word(instruction, "rni") || has_word(instruction, "rzi") ||
                           has_word(instruction, "rmi") || has_word(instruction, "rpi");
  if (to == from) {
    if (to_integral) {
      const std::string mode = mode_of(instruction);
      emitter_.emit((to == DataType::kF64 ? "FRND.F64" : "FRND") + (mode.empty() ? mode : "." + mode), {d, a});
    } else if (is_half(to)) {
      emitter_.emit("HADD2", {d, a, text_operand("-RZ")});
    } else if (to == DataType::kF64) {
      emitter_.emit("DADD", {d, text_operand("-RZ"), a});
    } else {
      emitter_.emit(has_word(instruction, "sat") ? "FADD.SAT" : "FADD.FTZ", {d, a, text_operand("-RZ")});
    }
  } else if (from == DataType::kF64 || to == DataType::kF64) {
    emitter_.emit(fmt::format("F2F.{}.{}", machine_name(to), machine_name(from)), {d, a});
  } else if (is_half(to)) {
    emitter_.emit(fmt::format("F2FP.{}.F32.PACK_AB", machine_name(to)), {d, text_operand("RZ"), a});
  } else if (from == DataType::kBf16 && is_upper_half(instruction.operands[1])) {
    emitter_.emit("LOP3.LUT", {d, word_source(instruction.operands[1]), text_operand("0xffff0000"), text_operand("RZ"),
                               text_operand("0xc0"), text_operand("!PT")});
  } else if (from == DataType::kBf16) {
    emitter_.emit("IMAD.U32", {d, a, text_operand("0x10000"), text_operand("RZ")});
  } else {
    emitter_.emit("HADD2.F32", {d, text_operand("-RZ"), a});
  }
}

}  // namespace warpsim::codegen
