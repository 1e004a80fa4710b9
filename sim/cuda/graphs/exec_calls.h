// Calls about instantiated graphs, captures, memory of graphs and objects of the program, for runtime and driver.
#pragma once

#include <cstdint>

#include "cuda/context.h"
#include "cuda/graphs/graph.h"

namespace warpsim::cuda {

void instantiate_graph(Context& context, ExecHandle* exec, GraphHandle graph, std::uint64_t flags);
// Also with the reason of a failure in the parameters.
void instantiate_with(Context& context, ExecHandle* exec, GraphHandle graph, abi::InstantiateParameters* parameters);
// As before the toolkit 12, with a text about the failure.
struct InstantiateLog {
  NodeHandle* error_node = nullptr;
  char* text = nullptr;
  std::size_t bytes = 0;
};
void instantiate_logged(Context& context, ExecHandle* exec, GraphHandle graph, const InstantiateLog& log);
void destroy_exec(Context& context, ExecHandle exec);
void exec_flags(Context& context, ExecHandle exec, std::uint64_t* flags);
void upload_exec(Context& context, ExecHandle exec, StreamHandle stream);
void launch_exec(Context& context, ExecHandle exec, StreamHandle stream);
void enable_node(Context& context, ExecHandle exec, NodeHandle node, unsigned enabled);
void node_enabled(Context& context, ExecHandle exec, NodeHandle node, unsigned* enabled);
void set_exec_child(Context& context, ExecHandle exec, NodeHandle node, GraphHandle child);
// Fails with kGraphUpdateFailure, and says why in `update`.
void update_exec(Context& context, ExecHandle exec, GraphHandle graph, abi::UpdateResult* update);
void update_exec_old(Context& context, ExecHandle exec, GraphHandle graph, NodeHandle* error_node, int* update);

// What the functions for captured streams give; pointers may be null. The lists belong to the stream.
struct CaptureInfo {
  int* status = nullptr;
  unsigned long long* number = nullptr;
  GraphHandle* graph = nullptr;
  const NodeHandle** nodes = nullptr;
  const abi::EdgeData** edges = nullptr;
  bool takes_edges = false;  // otherwise edges with data cannot be given
  std::size_t* count = nullptr;
};
// `graph` may be null; a graph that the capture has made is destroyed then.
void end_capture_into(Context& context, StreamHandle stream, GraphHandle* graph);
void capture_info(Context& context, StreamHandle stream, const CaptureInfo& info);

void retain_object(Context& context, UserObjectHandle object, unsigned count);
void release_object(Context& context, UserObjectHandle object, unsigned count);
void create_object(Context& context, UserObjectHandle* object, const UserObject& made, unsigned flags);
void retain_for_graph(Context& context, GraphHandle graph, UserObjectHandle object, unsigned count, unsigned flags);
void release_for_graph(Context& context, GraphHandle graph, UserObjectHandle object, unsigned count);

void trim_graph_memory(Context& context, int device);
void graph_memory_counter(Context& context, int device, int counter, void* value);
void reset_graph_memory_counter(Context& context, int device, int counter, void* value);

}  // namespace warpsim::cuda
