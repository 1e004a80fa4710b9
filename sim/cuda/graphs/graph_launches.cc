#include "cuda/graphs/graph_launches.h"

#include <algorithm>
#include <utility>

#include "cuda/context.h"
#include "cuda/graphs/graph_run.h"
#include "cuda/graphs/graph_state.h"

namespace warpsim::cuda {

namespace {

// CUDA C++ programming guide, "Fire and Forget Launch", "Tail Launch".
constexpr std::uint32_t kMostLaunches = 120;
constexpr std::size_t kMostTails = 255;

// As kernels know it.
std::uint64_t handle_of(const void* object) {
  return reinterpret_cast<std::uintptr_t>(object);
}

}  // namespace

// --- one launch ---

GraphLaunch::GraphLaunch(Setting setting) : setting_(std::move(setting)) {
  if (setting_.exec != nullptr) {
    ++setting_.exec->runs;
  }
}

void GraphLaunch::nodes_ended(const WorkHandle& work) {
  nodes_over_ = true;
  finish_own(work);
}

void GraphLaunch::child_ended(const WorkHandle& work) {
  --children_;
  finish_own(work);
}

bool GraphLaunch::count_launch() {
  if (launched_ == kMostLaunches) {
    return false;
  }
  ++launched_;
  return true;
}

bool GraphLaunch::add_tail(std::shared_ptr<GraphExec> exec) {
  if (tails_.size() >= kMostTails) {
    return false;
  }
  exec->is_pending = true;
  tails_.push_back(std::move(exec));
  return true;
}

// Tail launches come when everything else is over.
void GraphLaunch::finish_own(const WorkHandle& work) {
  if (!nodes_over_ || children_ != 0 || is_over_) {
    return;
  }
  is_over_ = true;
  if (setting_.exec != nullptr) {
    --setting_.exec->runs;
  }
  const auto self = shared_from_this();
  if (setting_.head != nullptr) {
    setting_.launches->forget(setting_.number);
    setting_.head->take_tails(tails_, work);
    return;
  }
  latest_ = work;
  go_on();
}

void GraphLaunch::take_tails(std::deque<std::shared_ptr<GraphExec>>& tails, const WorkHandle& work) {
  tails_.insert(tails_.begin(), tails.begin(), tails.end());
  tails.clear();
  tail_runs_ = false;
  latest_ = work;
  go_on();
}

// A tail launch may be over when run_tail() returns: the loop goes on here, so that calls do not nest.
void GraphLaunch::go_on() {
  again_ = true;
  if (active_) {
    return;
  }
  active_ = true;
  while (std::exchange(again_, false)) {
    if (tail_runs_) {
      break;
    }
    if (!tails_.empty()) {
      const std::shared_ptr<GraphExec> next = std::move(tails_.front());
      tails_.pop_front();
      next->is_pending = false;
      tail_runs_ = true;
      setting_.launches->run_tail(shared_from_this(), next, latest_);
      continue;
    }
    setting_.launches->forget(setting_.number);
    if (at_end_) {
      std::exchange(at_end_, nullptr)(latest_);
    }
    if (setting_.parent != nullptr) {
      setting_.parent->child_ended(latest_);
    }
  }
  active_ = false;
}

// --- all launches ---

std::shared_ptr<GraphLaunch> GraphLaunches::add(GraphLaunch::Setting setting) {
  setting.launches = this;
  setting.number = next_++;
  if (setting.parent != nullptr && setting.head == nullptr) {
    setting.parent->child_begins();
  }
  auto launch = std::make_shared<GraphLaunch>(std::move(setting));
  launches_[launch->setting().number] = launch;
  return launch;
}

WorkHandle GraphLaunches::launch(GraphExec& exec, const std::shared_ptr<GraphRun>& run, std::vector<Dependence> before,
                                 std::vector<Dependence>& nodes) {
  const GraphRun::Setting& stream = run->setting();
  if (exec.is_for_device()) {
    exec.upload();
  } else if (!run->launches_graphs()) {
    nodes = run->submit(std::move(before));
    return nullptr;
  }
  const auto around = add({.gpu = stream.gpu, .stream = stream.stream});
  const auto own = add({.exec = exec.shared_from_this(), .parent = around, .gpu = stream.gpu, .stream = stream.stream});
  auto end = std::make_shared<WorkState>();
  end->gpu = stream.gpu;
  const double return_ns = context_.device(stream.gpu).config().device_queues.graph_return_ns;
  around->at_end([end, return_ns, launch = around.get()](const WorkHandle& work) {
    const double end_ns = (work == nullptr ? 0 : work->end_ns) + (launch->has_launched() ? return_ns : 0);
    end_by_hand(*end, end_ns, end_ns);
  });
  run->identify(own->setting().number, exec.is_for_device() ? handle_of(&exec) : 0);
  watch_nodes(own, run->submit(std::move(before)), false);
  around->nodes_ended(nullptr);
  return end;
}

std::shared_ptr<GraphRun> GraphLaunches::prepare(const GraphExec& exec, const GraphLaunch::Setting& setting,
                                                 double from_ns) {
  return std::make_shared<GraphRun>(
      context_, *exec.uploaded(),
      GraphRun::Setting{.gpu = setting.gpu, .stream = setting.stream, .by_device = true, .from_ns = from_ns});
}

void GraphLaunches::submit(const std::shared_ptr<GraphLaunch>& launch, const std::shared_ptr<GraphRun>& run,
                           std::vector<Dependence> before) {
  run->identify(launch->setting().number, handle_of(launch->setting().exec.get()));
  watch_nodes(launch, run->submit(std::move(before)), true);
}

void GraphLaunches::watch_nodes(const std::shared_ptr<GraphLaunch>& launch, std::vector<Dependence> nodes,
                                bool by_device) {
  WorkPlace place;
  place.gpu = launch->setting().gpu;
  place.stream = launch->setting().stream;
  place.in_graph = true;
  place.by_device = by_device;
  place.after = std::move(nodes);
  Work work;
  work.state = std::make_shared<WorkState>();
  work.place = std::move(place);
  work.effect = [launch, ended = work.state] { launch->nodes_ended(ended); };
  context_.device(launch->setting().gpu).queue().submit(std::move(work));
}

void GraphLaunches::run_tail(const std::shared_ptr<GraphLaunch>& head, const std::shared_ptr<GraphExec>& exec,
                             const WorkHandle& work) {
  const GraphLaunch::Setting& setting = head->setting();
  const auto launch =
      add({.exec = exec, .parent = setting.parent, .head = head, .gpu = setting.gpu, .stream = setting.stream});
  submit(launch, prepare(*exec, setting, 0), {{work, Dependence::Edge::kTail}});
}

int GraphLaunches::launch(std::uint64_t graph_launch, std::uint64_t graph, GraphStream stream, double from_ns) {
  const auto launching = launches_.find(graph_launch);
  const std::shared_ptr<GraphLaunch> from = launching == launches_.end() ? nullptr : launching->second.lock();
  const auto& execs = context_.graphs().execs;
  const auto found =
      std::ranges::find_if(execs, [graph](const auto& entry) { return handle_of(entry.first) == graph; });
  if (from == nullptr || found == execs.end() || !found->second->is_for_device() ||
      found->second->uploaded() == nullptr || found->second->is_pending) {
    return kInvalidValue;
  }
  const std::shared_ptr<GraphExec>& exec = found->second;
  const bool itself = stream == GraphStream::kTail && exec == from->setting().exec;
  if (exec->runs > (itself ? 1 : 0)) {
    return kInvalidValue;
  }
  const GraphLaunch::Setting& setting = from->setting();
  const bool at_once = stream != GraphStream::kTail && context_.device(setting.gpu).queue().holds_waits();
  std::shared_ptr<GraphRun> run;
  try {
    run = at_once ? prepare(*exec, setting, from_ns) : nullptr;
  } catch (const CallError& error) {  // memory or a module that it names is gone
    return error.code();
  }
  if (!(stream == GraphStream::kTail ? from->add_tail(exec) : from->count_launch())) {
    return kInvalidValue;
  }
  from->outermost().note_launch();
  if (stream == GraphStream::kTail) {
    return kSuccess;
  }
  const auto launch = add({.exec = exec,
                           .parent = stream == GraphStream::kSibling ? setting.parent : from,
                           .gpu = setting.gpu,
                           .stream = setting.stream});
  if (at_once) {
    submit(launch, run, {});
  } else {
    waiting_.push_back(launch);
  }
  return kSuccess;
}

void GraphLaunches::run_waiting() {
  while (!waiting_.empty()) {
    const std::shared_ptr<GraphLaunch> launch = std::move(waiting_.front());
    waiting_.pop_front();
    submit(launch, prepare(*launch->setting().exec, launch->setting(), 0), {});
  }
}

// --- nodes that kernels change ---

void GraphLaunches::add_instance(const DeviceNode* node, const std::shared_ptr<GraphExec>& exec,
                                 std::uint64_t original) {
  instances_[handle_of(node)] = {exec, original};
}

bool GraphLaunches::has_instance(const DeviceNode* node) const {
  const auto found = instances_.find(handle_of(node));
  return found != instances_.end() && !found->second.exec.expired();
}

int GraphLaunches::change(const DeviceNodeChange& change) {
  const auto found = instances_.find(change.node);
  const std::shared_ptr<GraphExec> exec = found == instances_.end() ? nullptr : found->second.exec.lock();
  return exec != nullptr && exec->change(found->second.original, change) ? kSuccess : kInvalidValue;
}

}  // namespace warpsim::cuda
