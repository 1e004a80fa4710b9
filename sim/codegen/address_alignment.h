// By how many bytes the addresses in a function's registers are known to be divisible, as a compiler finds out.
//
// Known: alignments of variables in shared and constant memory and of parameters, what arithmetic keeps of them, and
// what accesses themselves demand: a vector in global memory is aligned, so its base is, where the access has been
// executed or is executed anyway.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "codegen/register_facts.h"
#include "ptx/flow_graph.h"
#include "ptx/module.h"

namespace warpsim::codegen {

class AddressAlignment {
 public:
  static constexpr std::uint32_t kMost = 16;  // bytes of the widest access

  // All outlive it; the instructions must not move meanwhile.
  AddressAlignment(const ptx::Module& module, const ptx::Function& function, const ptx::FlowGraph& graph,
                   const RegisterFacts& facts);

  // Up to kMost bytes; `at`: the instruction that uses the operand as an address.
  std::uint32_t of(const ptx::Operand& operand, std::uint32_t at) const { return of(operand, at, 0); }
  // The register is changed by a loop: each of its values is a multiple of what the first one and the steps are
  // multiples of, at most `most`.
  void learn_loop_base(std::uint32_t reg, std::uint32_t most);

 private:
  // A base that an access aligns.
  struct Demand {
    std::uint32_t bytes = 1;
    std::uint32_t instruction = 0;
  };

  std::uint32_t of(const ptx::Operand& operand, std::uint32_t at, std::uint32_t depth) const;
  std::uint32_t of_result(const ptx::Instruction& made, std::uint32_t at, std::uint32_t depth) const;
  std::uint32_t demanded(std::uint32_t reg, std::uint32_t at, bool is_address) const;
  void find_demands();

  const ptx::Module& module_;
  const ptx::Function& function_;
  const ptx::FlowGraph& graph_;
  const RegisterFacts& facts_;
  std::vector<std::uint32_t> dominators_;
  std::map<std::uint32_t, std::uint32_t> loop_bases_;     // by register
  std::map<std::uint32_t, std::vector<Demand>> demands_;  // by register
  std::vector<std::vector<std::uint32_t>> writers_;       // by register
};

// The variable in shared or constant memory whose address the operand is; null: none.
const ptx::Variable* near_variable(const ptx::Module& module, const ptx::Function& function,
                                   const ptx::Operand& operand);

}  // namespace warpsim::codegen
