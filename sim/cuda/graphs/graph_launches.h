// Graphs that are launched, and the graphs that their kernels launch in turn.
//
// Modelled: a launched graph is over when its nodes are and what its kernels have launched at once; then its tail
// launches are done, in order, those of a tail launch before the rest; what has launched the graph waits for all of
// that, and for siblings. At most 120 launches at once by one run of a graph, 255 tail launches that wait, one of
// itself; a graph that runs or waits is not launched. Without time, what a kernel launches at once is run when its node
// is over. Evidence: CUDA C++ programming guide, "Device Graph Launch"; tests/hardware/device_graphs.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <vector>

#include "cuda/device/kernel_graphs.h"
#include "cuda/graphs/graph_exec.h"

namespace warpsim::cuda {

class GraphLaunches;
class GraphRun;

// One run of a graph; or, without a graph, what surrounds a launch by the host: its siblings.
class GraphLaunch : public std::enable_shared_from_this<GraphLaunch> {
 public:
  struct Setting {
    GraphLaunches* launches = nullptr;
    std::uint64_t number = 0;
    std::shared_ptr<GraphExec> exec = {};      // that the program knows; null: none
    std::shared_ptr<GraphLaunch> parent = {};  // which it keeps from its end; null: none
    std::shared_ptr<GraphLaunch> head = {};  // of a tail launch: the one whose tail launches it is among; null: itself
    std::uint32_t gpu = 0;
    std::uint64_t stream = 0;
  };
  explicit GraphLaunch(Setting setting);

  const Setting& setting() const { return setting_; }
  // What is to be done at its end; `work`: over then.
  void at_end(std::function<void(const WorkHandle& work)> function) { at_end_ = std::move(function); }
  void nodes_ended(const WorkHandle& work);
  void child_begins() { ++children_; }
  void child_ended(const WorkHandle& work);

  // What surrounds it, and whether kernels in there have launched graphs.
  GraphLaunch& outermost() { return setting_.parent == nullptr ? *this : setting_.parent->outermost(); }
  bool has_launched() const { return has_launched_; }
  void note_launch() { has_launched_ = true; }
  // A kernel of it launches a graph. Return whether that is within the limits.
  bool count_launch();
  bool add_tail(std::shared_ptr<GraphExec> exec);

 private:
  void finish_own(const WorkHandle& work);
  void take_tails(std::deque<std::shared_ptr<GraphExec>>& tails, const WorkHandle& work);
  void go_on();

  Setting setting_;
  std::function<void(const WorkHandle&)> at_end_;
  std::uint32_t children_ = 0;  // that are not over
  std::uint32_t launched_ = 0;
  bool has_launched_ = false;
  bool nodes_over_ = false;
  bool is_over_ = false;  // it, without its tail launches
  std::deque<std::shared_ptr<GraphExec>> tails_;
  // Of a head: a tail launch runs, go_on() runs, there is something new for it, the end of the latest work.
  bool tail_runs_ = false;
  bool active_ = false;
  bool again_ = false;
  WorkHandle latest_;
};

class GraphLaunches final : public KernelGraphs {
 public:
  // `context` outlives it.
  explicit GraphLaunches(Context& context) : context_(context) {}

  // By the host: submits the run of the exec after `before`. Returns what is over when all of it is. If kernels of it
  // launch no graphs, that is null, and `nodes` gets the ends of its nodes.
  WorkHandle launch(GraphExec& exec, const std::shared_ptr<GraphRun>& run, std::vector<Dependence> before,
                    std::vector<Dependence>& nodes);

  int launch(std::uint64_t graph_launch, std::uint64_t graph, GraphStream stream, double from_ns) override;
  int change(const DeviceNodeChange& change) override;

  // The only instance of a node that kernels may change.
  void add_instance(const DeviceNode* node, const std::shared_ptr<GraphExec>& exec, std::uint64_t original);
  bool has_instance(const DeviceNode* node) const;

  // Without time: what kernels have launched at once and what can run now.
  void run_waiting();

  // For GraphLaunch: runs the exec as a tail launch after `work`.
  void run_tail(const std::shared_ptr<GraphLaunch>& head, const std::shared_ptr<GraphExec>& exec,
                const WorkHandle& work);
  void forget(std::uint64_t number) { launches_.erase(number); }

 private:
  struct Instance {
    std::weak_ptr<GraphExec> exec;
    std::uint64_t original = 0;
  };
  std::shared_ptr<GraphLaunch> add(GraphLaunch::Setting setting);
  // A run of what was uploaded, by the device. Throws CallError.
  std::shared_ptr<GraphRun> prepare(const GraphExec& exec, const GraphLaunch::Setting& setting, double from_ns);
  void submit(const std::shared_ptr<GraphLaunch>& launch, const std::shared_ptr<GraphRun>& run,
              std::vector<Dependence> before);
  void watch_nodes(const std::shared_ptr<GraphLaunch>& launch, std::vector<Dependence> nodes, bool by_device);

  Context& context_;
  std::uint64_t next_ = 1;
  std::map<std::uint64_t, std::weak_ptr<GraphLaunch>> launches_;
  std::map<std::uint64_t, Instance> instances_;       // by handle
  std::deque<std::shared_ptr<GraphLaunch>> waiting_;  // without time
};

}  // namespace warpsim::cuda
