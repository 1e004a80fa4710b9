#include "cuda/graphs/graph_run.h"

#include <algorithm>
#include <utility>

#include "cuda/context.h"
#include "cuda/graphs/node_operations.h"

namespace warpsim::cuda {

namespace {

using Edge = Dependence::Edge;

// How the node at the end of the link waits.
Edge edge_of(const GraphLink& link) {
  if (link.data.from_port == kPortTrigger) {
    return Edge::kProgrammatic;
  }
  if (link.data.from_port == kPortBegin) {
    return link.data.type == kEdgeProgrammatic ? Edge::kProgrammaticBegin : Edge::kBegin;
  }
  return link.node->after.size() == 1 ? Edge::kGraph : Edge::kGraphBranch;
}

}  // namespace

GraphRun::GraphRun(Context& context, const GraphExec& exec, const Stream& stream)
    : context_(context), graph_(exec.shared_graph()), gpu_(stream.gpu), stream_(stream.number) {
  prepare(*graph_, exec);
}

std::vector<Dependence> GraphRun::submit(std::vector<Dependence> before) {
  if (!assigned_.empty()) {
    // In the order of the device: a launch before this one may still use the conditions.
    const auto assign = [self = shared_from_this()] {
      for (const auto& [handle, value] : self->assigned_) {
        *self->condition(handle) = value;
      }
    };
    before = {{perform(context_, InstantOperation{assign}, place(std::move(before)))}};
  }
  return submit(*graph_, before);
}

WorkPlace GraphRun::place(std::vector<Dependence> after) const {
  WorkPlace place;
  place.gpu = gpu_;
  place.stream = stream_;
  place.in_graph = true;
  place.by_device = by_device_;
  place.after = std::move(after);
  return place;
}

void GraphRun::prepare(const Graph& graph, const GraphExec& exec) {
  for (const auto& [handle, condition] : graph.conditions()) {
    if (condition.assigned) {
      assigned_[handle] = condition.value;
    }
  }
  for (const auto& node : graph.nodes()) {
    if (exec.disabled().contains(node.get())) {
      operations_[node.get()] = InstantOperation{};
    } else if (const auto* const child = std::get_if<ChildNode>(&node->payload)) {
      prepare(*child->graph, exec);
    } else if (const auto* const conditional = std::get_if<ConditionalNode>(&node->payload)) {
      for (const auto& body : conditional->bodies) {
        prepare(*body, exec);
      }
    } else {
      operations_[node.get()] = operation_of(context_, node->payload);
    }
  }
}

std::vector<Dependence> GraphRun::after(const GraphNode& node, const std::vector<Dependence>& before,
                                        const Ends& ends) const {
  std::vector<Dependence> all = node.before.empty() ? before : std::vector<Dependence>{};
  for (const GraphLink& link : node.before) {
    for (Dependence end : ends.at(link.node)) {
      if (end.edge != Edge::kStream) {
        end.edge = edge_of(link);
      }
      all.push_back(end);
    }
  }
  if (all.size() > 1) {
    for (Dependence& dependence : all) {
      dependence.edge = dependence.edge == Edge::kGraph ? Edge::kGraphBranch : dependence.edge;
    }
  }
  return all;
}

WorkHandle GraphRun::submit(const GraphNode& node, std::vector<Dependence> after) {
  if (const auto* const conditional = std::get_if<ConditionalNode>(&node.payload)) {
    return submit_conditional(*conditional, std::move(after));
  }
  WorkPlace place = this->place(std::move(after));
  place.gpu = node.gpu;
  const Operation& operation = operations_.at(&node);
  if (const auto* const launch = std::get_if<LaunchOperation>(&operation)) {
    place.priority = launch->launch.place.priority;
    const auto begins = [](const GraphLink& link) { return link.data.from_port == kPortBegin; };
    place.reports_begin = std::ranges::any_of(node.after, begins);
  }
  if (const auto* const wait = std::get_if<EventWaitNode>(&node.payload)) {
    place.after.push_back({context_.event(wait->event).work});
  }
  WorkHandle work = perform(context_, operation, std::move(place));
  if (const auto* const record = std::get_if<EventRecordNode>(&node.payload)) {
    context_.event(record->event).record(work);
  }
  return work;
}

// Several nodes follow these: another node of the graph, or the beginning of the launch.
std::vector<Dependence> GraphRun::branches(std::vector<Dependence> before) {
  const bool in_graph = !before.empty() && before.front().edge != Edge::kStream;
  if (!in_graph) {
    return {{perform(context_, InstantOperation{}, place(std::move(before))), Edge::kGraphBranch}};
  }
  for (Dependence& dependence : before) {
    dependence.edge = dependence.edge == Edge::kGraph ? Edge::kGraphBranch : dependence.edge;
  }
  return before;
}

std::vector<Dependence> GraphRun::submit(const Graph& graph, const std::vector<Dependence>& before) {
  const std::vector<GraphNode*> order = graph.ordered();
  const auto roots = std::ranges::count_if(order, [](const GraphNode* node) { return node->before.empty(); });
  const std::vector<Dependence> first = roots > 1 ? branches(before) : before;
  Ends ends;
  for (const GraphNode* const node : order) {
    std::vector<Dependence> waits = after(*node, first, ends);
    if (const auto* const child = std::get_if<ChildNode>(&node->payload)) {
      ends[node] = submit(*child->graph, waits);
    } else {
      ends[node] = {{submit(*node, std::move(waits)), Edge::kGraph}};
    }
  }
  std::vector<Dependence> last;
  for (const GraphNode* const node : order) {
    if (node->after.empty()) {
      last.insert(last.end(), ends.at(node).begin(), ends.at(node).end());
    }
  }
  return order.empty() ? before : last;
}

// --- conditional nodes ---

// A conditional node that is reached: it ends when no body is left to do.
struct GraphRun::Decision {
  const ConditionalNode& node;
  WorkHandle end = std::make_shared<WorkState>();
  bool active = false;       // decide() runs
  bool again = false;        // a body has ended meanwhile
  bool bodies_done = false;  // there is no other
};

WorkHandle GraphRun::submit_conditional(const ConditionalNode& node, std::vector<Dependence> after) {
  auto decision = std::make_shared<Decision>(Decision{node});
  const auto reached = [self = shared_from_this(), decision] { self->decide(decision); };
  perform(context_, InstantOperation{reached}, place(std::move(after)));
  return decision->end;
}

// A device without time does a body while it is submitted: then the loop here goes on, so that calls do not nest.
void GraphRun::decide(const std::shared_ptr<Decision>& decision) {
  decision->again = true;
  if (decision->active) {
    return;
  }
  decision->active = true;
  while (std::exchange(decision->again, false)) {
    const Graph* const body = decision->bodies_done ? nullptr : chosen(decision->node);
    if (body == nullptr) {
      decision->end->started = true;
      decision->end->start_ns = decision->end->end_ns = context_.device(gpu_).queue().now_ns();
      decision->end->over = true;
      break;
    }
    decision->bodies_done = decision->node.type != ConditionalType::kWhile;
    const bool before = std::exchange(by_device_, true);
    const auto ended = [self = shared_from_this(), decision] { self->decide(decision); };
    perform(context_, InstantOperation{ended}, place(submit(*body, {})));
    by_device_ = before;
  }
  decision->active = false;
}

const Graph* GraphRun::chosen(const ConditionalNode& node) {
  const std::uint32_t value = *condition(node.handle);
  const std::size_t body = node.type == ConditionalType::kSwitch ? value : (value != 0 ? 0 : 1);
  return body < node.bodies.size() ? node.bodies[body].get() : nullptr;
}

std::uint32_t* GraphRun::condition(std::uint64_t handle) {
  return reinterpret_cast<std::uint32_t*>(context_.device().memory().host(handle, sizeof(std::uint32_t)));
}

}  // namespace warpsim::cuda
