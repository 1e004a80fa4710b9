#include "codegen/convergence_barriers.h"

#include <algorithm>

namespace warpsim::codegen {

namespace {

using BlockNumber = std::uint32_t;

}  // namespace

ConvergenceBarriers find_convergence_barriers(const ptx::Function& function, const ptx::FlowGraph& graph,
                                              const WarpUniformity& uniformity) {
  const std::vector<BlockNumber> meets = ptx::immediate_post_dominators(graph);
  const std::vector<BlockNumber> above = ptx::immediate_dominators(graph);
  std::vector<BlockNumber> places(graph.count(),
                                  ptx::kNoBlock);  // by meeting point: the block that sets up the barrier
  for (BlockNumber block = 0; block < graph.count(); ++block) {
    const BlockNumber meet = meets[block];
    if (meet == ptx::kNoBlock || !uniformity.separates(block)) {
      continue;
    }
    const std::string_view first = function.body[graph.blocks[meet].begin].opcode;
    if (first != "ret" && first != "exit") {
      places[meet] = places[meet] == ptx::kNoBlock ? block : ptx::common_dominator(above, places[meet], block);
    }
  }
  const std::vector<ptx::Loop> loops = ptx::natural_loops(graph, above);
  ConvergenceBarriers result{std::vector<bool>(function.body.size() + 1, false),
                             std::vector<bool>(function.body.size() + 1, false)};
  for (BlockNumber meet = 0; meet < graph.count(); ++meet) {
    BlockNumber place = places[meet];
    if (place == ptx::kNoBlock) {
      continue;
    }
    for (auto loop = loops.rbegin(); loop != loops.rend(); ++loop) {  // inner headers follow outer ones
      if (loop->holds[place] && !loop->holds[meet] && above[loop->header] != ptx::kNoBlock) {
        place = above[loop->header];
      }
    }
    result.opens[graph.blocks[place].end - 1] = true;
    result.gathers[graph.blocks[meet].begin] = true;
  }
  return result;
}

}  // namespace warpsim::codegen
