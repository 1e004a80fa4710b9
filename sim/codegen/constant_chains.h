// Reads of constants at computed addresses, and the chains of integer arithmetic that compute the addresses.
//
// ptxas computes such an address in 32 bits, as an offset in its bank. It computes it in uniform registers if it is
// uniform (warp_uniformity.h), comes from numbers, parameters and the block's place, and serves nothing else. No loop
// that changes it may be left by threads one by one; before 9.0 it has one exit. The counter of a loop that is part of
// the address may be compared with a register from 9.0 on if no parameter is part of it, and converted to a float.
// Source: code of ptxas 13.0 for 7.5, 8.0 and 9.0 of 238 kernels (8.6: 9 of them) that read constants in loops, by
// block, by parameter and by thread.
//
// General arithmetic may also need the block's place from 9.0 on, before that it keeps it in a general register.
//
// Not modelled: counters in uniform registers that serve no address of constants.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "codegen/register_facts.h"
#include "codegen/warp_uniformity.h"
#include "ptx/flow_graph.h"
#include "ptx/module.h"

namespace warpsim::codegen {

// A load of constants or of the kernel's parameters whose address is in a register.
struct ConstantRead {
  std::uint32_t instruction = 0;
  std::uint32_t base = 0;              // register
  std::vector<std::uint32_t> results;  // registers
  bool is_pair = false;                // of words
};

class ConstantChains {
 public:
  // All outlive it; `architecture`: of the machine code.
  ConstantChains(const ptx::Function& function, const ptx::FlowGraph& graph, const RegisterFacts& facts,
                 std::uint32_t architecture);

  const std::vector<ConstantRead>& reads() const { return reads_; }
  // The read that the instruction is; null if it is none.
  const ConstantRead* read_at(std::uint32_t instruction) const;
  // It serves addresses of constants only: the low word is computed.
  bool is_offset(std::uint32_t reg) const { return !reads_.empty() && offset_[name(reg)]; }
  // It is an address, or a part of it, in a uniform register.
  bool is_uniform(std::uint32_t reg) const { return !reads_.empty() && uniform_[name(reg)]; }
  // By name of a value: what is_uniform() says of it, if there are reads.
  const std::vector<bool>& uniform_registers() const { return uniform_; }
  // Different threads have different values in it, or may have.
  bool varies(std::uint32_t reg) const { return varies_[reg]; }
  bool is_in_loop(std::uint32_t instruction) const;
  // The block's place is part of it.
  bool comes_from_block(std::uint32_t reg) const;
  // By register: the instructions that read it, by any of its names.
  const std::vector<std::uint32_t>& users(std::uint32_t reg) const { return users_[reg]; }
  std::uint32_t name(std::uint32_t reg) const { return facts_.name_for(reg).reg; }

  // Keeps only those uniform addresses of which `needs` is true, and what they are computed from.
  template <class Needs>
  void keep_needed(Needs&& needs) {
    std::vector<bool> kept(uniform_.size(), false);
    for (const ConstantRead& read : reads_) {
      kept[read.base] = kept[read.base] || (uniform_[read.base] && needs(read));
    }
    keep(std::move(kept));
  }

 private:
  void find_reads();
  void find_users();
  void find_offsets();
  bool keeps_offset(std::uint32_t reg) const;
  void find_uniform();
  bool keeps_uniform(std::uint32_t reg) const;
  bool is_uniform_step(const ptx::Instruction& instruction) const;
  bool is_parameter(std::uint32_t reg) const;
  bool is_compared(std::uint32_t reg) const;
  bool is_place_of_block(std::uint32_t reg) const;
  bool may_use(std::uint32_t user, std::uint32_t reg) const;
  bool has_steady_loops(std::uint32_t block, const WarpUniformity& uniformity) const;
  void settle();
  void keep(std::vector<bool> kept);
  bool is_alias(const ptx::Instruction& instruction) const;

  const ptx::Function& function_;
  const ptx::FlowGraph& graph_;
  const RegisterFacts& facts_;
  std::uint32_t architecture_;
  std::vector<ConstantRead> reads_;
  std::vector<ptx::Loop> loops_;
  std::vector<std::vector<std::uint32_t>> users_;    // by register
  std::vector<std::vector<std::uint32_t>> writers_;  // by register
  std::vector<bool> offset_;
  std::vector<bool> uniform_;
  std::vector<bool> varies_;
};

}  // namespace warpsim::codegen
