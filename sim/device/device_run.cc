#include "device/device_run.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/check.h"

namespace warpsim {

namespace {

constexpr double kNeverNs = std::numeric_limits<double>::infinity();
constexpr double kLongestStepNs = 1e9;  // of the machine's time, which is an integer
constexpr double kNsPerUs = 1e3;

double ns_of(std::uint64_t bytes, double gb_per_s) {
  return static_cast<double>(bytes) / gb_per_s;
}

WorkQueuesConfig queues_of(const GpuConfig& config) {
  const SpecificationsConfig& limits = config.specifications;
  return {limits.resident_grids, limits.hardware_queues, limits.copy_engines, config.device_queues};
}

}  // namespace

DeviceRun::DeviceRun(Machine& machine, const GpuConfig& config, Hooks hooks, std::size_t most_waiting)
    : machine_(machine),
      config_(config),
      hooks_(std::move(hooks)),
      most_waiting_(most_waiting),
      queues_(queues_of(config)),
      engines_(config.copies) {}

// --- the host ---

double DeviceRun::cost_of(const Work& work) const {
  const HostCallsConfig& calls = config_.host_calls;
  switch (work.kind) {
    case WorkKind::kKernel:
      return calls.launch_ns;
    case WorkKind::kToDevice:
    case WorkKind::kToHost:
      return calls.copy_ns;
    case WorkKind::kInDevice:
      return calls.device_copy_ns;
    case WorkKind::kFill:
      return work.bytes <= config_.copies.small_fill_bytes ? calls.small_fill_ns : calls.fill_ns;
    case WorkKind::kMarker:
      return calls.event_ns;
    case WorkKind::kValueWait:
      return calls.stream_wait_ns;
    case WorkKind::kHostFunction:
      return calls.host_function_ns;
    case WorkKind::kInstant:
      return calls.event_untimed_ns;
  }
  return 0;
}

double DeviceRun::duration_of(const Work& work) const {
  const CopiesConfig& copies = config_.copies;
  switch (work.kind) {
    case WorkKind::kInDevice:
      return copies.in_device_ns + ns_of(work.bytes, copies.in_device_gb_per_s);
    case WorkKind::kFill:
      return work.bytes <= copies.small_fill_bytes ? copies.small_fill_ns
                                                   : copies.fill_ns + ns_of(work.bytes, copies.fill_gb_per_s);
    case WorkKind::kMarker:
      return config_.device_queues.marker_ns;
    case WorkKind::kHostFunction:
      return config_.device_queues.host_function_ns;
    default:
      return 0;
  }
}

WorkHandle DeviceRun::submit(Work work) {
  SIM_CHECK(!limited_, "work after a launch that reached the limit of cycles");
  if (work.place.in_graph) {
    return add(std::move(work));
  }
  host_ns_ += cost_of(work);
  const std::uint64_t stream = work.place.stream;
  std::vector<Dependence> before = streams_.dependences(stream);
  if (work.programmatic) {
    streams_.make_programmatic(stream, before);
  }
  work.place.after.insert(work.place.after.end(), before.begin(), before.end());
  work.place.priority = streams_.priority(stream);
  WorkHandle state = add(std::move(work));
  enter(stream, state);
  return state;
}

WorkHandle DeviceRun::end_graph(Work work) {
  SIM_CHECK(!limited_, "work after a launch that reached the limit of cycles");
  const std::uint64_t stream = work.place.stream;
  work.place.in_graph = false;  // the graph takes space for one in the host's queue
  WorkHandle state = add(std::move(work));
  enter(stream, state);
  return state;
}

// The host goes on when there is space for more work.
void DeviceRun::enter(std::uint64_t stream, const WorkHandle& state) {
  streams_.enter(stream, state);
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
  active.state->submitted_ns = work.parent != nullptr ? work.launched_ns : work.place.by_device ? now_ns_ : host_ns_;
  active.work = std::move(work);
  queues_.add(number, active.work, active.state);
  return active.state;
}

WorkHandle DeviceRun::launch_from_kernel(Work work) {
  const auto found =
      std::ranges::find_if(active_, [&](const auto& entry) { return entry.second.state == work.parent; });
  SIM_CHECK(found != active_.end(), "a kernel that is over launches work");
  Active& parent = found->second;
  if (parent.body == nullptr) {
    parent.body = std::make_shared<WorkState>();
    parent.body->kind = WorkKind::kKernel;
  }
  if (work.is_tail) {
    work.place.after.push_back({parent.body, Dependence::Edge::kTail});
  }
  ++(work.is_tail ? parent.tails : parent.children);
  work.place.priority = parent.work.place.priority;
  work.place.stream = parent.work.place.stream;
  const std::uint64_t number = found->first;
  WorkHandle state = add(std::move(work));
  active_.at(added_).parent = number;
  return state;
}

double DeviceRun::time_of(Cycle cycle) const {
  return machine_ns_ + static_cast<double>(cycle) * kNsPerUs / config_.clocks.core_mhz;
}

void DeviceRun::catch_up() {
  run_until([] { return false; }, host_ns_);
}

template <class Done>
void DeviceRun::wait_until(const Done& done) {
  is_stuck_ = false;
  catch_up();
  if (done()) {
    host_ns_ += config_.host_calls.synchronize_ns;
    return;
  }
  is_stuck_ = !run_until(done, kNeverNs) && !limited_;
  SIM_CHECK(!is_stuck_ || queues_.has_value_waits(), "work waits for something that does not come");
  host_ns_ = std::max(host_ns_, now_ns_) + (is_stuck_ ? 0 : config_.host_calls.wake_ns);
}

void DeviceRun::wait(const WorkHandle& work) {
  wait_until([&] { return work == nullptr ? queues_.empty() : work->over; });
}

void DeviceRun::wait_for_stream(std::uint64_t stream) {
  const std::vector<Dependence> before = streams_.dependences(stream);
  wait_until([&] { return std::ranges::all_of(before, [](const Dependence& d) { return is_over(d.work); }); });
}

void DeviceRun::finish() {
  is_stuck_ = !run_until([this] { return queues_.empty(); }, kNeverNs) && !limited_;
}

// --- the device ---

std::optional<double> DeviceRun::next_timed_end() const {
  std::optional<double> next = engines_.next_end();
  if (!timed_.empty()) {
    const double end_ns = timed_.begin()->first;
    next = std::min(next.value_or(end_ns), end_ns);
  }
  return next;
}

// Ends work of known duration that ends now. Returns whether there was any.
bool DeviceRun::end_timed() {
  if (!timed_.empty() && timed_.begin()->first <= now_ns_) {
    const auto [end_ns, number] = *timed_.begin();
    timed_.erase(timed_.begin());
    end(number, end_ns);
    return true;
  }
  if (engines_.next_end().value_or(kNeverNs) <= now_ns_) {
    if (const std::optional<std::uint64_t> copy = engines_.take_ended(now_ns_)) {
      end(*copy, now_ns_);
      return true;
    }
  }
  return false;
}

// Runs until done(), or to this time, at which work starts, too. Returns whether done() holds.
template <class Done>
bool DeviceRun::run_until(const Done& done, double until_ns) {
  while (!limited_) {
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
        std::min({until_ns, queues_.next_time(now_ns_).value_or(kNeverNs), next_timed_end().value_or(kNeverNs)});
    if (next_ns <= now_ns_ || (queues_.resident() == 0 && next_ns == kNeverNs)) {
      return false;
    }
    if (queues_.resident() == 0) {
      now_ns_ = next_ns;
      continue;
    }
    // A launch that is over may end the wait of others before `next_ns`.
    // What a kernel launches cannot start before the end of such a step.
    const double launched_ns = launching_ == 0 ? kNeverNs : now_ns_ + config_.device_queues.device_launch_ns;
    // Kernels write values that streams wait for.
    const double polled_ns = queues_.polls() ? now_ns_ + config_.device_queues.value_poll_ns : kNeverNs;
    const double stop_ns = std::min({next_ns, launched_ns, polled_ns});
    const bool has_next = stop_ns < kNeverNs;
    const double step_ns = has_next ? stop_ns - machine_ns_ : machine_.now_ns() + kLongestStepNs;
    if (const std::optional<Machine::Event> event = machine_.run_until(step_ns)) {
      note(*event);
    } else if (has_next) {
      now_ns_ = stop_ns;
    }
  }
  return false;
}

void DeviceRun::start(std::uint64_t number) {
  Active& active = active_.at(number);
  switch (active.work.kind) {
    case WorkKind::kKernel:
      start_kernel(number, active);
      return;
    case WorkKind::kToDevice:
    case WorkKind::kToHost:
      queues_.start(number, now_ns_);
      engines_.start(
          active.work.kind == WorkKind::kToDevice ? CopyEngines::Direction::kToDevice : CopyEngines::Direction::kToHost,
          number, active.work.bytes, now_ns_);
      return;
    default:
      queues_.start(number, now_ns_);
      timed_.emplace(now_ns_ + duration_of(active.work), number);
  }
}

void DeviceRun::start_kernel(std::uint64_t number, Active& active) {
  KernelSource& kernel = *active.work.kernel;
  if (queues_.resident() == 0) {
    machine_.renew();  // if it is to be in its initial state
    machine_ns_ = now_ns_ - machine_.now_ns();
  }
  const LaunchHooks hooks = hooks_.begin ? hooks_.begin(kernel) : LaunchHooks{};
  GridOrder order;
  order.priority = active.work.place.priority;
  order.head_start_cycles = static_cast<std::uint32_t>(std::llround(
      queues_.head_start_ns(number, machine_.now_ns() + machine_ns_) * config_.clocks.core_mhz / kNsPerUs));
  dependents_.start(number, queues_.dependences(number));
  order.waits = dependents_.waits(number);
  order.reports_begin = active.work.place.reports_begin;
  const double start_ns = machine_.now_ns() + machine_ns_;
  active.id = machine_.submit(kernel, hooks, 0, order);
  active.beside = queues_.resident();
  launching_ += active.work.launches ? 1 : 0;
  queues_.start(number, start_ns);
  for (auto& [other, beside] : active_) {
    const bool resident = beside.state->started && beside.work.kind == WorkKind::kKernel && !beside.vacated;
    beside.beside += other != number && resident ? 1 : 0;
  }
  if (hooks_.submitted) {
    hooks_.submitted(kernel, machine_.stats(active.id));
  }
}

void DeviceRun::end_kernel(Machine::LaunchId id) {
  std::uint64_t number = 0;
  Active& active = running(id, number);
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
  record.stream = active.work.place.stream;
  record.in_graph = active.work.place.in_graph;
  record.priority = active.work.place.priority;
  if (active.work.kernel != nullptr) {
    record.launch_index = active.work.kernel->launch().launch_index;
  }
  record.bytes = active.work.bytes;
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
