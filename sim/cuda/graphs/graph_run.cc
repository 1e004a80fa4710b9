#include "cuda/graphs/graph_run.h"

#include <algorithm>
#include <utility>

#include "cuda/context.h"
#include "cuda/graphs/graph_launches.h"
#include "cuda/graphs/graph_state.h"
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

void end_by_hand(WorkState& state, double start_ns, double end_ns) {
  state.started = true;
  state.start_ns = start_ns;
  state.end_ns = end_ns;
  state.over = true;
}

GraphRun::GraphRun(Context& context, const GraphExec& exec, const Setting& setting)
    : context_(context),
      exec_(exec.shared_from_this()),
      graph_(exec.shared_graph()),
      setting_(setting),
      by_device_(setting.by_device) {
  prepare(*graph_);
}

bool GraphRun::launches_graphs() const {
  return std::ranges::any_of(operations_, [this](const auto& entry) {
    const auto* const launch = std::get_if<LaunchOperation>(&entry.second);
    return launch != nullptr && context_.info(*launch->kernel).launches_graphs;
  });
}

void GraphRun::identify(std::uint64_t launch, std::uint64_t graph) {
  launch_ = launch;
  exec_handle_ = graph;
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
  place.gpu = setting_.gpu;
  place.stream = setting_.stream;
  place.in_graph = true;
  place.by_device = by_device_;
  place.from_ns = setting_.from_ns;
  place.after = std::move(after);
  return place;
}

void GraphRun::prepare(const Graph& graph) {
  for (const auto& [handle, condition] : graph.conditions()) {
    if (condition.assigned) {
      assigned_[handle] = condition.value;
    }
  }
  for (const auto& node : graph.nodes()) {
    if (const auto* const child = std::get_if<ChildNode>(&node->payload)) {
      prepare(*child->graph);
    } else if (const auto* const conditional = std::get_if<ConditionalNode>(&node->payload)) {
      for (const auto& body : conditional->bodies) {
        prepare(*body);
      }
    } else {
      prepare(*node);
    }
  }
}

void GraphRun::prepare(const GraphNode& node) {
  operations_[&node] = exec_->disabled().contains(&node) ? InstantOperation{} : operation_of(context_, node.payload);
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
  Operation& operation = operations_.at(&node);
  if (auto* const launch = std::get_if<LaunchOperation>(&operation)) {
    place.priority = launch->launch.place.priority;
    const auto begins = [](const GraphLink& link) { return link.data.from_port == kPortBegin; };
    place.reports_begin = std::ranges::any_of(node.after, begins);
    launch->launch.graph_launch = launch_;
    launch->launch.graph = exec_handle_;
  }
  if (const auto* const wait = std::get_if<EventWaitNode>(&node.payload)) {
    place.after.push_back({context_.event(wait->event).work});
  }
  WorkHandle work = perform(context_, operation, std::move(place));
  if (const auto* const record = std::get_if<EventRecordNode>(&node.payload)) {
    context_.event(record->event).record(work);
  }
  if (!context_.device(node.gpu).queue().holds_waits()) {
    context_.graphs().launches->run_waiting();
  }
  return work;
}

// When it is reached, as it is then.
WorkHandle GraphRun::submit_late(const GraphNode& node, const std::vector<Dependence>& after) {
  auto end = std::make_shared<WorkState>();
  end->kind = WorkKind::kKernel;
  end->gpu = node.gpu;
  const auto ended = [end](const WorkHandle& done) {
    end_by_hand(*end, done == nullptr ? 0 : done->start_ns, done == nullptr ? 0 : done->end_ns);
  };
  const auto reached = [self = shared_from_this(), &node, after, ended] {
    self->prepare(node);
    const bool before = std::exchange(self->by_device_, true);
    const WorkHandle work = self->submit(node, after);
    perform(self->context_, InstantOperation{[ended, work] { ended(work); }}, self->place({{work}}));
    self->by_device_ = before;
  };
  perform(context_, InstantOperation{reached}, place(after));
  return end;
}

// Several nodes follow these: another node of the graph, or the beginning of the launch.
std::vector<Dependence> GraphRun::branches(std::vector<Dependence> before) {
  const bool in_graph = !before.empty() && before.front().edge != Edge::kStream && before.front().edge != Edge::kTail;
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
      const bool late = is_device_node(*node);
      ends[node] = {{late ? submit_late(*node, waits) : submit(*node, std::move(waits)), Edge::kGraph}};
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

// A device may do a body while it is submitted: then the loop here goes on, so that calls do not nest.
void GraphRun::decide(const std::shared_ptr<Decision>& decision) {
  decision->again = true;
  if (decision->active) {
    return;
  }
  decision->active = true;
  while (std::exchange(decision->again, false)) {
    const Graph* const body = decision->bodies_done ? nullptr : chosen(decision->node);
    if (body == nullptr) {
      const double now_ns = context_.device(setting_.gpu).queue().now_ns();
      end_by_hand(*decision->end, now_ns, now_ns);
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
