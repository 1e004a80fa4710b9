// Which registers of a function are in uniform registers because they serve reads of constants at computed addresses.
//
// The addresses are those of constant_chains.h. The value of a read is in a uniform register (ULDC) if each of its
// readers is arithmetic that reads no other constant with it: immediates win, and of two reads neither is uniform. Of a
// parameter or a size of the launch it wins from 9.0 on, and loses before; a pair of words wins only in a block that
// reads at least seven pairs. Integer arithmetic must also read something that differs between threads, else it would
// be uniform itself. Pairs are made by access_merging.h; wider reads do not exist. A pair whose values are in general
// registers has its address in a uniform register nevertheless, which is moved for each read; another read has not.
// A word that becomes the value of a register which others write too, like the first summand of a loop, is moved from
// its uniform register. Source: code of ptxas 13.0 for 7.5, 8.0 and 9.0 of 238 kernels (8.6: 9 of them).
#pragma once

#include <cstdint>
#include <vector>

#include "codegen/constant_chains.h"
#include "codegen/register_facts.h"
#include "ptx/flow_graph.h"
#include "ptx/module.h"

namespace warpsim::codegen {

class UniformConstants {
 public:
  // `function` and `graph` outlive it. Constants of the launch that give way to uniform values are no longer kept
  // constants in `facts`. `architecture`: of the machine code.
  UniformConstants(const ptx::Function& function, const ptx::FlowGraph& graph, RegisterFacts& facts,
                   std::uint32_t architecture);

  // It only serves addresses of constants: the low word is computed.
  bool is_offset(std::uint32_t reg) const { return chains_.is_offset(reg); }
  // It is in a uniform register: a part of an address, or a value.
  bool is_uniform(std::uint32_t reg) const { return chains_.is_uniform(reg) || is_value(reg); }
  // The instruction reads a word at a uniform address into a register that others write too: it is moved there.
  bool reads_and_moves(std::uint32_t instruction) const;
  // It is the value of a read, in a uniform register.
  bool is_value(std::uint32_t reg) const { return !value_.empty() && value_[name(reg)]; }

 private:
  // Constants that a machine instruction reads.
  struct Constants {
    std::vector<std::uint32_t> values;
    std::vector<std::uint32_t> of_launch;
    bool has_number = false;
    bool varies = false;  // it also reads something that differs between threads
  };

  void find_values();
  void find_pairs();
  bool moves(const ConstantRead& read) const;
  void collect(const ptx::Instruction& instruction, Constants& into, std::uint32_t depth) const;
  bool accepts(const ptx::Instruction& reader, std::uint32_t value) const;
  bool fits(const Constants& constants, std::uint32_t value) const;
  void find_displaced();
  bool displaces(std::uint32_t value) const;
  bool drop_unfit();
  bool drop_pairs_in_part();
  bool is_needed(const ConstantRead& read) const;
  void displace(RegisterFacts& facts) const;
  std::uint32_t name(std::uint32_t reg) const { return chains_.name(reg); }

  const ptx::Function& function_;
  const ptx::FlowGraph& graph_;
  const RegisterFacts& facts_;
  std::uint32_t architecture_;
  ConstantChains chains_;
  std::vector<bool> value_;                // by register
  std::vector<const ConstantRead*> read_;  // by register: the read that it is a result of
  std::vector<std::uint32_t> pairs_;       // by block
  std::vector<bool> displaced_;            // by register
};

}  // namespace warpsim::codegen
