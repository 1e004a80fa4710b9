// Facts about a function's registers before instruction selection: their writers and readers, which are aliases of
// others, of constants or of parameters, and which instructions are folded into the readers of their results.
//
// Invariant: a folded instruction's sources hold the same values where it is folded in.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/register_names.h"
#include "ptx/flow_graph.h"
#include "ptx/module.h"

namespace warpsim::codegen {

bool has_word(const ptx::Instruction& instruction, std::string_view word);
// Loads a parameter of the function itself, not a result of a call.
bool reads_own_parameter(const ptx::Instruction& instruction);
// Moves a size of the launch (%ntid, %nctaid), which is constant.
bool reads_launch_size(const ptx::Instruction& instruction);

class RegisterFacts {
 public:
  // `architecture` of the code: whether arithmetic reads parameters and constant memory by address, and which
  // operations one instruction includes. 0: only what is true for all.
  RegisterFacts(const ptx::Function& function, const ptx::FlowGraph& graph, std::uint32_t architecture = 0);

  static constexpr std::uint32_t kNowhere = kNoInstruction;

  // The only instruction that writes the register, for all that read it; kNowhere if there are none or several.
  std::uint32_t only_write(std::uint32_t reg) const { return only_write_[reg]; }
  std::uint32_t reads(std::uint32_t reg) const { return reads_[reg]; }

  // Another register, or a part of it, that always holds the same bits.
  using Name = RegisterName;
  using Part = RegisterName::Part;
  Name name_for(std::uint32_t reg) const { return names_[reg]; }
  // The constant that it always holds.
  const ptx::Operand* constant(std::uint32_t reg) const { return constants_[names_[reg].reg]; }
  // The instruction is folded into the readers of its result.
  bool is_folded(std::uint32_t instruction) const { return folded_[instruction]; }
  // The folded instruction that produces the operand; null if there is none.
  const ptx::Instruction* folded(const ptx::Operand& operand) const;
  // The instruction that produces the operand, folded or not; null unless it is the only one.
  const ptx::Instruction* maker(const ptx::Operand& operand) const;
  // A parameter of the kernel, a size of the launch or a variable in constant memory that needs no general register:
  // its readers read it by address, or it is of one word that few instructions need and is in a uniform register.
  bool is_kept_constant(std::uint32_t reg) const { return kept_[reg]; }
  // It needs a general register after all.
  void drop_kept(std::uint32_t reg) { kept_[reg] = false; }

 private:
  void count();
  void find_folded();
  bool folds_into_choice(const ptx::Instruction& made, const ptx::Instruction& by, std::size_t operand) const;
  bool folds(std::uint32_t maker, std::uint32_t user, std::size_t operand) const;
  bool is_shared_offset(const ptx::Instruction& sum) const;
  bool stays(std::uint32_t maker, std::uint32_t user) const;
  bool is_constant_load(std::uint32_t reg, std::uint32_t bytes) const;
  bool adds_wide_product(const ptx::Instruction& sum) const;
  void find_kept(bool reads_constants);
  void drop_kept_of(std::uint32_t instruction);

  const ptx::Function& function_;
  bool combines_choices_;  // a minimum or maximum includes a sum or another one
  std::vector<std::uint32_t> only_write_;
  std::vector<std::uint32_t> writes_;
  std::vector<std::uint32_t> reads_;
  std::vector<Name> names_;
  std::vector<const ptx::Operand*> constants_;
  std::vector<bool> folded_;
  std::vector<bool> kept_;
  std::vector<std::uint32_t> block_of_;
  std::vector<std::uint32_t> depth_;  // of loops, by block
};

}  // namespace warpsim::codegen
