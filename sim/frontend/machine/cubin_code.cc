#include "frontend/machine/cubin_code.h"

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "isa/control_bits.h"
#include "isa/sass_decode.h"
#include "sass/decoder.h"
#include "sass/printer.h"

namespace warpsim {

namespace {

// Of instructions whose source is known, by their numbers from 1.
void add_sources(const KernelImage& kernel, StaticProgram& program) {
  const std::vector<std::string_view>& files = kernel.module().module().files;
  program.source_files.assign(files.begin(), files.end());
  if (files.empty()) {
    return;
  }
  program.source_lines.resize(program.instructions.size());
  for (const ptx::Instruction& instruction : kernel.source().body) {
    const std::size_t number = instruction.place.line - 1;
    if (instruction.source_file != 0 && number < program.source_lines.size()) {
      program.source_lines[number] = {instruction.source_file - 1, instruction.source_line};
    }
  }
}

StaticProgram program_of(const KernelImage& kernel) {
  const ptx::Function& function = kernel.source();
  StaticProgram program;
  program.function = kernel.name();
  program.architecture = kernel.module().module().target;
  program.has_listing = true;
  program.has_control = true;
  program.instruction_bytes = sass::kInstructionBytes;
  const sass::Decoder decoder(program.architecture);
  for (std::size_t i = 0; i < function.machine_words.size(); ++i) {
    const ptx::MachineWord& word = function.machine_words[i];
    const std::string text = sass::instruction_text(decoder.decode({word.low, word.high}, word.address));
    StaticInstruction instruction;
    instruction.pc = static_cast<std::uint32_t>(i * sass::kInstructionBytes);
    decode_sass(text, program.architecture, program.opcodes, instruction);
    instruction.has_control = true;
    instruction.control = decode_volta_control(word.high);
    program.instructions.push_back(instruction);
    program.text.push_back(text);
  }
  add_sources(kernel, program);
  return program;
}

// Which operation of an instruction stands for it: one with an effect, or else one that reads constants, for its
// address.
int precedence(const Operation& operation) {
  if (operation.control != Control::kNone || operation.effect == Effect::kShared) {
    return 2;
  }
  const bool constant = operation.space == ptx::StateSpace::kConstant || operation.space == ptx::StateSpace::kParameter;
  return constant && operation.addresses != AddressForm::kNone ? 1 : 0;
}

}  // namespace

MachineCode machine_code_of(const KernelImage& kernel) {
  MachineCode code;
  code.registers_per_thread = kernel.source().machine_registers;
  code.program = std::make_shared<const StaticProgram>(program_of(kernel));
  const auto count = static_cast<std::uint32_t>(code.program->instructions.size());
  code.for_all.resize(count);
  const ptx::Module& module = kernel.module().module();
  code.places.resize(module.functions.size());
  const std::vector<Operation>& operations = kernel.entry().operations;
  std::vector<MachinePlace>& places = code.places[static_cast<std::size_t>(&kernel.source() - module.functions.data())];
  places.resize(operations.size());
  // The operations of an instruction follow each other and have its number, from 1, as their line; those before the
  // first instruction have the number behind the last one, and the end of the function none.
  for (std::size_t begin = 0; begin + 1 < operations.size();) {
    const std::uint32_t line = operations[begin].line;
    std::size_t end = begin;
    std::size_t chosen = begin;
    for (; end + 1 < operations.size() && operations[end].line == line; ++end) {
      if (precedence(operations[end]) > precedence(operations[chosen])) {
        chosen = end;
      }
    }
    if (line <= count) {
      places[chosen].first = line - 1;
      places[chosen].count = 1;
      // The uniform datapath executes for whatever threads have arrived.
      code.for_all[line - 1] = operations[chosen].uniform;
    }
    begin = end;
  }
  return code;
}

}  // namespace warpsim
