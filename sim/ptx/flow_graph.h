// The basic blocks of a function and their successors.
#pragma once

#include <cstdint>
#include <vector>

#include "ptx/module.h"

namespace warpsim::ptx {

struct FlowGraph {
  struct Block {
    std::uint32_t begin = 0;  // instructions [begin, end)
    std::uint32_t end = 0;
    std::vector<std::uint32_t> successors;
    std::vector<std::uint32_t> predecessors;
    bool leaves = false;  // the function may end after it
  };
  std::vector<Block> blocks;            // in order of the text
  std::vector<std::uint32_t> block_of;  // by instruction; after the last one the number of blocks

  std::uint32_t count() const { return static_cast<std::uint32_t>(blocks.size()); }
};

inline constexpr std::uint32_t kNoBlock = 0xffffffffU;

bool ends_block(const Instruction& instruction);
FlowGraph make_flow_graph(const Function& function);

// The immediate dominator of each block; kNoBlock: the first block and unreachable ones.
std::vector<std::uint32_t> immediate_dominators(const FlowGraph& graph);
// The immediate post-dominator of each block; kNoBlock: only the function's end.
std::vector<std::uint32_t> immediate_post_dominators(const FlowGraph& graph);
bool dominates(const std::vector<std::uint32_t>& dominators, std::uint32_t above, std::uint32_t below);
// The nearest common dominator of two blocks; kNoBlock: none.
std::uint32_t common_dominator(const std::vector<std::uint32_t>& dominators, std::uint32_t one, std::uint32_t other);
// A block that jumps back to its dominator closes a loop with it; loops with one header are one loop.
struct Loop {
  std::uint32_t header = 0;
  std::vector<bool> holds;  // by block
};
// In the order of their headers.
std::vector<Loop> natural_loops(const FlowGraph& graph, const std::vector<std::uint32_t>& dominators);
// The loop depth of each block.
std::vector<std::uint32_t> loop_depths(const FlowGraph& graph, const std::vector<std::uint32_t>& dominators);

}  // namespace warpsim::ptx
