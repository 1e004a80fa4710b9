// The runtime's functions for copies and fills as nodes of graphs.
#include "cuda/calls.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/graphs/node_calls.h"
#include "cuda/graphs/node_operations.h"
#include "cuda/memory/memory_calls.h"
#include "cuda/runtime/runtime_graph_api.h"

using namespace warpsim::cuda;  // NOLINT(google-build-using-namespace): the functions have C's names

int cudaGraphAddMemcpyNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                           const abi::Memcpy3d* copy) {
  return runtime_call([&](Context& context) {
    add_payload(context, node, {graph, before, count}, copy_node(context, result(copy)));
  });
}

int cudaGraphAddMemcpyNode1D(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                             void* target, const void* source, std::size_t bytes, int kind) {
  return runtime_call([&](Context& context) {
    add_payload(context, node, {graph, before, count}, copy_node(context, line_copy(target, source, bytes, kind)));
  });
}

int cudaGraphAddMemcpyNodeToSymbol(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                                   const void* symbol, const void* source, std::size_t bytes, std::size_t offset,
                                   int kind) {
  return runtime_call([&](Context& context) {
    add_payload(context, node, {graph, before, count},
                copy_node(context, line_copy(symbol_bytes(context, symbol, offset, bytes), source, bytes, kind)));
  });
}

int cudaGraphAddMemcpyNodeFromSymbol(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                                     void* target, const void* symbol, std::size_t bytes, std::size_t offset,
                                     int kind) {
  return runtime_call([&](Context& context) {
    add_payload(context, node, {graph, before, count},
                copy_node(context, line_copy(target, symbol_bytes(context, symbol, offset, bytes), bytes, kind)));
  });
}

int cudaGraphMemcpyNodeGetParams(NodeHandle node, abi::Memcpy3d* copy) {
  return runtime_call([&](Context& context) { result(copy) = payload_of<CopyNode>(node_of(context, node)).copy; });
}

int cudaGraphMemcpyNodeSetParams(NodeHandle node, const abi::Memcpy3d* copy) {
  return runtime_call([&](Context& context) { set_payload(context, node, copy_node(context, result(copy))); });
}

int cudaGraphMemcpyNodeSetParams1D(NodeHandle node, void* target, const void* source, std::size_t bytes, int kind) {
  return runtime_call([&](Context& context) {
    set_payload(context, node, copy_node(context, line_copy(target, source, bytes, kind)));
  });
}

int cudaGraphMemcpyNodeSetParamsToSymbol(NodeHandle node, const void* symbol, const void* source, std::size_t bytes,
                                         std::size_t offset, int kind) {
  return runtime_call([&](Context& context) {
    set_payload(context, node,
                copy_node(context, line_copy(symbol_bytes(context, symbol, offset, bytes), source, bytes, kind)));
  });
}

int cudaGraphMemcpyNodeSetParamsFromSymbol(NodeHandle node, void* target, const void* symbol, std::size_t bytes,
                                           std::size_t offset, int kind) {
  return runtime_call([&](Context& context) {
    set_payload(context, node,
                copy_node(context, line_copy(target, symbol_bytes(context, symbol, offset, bytes), bytes, kind)));
  });
}

int cudaGraphExecMemcpyNodeSetParams(ExecHandle exec, NodeHandle node, const abi::Memcpy3d* copy) {
  return runtime_call(
      [&](Context& context) { set_exec_payload(context, exec, node, copy_node(context, result(copy))); });
}

int cudaGraphExecMemcpyNodeSetParams1D(ExecHandle exec, NodeHandle node, void* target, const void* source,
                                       std::size_t bytes, int kind) {
  return runtime_call([&](Context& context) {
    set_exec_payload(context, exec, node, copy_node(context, line_copy(target, source, bytes, kind)));
  });
}

int cudaGraphExecMemcpyNodeSetParamsToSymbol(ExecHandle exec, NodeHandle node, const void* symbol, const void* source,
                                             std::size_t bytes, std::size_t offset, int kind) {
  return runtime_call([&](Context& context) {
    set_exec_payload(context, exec, node,
                     copy_node(context, line_copy(symbol_bytes(context, symbol, offset, bytes), source, bytes, kind)));
  });
}

int cudaGraphExecMemcpyNodeSetParamsFromSymbol(ExecHandle exec, NodeHandle node, void* target, const void* symbol,
                                               std::size_t bytes, std::size_t offset, int kind) {
  return runtime_call([&](Context& context) {
    set_exec_payload(context, exec, node,
                     copy_node(context, line_copy(target, symbol_bytes(context, symbol, offset, bytes), bytes, kind)));
  });
}

int cudaGraphAddMemsetNode(NodeHandle* node, GraphHandle graph, const NodeHandle* before, std::size_t count,
                           const abi::FillParameters* fill) {
  return runtime_call([&](Context& context) {
    add_payload(context, node, {graph, before, count}, fill_node(context, result(fill)));
  });
}

int cudaGraphMemsetNodeGetParams(NodeHandle node, abi::FillParameters* fill) {
  return runtime_call([&](Context& context) { result(fill) = payload_of<FillNode>(node_of(context, node)).fill; });
}

int cudaGraphMemsetNodeSetParams(NodeHandle node, const abi::FillParameters* fill) {
  return runtime_call([&](Context& context) { set_payload(context, node, fill_node(context, result(fill))); });
}

int cudaGraphExecMemsetNodeSetParams(ExecHandle exec, NodeHandle node, const abi::FillParameters* fill) {
  return runtime_call(
      [&](Context& context) { set_exec_payload(context, exec, node, fill_node(context, result(fill))); });
}
