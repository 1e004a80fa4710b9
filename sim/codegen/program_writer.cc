#include "codegen/program_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "isa/code_layout.h"
#include "isa/sass_decode.h"

namespace warpsim::codegen {

namespace {

std::string register_name(const Value& value, std::uint32_t number) {
  switch (value.file) {
    case Value::File::kGeneral:
      return "R" + std::to_string(number);
    case Value::File::kPredicate:
      return "P" + std::to_string(number);
    case Value::File::kUniform:
      return "UR" + std::to_string(number);
    case Value::File::kUniformPredicate:
      return "UP" + std::to_string(number);
  }
  return {};
}

class Line {
 public:
  Line(const SelectedFunction& function, const AssignedRegisters& registers)
      : function_(function), registers_(registers) {}

  std::string text_of(const MachineOperand& operand) const {
    std::string text = operand.descriptor == kNone ? "" : "desc[" + name_of(operand.descriptor, 0) + "]";
    text += operand.before;
    if (operand.value != kNone) {
      text += name_of(operand.value, operand.word);
    }
    if (operand.second != kNone) {
      text += "+" + name_of(operand.second, 0);
    }
    return text + operand.behind;
  }

 private:
  std::string name_of(Number value, std::uint8_t word) const {
    return register_name(function_.values[value], registers_.first[value] + word);
  }

  const SelectedFunction& function_;
  const AssignedRegisters& registers_;
};

}  // namespace

ProgramWriter::ProgramWriter(std::string function, std::uint32_t architecture)
    : program_(std::make_shared<StaticProgram>()) {
  program_->function = std::move(function);
  program_->architecture = architecture;
  program_->has_listing = true;
  program_->instruction_bytes = code_layout_of(architecture).instruction_bytes;
}

std::vector<MachinePlace> ProgramWriter::write(const SelectedFunction& function, const AssignedRegisters& registers) {
  const CodeLayout layout = code_layout_of(program_->architecture);
  const auto begin = static_cast<std::uint32_t>(program_->instructions.size());
  const Line line(function, registers);
  for (Number i = 0; i < function.code.size(); ++i) {
    const MachineInstruction& instruction = function.code[i];
    std::string text = instruction.guard.before.empty() ? "" : line.text_of(instruction.guard) + " ";
    text += instruction.opcode;
    std::string separator = " ";
    for (const MachineOperand& operand : instruction.operands) {
      const bool is_next = operand.value == kNone && operand.before == "next";
      text += separator + (is_next ? fmt::format("0x{:x}", layout.offset(begin + i + 1)) : line.text_of(operand));
      separator = ", ";
    }
    if (instruction.label != kNone) {
      const std::uint32_t target = begin + function.places[instruction.label].first;
      text += separator + fmt::format("0x{:x}", layout.offset(target));
    }
    StaticInstruction decoded;
    decoded.pc = static_cast<std::uint32_t>(layout.offset(begin + i));
    decode_sass(text, program_->architecture, program_->opcodes, decoded);
    program_->instructions.push_back(decoded);
    program_->text.push_back(std::move(text));
  }
  std::vector<MachinePlace> places = function.places;
  for (MachinePlace& place : places) {
    place.first += begin;
  }
  return places;
}

}  // namespace warpsim::codegen
