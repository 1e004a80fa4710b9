#include "emulator/machine_code/lifted_module.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <string_view>
#include <utility>

#include "emulator/machine_code/lifter.h"
#include "emulator/memory/generic_address.h"
#include "ptx/parser.h"
#include "sass/decoder.h"

namespace warpsim {

namespace {

using sass::word_at;

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

// Sources of the words that the driver stores in constant bank 0, from 7.0 to 9.0.
class DriverWords {
 public:
  DriverWords(std::uint32_t architecture, const MachineKernel& kernel) : architecture_(architecture), kernel_(kernel) {}

  // Sizes of clusters, from 9.0 on.
  static std::string of_clusters(const std::string& name, std::int64_t offset) {
    static constexpr char kAxes[] = {'x', 'y', 'z'};
    constexpr std::int64_t kSize = 0x144;
    constexpr std::int64_t kInverse = 0x150;
    constexpr std::int64_t kClusters = 0x15c;
    const auto axis = [offset](std::int64_t first) { return kAxes[(offset - first) / 4]; };
    if (offset == 0x140) {
      return fmt::format(
          "{{ .reg .pred present; mov.pred present, %is_explicit_cluster; selp.u32 {}, 1, 0, present; }}", name);
    }
    if (offset >= kSize && offset < kInverse) {
      return fmt::format("mov.u32 {}, %cluster_nctaid.{};", name, axis(kSize));
    }
    if (offset >= kInverse && offset < kClusters) {
      return fmt::format("mov.u32 {0}, %cluster_nctaid.{1}; cvt.rn.f32.u32 {0}, {0}; rcp.rn.f32 {0}, {0};", name,
                         axis(kInverse));
    }
    if (offset >= kClusters && offset < kClusters + 12) {
      return fmt::format("mov.u32 {}, %nclusterid.{};", name, axis(kClusters));
    }
    return offset == 0x188 ? fmt::format("mov.u32 {}, %cluster_nctarank;", name) : std::string();
  }

  // The statement that sets a register to the word at this offset; empty if it is not known.
  std::string set(const std::string& name, std::int64_t offset) const {
    const auto move = [&](const std::string& value) { return fmt::format("mov.u32 {}, {};", name, value); };
    constexpr std::int64_t kDescriptor80 = 0x118;
    constexpr std::int64_t kDescriptor90 = 0x208;
    const std::int64_t descriptor = architecture_ >= 90 ? kDescriptor90 : kDescriptor80;
    if (architecture_ >= 80 && (offset == descriptor || offset == descriptor + 4)) {
      return move("0");  // every cache policy is the usual one
    }
    const std::int64_t environment = architecture_ >= 90 ? 0x40 : 0x88;  // of %envreg0 to %envreg3
    if (offset >= environment && offset < environment + 16) {
      return move(fmt::format("%envreg{}", (offset - environment) / 4));
    }
    // For code that passes addresses of parameters on: that of the parameters; before 9.0 that of the whole bank.
    const std::int64_t window = architecture_ >= 90 ? 0x198 : 0x40;
    if (offset == window || offset == window + 4) {
      const std::uint64_t address = kParameterWindow - (architecture_ >= 90 ? 0 : kernel_.parameter_base);
      return move(std::to_string(static_cast<std::uint32_t>(address >> (offset == window ? 0U : 32U))));
    }
    switch (offset) {
      case 0x00:
        return move("%ntid.x");
      case 0x04:
        return move("%ntid.y");
      case 0x08:
        return move("%ntid.z");
      case 0x0c:
        return move("%nctaid.x");
      case 0x10:
        return move("%nctaid.y");
      case 0x14:
        return move("%nctaid.z");
      case 0x18:
      case 0x20:
        return move("0");  // windows begin at multiples of 2^32
      case 0x1c:
        return move(std::to_string(kSharedWindow >> 32U));
      case 0x24:
        return move(std::to_string(kLocalWindow >> 32U));
      case 0x28:
        return move(std::to_string(kernel_.stack_bytes));
      case 0x2c:
        return move("%dynamic_smem_size");
      case 0x30:
        return fmt::format("cvt.u32.u64 {}, %gridid;", name);
      case 0x10c:
        return move("%nsmid");
      default:
        return architecture_ >= 90 ? of_clusters(name, offset) : std::string();
    }
  }

 private:
  std::uint32_t architecture_;
  const MachineKernel& kernel_;
};

class KernelWriter {
 public:
  KernelWriter(const MachineModule& module, const MachineKernel& kernel, std::uint32_t number)
      : module_(module),
        kernel_(kernel),
        number_(number),
        lifter_(module.architecture, kernel.parameter_base, fmt::format("bank2_{}", number)) {}

  // Lines of text, those of the instructions from `first_` on.
  std::string write() {
    std::string body;
    std::string refusal = kernel_.refusal;
    if (refusal.empty()) {
      try {
        body = lift_code();
        fill_ = fill_registers();
      } catch (const UserError& error) {
        refusal = error.what();
      }
    }
    std::string text = fmt::format(".visible .entry {}(", kernel_.name);
    text += declared_parameters() + fmt::format(") {}\n{{\n", fmt::join(kernel_.bounds, " "));
    if (!refusal.empty()) {
      refusal_ = fmt::format("kernel {}: {}", kernel_.name, refusal);
      return text + "sass.refused;\n}\n";
    }
    text += registers();
    if (kernel_.stack_bytes != 0) {
      text += fmt::format(".local .align 16 .b8 stack[{}];\n", kernel_.stack_bytes);
    }
    if (kernel_.shared_bytes != 0) {
      text += fmt::format(".shared .align 1024 .b8 shared_memory[{}];\n", kernel_.shared_bytes);
    }
    text += fill_;
    text += targets_;
    before_ = text.size();
    return text + body + "}\n";
  }

  const std::string& refusal() const { return refusal_; }
  std::size_t before() const { return before_; }
  std::uint32_t count() const { return static_cast<std::uint32_t>(kernel_.code.size() / sass::kInstructionBytes); }

 private:
  std::string lift_code() {
    const sass::Decoder decoder(module_.architecture);
    std::vector<std::string> lines;
    for (std::size_t i = 0; i < count(); ++i) {
      const std::uint64_t offset = i * sass::kInstructionBytes;
      const sass::MachineInstruction instruction = decoder.decode(word_at(kernel_.code, offset), offset);
      lines.push_back(lifter_.lift(instruction));
    }
    if (lifter_.has_computed_targets()) {
      targets_ = "all_instructions: .branchtargets ";
      for (std::size_t i = 0; i < count(); ++i) {
        targets_ += (i == 0 ? "" : ", ") + Lifter::label(i * sass::kInstructionBytes);
      }
      targets_ += ";\n";
    }
    for (const std::uint64_t target : lifter_.targets()) {
      if (target % sass::kInstructionBytes != 0 || target >= kernel_.code.size()) {
        throw UntranslatedInstruction(fmt::format("a branch leads to {:#x}, outside of the code", target));
      }
    }
    std::string text;
    for (std::size_t i = 0; i < count(); ++i) {
      const std::uint64_t offset = i * sass::kInstructionBytes;
      if (lifter_.has_computed_targets() || lifter_.targets().contains(offset)) {
        text += Lifter::label(offset) + ": ";
      }
      text += lines[i] + "\n";
    }
    return text;
  }

  // In order of their offsets, each with the alignment that puts it there.
  std::string declared_parameters() const {
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

  std::string registers() const {
    std::string text =
        ".reg .b32 %r<255>;\n.reg .b32 %u<63>;\n.reg .pred %p<7>;\n.reg .pred %v<7>;\n.reg .pred %b<16>;\n";
    text += fmt::format(".reg .b32 %t<{0}>;\n.reg .b64 %s<{0}>;\n.reg .pred %q<{0}>;\n.reg .b16 %h<{0}>;\n",
                        kLineRegisters);
    text += ".reg .b32 %return_low;\n.reg .b32 %return_high;\n";
    text += ".reg .pred %pt;\n.reg .pred %all_lanes;\n.reg .b32 %barrier_count;\n.reg .pred %barrier_vote;\n";
    for (const auto& [bank, offset] : lifter_.constants()) {
      text += fmt::format(".reg .b32 {};\n", Lifter::constant_name(bank, offset));
    }
    return text;
  }

  std::string fill_registers() const {
    std::string text = "setp.eq.u32 %pt, 0, 0;\nsass.bssy %all_lanes;\n";
    const DriverWords driver(module_.architecture, kernel_);
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
    return text;
  }

  std::string bank_word(const std::string& name, std::uint32_t bank, std::int64_t offset) const {
    const std::uint64_t bytes = bank == 3   ? module_.constants.size()
                                : bank == 2 ? kernel_.literals.size()
                                : bank == 4 ? module_.address_bytes
                                            : 0;
    if (offset < 0 || static_cast<std::uint64_t>(offset) + 4 > bytes) {
      return {};
    }
    const std::string array = bank == 2 ? fmt::format("bank2_{}", number_) : fmt::format("bank{}", bank);
    return fmt::format("ld.const.b32 {}, [{}+{}];", name, array, offset);
  }

  const MachineModule& module_;
  const MachineKernel& kernel_;
  std::uint32_t number_;
  Lifter lifter_;
  std::string fill_;
  std::string targets_;
  std::string refusal_;
  std::size_t before_ = 0;
};

// Words of 8 bytes, some of them addresses of variables or of the driver's functions.
std::string words_text(std::span<const std::byte> bytes, std::uint64_t size,
                       std::span<const MachineAddress> addresses) {
  std::string text;
  for (std::uint64_t offset = 0; offset < size; offset += sizeof(std::uint64_t)) {
    text += offset == 0 ? "" : ", ";
    const auto found = std::ranges::find(addresses, offset, &MachineAddress::offset);
    if (found == addresses.end()) {
      std::uint64_t word = 0;
      if (offset + sizeof word <= bytes.size()) {
        std::memcpy(&word, bytes.data() + offset, sizeof word);
      }
      text += std::to_string(word);
    } else if (const std::uint64_t function = system_function_address(found->variable); function != 0) {
      text += std::to_string(function);
    } else {
      text += fmt::format("generic({})+{}", found->variable, found->addend);
    }
  }
  return text;
}

void declare_variable(std::string& out, const MachineVariable& variable) {
  const char* const space = variable.constant ? ".const" : ".global";
  if (!variable.addresses.empty()) {
    out += fmt::format(".visible {} .align {} .b64 {}[{}] = {{{}}};\n", space, std::max(8U, variable.alignment),
                       variable.name, variable.bytes / sizeof(std::uint64_t),
                       words_text(variable.initial, variable.bytes, variable.addresses));
    return;
  }
  out += fmt::format(".visible {} .align {} .b8 {}[{}]", space, variable.alignment, variable.name, variable.bytes);
  out += variable.initial.empty() ? ";\n" : fmt::format(" = {{{}}};\n", bytes_text(variable.initial));
}

// Instructions with effects in memory that a warp executes once, not for each lane.
bool executes_once(const sass::MachineInstruction& machine) {
  return machine.guard_uniform && (machine.mnemonic.starts_with("SYNCS") || machine.mnemonic.starts_with("UTMA") ||
                                   machine.mnemonic.starts_with("UBLK"));
}

std::uint32_t lines_in(std::string_view text) {
  return static_cast<std::uint32_t>(std::ranges::count(text, '\n'));
}

}  // namespace

LiftedText lifted_text(const MachineModule& module) {
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
  if (!module.constants.empty()) {
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
    KernelWriter writer(module, kernel, static_cast<std::uint32_t>(i));
    const std::string text = writer.write();
    if (!writer.refusal().empty()) {
      out.refusals.push_back(writer.refusal());
    } else {
      const std::uint32_t first = lines_in(out.text) + lines_in(std::string_view(text).substr(0, writer.before())) + 1;
      out.parts.push_back({static_cast<std::uint32_t>(i), first, writer.count()});
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
  const sass::Decoder decoder(module.architecture);
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
      function.body.front().place.line = static_cast<std::uint32_t>(refused++);
      continue;
    }
    const MachineKernel& kernel = module.kernels[part->kernel];
    function.machine_registers = kernel.registers;
    for (std::size_t i = 0; i < part->count; ++i) {
      const sass::InstructionWord word = word_at(kernel.code, i * sass::kInstructionBytes);
      function.machine_words.push_back({word.low, word.high});
    }
    for (ptx::Instruction& instruction : function.body) {
      const bool before = instruction.place.line < part->first;
      const std::uint32_t number = before ? part->count : instruction.place.line - part->first;
      instruction.place.line = number + 1;
      if (!before) {
        const std::uint64_t offset = std::uint64_t{number} * sass::kInstructionBytes;
        const sass::MachineInstruction machine = decoder.decode(word_at(kernel.code, offset), offset);
        instruction.once = executes_once(machine);
        instruction.uniform = machine.guard_uniform && !instruction.once && !machine.mnemonic.starts_with("UCGABAR");
      }
    }
    ++part;
  }
  return out;
}

}  // namespace warpsim
