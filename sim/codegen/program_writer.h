// Writes functions with assigned registers one after another into a program.
#pragma once

#include "codegen/function_selector.h"
#include "codegen/machine_code.h"
#include "codegen/register_assignment.h"
#include "ptx/module.h"

namespace warpsim::codegen {

class ProgramWriter {
 public:
  ProgramWriter(std::string function, std::uint32_t architecture);
  // Returns the function's places in the program.
  std::vector<MachinePlace> write(const SelectedFunction& function, const AssignedRegisters& registers);
  // Origin of the instructions of the latest function: lines of the source as far as the PTX has them (.loc),
  // otherwise of the PTX.
  void add_sources(const ptx::Module& module, const ptx::Function& function, const SelectedFunction& selected);
  std::shared_ptr<const StaticProgram> finish() { return std::move(program_); }

 private:
  void keep_operands(const SelectedFunction& function, std::uint32_t begin);
  void keep_operand(std::size_t index, std::size_t slot);

  std::uint32_t file_number(std::string_view name);

  std::shared_ptr<StaticProgram> program_;
};

}  // namespace warpsim::codegen
