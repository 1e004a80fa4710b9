// Writes one kernel of a cubin as a PTX function: declarations, code before the first instruction that fills registers
// with words of constant banks and addresses, then a line for each machine instruction.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "emulator/machine_code/lifted_module.h"
#include "emulator/machine_code/lifter.h"
#include "sass/decoder.h"

namespace warpsim {

// The first of the registers that only the code before the first instruction writes, without its last instruction: they
// are constant in a launch. The words of constant banks and halves of addresses are declared after it.
inline constexpr std::string_view kFirstConstant = "%pt";

class KernelWriter {
 public:
  // `kernel`: one of the module, with its code; `literals`: the name of the variable with its literals. The others
  // outlive this.
  KernelWriter(const MachineModule& module, const sass::Decoder& decoder, const MachineKernel& kernel,
               std::string literals);

  // The function. A kernel that cannot be translated has a refusal and no text.
  std::string write();

  const std::string& refusal() const { return refusal_; }
  // After write(): characters before the line of the first instruction; the instructions.
  std::size_t before() const { return before_; }
  const std::vector<LiftedInstruction>& instructions() const { return instructions_; }
  // The depth of its stack is only known when it runs.
  bool grows_stack() const { return grows_stack_; }

 private:
  // Lines of an instruction each.
  std::vector<std::string> lift_parts();
  void lift_part(const MachineCodePart& part, std::vector<std::string>& lines);
  std::string with_labels(const std::vector<std::string>& lines) const;
  std::string branch_targets() const;
  std::string declared_parameters() const;
  std::string registers(std::string_view code) const;
  std::string fill_registers() const;
  std::string bank_word(const std::string& name, std::uint32_t bank, std::int64_t offset) const;
  bool is_code(std::uint64_t address) const;
  void note_stack(const sass::MachineInstruction& instruction);

  const MachineModule& module_;
  const sass::Decoder& decoder_;
  const MachineKernel& kernel_;
  std::string literals_;
  Lifter lifter_;
  std::vector<LiftedInstruction> instructions_;
  std::string address_registers_;  // declarations
  std::string address_moves_;
  std::string refusal_;
  std::size_t before_ = 0;
  bool grows_stack_ = false;
};

}  // namespace warpsim
