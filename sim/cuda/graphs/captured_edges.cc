#include "cuda/graphs/captured_edges.h"

#include <algorithm>

namespace warpsim::cuda {

void merge(std::vector<GraphLink>& all, std::span<const GraphLink> others) {
  for (const GraphLink& link : others) {
    if (std::ranges::find(all, link) == all.end()) {
      all.push_back(link);
    }
  }
}

void adapt_edges(std::vector<GraphLink>& before, const NodePayload& next) {
  const auto* const kernel = std::get_if<KernelNode>(&next);
  if (kernel == nullptr) {
    std::vector<GraphLink> full;
    for (const GraphLink& link : before) {
      const GraphLink possible = {link.node, link.data.type == kEdgeProgrammatic ? abi::EdgeData{} : link.data};
      merge(full, {&possible, 1});
    }
    before = std::move(full);
  } else if (kernel->operation.launch.programmatic && before.size() == 1 && before.front().data.from_port == kPortEnd &&
             std::holds_alternative<KernelNode>(before.front().node->payload)) {
    before.front().data.from_port = kPortTrigger;
    before.front().data.type = kEdgeProgrammatic;
  }
}

}  // namespace warpsim::cuda
