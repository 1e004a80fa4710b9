#include "cuda/graphs/device_graph_rules.h"

#include "cuda/graphs/node_operations.h"
#include "cuda/memory/memory_calls.h"

namespace warpsim::cuda {

namespace {

int check(Context& context, const GraphNode& node) {
  switch (type_of(node.payload)) {
    case NodeType::kKernel:
    case NodeType::kFill:
      return kInstantiated;
    case NodeType::kCopy: {
      const abi::Memcpy3d& copy = std::get<CopyNode>(node.payload).copy;
      if (copy.source_array != nullptr || copy.target_array != nullptr) {
        return kNodeNotSupported;
      }
      const CopyOperation operation = copy_operation(context, copy);
      return operation.source.pageable || operation.target.pageable ? kSeveralDevices : kInstantiated;
    }
    default:
      return kNodeNotSupported;
  }
}

}  // namespace

DeviceGraphRefusal check_for_device(Context& context, const Graph& graph) {
  if (graph.nodes().empty()) {
    return {kInstantiateError};
  }
  const std::uint32_t gpu = graph.nodes().front()->gpu;
  for (const auto& node : graph.nodes()) {
    if (const auto* const child = std::get_if<ChildNode>(&node->payload)) {
      const DeviceGraphRefusal inside = check_for_device(context, *child->graph);
      if (inside.result != kInstantiated) {
        return {inside.result, node.get()};
      }
      continue;
    }
    const int result = node->gpu != gpu ? kSeveralDevices : check(context, *node);
    if (result != kInstantiated) {
      return {result, node.get()};
    }
  }
  return {};
}

}  // namespace warpsim::cuda
