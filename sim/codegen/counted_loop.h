// Loops of one block that count up or down to a bound.
#pragma once

#include <cstdint>
#include <optional>

#include "ptx/flow_graph.h"
#include "ptx/module.h"

namespace warpsim::codegen {

// A loop of one block: "counter += step; if (counter compares to bound) again".
struct CountedLoop {
  std::uint32_t block = 0;
  std::uint32_t test = 0;      // the comparison
  std::uint32_t counting = 0;  // the addition
  std::uint32_t counter = 0;
  std::int64_t step = 0;
  ptx::DataType type = ptx::DataType::kS32;  // of the comparison "more rounds are left"

  bool is_unsigned() const { return type == ptx::DataType::kU32 || type == ptx::DataType::kU64; }
  bool is_wide() const { return type == ptx::DataType::kU64 || type == ptx::DataType::kS64; }
  // The smallest and the largest number of the type, as bits of 64.
  std::int64_t lowest() const { return is_unsigned() ? 0 : is_wide() ? INT64_MIN : std::int64_t{INT32_MIN}; }
  std::int64_t highest() const {
    return is_unsigned() ? (is_wide() ? -1 : std::int64_t{UINT32_MAX})
           : is_wide()   ? INT64_MAX
                         : std::int64_t{INT32_MAX};
  }

  // From the counter of a round to that of the last of `rounds`.
  std::int64_t distance(std::uint32_t rounds) const { return step * static_cast<std::int64_t>(rounds - 1); }
  // A bound that is a number, in the type of the comparison.
  std::int64_t number(const ptx::Operand& bound) const;
};

// The loop of the block, if its body has at most `longest` instructions, no call, no path that is executed by a
// function, and no read of a special register, and if "`rounds` rounds are left" is a comparison of the counter with a
// constant distance from the bound.
std::optional<CountedLoop> counted_loop_at(const ptx::Function& function, const ptx::FlowGraph& graph,
                                           std::uint32_t block, std::uint32_t rounds, std::uint32_t longest);

// The only instruction of the block that writes the register, without a guard.
std::optional<std::uint32_t> writer_in(const ptx::Function& function, const ptx::FlowGraph::Block& block,
                                       std::uint32_t reg);

// Whether the block contains a fence, an integer division, or two or more integer atomics that a warp could combine:
// such loops are not unrolled. Evidence: ptxas 13 for loops with one to six of them, of each kind.
bool stays_rolled(const ptx::Function& function, const ptx::FlowGraph::Block& block);

// The cost of an instruction of the block for limits of unrolling: a memory access counts twice, the increment of an
// address that an access there uses not at all. Evidence: ptxas 13.0, see loop_unrolling.cc and full_unrolling.cc.
std::uint32_t cost_in_round(const ptx::Function& function, const ptx::FlowGraph::Block& block,
                            std::uint32_t instruction);

}  // namespace warpsim::codegen
