#include "device/work_queues.h"

#include <algorithm>

#include "base/check.h"

namespace warpsim {

namespace {

// Kernels on the machine with those that wait for what they have launched: it has seats for more.
constexpr std::uint32_t kMostOnMachine = 192;

bool is_copy(WorkKind kind) {
  return kind == WorkKind::kToDevice || kind == WorkKind::kToHost;
}

bool is_kernel_like(WorkKind kind) {
  return kind == WorkKind::kKernel || kind == WorkKind::kInDevice || kind == WorkKind::kFill;
}

// When a kernel may begin that depends on another one in this way, before that one is over.
const EarlyTime* early_time(const Dependence& dependence) {
  if (!is_early(dependence.edge)) {
    return nullptr;
  }
  const bool at_trigger = dependence.edge == Dependence::Edge::kProgrammatic;
  const EarlyTime& time = at_trigger ? dependence.work->triggered : dependence.work->begun;
  return time.known ? &time : nullptr;
}

bool may_pass(const Dependence& dependence) {
  return dependence.work->over || early_time(dependence) != nullptr;
}

bool is_branch(const Dependence& dependence) {
  return dependence.edge == Dependence::Edge::kGraphBranch;
}

}  // namespace

WorkQueues::WorkQueues(const std::vector<WorkQueuesConfig>& gpus) {
  for (const WorkQueuesConfig& config : gpus) {
    gpus_.push_back({config});
  }
}

bool WorkQueues::empty(std::uint32_t gpu) const {
  return std::ranges::none_of(entries_, [gpu](const auto& entry) { return entry.second.gpu == gpu; });
}

std::uint32_t WorkQueues::resident() const {
  std::uint32_t all = 0;
  for (const Gpu& gpu : gpus_) {
    all += gpu.resident;
  }
  return all;
}

// Copies have channels of their own, one for each stream, so that they hold up nothing else, unless there is only one.
std::optional<std::uint32_t> WorkQueues::queue_of(const Work& work) {
  if (work.place.in_graph || work.parent != nullptr || work.kind == WorkKind::kInstant ||
      work.kind == WorkKind::kHostFunction || work.kind == WorkKind::kToPeer) {
    return std::nullopt;
  }
  Gpu& gpu = gpus_[work.place.gpu];
  const std::uint32_t queues = gpu.config.hardware_queues;
  if (is_copy(work.kind)) {
    const std::uint32_t engine = work.kind == WorkKind::kToDevice ? 0 : 1;
    return queues == 1 ? std::optional(queues + engine) : std::nullopt;
  }
  const auto [queue, is_new] =
      gpu.queues_of_streams.try_emplace(work.place.stream, static_cast<std::uint32_t>(gpu.queues_of_streams.size()));
  return queue->second % queues;
}

void WorkQueues::add(std::uint64_t number, const Work& work, const WorkHandle& state) {
  SIM_CHECK(entries_.empty() || entries_.rbegin()->first < number, "work is added in another order");
  Entry& entry = entries_[number];
  entry.state = state;
  entry.after = work.place.after;
  std::erase_if(entry.after, [](const Dependence& dependence) { return dependence.work == nullptr; });
  entry.gpu = work.place.gpu;
  entry.peer = work.peer;
  for (Dependence& dependence : entry.after) {  // only kernels begin before the end of others
    const bool early = is_early(dependence.edge) && work.kind == WorkKind::kKernel;
    dependence.edge = is_early(dependence.edge) && !early ? Dependence::Edge::kStream : dependence.edge;
  }
  entry.priority = work.place.priority;
  entry.cooperative = work.cooperative;
  entry.passes = work.passes;
  value_waits_ += entry.passes ? 1 : 0;
  entry.in_graph = work.place.in_graph;
  entry.launched = work.parent != nullptr;
  entry.queue = queue_of(work);
  numbers_[state.get()] = number;
  if (entry.queue) {
    gpu_of(entry).queues[*entry.queue].push_back(number);
  } else {
    free_or_park(number);
  }
  waiting_ += entry.in_graph || entry.launched ? 0 : 1;
}

// A dependent launch may start before the end of what it waits for.
void WorkQueues::free_or_park(std::uint64_t number) {
  for (const Dependence& dependence : entries_.at(number).after) {
    const auto found = numbers_.find(dependence.work.get());
    if (found != numbers_.end() && !is_early(dependence.edge)) {
      parked_[found->second].push_back(number);
      return;
    }
  }
  free_.insert(number);
}

// What lies between the end of the work before it and its start.
double WorkQueues::after_edge(const Entry& entry, const Dependence& dependence) const {
  if (const EarlyTime* const early = early_time(dependence)) {
    return early->noticed_ns;
  }
  const DeviceQueuesConfig& device = gpu_of(entry).config.device;
  const bool switches =
      (is_copy(entry.state->kind) && is_kernel_like(dependence.work->kind)) ||
      (is_kernel_like(entry.state->kind) && is_copy(dependence.work->kind)) ||
      (is_copy(entry.state->kind) && is_copy(dependence.work->kind) && entry.state->kind != dependence.work->kind);
  const double switch_ns = entry.in_graph ? device.graph_engine_switch_ns : device.engine_switch_ns;
  const double launched_ns = entry.in_graph ? device.graph_tail_ns : device.device_tail_ns;
  const double tail_ns = dependence.edge == Dependence::Edge::kTail ? launched_ns : 0;
  const double signal_ns = dependence.work->gpu == entry.gpu ? 0 : device.peer_signal_ns;
  return dependence.work->end_ns + (switches ? switch_ns : 0) + tail_ns + signal_ns;
}

bool WorkQueues::has_place(const Entry& entry) const {
  const Gpu& gpu = gpu_of(entry);
  const WorkQueuesConfig& config = gpu.config;
  const std::uint32_t copies = gpu.to_device + gpu.to_host;
  if (entry.state->kind == WorkKind::kKernel) {
    return gpu.resident - gpu.awaiting < config.resident_grids && gpu.resident < kMostOnMachine &&
           !(entry.cooperative && gpu.cooperative != 0) && !(config.copy_engines == 0 && copies != 0);
  }
  if (entry.state->kind == WorkKind::kToPeer) {
    return !gpus_[entry.peer.from].sends_to.contains(entry.peer.to);
  }
  if (!is_copy(entry.state->kind)) {
    return true;
  }
  if (config.copy_engines <= 1) {
    return copies == 0 && (config.copy_engines == 1 || gpu.resident == 0);
  }
  return (entry.state->kind == WorkKind::kToDevice ? gpu.to_device : gpu.to_host) == 0;
}

std::optional<double> WorkQueues::time_of(const Entry& entry) const {
  const bool waits = !std::ranges::all_of(entry.after, may_pass);
  if (waits || !has_place(entry) || (entry.passes && !entry.passes())) {
    return std::nullopt;
  }
  return order_ns(entry);
}

double WorkQueues::order_ns(const Entry& entry) const {
  const Gpu& gpu = gpu_of(entry);
  double at_ns = std::max(entry.state->submitted_ns, entry.launched ? gpu.next_launched_ns : 0);
  for (const Dependence& dependence : entry.after) {
    at_ns = std::max(at_ns, after_edge(entry, dependence));
    at_ns = is_branch(dependence) ? std::max(at_ns, gpu.next_node_ns) : at_ns;
  }
  return at_ns;
}

template <class Visit>
void WorkQueues::visit_heads(const Visit& visit) const {
  for (const Gpu& gpu : gpus_) {
    for (const auto& [queue, numbers] : gpu.queues) {
      if (!numbers.empty()) {
        visit(numbers.front(), entries_.at(numbers.front()));
      }
    }
  }
  for (const std::uint64_t number : free_) {
    visit(number, entries_.at(number));
  }
}

bool WorkQueues::polls() const {
  bool any = false;
  if (value_waits_ != 0) {
    visit_heads([&any](std::uint64_t, const Entry& entry) {
      any = any || (entry.passes && std::ranges::all_of(entry.after, may_pass));
    });
  }
  return any;
}

std::optional<std::uint64_t> WorkQueues::ready(double now_ns) {
  std::optional<std::uint64_t> first;
  std::int32_t first_priority = 0;
  visit_heads([&](std::uint64_t number, const Entry& entry) {
    if (time_of(entry).value_or(now_ns + 1) > now_ns) {
      return;
    }
    if (!first || entry.priority < first_priority || (entry.priority == first_priority && number < *first)) {
      first = number;
      first_priority = entry.priority;
    }
  });
  return first;
}

std::optional<double> WorkQueues::next_time(double now_ns) const {
  std::optional<double> next;
  visit_heads([&](std::uint64_t, const Entry& entry) {
    const std::optional<double> at_ns = time_of(entry);
    if (at_ns && *at_ns > now_ns) {
      next = std::min(next.value_or(*at_ns), *at_ns);
    }
  });
  return next;
}

double WorkQueues::head_start_ns(std::uint64_t number, double start_ns) const {
  const Entry& entry = entries_.at(number);
  // Only what is queued behind its predecessor alone is prepared before that one ends.
  if (entry.after.size() != 1 || entry.after.front().work->kind != WorkKind::kKernel) {
    return 0;
  }
  switch (entry.after.front().edge) {
    case Dependence::Edge::kGraph:
      return gpu_of(entry).config.device.graph_head_start_ns;
    case Dependence::Edge::kProgrammatic:
    case Dependence::Edge::kProgrammaticBegin:
    case Dependence::Edge::kBegin:
      return early_head_start_ns(entry, start_ns);
    case Dependence::Edge::kStream:
    case Dependence::Edge::kGraphBranch:
    case Dependence::Edge::kTail:
      return 0;
  }
  return 0;
}

// What happens between the report of the kernel before it and its start counts, and nothing before its submission.
double WorkQueues::early_head_start_ns(const Entry& entry, double start_ns) const {
  const EarlyTime* const early = early_time(entry.after.front());
  if (early == nullptr) {
    return 0;
  }
  return std::min(gpu_of(entry).config.device.programmatic_head_start_ns + start_ns - early->at_ns,
                  start_ns - entry.state->submitted_ns);
}

void WorkQueues::start(std::uint64_t number, double now_ns) {
  Entry& entry = entries_.at(number);
  Gpu& gpu = gpu_of(entry);
  entry.state->started = true;
  value_waits_ -= entry.passes ? 1 : 0;
  entry.state->start_ns = now_ns;
  const double order = std::min(order_ns(entry), now_ns);
  const double head = std::min(std::max(order, entry.head_since_ns), now_ns);
  entry.state->waited_for_work_ns = order - entry.state->submitted_ns;
  entry.state->waited_for_queue_ns = head - order;
  entry.state->waited_for_place_ns = now_ns - head;
  if (entry.queue) {
    std::deque<std::uint64_t>& queue = gpu.queues[*entry.queue];
    SIM_CHECK(queue.front() == number, "work starts that is not at the head of its queue");
    queue.pop_front();
    if (!queue.empty()) {
      entries_.at(queue.front()).head_since_ns = now_ns;
    }
  } else {
    free_.erase(number);
  }
  if (std::ranges::any_of(entry.after, is_branch)) {
    gpu.next_node_ns = now_ns + gpu.config.device.graph_interval_ns;
  }
  if (entry.launched) {
    gpu.next_launched_ns = now_ns + gpu.config.device.device_launch_interval_ns;
  }
  waiting_ -= entry.in_graph || entry.launched ? 0 : 1;
  gpu.resident += entry.state->kind == WorkKind::kKernel ? 1 : 0;
  gpu.cooperative += entry.cooperative ? 1 : 0;
  if (entry.state->kind == WorkKind::kToPeer) {
    gpus_[entry.peer.from].sends_to.insert(entry.peer.to);
  }
  count_copy(gpu, entry, true);
}

void WorkQueues::count_copy(Gpu& gpu, const Entry& entry, bool starts) {
  const std::uint32_t change = starts ? 1 : ~std::uint32_t{0};
  gpu.to_device += entry.state->kind == WorkKind::kToDevice ? change : 0;
  gpu.to_host += entry.state->kind == WorkKind::kToHost ? change : 0;
}

void WorkQueues::vacate(std::uint64_t number) {
  Entry& entry = entries_.at(number);
  if (entry.state->kind == WorkKind::kKernel && !entry.vacated) {
    --gpu_of(entry).resident;
    gpu_of(entry).cooperative -= entry.cooperative ? 1 : 0;
    entry.vacated = true;
  }
}

void WorkQueues::end(std::uint64_t number, double now_ns) {
  const Entry& entry = entries_.at(number);
  SIM_CHECK(entry.state->started, "work ends before it starts");
  vacate(number);
  entry.state->end_ns = now_ns;
  entry.state->over = true;
  count_copy(gpu_of(entry), entry, false);
  if (entry.state->kind == WorkKind::kToPeer) {
    gpus_[entry.peer.from].sends_to.erase(entry.peer.to);
  }
  numbers_.erase(entry.state.get());
  entries_.erase(number);
  if (const auto parked = parked_.extract(number)) {
    for (const std::uint64_t waiting : parked.mapped()) {
      free_or_park(waiting);
    }
  }
}

}  // namespace warpsim
