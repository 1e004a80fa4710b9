#include "emulator/machine_code/lifted_module.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <map>
#include <set>
#include <string_view>
#include <utility>

#include "base/check.h"
#include "emulator/machine_code/cubin_places.h"
#include "emulator/machine_code/kernel_writer.h"
#include "ptx/parser.h"

namespace warpsim {

namespace {

constexpr std::uint64_t kWordBytes = 8;
constexpr std::uint32_t kBankAlignment = 16;

std::string literals_name(std::uint32_t kernel) {
  return fmt::format("bank2_{}", kernel);
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

// The variables of the module in their order, which decides about their addresses in device memory.
class Declarations {
 public:
  explicit Declarations(ptx::Module& module) : module_(module) {}

  void add(const std::string& name, ptx::StateSpace space, std::uint32_t alignment, std::uint64_t bytes,
           std::span<const std::byte> content) {
    ptx::Variable& variable = module_.variables.emplace_back();
    variable.name = module_.names.intern(name);
    variable.space = space;
    variable.type = ptx::DataType::kB8;
    variable.linkage = ptx::Linkage::kVisible;
    variable.alignment = alignment;
    variable.is_array = true;
    variable.elements = bytes;
    variable.content.assign(content.begin(), content.end());
    numbers_.emplace(variable.name, static_cast<std::uint32_t>(module_.variables.size() - 1));
  }

  // The last one consists of words, some of which are addresses.
  void set_words(std::span<const MachineAddress> addresses) {
    ptx::Variable& variable = module_.variables.back();
    variable.elements = (variable.elements + kWordBytes - 1) / kWordBytes;
    variable.type = ptx::DataType::kB64;
    variable.alignment = std::max<std::uint32_t>(variable.alignment, kWordBytes);
    variable.content.resize(variable.bytes());
    for (const MachineAddress& address : addresses) {
      if (address.variable.empty()) {
        std::memcpy(variable.content.data() + address.offset, &address.addend, sizeof address.addend);
        continue;
      }
      const auto found = numbers_.find(address.variable);
      if (found == numbers_.end()) {
        throw ptx::PtxError(fmt::format("{}: variable {}, offset {:#x}: the address of {}, which is not there",
                                        module_.file, variable.name, address.offset, address.variable));
      }
      variable.addresses.push_back({address.offset, found->second, address.addend});
    }
  }

 private:
  ptx::Module& module_;
  std::map<std::string_view, std::uint32_t> numbers_;
};

void declare_variables(const MachineModule& machine, ptx::Module& module) {
  Declarations declarations(module);
  // Those with addresses after those that they may refer to.
  for (const bool refers : {false, true}) {
    for (const MachineVariable& variable : machine.variables) {
      if (variable.addresses.empty() == refers) {
        continue;
      }
      declarations.add(variable.name, variable.constant ? ptx::StateSpace::kConstant : ptx::StateSpace::kGlobal,
                       variable.alignment, variable.bytes, variable.initial);
      module.variables.back().managed = variable.managed;
      if (refers) {
        declarations.set_words(variable.addresses);
      }
    }
  }
  if (!machine.constants.empty()) {
    declarations.add(kConstantsVariable, ptx::StateSpace::kConstant, kBankAlignment, machine.constants.size(),
                     machine.constants);
    if (!machine.constant_addresses.empty()) {
      declarations.set_words(machine.constant_addresses);
    }
  }
  if (machine.address_bytes != 0) {
    declarations.add("bank4", ptx::StateSpace::kConstant, kBankAlignment, machine.address_bytes, {});
    declarations.set_words(machine.addresses);
  }
  for (std::uint32_t i = 0; i < machine.kernels.size(); ++i) {
    const std::vector<std::byte>& literals = machine.kernels[i].literals;
    if (!literals.empty()) {
      declarations.add(literals_name(i), ptx::StateSpace::kConstant, kBankAlignment, literals.size(), literals);
    }
  }
}

// What the code of a kernel may name.
std::string external_variables(const MachineModule& module, const MachineKernel& kernel, std::uint32_t number) {
  std::set<std::pair<std::string, bool>> used;  // with whether they are constant
  for (const MachineCodePart& part : kernel.code) {
    for (const MachineImmediate& immediate : part.immediates) {
      used.emplace(immediate.variable, immediate.constant);
    }
  }
  if (!module.constants.empty()) {
    used.emplace(kConstantsVariable, true);
  }
  if (module.address_bytes != 0) {
    used.emplace("bank4", true);
  }
  if (!kernel.literals.empty()) {
    used.emplace(literals_name(number), true);
  }
  std::string text;
  for (const auto& [name, constant] : used) {
    text += fmt::format(".extern {} .b8 {}[];\n", constant ? ".const" : ".global", name);
  }
  return text;
}

class LiftedKernels final : public ptx::KernelSource {
 public:
  LiftedKernels(MachineModule module, CompleteKernel complete)
      : module_(std::move(module)), complete_(std::move(complete)), decoder_(module_.architecture) {}

  const MachineModule& module() const { return module_; }

  std::unique_ptr<ptx::Module> kernel(std::uint32_t number) const override {
    const MachineKernel kernel = completed(number);
    const LiftedKernel lifted = lifted_kernel(module_, decoder_, kernel, number);
    if (!lifted.refusal.empty()) {
      throw ptx::PtxError(fmt::format("{}: {}", module_.file, lifted.refusal));
    }
    std::unique_ptr<ptx::Module> out = ptx::parse_module(lifted.text, module_.file);
    out->is_machine_code = true;
    const auto function = std::ranges::find(out->functions, true, &ptx::Function::has_body);
    number_instructions(kernel, lifted, *function);
    name_sources(lifted, *out, *function);
    return out;
  }

  std::string refusal() const override {
    for (std::uint32_t i = 0; i < module_.kernels.size(); ++i) {
      std::string found = lifted_kernel(module_, decoder_, completed(i), i).refusal;
      if (!found.empty()) {
        return found;
      }
    }
    return {};
  }

 private:
  MachineKernel completed(std::uint32_t number) const {
    MachineKernel kernel = module_.kernels[number];
    if (complete_) {
      complete_(number, kernel);
    }
    return kernel;
  }

  static void number_instructions(const MachineKernel& kernel, const LiftedKernel& lifted, ptx::Function& function) {
    for (const MachineParameter& parameter : kernel.parameters) {
      function.parameter_offsets.push_back(parameter.offset);
    }
    function.machine_registers = kernel.registers;
    function.grows_stack = lifted.grows_stack;
    function.place.line = 0;
    for (const LiftedInstruction& each : lifted.instructions) {
      function.machine_words.push_back({each.address, each.word.low, each.word.high});
    }
    set_constants(function, lifted.first);
    for (ptx::Instruction& instruction : function.body) {
      const bool before = instruction.place.line < lifted.first;
      const std::size_t count = lifted.instructions.size();
      const std::size_t number = before ? count : std::min<std::size_t>(instruction.place.line - lifted.first, count);
      instruction.place.line = static_cast<std::uint32_t>(number + 1);
      if (number < count) {
        instruction.uniform = lifted.instructions[number].uniform;
        instruction.once = lifted.instructions[number].once;
      }
    }
  }

  // The files that the kernel's instructions come from, and the lines.
  void name_sources(const LiftedKernel& lifted, ptx::Module& out, ptx::Function& function) const {
    std::map<std::uint32_t, std::uint32_t> numbers;  // in Module::files, by those in MachineModule::source_files
    for (ptx::Instruction& instruction : function.body) {
      const std::size_t number = instruction.place.line - 1;
      if (number >= lifted.instructions.size() || lifted.instructions[number].source_line == 0) {
        continue;
      }
      const LiftedInstruction& from = lifted.instructions[number];
      const auto [known, added] =
          numbers.try_emplace(from.source_file, static_cast<std::uint32_t>(out.files.size() + 1));
      if (added) {
        out.files.push_back(out.names.intern(module_.source_files.at(from.source_file)));
      }
      instruction.source_file = known->second;
      instruction.source_line = from.source_line;
    }
  }

  MachineModule module_;
  CompleteKernel complete_;
  sass::Decoder decoder_;
};

}  // namespace

LiftedKernel lifted_kernel(const MachineModule& module, const sass::Decoder& decoder, const MachineKernel& kernel,
                           std::uint32_t number) {
  LiftedKernel out;
  KernelWriter writer(module, decoder, kernel, literals_name(number));
  const std::string text = writer.write();
  out.refusal = writer.refusal();
  if (!out.refusal.empty()) {
    return out;
  }
  out.text = fmt::format(".version 9.0\n.target sm_{}\n.address_size 64\n", module.architecture);
  for (const SystemFunction* const function : module.system_functions.value_or(all_system_functions())) {
    out.text += fmt::format("{}\n", function->declaration);
  }
  out.text += external_variables(module, kernel, number);
  out.first = lines_in(out.text) + lines_in(std::string_view(text).substr(0, writer.before())) + 1;
  out.grows_stack = writer.grows_stack();
  out.instructions = writer.instructions();
  out.text += text;
  return out;
}

std::unique_ptr<ptx::Module> lifted_module(MachineModule machine, CompleteKernel complete) {
  constexpr std::uint32_t kVersion = 90;
  auto kernels = std::make_unique<const LiftedKernels>(std::move(machine), std::move(complete));
  const MachineModule& of_machine = kernels->module();
  auto module = std::make_unique<ptx::Module>();
  module->file = of_machine.file;
  module->version = kVersion;
  module->target = of_machine.architecture;
  module->compiled_from = of_machine.virtual_architecture;
  module->is_machine_code = true;
  for (const MachineModule::ConstantPart& each : of_machine.constant_parts) {
    module->parts.push_back({each.name, kConstantsVariable, each.offset, each.bytes});
  }
  declare_variables(of_machine, *module);
  for (const MachineKernel& kernel : of_machine.kernels) {
    ptx::Function& function = module->functions.emplace_back();
    function.name = module->names.intern(kernel.name);
    function.is_entry = true;
    function.has_body = true;
    function.linkage = ptx::Linkage::kVisible;
  }
  module->kernel_source = std::move(kernels);
  return module;
}

}  // namespace warpsim
