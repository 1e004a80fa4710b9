// How many general registers the values of a function occupy between its PTX instructions.
//
// Counted in 32-bit words of values as machine code holds them: names of the same bits once, numbers not at all,
// results that are folded into their readers not, but their sources until then. Predicates are counted by themselves.
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/register_facts.h"
#include "codegen/uniform_constants.h"
#include "ptx/flow_graph.h"
#include "ptx/module.h"
#include "ptx/register_set.h"

namespace warpsim::codegen {

class RegisterPressure {
 public:
  // `function` and `graph` outlive it. `architecture`: of the machine code.
  RegisterPressure(const ptx::Function& function, const ptx::FlowGraph& graph, std::uint32_t architecture);

  // Values that an instruction needs and makes; each once.
  const std::vector<std::uint32_t>& reads(std::uint32_t instruction) const { return reads_[instruction]; }
  const std::vector<std::uint32_t>& writes(std::uint32_t instruction) const { return writes_[instruction]; }
  // What it occupies; a predicate none of the general registers.
  std::uint32_t words(std::uint32_t value) const { return words_[value]; }
  bool is_predicate(std::uint32_t value) const { return is_predicate_[value]; }
  // It is in a uniform register and the result of a read of constants.
  bool is_uniform_value(std::uint32_t value) const { return uniform_.is_value(value); }
  // Values that are needed at the beginning and behind the end of a block.
  const ptx::RegisterSet& live_in(std::uint32_t block) const { return live_in_[block]; }
  ptx::RegisterSet live_out(std::uint32_t block) const;
  std::uint32_t words_of(const ptx::RegisterSet& values) const;
  std::uint32_t predicates_of(const ptx::RegisterSet& values) const;

 private:
  bool is_counted(std::uint32_t value) const { return words_[value] != 0 || is_predicate_[value]; }
  void find_words();
  void find_uses();
  void find_live();
  void add_reads(const ptx::Instruction& instruction, std::vector<std::uint32_t>& into, std::uint32_t depth) const;

  const ptx::Function& function_;
  const ptx::FlowGraph& graph_;
  RegisterFacts facts_;
  UniformConstants uniform_;
  std::vector<std::uint32_t> words_;  // by register; 0: takes none
  std::vector<bool> is_predicate_;    // by register
  std::vector<std::vector<std::uint32_t>> reads_;
  std::vector<std::vector<std::uint32_t>> writes_;
  std::vector<ptx::RegisterSet> live_in_;
};

}  // namespace warpsim::codegen
