#include "codegen/program_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
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

bool keeps_operands(const StaticInstruction& instruction) {
  const bool math =
      instruction.pipe == Pipe::kAlu || instruction.pipe == Pipe::kFma || instruction.pipe == Pipe::kFmaHeavy;
  return math && instruction.kind == OpKind::kCompute;
}

bool writes(const StaticInstruction& instruction, std::uint8_t reg) {
  return std::ranges::any_of(instruction.destinations, [reg](const RegisterRange& range) {
    return range.count != 0 && reg >= range.first && reg < range.first + range.count;
  });
}

// Whether the register cache serves the read of `reg` in `slot` by one of the next instructions, if the instruction at
// `index` keeps it: the next that reads the slot from the same bank reads the same register.
bool is_read_again(const StaticProgram& program, const std::vector<bool>& is_target, std::size_t index,
                   std::size_t slot) {
  constexpr std::size_t kReach = 4;
  constexpr std::uint32_t kBanks = 2;  // of Volta and later
  const std::vector<StaticInstruction>& code = program.instructions;
  const std::uint8_t reg = code[index].sources[slot].first;
  for (std::size_t i = index; i + 1 < code.size() && i < index + kReach; ++i) {
    if (writes(code[i], reg) || !keeps_operands(code[i]) || is_target[i + 1]) {
      return false;
    }
    const RegisterRange& read = code[i + 1].sources[slot];
    if (read.count != 0 && (read.count > 1 || read.first % kBanks == reg % kBanks)) {
      return read.count == 1 && read.first == reg && keeps_operands(code[i + 1]);
    }
  }
  return false;
}

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
  if (program_->architecture >= 70) {
    keep_operands(function, begin);
  }
  std::vector<MachinePlace> places = function.places;
  for (MachinePlace& place : places) {
    place.first += begin;
  }
  return places;
}

std::uint32_t ProgramWriter::file_number(std::string_view name) {
  const auto known = std::ranges::find(program_->source_files, name);
  if (known != program_->source_files.end()) {
    return static_cast<std::uint32_t>(known - program_->source_files.begin());
  }
  program_->source_files.emplace_back(name);
  return static_cast<std::uint32_t>(program_->source_files.size()) - 1;
}

void ProgramWriter::add_sources(const ptx::Module& module, const ptx::Function& function,
                                const SelectedFunction& selected) {
  for (const MachineInstruction& machine : selected.code) {
    SourceLine& source = program_->source_lines.emplace_back();
    if (machine.ptx == kNone) {
      continue;
    }
    const ptx::Instruction& instruction = function.body[machine.ptx];
    if (instruction.source_file != 0 && instruction.source_file <= module.files.size()) {
      source = {file_number(module.files[instruction.source_file - 1]), instruction.source_line};
    } else if (!module.file.empty()) {
      source = {file_number(module.file), instruction.place.line};
    }
  }
}

// Flags operands that the register cache is to keep (.reuse).
void ProgramWriter::keep_operands(const SelectedFunction& function, std::uint32_t begin) {
  std::vector<bool> is_target(program_->instructions.size(), false);
  for (const MachineInstruction& instruction : function.code) {
    if (instruction.label != kNone && begin + function.places[instruction.label].first < is_target.size()) {
      is_target[begin + function.places[instruction.label].first] = true;
    }
  }
  for (std::size_t i = begin; i < program_->instructions.size(); ++i) {
    for (std::size_t slot = 0; slot < program_->instructions[i].sources.size(); ++slot) {
      const RegisterRange& source = program_->instructions[i].sources[slot];
      if (source.count == 1 && keeps_operands(program_->instructions[i]) &&
          is_read_again(*program_, is_target, i, slot)) {
        keep_operand(i, slot);
      }
    }
  }
}

// Decoding shows which of the operands of that name is in the slot.
void ProgramWriter::keep_operand(std::size_t index, std::size_t slot) {
  StaticInstruction& instruction = program_->instructions[index];
  const std::string name = "R" + std::to_string(instruction.sources[slot].first);
  std::string& text = program_->text[index];
  for (std::size_t at = text.find(name); at != std::string::npos; at = text.find(name, at + 1)) {
    const char behind = at + name.size() < text.size() ? text[at + name.size()] : ' ';
    if (text[at - 1] == 'U' || behind == '.' || std::isdigit(static_cast<unsigned char>(behind)) != 0) {
      continue;
    }
    std::string flagged = text;
    flagged.insert(at + name.size(), ".reuse");
    StaticInstruction decoded;
    decoded.pc = instruction.pc;
    decode_sass(flagged, program_->architecture, program_->opcodes, decoded);
    if ((decoded.control.reuse_mask >> slot & 1U) != 0) {
      instruction = decoded;
      text = std::move(flagged);
      return;
    }
  }
}

}  // namespace warpsim::codegen
