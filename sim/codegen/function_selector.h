// Selects the machine instructions of one function.
//
// Modelled: the table of instruction_rows.h; steps that compilers combine in one instruction (multiply-add with wide
// results, shifted and three-way sums, three-way logic, comparisons with logic, negated operands); parameters from the
// constant bank; shared memory's base; convergence barriers around divergent branches.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "codegen/convergence_barriers.h"
#include "codegen/copy_fillers.h"
#include "codegen/emitter.h"
#include "codegen/instruction_rows.h"
#include "codegen/machine_code.h"
#include "codegen/register_facts.h"
#include "codegen/uniform_constants.h"
#include "ptx/flow_graph.h"
#include "ptx/module.h"

namespace warpsim::codegen {

struct SelectedFunction {
  std::vector<MachineInstruction> code;
  std::vector<MachinePlace> places;  // by PTX instruction, one more for the end
  std::vector<Value> values;         // values of the function's registers first
  std::vector<Number> value_of;      // by register: the value that holds it
  std::vector<bool> for_all;         // by machine instruction, see MachineCode; empty: none
  // By PTX instruction: registers of a rare path beside the values that live on; only those with one.
  std::map<std::uint32_t, std::uint32_t> path_registers;
};

class FunctionSelector {
 public:
  FunctionSelector(const ptx::Module& module, const ptx::Function& function, std::uint32_t architecture);
  SelectedFunction select();

 private:
  // --- operands (selector_operands.cc)
  void make_values();
  void group(const ptx::Operand& vector);
  MachineOperand source(const ptx::Operand& operand, std::uint8_t word = 0);
  MachineOperand plain_source(const ptx::Operand& operand, std::uint8_t word);
  // The whole word of a source that may be a half of it.
  MachineOperand word_source(const ptx::Operand& operand);
  bool is_upper_half(const ptx::Operand& operand) const;
  MachineOperand destination(const ptx::Operand& operand, std::uint8_t word = 0);
  MachineOperand predicate_source(const ptx::Operand& operand);
  MachineOperand number(const ptx::Operand& operand, std::uint8_t word) const;
  MachineOperand special_source(const ptx::Operand& operand);
  MachineOperand symbol_source(const ptx::Operand& operand, std::uint8_t word);
  MachineOperand shared_base_of(std::string_view variable);
  void find_early_bases();
  MachineOperand shared_base(std::uint32_t offset_index);
  MachineOperand vector_source(const ptx::Operand& operand);
  MachineOperand vector_destination(const ptx::Operand& operand);
  Emitter::Letters letters_of(const ptx::Instruction& instruction);
  const ptx::Variable* variable_of(const ptx::Operand& operand) const;
  std::uint32_t words_of(std::uint32_t reg) const;

  // --- addresses of constants (selector_addresses.cc)
  std::uint64_t offset_in_bank(const ptx::Operand& symbol) const;
  const ptx::Operand* place_of(const ptx::Operand& operand) const;
  bool in_uniform_register(const MachineOperand& operand) const;
  MachineOperand address_source(const ptx::Operand& operand, bool uniform);
  MachineOperand address_in_register(const ptx::Operand& operand, bool uniform);
  void add_product(const MachineOperand& d, const ptx::Instruction& product, const ptx::Operand* summand, bool uniform);
  void add_addresses(const MachineOperand& d, const ptx::Instruction& sum, bool uniform);
  bool select_address_part(const ptx::Instruction& instruction);
  MachineOperand constant_address(const ptx::Operand& at, bool of_parameters, bool uniform);

  // --- instructions (function_selector.cc, selector_arithmetic.cc, selector_memory.cc, selector_control.cc)
  void select(std::uint32_t index);
  bool ends_behind() const;
  bool is_target(std::uint32_t index) const;
  void select_by_row(const ptx::Instruction& instruction);
  Emitter::Temporaries divisor_values(const ptx::Instruction& instruction, const InstructionRow& row);
  Number shared_value(const ptx::Instruction& instruction, const ptx::Operand& source) const;
  bool select_with_folded(const ptx::Instruction& instruction);
  bool select_choice(const ptx::Instruction& instruction);
  bool select_fused(const ptx::Instruction& instruction);
  bool select_wide_sum(const ptx::Instruction& instruction);
  bool select_sum(const ptx::Instruction& instruction);
  bool select_logic(const ptx::Instruction& instruction);
  bool select_predicate_logic(const ptx::Instruction& instruction);
  void select_comparison(const ptx::Instruction& instruction, const MachineOperand& result, const std::string& joined,
                         const MachineOperand& other);
  void select_circular(const ptx::Instruction& instruction);
  void select_setp(const ptx::Instruction& instruction);
  void select_set(const ptx::Instruction& instruction);
  void select_move(const ptx::Instruction& instruction, std::uint32_t index);
  bool load_constant(const ptx::Instruction& instruction);
  void move_number(const ptx::Instruction& instruction);
  void pack_halves(const MachineOperand& d, const ptx::Operand& lower, const ptx::Operand& upper);
  void select_conversion(const ptx::Instruction& instruction);
  void convert_integers(const ptx::Instruction& instruction, ptx::DataType to, ptx::DataType from);
  void convert_to_float(const ptx::Instruction& instruction, ptx::DataType to, ptx::DataType from);
  void convert_to_integer(const ptx::Instruction& instruction, ptx::DataType to, ptx::DataType from);
  void convert_floats(const ptx::Instruction& instruction, ptx::DataType to, ptx::DataType from);

  bool select_memory(const ptx::Instruction& instruction);
  MachineOperand address(const ptx::Operand& operand, ptx::StateSpace space);
  void select_load(const ptx::Instruction& instruction);
  void select_parameter_load(const ptx::Instruction& instruction);
  MachineOperand held_in_register(const MachineOperand& value, std::uint8_t words);
  void load_number(const MachineOperand& d, const MachineOperand& value);
  void select_store(const ptx::Instruction& instruction);
  void select_atomic(const ptx::Instruction& instruction);
  void select_shared_float_atomic(const ptx::Instruction& instruction, const MachineOperand& at);
  void select_async_copy(const ptx::Instruction& instruction);
  void select_matrix(const ptx::Instruction& instruction);
  void select_product(const ptx::Instruction& instruction);
  void select_wmma_move(const ptx::Instruction& instruction);
  std::array<MachineOperand, 2> fragment_rows(const ptx::Instruction& instruction, ptx::StateSpace space);
  bool select_matrix_rows(const ptx::Instruction& instruction, const MachineOperand& registers,
                          const MachineOperand& place);
  MachineOperand fragment_base(const ptx::Operand& place, const MachineOperand& address);
  void hold_elements_once(Number vector);
  void select_warpgroup(const ptx::Instruction& instruction);
  void select_texture(const ptx::Instruction& instruction);
  void select_mbarrier(const ptx::Instruction& instruction);

  bool select_control(const ptx::Instruction& instruction);
  void select_barrier(const ptx::Instruction& instruction);
  void select_fence(const ptx::Instruction& instruction);
  void select_shuffle(const ptx::Instruction& instruction);
  void select_call(const ptx::Instruction& instruction);

  void mark_effect() { effect_ = emitter_.count(); }  // of the instruction emitted next
  [[noreturn]] void fail(const ptx::Instruction& instruction) const;

  const ptx::Module& module_;
  const ptx::Function& function_;
  std::uint32_t architecture_;
  ptx::FlowGraph graph_;
  bool reads_constants_;  // arithmetic reads constant banks by address
  RegisterFacts facts_;
  std::map<Number, Number> fragment_bases_;  // of the block: the lane's address by the value that it is made of
  std::map<Number, Number> turns_;           // of the block: an angle in turns by the angle
  // Of the block: what divisions by a divisor share, by it and the row's sequence.
  std::map<std::pair<Number, const char*>, Emitter::Temporaries> divisors_;
  UniformConstants uniform_;
  Emitter emitter_;
  std::vector<MachinePlace> places_;
  std::vector<Number> value_of_;
  ConvergenceBarriers convergence_;
  CopyFillers fillers_;
  Number effect_ = kNone;
  Number descriptor_ = kNone;                 // of global memory, a uniform pair; none before 8.0
  std::vector<MachineOperand> shared_bases_;  // by shared variable, as needed so far
  std::vector<std::string_view> shared_names_;
  // Shared variables whose bases are computed before an instruction, for loops after it.
  std::map<std::uint32_t, std::vector<std::string_view>> early_bases_;
  std::uint32_t numbers_ = 0;  // numbers loaded so far
  std::map<std::uint32_t, std::uint32_t> path_registers_;
};

}  // namespace warpsim::codegen
