#include "device/device_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace warpsim {

namespace {

constexpr double kNeverNs = std::numeric_limits<double>::infinity();
constexpr double kLongestStepNs = 1e9;  // of the machine's time, which is an integer
constexpr double kLongestInterruptibleStepNs = 1e4;
constexpr double kNsPerUs = 1e3;

std::vector<WorkQueuesConfig> queues_of(const std::vector<const GpuConfig*>& configs) {
  std::vector<WorkQueuesConfig> queues;
  for (const GpuConfig* const config : configs) {
    const SpecificationsConfig& limits = config->specifications;
    queues.push_back({limits.resident_grids, limits.hardware_queues, limits.copy_engines, config->device_queues});
  }
  return queues;
}

}  // namespace

DeviceRun::DeviceRun(Machine& machine, std::vector<const GpuConfig*> configs, Hooks hooks, std::size_t most_waiting)
    : machine_(machine),
      configs_(std::move(configs)),
      hooks_(std::move(hooks)),
      most_waiting_(most_waiting),
      streams_(configs_.size()),
      queues_(queues_of(configs_)),
      engines_(configs_),
      shares_(configs_.size()) {}

// --- the host ---

double DeviceRun::cost_of(const Work& work) const {
  const HostCallsConfig& calls = config_of(work).host_calls;
  switch (work.kind) {
    case WorkKind::kKernel:
      return calls.launch_ns;
    case WorkKind::kToDevice:
    case WorkKind::kToHost:
      return calls.copy_ns;
    case WorkKind::kInDevice:
      return calls.device_copy_ns;
    case WorkKind::kToPeer:
      return calls.peer_copy_ns;
    case WorkKind::kFill:
      return work.bytes <= config_of(work).copies.small_fill_bytes ? calls.small_fill_ns : calls.fill_ns;
    case WorkKind::kMarker:
      return calls.event_ns;
    case WorkKind::kValueWait:
      return calls.stream_wait_ns;
    case WorkKind::kHostFunction:
      return calls.host_function_ns;
    case WorkKind::kMigration:
      return 0;  // a part of the work
    case WorkKind::kInstant:
      return calls.event_untimed_ns;
  }
  return 0;
}

WorkHandle DeviceRun::submit(Work work) {
  SIM_CHECK(!limited_, "work after a launch that reached the limit of cycles");
  if (work.place.in_graph) {
    return add(std::move(work));
  }
  host_ns_ += cost_of(work);
  const WorkPlace place = {.gpu = work.place.gpu, .stream = work.place.stream};
  Streams& streams = streams_[place.gpu];
  const bool is_migration = work.kind == WorkKind::kMigration;
  if (is_migration) {
    catch_up();
  }
  std::vector<Dependence> before = streams.dependences(place.stream);
  const bool by_host = is_migration && std::ranges::all_of(before, [](const auto& d) { return is_over(d.work); });
  if (work.programmatic) {
    streams.make_programmatic(place.stream, before);
  }
  work.place.after.insert(work.place.after.end(), before.begin(), before.end());
  work.place.priority = streams.priority(place.stream);
  WorkHandle state = add(std::move(work));
  enter(place, state);
  // Where the stream has nothing else to do, the driver migrates within the call.
  if (by_host && run_until([&] { return state->over; }, kNeverNs)) {
    host_ns_ = std::max(host_ns_, now_ns_);
  }
  return state;
}

WorkHandle DeviceRun::end_graph(Work work) {
  SIM_CHECK(!limited_, "work after a launch that reached the limit of cycles");
  const WorkPlace place = {.gpu = work.place.gpu, .stream = work.place.stream};
  work.place.in_graph = false;  // the graph takes space for one in the host's queue
  WorkHandle state = add(std::move(work));
  enter(place, state);
  return state;
}

// The host goes on when there is space for more work.
void DeviceRun::enter(const WorkPlace& place, const WorkHandle& state) {
  streams_[place.gpu].enter(place.stream, state);
  const auto has_space = [this] { return queues_.waiting() <= most_waiting_; };
  catch_up();
  if (!has_space() && run_until(has_space, kNeverNs)) {
    host_ns_ = std::max(host_ns_, now_ns_);
  }
}

WorkHandle DeviceRun::add(Work work) {
  const std::uint64_t number = ++added_;
  Active& active = active_[number];
  active.state = work.state != nullptr ? work.state : std::make_shared<WorkState>();
  active.state->kind = work.kind;
  active.state->gpu = work.place.gpu;
  const double device_ns = work.place.from_ns != 0 ? work.place.from_ns : now_ns_;
  active.state->submitted_ns = work.parent != nullptr ? work.launched_ns : work.place.by_device ? device_ns : host_ns_;
  active.work = std::move(work);
  queues_.add(number, active.work, active.state);
  return active.state;
}

WorkHandle DeviceRun::launch_from_kernel(Work work) {
  std::uint64_t number = 0;
  Active& parent = active_of(work.parent, &number);
  if (parent.body == nullptr) {
    parent.body = std::make_shared<WorkState>();
    parent.body->kind = WorkKind::kKernel;
    parent.body->gpu = parent.work.place.gpu;
  }
  if (work.is_tail) {
    work.place.after.push_back({parent.body, Dependence::Edge::kTail});
  }
  ++(work.is_tail ? parent.tails : parent.children);
  work.place.priority = parent.work.place.priority;
  work.place.gpu = parent.work.place.gpu;
  work.place.stream = parent.work.place.stream;
  WorkHandle state = add(std::move(work));
  active_.at(added_).parent = number;
  return state;
}

double DeviceRun::time_of(Cycle cycle, std::uint32_t gpu) const {
  return machine_ns_ + static_cast<double>(cycle) * kNsPerUs / configs_[gpu]->clocks.core_mhz;
}

void DeviceRun::catch_up() {
  run_until([] { return false; }, host_ns_);
}

void DeviceRun::wait_until(const std::function<bool()>& done, std::uint32_t gpu, bool continues) {
  const HostCallsConfig& calls = configs_[gpu]->host_calls;
  is_stuck_ = false;
  is_interrupted_ = false;
  catch_up();
  if (!continues && done()) {
    host_ns_ += calls.synchronize_ns;
    return;
  }
  const bool has_come = run_until([&] { return done() || (wanted_ && wanted_()); }, kNeverNs);
  if (has_come && !done()) {
    is_interrupted_ = true;
    host_ns_ = std::max(host_ns_, now_ns_);
    return;
  }
  is_stuck_ = !has_come && !limited_;
  SIM_CHECK(!is_stuck_ || queues_.has_value_waits(), "work waits for something that does not come");
  host_ns_ = std::max(host_ns_, now_ns_) + (is_stuck_ ? 0 : calls.wake_ns);
}

void DeviceRun::wait(const WorkHandle& work) {
  wait_until([&] { return work == nullptr ? queues_.empty() : work->over; }, work == nullptr ? 0 : work->gpu);
}

void DeviceRun::finish() {
  is_interrupted_ = false;
  is_stuck_ = !run_until([this] { return queues_.empty(); }, kNeverNs) && !limited_;
}

bool DeviceRun::only_waits() const {
  return queues_.has_value_waits() && machine_is_idle() && !engines_.next_end() && !queues_.next_time(now_ns_);
}

// --- the device ---

// Ends work of the engines that ends now. Returns whether there was any.
bool DeviceRun::end_timed() {
  const std::optional<EngineWork::Ended> ended = engines_.take_ended(now_ns_);
  if (ended) {
    share_links();
    end(ended->number, ended->end_ns);
  }
  return ended.has_value();
}

// Runs until done(), or to this time, at which work starts, too. Returns whether done() holds.
template <class Done>
bool DeviceRun::run_until(const Done& done, double until_ns) {
  while (!limited_) {
    serve_faults();
    while (end_timed()) {
    }
    while (const std::optional<std::uint64_t> number = queues_.ready(now_ns_)) {
      start(*number);
    }
    if (end_timed()) {
      continue;
    }
    if (done()) {
      return true;
    }
    const double next_ns =
        std::min({until_ns, queues_.next_time(now_ns_).value_or(kNeverNs), engines_.next_end().value_or(kNeverNs),
                  managed_ == nullptr ? kNeverNs : managed_->next_time().value_or(kNeverNs)});
    if (next_ns <= now_ns_ || (machine_is_idle() && next_ns == kNeverNs)) {
      return false;
    }
    if (machine_is_idle()) {
      now_ns_ = next_ns;
      continue;
    }
    // A launch that is over may end the wait of others before `next_ns`.
    // What a kernel launches cannot start before the end of such a step.
    const double launched_ns = launching_ == 0 ? kNeverNs : now_ns_ + launch_delay_ns();
    // Kernels write values that streams wait for.
    const double polled_ns = queues_.polls() ? now_ns_ + configs_.front()->device_queues.value_poll_ns : kNeverNs;
    const double stop_ns = std::min({next_ns, launched_ns, polled_ns});
    // Where a wait can be interrupted.
    const double looked_ns = wanted_ ? machine_ns_ + machine_.now_ns() + kLongestInterruptibleStepNs : kNeverNs;
    const double end_ns = std::min(stop_ns, looked_ns);
    const bool has_next = end_ns < kNeverNs;
    const double step_ns = has_next ? end_ns - machine_ns_ : machine_.now_ns() + kLongestStepNs;
    if (const std::optional<Machine::Event> event = machine_.run_until(step_ns)) {
      note(*event);
    } else if (has_next) {
      now_ns_ = end_ns;
    }
  }
  return false;
}

void DeviceRun::start(std::uint64_t number) {
  Active& active = active_.at(number);
  if (active.work.kind == WorkKind::kKernel) {
    start_kernel(number, active);
    return;
  }
  const double prepare_ns = active.work.prepare ? active.work.prepare() : 0;
  const bool beside = queues_.resident(active.work.place.gpu) != 0;
  if (std::unique_ptr<CopyGrid> grid = beside && prepare_ns == 0 ? grid_of(active.work, 0) : nullptr) {
    queues_.start(number, machine_.now_ns() + machine_ns_);
    run_grid(active, std::move(grid));
    return;
  }
  queues_.start(number, now_ns_);
  engines_.start(number, active.work, now_ns_, prepare_ns);
  if (!machine_is_idle()) {
    feed_copy(number, active);
    share_links();
  }
}

void DeviceRun::start_kernel(std::uint64_t number, Active& active) {
  KernelSource& kernel = *active.work.kernel;
  if (machine_is_idle()) {
    machine_.renew();  // if it is to be in its initial state
    machine_ns_ = now_ns_ - machine_.now_ns();
  }
  const LaunchHooks hooks = hooks_.begin ? hooks_.begin(kernel) : LaunchHooks{};
  GridOrder order;
  order.priority = active.work.place.priority;
  order.head_start_cycles =
      static_cast<std::uint32_t>(std::llround(queues_.head_start_ns(number, machine_.now_ns() + machine_ns_) *
                                              config_of(active.work).clocks.core_mhz / kNsPerUs));
  dependents_.start(number, queues_.dependences(number));
  order.waits = dependents_.waits(number);
  order.reports_begin = active.work.place.reports_begin;
  const double start_ns = machine_.now_ns() + machine_ns_;
  const std::uint32_t gpu = active.work.place.gpu;
  move_copies(gpu);
  active.id = machine_.submit(kernel, hooks, gpu, order);
  active.beside = queues_.resident(gpu);
  launching_ += active.work.launches ? 1 : 0;
  queues_.start(number, start_ns);
  feed_copies(gpu);
  share_links();
  for (auto& [other, beside] : active_) {
    const bool resident = beside.state->started && beside.work.kind == WorkKind::kKernel && !beside.vacated &&
                          beside.work.place.gpu == gpu;
    beside.beside += other != number && resident ? 1 : 0;
  }
  if (hooks_.submitted) {
    hooks_.submitted(kernel, machine_.stats(active.id));
  }
}

void DeviceRun::end_kernel(Machine::LaunchId id) {
  std::uint64_t number = 0;
  Active& active = running(id, number);
  if (active.grid != nullptr) {
    end_grid(number, active);
    return;
  }
  EndedLaunch done;
  done.result = machine_.wait(id);
  done.submitted_ns = active.state->submitted_ns;
  done.start_ns = active.state->start_ns;
  done.end_ns = done.start_ns + done.result.duration_ns;
  done.beside = active.beside;
  now_ns_ = std::max(now_ns_, done.end_ns);
  limited_ = done.result.status == LaunchResult::Status::kCycleLimit;
  hooks_.end(*active.work.kernel, done, machine_.stats(id));
  queues_.vacate(number);
  launching_ -= active.work.launches ? 1 : 0;
  active.vacated = true;
  active.vacated_ns = done.end_ns;
  complete(number);
}

// Ends a kernel if nothing is left of what it has launched, and of what it began before the end of.
void DeviceRun::complete(std::uint64_t number) {
  Active& active = active_.at(number);
  if (!active.vacated || active.children != 0) {
    return;
  }
  if (active.body != nullptr && !active.body->over) {
    active.body->over = true;
    active.body->end_ns = now_ns_;
  }
  if (active.tails == 0 && !dependents_.is_held(number)) {
    end(number, active.body == nullptr ? std::max(active.vacated_ns, active.free_ns) : now_ns_);
  }
}

void DeviceRun::end_of_child(const Active& child) {
  Active& parent = active_.at(child.parent);
  --(child.work.is_tail ? parent.tails : parent.children);
  complete(child.parent);
}

void DeviceRun::report(std::uint64_t number, const Active& active) const {
  const WorkState& state = *active.state;
  WorkRecord record;
  record.number = number;
  record.kind = name_of(active.work.kind);
  record.device = active.work.place.gpu;
  record.stream = active.work.place.stream;
  record.in_graph = active.work.place.in_graph;
  record.priority = active.work.place.priority;
  if (active.work.kernel != nullptr) {
    record.launch_index = active.work.kernel->launch().launch_index;
  }
  record.bytes = active.work.bytes;
  if (active.work.kind == WorkKind::kToPeer) {
    record.peer_device = active.work.peer.from == record.device ? active.work.peer.to : active.work.peer.from;
  }
  record.submitted_ns = state.submitted_ns;
  record.start_ns = state.start_ns;
  record.end_ns = active.vacated ? active.vacated_ns : state.end_ns;
  record.waited_for_work_ns = state.waited_for_work_ns;
  record.waited_for_queue_ns = state.waited_for_queue_ns;
  record.waited_for_place_ns = state.waited_for_place_ns;
  hooks_.work(record);
}

void DeviceRun::end(std::uint64_t number, double end_ns) {
  const Active active = std::move(active_.at(number));
  active_.erase(number);
  queues_.end(number, end_ns);
  if (hooks_.work && active.work.kind != WorkKind::kInstant) {
    report(number, active);
  }
  if (active.work.effect) {
    active.work.effect();
  }
  if (active.parent != 0) {
    end_of_child(active);
  }
  if (active.work.kind == WorkKind::kKernel) {
    end_dependences(active.state);
  }
}

}  // namespace warpsim
