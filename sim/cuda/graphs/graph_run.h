// One launch of an instantiated graph: its nodes as work of the device.
//
// Modelled: nodes start when those before them have ended; the edges of a line and of branches take different times
// (WorkPlace); graphs inside are parts of the whole; the device itself submits the body of a conditional node when its
// condition is known, and nodes that kernels may change when they are reached. Invariant: all that can fail is checked
// before the first node is submitted.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <vector>

#include "cuda/graphs/graph_exec.h"

namespace warpsim::cuda {

// Ends what other work waits for, and what is not itself work of the device.
void end_by_hand(WorkState& state, double start_ns, double end_ns);

class GraphRun : public std::enable_shared_from_this<GraphRun> {
 public:
  struct Setting {
    std::uint32_t gpu = 0;
    std::uint64_t stream = 0;
    bool by_device = false;  // the device submits it, and has it
    double from_ns = 0;      // at this time; 0: at once
  };
  // Looks up what the nodes name; fails as the calls of the same work would. The exec is in a shared_ptr.
  GraphRun(Context& context, const GraphExec& exec, const Setting& setting);

  const Setting& setting() const { return setting_; }
  // Kernels of it can launch graphs; then they have to know which launch and which graph they are parts of.
  bool launches_graphs() const;
  void identify(std::uint64_t launch, std::uint64_t graph);

  // Submits all nodes after `before`. Returns the ends of the last ones.
  std::vector<Dependence> submit(std::vector<Dependence> before);

 private:
  using Ends = std::map<const GraphNode*, std::vector<Dependence>>;
  struct Decision;

  void prepare(const Graph& graph);
  void prepare(const GraphNode& node);
  std::vector<Dependence> submit(const Graph& graph, const std::vector<Dependence>& before);
  std::vector<Dependence> after(const GraphNode& node, const std::vector<Dependence>& before, const Ends& ends) const;
  WorkHandle submit(const GraphNode& node, std::vector<Dependence> after);
  std::vector<Dependence> branches(std::vector<Dependence> before);
  WorkPlace place(std::vector<Dependence> after) const;
  WorkHandle submit_late(const GraphNode& node, const std::vector<Dependence>& after);
  WorkHandle submit_conditional(const ConditionalNode& node, std::vector<Dependence> after);
  void decide(const std::shared_ptr<Decision>& decision);
  const Graph* chosen(const ConditionalNode& node);
  std::uint32_t* condition(std::uint64_t handle);

  Context& context_;
  std::shared_ptr<const GraphExec> exec_;
  std::shared_ptr<const Graph> graph_;
  Setting setting_;
  std::uint64_t launch_ = 0;
  std::uint64_t exec_handle_ = 0;
  std::map<const GraphNode*, Operation> operations_;
  std::map<std::uint64_t, std::uint32_t> assigned_;  // conditions that each launch sets
  bool by_device_;                                   // what is submitted now
};

}  // namespace warpsim::cuda
