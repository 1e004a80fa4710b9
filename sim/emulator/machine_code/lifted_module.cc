#include "emulator/machine_code/lifted_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "emulator/machine_code/kernel_writer.h"
#include "emulator/machine_code/lifter.h"
#include "ptx/parser.h"
#include "sass/decoder.h"

namespace warpsim {

namespace {

std::string bytes_text(std::span<const std::byte> bytes) {
  std::string text;
  for (const std::byte each : bytes) {
    text += (text.empty() ? "" : ",") + std::to_string(std::to_integer<unsigned>(each));
  }
  return text;
}

void declare(std::string& out, const char* space, const std::string& name, std::span<const std::byte> bytes) {
  out += fmt::format("{} .align 16 .b8 {}[{}] = {{{}}};\n", space, name, bytes.size(), bytes_text(bytes));
}

// Words of 8 bytes, some of them addresses.
std::string words_text(std::span<const std::byte> bytes, std::uint64_t size,
                       std::span<const MachineAddress> addresses) {
  std::string text;
  for (std::uint64_t offset = 0; offset < size; offset += sizeof(std::uint64_t)) {
    text += offset == 0 ? "" : ", ";
    const auto found = std::ranges::find(addresses, offset, &MachineAddress::offset);
    if (found == addresses.end()) {
      std::uint64_t word = 0;
      if (offset < bytes.size()) {
        std::memcpy(&word, bytes.data() + offset, std::min<std::uint64_t>(sizeof word, bytes.size() - offset));
      }
      text += std::to_string(word);
    } else if (found->variable.empty()) {
      text += std::to_string(found->addend);
    } else {
      text += fmt::format("generic({})+{}", found->variable, found->addend);
    }
  }
  return text;
}

void declare_variable(std::string& out, const MachineVariable& variable) {
  const char* const space = variable.constant  ? ".const"
                            : variable.managed ? ".global .attribute(.managed)"
                                               : ".global";
  if (!variable.addresses.empty()) {
    out += fmt::format(".visible {} .align {} .b64 {}[{}] = {{{}}};\n", space, std::max(8U, variable.alignment),
                       variable.name, (variable.bytes + 7) / sizeof(std::uint64_t),
                       words_text(variable.initial, variable.bytes, variable.addresses));
    return;
  }
  out += fmt::format(".visible {} .align {} .b8 {}[{}]", space, variable.alignment, variable.name, variable.bytes);
  out += variable.initial.empty() ? ";\n" : fmt::format(" = {{{}}};\n", bytes_text(variable.initial));
}

std::uint32_t lines_in(std::string_view text) {
  return static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
}

// The code before the line `first` sets registers that are constant in a launch, but for its last instruction.
void set_constants(ptx::Function& function, std::uint32_t first) {
  const auto before = std::ranges::count_if(
      function.body, [first](const ptx::Instruction& instruction) { return instruction.place.line < first; });
  const auto constant = std::ranges::find(function.registers, kFirstConstant, &ptx::Register::name);
  SIM_CHECK(before > 1 && constant != function.registers.end(), "a lifted kernel without constants");
  function.constant_instructions = static_cast<std::uint32_t>(before) - 1;
  // After it are the words of constant banks and the halves of addresses (lifter.h); then registers without a
  // declaration of their own, by their first use.
  const auto end = std::find_if(constant + 1, function.registers.end(), [](const ptx::Register& each) {
    return !each.name.starts_with("%c") && !each.name.starts_with("%a");
  });
  function.constant_registers = static_cast<std::uint32_t>(constant - function.registers.begin());
  function.constant_registers_end = static_cast<std::uint32_t>(end - function.registers.begin());
}

}  // namespace

LiftedText lifted_text(const MachineModule& module) {
  const sass::Decoder decoder(module.architecture);
  LiftedText out;
  out.text = fmt::format(".version 9.0\n.target sm_{}\n.address_size 64\n", module.architecture);
  for (const SystemFunction& function : system_functions()) {
    out.text += fmt::format("{}\n", function.declaration);
  }
  // Those with addresses after those that they may refer to.
  for (const bool refers : {false, true}) {
    for (const MachineVariable& variable : module.variables) {
      if (variable.addresses.empty() != refers) {
        declare_variable(out.text, variable);
      }
    }
  }
  if (!module.constant_addresses.empty()) {
    const std::uint64_t words = (module.constants.size() + 7) / 8;
    out.text += fmt::format(".const .align 16 .b64 bank3[{}] = {{{}}};\n", words,
                            words_text(module.constants, module.constants.size(), module.constant_addresses));
  } else if (!module.constants.empty()) {
    declare(out.text, ".const", "bank3", module.constants);
  }
  if (module.address_bytes != 0) {
    out.text += fmt::format(".const .align 16 .b64 bank4[{}] = {{{}}};\n", module.address_bytes / 8,
                            words_text({}, module.address_bytes, module.addresses));
  }
  for (std::size_t i = 0; i < module.kernels.size(); ++i) {
    const MachineKernel& kernel = module.kernels[i];
    if (!kernel.literals.empty()) {
      declare(out.text, ".const", fmt::format("bank2_{}", i), kernel.literals);
    }
    KernelWriter writer(module, decoder, static_cast<std::uint32_t>(i));
    const std::string text = writer.write();
    if (!writer.refusal().empty()) {
      out.refusals.push_back(writer.refusal());
    } else {
      const std::uint32_t first = lines_in(out.text) + lines_in(std::string_view(text).substr(0, writer.before())) + 1;
      out.parts.push_back({static_cast<std::uint32_t>(i), first, writer.grows_stack(), writer.instructions()});
    }
    out.text += text;
  }
  return out;
}

std::unique_ptr<ptx::Module> lifted_module(const MachineModule& module) {
  const LiftedText lifted = lifted_text(module);
  std::unique_ptr<ptx::Module> out = ptx::parse_module(lifted.text, module.file);
  out->is_machine_code = true;
  out->refusals = lifted.refusals;
  for (const MachineModule::ConstantPart& each : module.constant_parts) {
    out->parts.push_back({each.name, "bank3", each.offset, each.bytes});
  }
  auto part = lifted.parts.begin();
  std::size_t refused = 0;
  std::size_t kernels = 0;
  for (ptx::Function& function : out->functions) {
    if (!function.has_body) {
      continue;  // of the driver
    }
    for (const MachineParameter& parameter : module.kernels[kernels++].parameters) {
      function.parameter_offsets.push_back(parameter.offset);
    }
    if (function.body.size() == 1 && function.body.front().modifiers.front() == "refused") {
      function.refusal = static_cast<std::int32_t>(refused++);
      continue;
    }
    function.machine_registers = module.kernels[part->kernel].registers;
    function.grows_stack = part->grows_stack;
    function.place.line = 0;
    for (const LiftedInstruction& each : part->instructions) {
      function.machine_words.push_back({each.address, each.word.low, each.word.high});
    }
    set_constants(function, part->first);
    for (ptx::Instruction& instruction : function.body) {
      const bool before = instruction.place.line < part->first;
      const std::size_t count = part->instructions.size();
      const std::size_t number = before ? count : std::min<std::size_t>(instruction.place.line - part->first, count);
      instruction.place.line = static_cast<std::uint32_t>(number + 1);
      if (number < count) {
        instruction.uniform = part->instructions[number].uniform;
        instruction.once = part->instructions[number].once;
      }
    }
    ++part;
  }
  return out;
}

}  // namespace warpsim
