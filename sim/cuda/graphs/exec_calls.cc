#include "cuda/graphs/exec_calls.h"

#include <algorithm>

#include "cuda/calls.h"
#include "cuda/device_calls.h"
#include "cuda/graphs/capture.h"
#include "cuda/graphs/device_graph_rules.h"
#include "cuda/graphs/graph_launch.h"
#include "cuda/graphs/graph_state.h"
#include "cuda/graphs/graph_update.h"

namespace warpsim::cuda {

namespace {

std::uint64_t positive(std::uint64_t count) {
  constexpr std::uint64_t kMost = 0x7fff'ffff;
  if (count == 0 || count > kMost) {
    throw CallError(kInvalidValue);
  }
  return count;
}

}  // namespace

void instantiate_graph(Context& context, ExecHandle* exec, GraphHandle graph, std::uint64_t flags) {
  result(exec) = instantiate(context, graph_of(context, graph), flags);
}

void instantiate_with(Context& context, ExecHandle* exec, GraphHandle graph, abi::InstantiateParameters* parameters) {
  abi::InstantiateParameters& all = result(parameters);
  all.error_node = nullptr;
  all.result = kInstantiateError;
  const Graph& original = graph_of(context, graph);
  try {
    original.ordered();
  } catch (const CallError&) {
    all.result = kInvalidStructure;
    throw;
  }
  if ((all.flags & GraphExec::kDeviceLaunch) != 0) {
    const DeviceGraphRefusal refusal = check_for_device(context, original);
    all.result = refusal.result == kInstantiated ? kInstantiateError : refusal.result;
    all.error_node = const_cast<GraphNode*>(refusal.node);
  }
  instantiate_graph(context, exec, graph, all.flags);
  all.result = kInstantiated;
  if ((all.flags & GraphExec::kUpload) != 0) {
    upload_exec(context, *exec, all.upload_stream);
  }
}

void instantiate_logged(Context& context, ExecHandle* exec, GraphHandle graph, const InstantiateLog& log) {
  if (log.error_node != nullptr) {
    *log.error_node = nullptr;
  }
  if (log.text != nullptr && log.bytes != 0) {
    *log.text = '\0';
  }
  instantiate_graph(context, exec, graph, 0);
}

// Work that is in the streams goes on.
void destroy_exec(Context& context, ExecHandle exec) {
  exec_of(context, exec);
  context.graphs().execs.erase(exec);
}

void exec_flags(Context& context, ExecHandle exec, std::uint64_t* flags) {
  result(flags) = exec_of(context, exec).flags();
}

// The transfer of a graph to the device takes no time of its own here.
void upload_exec(Context& context, ExecHandle exec, StreamHandle stream) {
  GraphExec& own = exec_of(context, exec);
  if (find_capture(context, stream) != nullptr) {
    throw CallError(kStreamCaptureUnsupported);
  }
  if (own.is_for_device()) {
    own.upload();
  }
}

void launch_exec(Context& context, ExecHandle exec, StreamHandle stream) {
  launch_graph(context, exec_of(context, exec), stream);
}

void enable_node(Context& context, ExecHandle exec, NodeHandle node, unsigned enabled) {
  exec_of(context, exec).enable(&node_of(context, node), enabled != 0);
}

void node_enabled(Context& context, ExecHandle exec, NodeHandle node, unsigned* enabled) {
  result(enabled) = exec_of(context, exec).is_enabled(&node_of(context, node)) ? 1 : 0;
}

void set_exec_child(Context& context, ExecHandle exec, NodeHandle node, GraphHandle child) {
  const auto& own = payload_of<ChildNode>(exec_of(context, exec).node(&node_of(context, node)));
  if (update_graph(context, *own.graph, graph_of(context, child)).result != UpdateFailure::kNone) {
    throw CallError(kInvalidValue);
  }
}

void update_exec(Context& context, ExecHandle exec, GraphHandle graph, abi::UpdateResult* update) {
  const GraphExec& own = exec_of(context, exec);
  if (!device_nodes_of(own.graph()).empty() || !device_nodes_of(graph_of(context, graph)).empty()) {
    throw CallError(kNotSupported, "a graph with nodes that kernels change cannot be updated from another");
  }
  const UpdateOutcome outcome = update_graph(context, own.graph(), graph_of(context, graph));
  if (update != nullptr) {
    *update = {static_cast<int>(outcome.result), outcome.node, outcome.from};
  }
  if (outcome.result != UpdateFailure::kNone) {
    throw CallError(kGraphUpdateFailure);
  }
}

void update_exec_old(Context& context, ExecHandle exec, GraphHandle graph, NodeHandle* error_node, int* update) {
  abi::UpdateResult all = {};
  int& number = result(update);
  const auto give = [&] {
    number = all.result;
    if (error_node != nullptr) {
      *error_node = all.error_node;
    }
  };
  try {
    update_exec(context, exec, graph, &all);
  } catch (const CallError&) {
    give();
    throw;
  }
  give();
}

void end_capture_into(Context& context, StreamHandle stream, GraphHandle* graph) {
  if (graph != nullptr) {
    *graph = nullptr;
  }
  CapturedGraph captured = end_capture(context, stream);
  if (graph != nullptr) {
    *graph = captured.graph.get();
    if (!captured.existed) {
      add_graph(context, std::move(captured.graph));
    }
  }
}

void capture_info(Context& context, StreamHandle stream, const CaptureInfo& info) {
  constexpr int kActive = 1;
  constexpr int kInvalidated = 2;
  CapturingStream* const capturing = find_capture(context, stream, DefaultStream::kOnlyFails);
  result(info.status) = 0;
  if (capturing == nullptr) {
    return;
  }
  const Capture& capture = *capturing->capture;
  *info.status = capture.invalid ? kInvalidated : kActive;
  if (info.number != nullptr) {
    *info.number = capture.number;
  }
  if (capture.invalid) {
    return;
  }
  capturing->nodes.clear();
  capturing->edges.clear();
  for (const GraphLink& link : capturing->before) {
    capturing->nodes.push_back(link.node);
    capturing->edges.push_back(link.data);
    if (info.nodes != nullptr && !info.takes_edges && link.data.type != 0) {
      throw CallError(kLossyQuery);
    }
  }
  if (info.graph != nullptr) {
    *info.graph = capture.graph.get();
  }
  if (info.nodes != nullptr) {
    *info.nodes = capturing->nodes.data();
  }
  if (info.edges != nullptr) {
    *info.edges = capturing->edges.data();
  }
  if (info.count != nullptr) {
    *info.count = capturing->nodes.size();
  }
}

void retain_object(Context& context, UserObjectHandle object, unsigned count) {
  object_of(context, object).references += positive(count);
}

void release_object(Context& context, UserObjectHandle object, unsigned count) {
  object_of(context, object);
  release(*context.graphs().handles, object, positive(count));
}

void create_object(Context& context, UserObjectHandle* object, const UserObject& described, unsigned flags) {
  constexpr unsigned kNoDestructorSync = 1;  // must be set
  if (described.destroy == nullptr || flags != kNoDestructorSync) {
    throw CallError(kInvalidValue);
  }
  positive(described.references);
  auto made = std::make_unique<UserObject>(described);
  const UserObjectHandle handle = made.get();
  context.graphs().handles->objects[handle] = std::move(made);
  result(object) = handle;
}

void retain_for_graph(Context& context, GraphHandle graph, UserObjectHandle object, unsigned count, unsigned flags) {
  constexpr unsigned kMove = 1;
  UserObject& own = object_of(context, object);
  if (flags > kMove) {
    throw CallError(kInvalidValue);
  }
  graph_of(context, graph).retain(object, positive(count));
  own.references += flags == kMove ? 0 : count;
}

void release_for_graph(Context& context, GraphHandle graph, UserObjectHandle object, unsigned count) {
  object_of(context, object);
  graph_of(context, graph).release_retained(object, positive(count));
}

void trim_graph_memory(Context& context, int device) {
  check_device(context, device);
  context.graphs().memory->trim();
}

void graph_memory_counter(Context& context, int device, int counter, void* value) {
  check_device(context, device);
  result(static_cast<std::uint64_t*>(value)) =
      context.graphs().memory->value(static_cast<GraphMemoryPool::Counter>(counter));
}

void reset_graph_memory_counter(Context& context, int device, int counter, void* value) {
  check_device(context, device);
  if (result(static_cast<std::uint64_t*>(value)) != 0) {
    throw CallError(kInvalidValue);
  }
  context.graphs().memory->reset(static_cast<GraphMemoryPool::Counter>(counter));
}

}  // namespace warpsim::cuda
