#include "emulator/machine_code/kernel_writer.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <string_view>
#include <utility>

#include "emulator/code/kernel_image.h"
#include "emulator/machine_code/driver_words.h"

namespace warpsim {

namespace {

using sass::kInstructionBytes;
using Kind = sass::MachineOperand::Kind;

constexpr std::uint32_t kStackPointer = 1;
constexpr std::uint32_t kNoRegister = 255;

// How many registers with names of a letter and a number the text uses: the highest number and one.
std::uint32_t registers_in(std::string_view text, char letter) {
  const char prefix[] = {'%', letter, '\0'};
  std::uint32_t count = 1;
  for (std::size_t at = text.find(prefix); at != std::string_view::npos; at = text.find(prefix, at + 2)) {
    std::uint32_t number = 0;
    if (std::from_chars(text.data() + at + 2, text.data() + text.size(), number).ec == std::errc{}) {
      count = std::max(count, number + 1);
    }
  }
  return count;
}

// Instructions with effects in memory that a warp executes once, not for each lane.
bool executes_once(const sass::MachineInstruction& machine) {
  return machine.guard_uniform && (machine.mnemonic.starts_with("SYNCS") || machine.mnemonic.starts_with("UTMA") ||
                                   machine.mnemonic.starts_with("UBLK"));
}

}  // namespace

KernelWriter::KernelWriter(const MachineModule& module, const sass::Decoder& decoder, const MachineKernel& kernel,
                           std::string literals)
    : module_(module),
      decoder_(decoder),
      kernel_(kernel),
      literals_(std::move(literals)),
      lifter_(module.architecture, kernel_.parameter_base, literals_) {
  if (module.system_functions) {
    lifter_.set_system_functions(*module.system_functions);
  }
  if (kernel_.code.size() > 1) {
    lifter_.set_functions(kernel_.code.front().bytes.size());
  }
}

std::string KernelWriter::write() {
  std::string body;
  std::string fill;
  refusal_ = kernel_.refusal;
  if (refusal_.empty()) {
    try {
      body = with_labels(lift_parts());
      fill = fill_registers();
    } catch (const UserError& error) {
      refusal_ = error.what();
    }
  }
  if (!refusal_.empty()) {
    refusal_ = fmt::format("kernel {}: {}", kernel_.name, refusal_);
    return {};
  }
  std::string text = fmt::format(".visible .entry {}(", kernel_.name);
  text += declared_parameters() + fmt::format(") {}\n{{\n", fmt::join(kernel_.bounds, " "));
  text += registers(fill + body);
  if (kernel_.stack_bytes != 0) {
    text += fmt::format(".local .align 16 .b8 stack[{}];\n", kernel_.stack_bytes);
  }
  if (kernel_.system_shared_bytes != 0) {
    text += fmt::format(".shared .align 1024 .b8 {}[{}];\n", kSystemSharedName, kernel_.system_shared_bytes);
  }
  if (kernel_.shared_bytes != 0) {
    text += fmt::format(".shared .align 1024 .b8 shared_memory[{}];\n", kernel_.shared_bytes);
  }
  text += fill;
  text += branch_targets();
  before_ = text.size();
  return text + body + "}\n";
}

std::vector<std::string> KernelWriter::lift_parts() {
  std::vector<std::string> lines;
  for (const MachineCodePart& part : kernel_.code) {
    try {
      lift_part(part, lines);
    } catch (const UserError& error) {
      if (part.name.empty()) {
        throw;
      }
      throw UntranslatedInstruction(
          fmt::format("function {}, whose code is at {:#x}: {}", part.name, part.address, error.what()));
    }
  }
  for (const std::uint64_t target : lifter_.targets()) {
    if (!is_code(target)) {
      throw UntranslatedInstruction(fmt::format("a branch leads to {:#x}, outside of the code", target));
    }
  }
  return lines;
}

void KernelWriter::lift_part(const MachineCodePart& part, std::vector<std::string>& lines) {
  for (std::uint64_t offset = 0; offset + kInstructionBytes <= part.bytes.size(); offset += kInstructionBytes) {
    const sass::InstructionWord word = sass::word_at(part.bytes, offset);
    const std::uint64_t address = part.address + offset;
    const sass::MachineInstruction instruction = decoder_.decode(word, address);
    std::string immediate;
    const auto found = std::ranges::find(part.immediates, offset, &MachineImmediate::offset);
    if (found != part.immediates.end()) {
      immediate = fmt::format("%a{}", lines.size());
      address_registers_ += fmt::format(".reg .b32 {};\n", immediate);
      const bool upper = found->upper;
      address_moves_ += fmt::format(
          "mov.u64 %s0, {}; cvta.{}.u64 %s0, %s0; add.u64 %s0, %s0, {}; mov.b64 {{{}, {}}}, %s0;\n", found->variable,
          found->constant ? "const" : "global", found->addend, upper ? "%t0" : immediate, upper ? immediate : "%t0");
    }
    note_stack(instruction);
    lines.push_back(lifter_.lift(instruction, immediate));
    const bool once = executes_once(instruction);
    const bool uniform = instruction.guard_uniform && !once && !instruction.mnemonic.starts_with("UCGABAR");
    const sass::LineRow* const source = sass::row_at(part.lines, offset);
    instructions_.push_back({.address = address,
                             .word = word,
                             .source_file = source == nullptr ? 0 : source->file,
                             .source_line = source == nullptr ? 0 : source->line,
                             .uniform = uniform,
                             .once = once});
  }
}

// A called function moves the end of the stack each time it is called; a kernel moves it by constants unless it
// allocates.
void KernelWriter::note_stack(const sass::MachineInstruction& instruction) {
  const std::vector<sass::MachineOperand>& operands = instruction.operands;
  if (operands.empty() || operands.front().kind != Kind::kRegister || operands.front().index != kStackPointer) {
    return;
  }
  const bool by_register = std::any_of(operands.begin() + 1, operands.end(), [](const sass::MachineOperand& source) {
    return source.kind == Kind::kRegister && source.index != kStackPointer && source.index != kNoRegister;
  });
  grows_stack_ =
      grows_stack_ || by_register || instruction.address >= std::min(kernel_.functions_begin, kFunctionsBegin);
}

bool KernelWriter::is_code(std::uint64_t address) const {
  return address % kInstructionBytes == 0 && std::ranges::any_of(kernel_.code, [address](const MachineCodePart& part) {
           return address - part.address < part.bytes.size();
         });
}

std::string KernelWriter::with_labels(const std::vector<std::string>& lines) const {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    const std::uint64_t address = instructions_[i].address;
    if (lifter_.has_computed_targets() || lifter_.targets().contains(address)) {
      text += Lifter::label(address) + ": ";
    }
    text += lines[i] + "\n";
  }
  return lifter_.has_computed_targets() ? text + "no_code: sass.nocode;\n" : text;
}

// The addresses that a jump can lead to: those of the kernel's instructions but the first one, whose address is that of
// null pointers, then those of functions from kFunctionsBegin on.
std::string KernelWriter::branch_targets() const {
  if (!lifter_.has_computed_targets()) {
    return {};
  }
  std::string text = "all_instructions: .branchtargets no_code";
  std::uint64_t next = kInstructionBytes;
  for (const LiftedInstruction& each : instructions_) {
    if (each.address == 0) {
      continue;
    }
    next = next < kFunctionsBegin && each.address >= kFunctionsBegin ? kFunctionsBegin : next;
    for (; next < each.address; next += kInstructionBytes) {
      text += ", no_code";
    }
    text += ", " + Lifter::label(each.address);
    next = each.address + kInstructionBytes;
  }
  return text + ";\n";
}

// In order of their offsets, each with the alignment that puts it there.
std::string KernelWriter::declared_parameters() const {
  std::string text;
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
    constexpr std::uint32_t kLargest = 16;
    const MachineParameter& parameter = kernel_.parameters[i];
    const std::uint32_t alignment =
        parameter.offset == 0 ? kLargest : std::min(kLargest, parameter.offset & (~parameter.offset + 1));
    text += fmt::format("{}.param .align {} .b8 parameter{}[{}]", i == 0 ? "" : ", ", alignment, i, parameter.bytes);
  }
  return text;
}

// Those that the code uses: a warp has memory for all that are declared.
std::string KernelWriter::registers(std::string_view code) const {
  struct Kind {
    char letter;
    const char* type;
  };
  constexpr Kind kKinds[] = {{'r', ".b32"}, {'u', ".b32"}, {'p', ".pred"}, {'v', ".pred"}, {'b', ".pred"},
                             {'t', ".b32"}, {'s', ".b64"}, {'q', ".pred"}, {'h', ".b16"}};
  std::string text;
  for (const Kind& kind : kKinds) {
    text += fmt::format(".reg {} %{}<{}>;\n", kind.type, kind.letter, registers_in(code, kind.letter));
  }
  text += ".reg .b32 %return_low;\n.reg .b32 %return_high;\n";
  text += ".reg .pred %all_lanes;\n.reg .b32 %barrier_count;\n.reg .pred %barrier_vote;\n";
  // Those that are constant in a launch follow (lifted_module.cc).
  text += fmt::format(".reg .pred {};\n", kFirstConstant);
  for (const auto& [bank, offset] : lifter_.constants()) {
    text += fmt::format(".reg .b32 {};\n", Lifter::constant_name(bank, offset));
  }
  return text + address_registers_;
}

std::string KernelWriter::fill_registers() const {
  std::string text = fmt::format("setp.eq.u32 {}, 0, 0;\n", kFirstConstant) + address_moves_;
  const DriverWords driver(module_, kernel_, grows_stack_);
  for (const auto& [bank, offset] : lifter_.constants()) {
    const std::string name = Lifter::constant_name(bank, offset);
    const std::int64_t of_parameters = offset - kernel_.parameter_base;
    if (bank == 0 && of_parameters >= 0) {
      if (of_parameters + 4 > kernel_.parameter_bytes) {
        throw UntranslatedInstruction(fmt::format("it reads c[0x0][{:#x}], behind its parameters", offset));
      }
      text += fmt::format("ld.param.b32 {}, [{}];\n", name, of_parameters);
      continue;
    }
    const std::string statement = bank == 0 ? driver.set(name, offset) : bank_word(name, bank, offset);
    if (statement.empty()) {
      throw UntranslatedInstruction(
          fmt::format("it reads c[{:#x}][{:#x}], whose meaning is not known; known are parameters, dimensions, "
                      "windows, stack and literals",
                      bank, offset));
    }
    text += statement + "\n";
  }
  // The mask changes when lanes pass a barrier without the others: it is set for each block.
  return text + "sass.bssy %all_lanes;\n";
}

std::string KernelWriter::bank_word(const std::string& name, std::uint32_t bank, std::int64_t offset) const {
  const std::uint64_t bytes = bank == 3   ? module_.constants.size()
                              : bank == 2 ? kernel_.literals.size()
                              : bank == 4 ? module_.address_bytes
                                          : 0;
  if (offset < 0 || static_cast<std::uint64_t>(offset) + 4 > bytes) {
    return {};
  }
  const std::string array = bank == 2 ? literals_ : fmt::format("bank{}", bank);
  return fmt::format("ld.const.b32 {}, [{}+{}];", name, array, offset);
}

}  // namespace warpsim
