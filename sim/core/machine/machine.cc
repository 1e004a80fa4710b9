#include "core/machine/machine.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/host_float_state.h"
#include "core/gpu/gpu.h"
#include "core/machine/gpu_set.h"
#include "core/machine/launch_run.h"
#include "core/machine/launch_windows.h"
#include "core/machine/machine_impl.h"
#include "core/machine/timeline_watch.h"

namespace warpsim {

Machine::Impl::Impl(const std::vector<GpuConfig>& configs, const MachineOptions& options, WorkerPool& pool)
    : options_(options),
      system_({options.skip, options.shuffle}, pool),
      windows_(system_, options.threads),
      gpus_(system_, configs, options),
      next_start_(configs.size(), 0) {}

// --- time ---

// Runs to the next instant at which something is to be observed, or to `limit`. Returns whether all parts are at
// `limit`.
bool Machine::Impl::step(TimeFs limit) {
  const HostFloatState float_state;
  level_.reset();
  TimeFs next = limit;
  for (const auto& entry : active_) {
    next = std::min({next, entry->run->next_stop(), entry->timeline != nullptr ? entry->timeline->next_stop() : next});
  }
  const Engine::Outcome outcome = system_.run(next);
  if (outcome == Engine::Outcome::kStopped) {
    advance();
    return false;
  }
  const auto awaits_writes = [](const auto& entry) { return entry->run->awaits_writes(); };
  const auto has_blocks = [](const auto& entry) { return entry->run->has_blocks(); };
  const auto awaits_itself = [](const auto& entry) {
    return entry->run->has_blocks() && !entry->run->awaits_launches();
  };
  // What waits for pages goes on when the driver has moved them.
  if (gpus_.wait_for_pages()) {
    SIM_CHECK(outcome != Engine::Outcome::kNothingDue || next != kNeverFs, "pages are waited for that do not come");
  } else if (outcome == Engine::Outcome::kNothingDue && std::ranges::none_of(active_, awaits_writes)) {
    if (give_up_waits()) {
      return false;
    }
    if (next == kNeverFs || std::ranges::any_of(active_, awaits_itself) ||
        (limit == kNeverFs && std::ranges::any_of(active_, has_blocks))) {
      report_deadlock("deadlock: nothing is due");
    }
  }
  stop_at(next);
  return next == limit;
}

// Blocks have finished, or a launch has ended.
void Machine::Impl::advance() {
  for (const auto& entry : active_) {
    entry->run->advance(windows_.reach_cycles(entry->run->gpu()));
    if (entry->timeline != nullptr && entry->run->is_over()) {
      entry->timeline->end_looks();
    }
  }
}

void Machine::Impl::report_deadlock(const char* what) const {
  throw DeadlockError(std::string(what) + " at core cycle " +
                      std::to_string(gpus_[0].core_clock().edge_at_or_after(system_.time())) + "; waiting:\n" +
                      system_.describe_stalls());
}

void Machine::Impl::stop_at(TimeFs now) {
  for (const auto& entry : active_) {
    if (entry->run->next_stop() == now) {
      entry->run->stop();
    }
    if (entry->run->is_stuck() && !entry->run->awaits_launches()) {
      SIM_CHECK(entry->run->has_blocks(), "memory does not drain:\n" + system_.describe_stalls());
      if (std::ranges::all_of(active_,
                              [](const auto& other) { return other->run->is_stuck() || other->run->is_over(); })) {
        report_deadlock("no instruction was issued for a long time");
      }
    }
    if (entry->timeline != nullptr && entry->timeline->next_stop() == now) {
      entry->timeline->stop();
    }
  }
}

bool Machine::Impl::give_up_waits() {
  bool any = false;
  for (const auto& entry : active_) {
    if (entry->run->has_blocks()) {
      const Cycle now = entry->run->gpu().core_clock().edge_at_or_after(system_.time()) + 1;
      any = entry->run->give_up_waits(now) || any;
    }
  }
  return any;
}

void Machine::Impl::run_to(TimeFs level) {
  while (!step(level)) {
  }
  level_ = level;
}

// Brings all parts to one instant, the first after now that every one can be at. Returns its cycle.
Cycle Machine::Impl::level(const Gpu& gpu, Cycle now) {
  const Cycle level = now + windows_.reach_cycles(gpu);
  run_to(gpu.core_clock().time_of(level));
  return level;
}

// The first instant that all parts can be at, by the clock of this GPU.
TimeFs Machine::Impl::earliest_level(const Gpu& gpu) const {
  if (level_) {
    return *level_;
  }
  return gpu.core_clock().time_of(gpu.core_clock().edge_at_or_after(system_.time()) + windows_.reach_cycles(gpu));
}

// On the only GPU, or the first one.
TimeFs Machine::Impl::now() const {
  const ClockDomain& clock = gpus_[0].core_clock();
  const Cycle start = active_.empty() ? next_start_.front() : clock.edge_at_or_after(earliest_level(gpus_[0]));
  return clock.time_of(std::max(start, next_start_.front()));
}

// What a launch that was alone leaves behind reaches memory before the next one.
void Machine::Impl::drain(const Entry& entry) {
  const Gpu& gpu = gpus_[entry.gpu];
  Cycle now = level(gpu, gpu.ended_at(entry.run->seat()));
  const Cycle since = now;
  gpus_.stop_copies(entry.gpu);
  while (!gpus_.is_drained(entry.gpu)) {
    SIM_CHECK(now - since < LaunchRun::kLivelockCycles, "memory does not drain:\n" + system_.describe_stalls());
    now += LaunchRun::kDrainStepCycles;
    run_to(gpu.core_clock().time_of(now));
  }
  next_start_[entry.gpu] = now + 1;
  if (gpus_.are_linked()) {
    const TimeFs start = gpu.core_clock().time_of(now + 1);
    for (std::size_t i = 0; i < gpus_.size(); ++i) {
      next_start_[i] = std::max(next_start_[i], gpus_[i].core_clock().edge_at_or_after(start));
    }
  }
}

// --- launches ---

void Machine::Impl::set_windows() {
  std::vector<LaunchWindows::Member> members;
  members.reserve(active_.size());
  for (const auto& entry : active_) {
    if (!entry->run->is_over()) {
      members.push_back({&entry->run->source(), &entry->run->gpu()});
    }
  }
  windows_.set(members, gpus_.all(), gpus_.far());
}

bool Machine::Impl::is_alone(const Entry& entry) const {
  return std::ranges::none_of(active_, [this, &entry](const auto& other) {
    return other.get() != &entry && (gpus_.are_linked() || other->gpu == entry.gpu) && !other->run->has_ended();
  });
}

void Machine::Impl::submit(std::uint64_t id, KernelSource& kernel, const LaunchHooks& hooks, const Place& place) {
  Gpu& gpu = gpus_[place.gpu];
  const bool shown = hooks.timeline.timeline != nullptr;
  SIM_CHECK(!shown || std::ranges::none_of(active_, [](const auto& entry) { return entry->timeline != nullptr; }),
            "two launches at a time have a timeline");
  SIM_CHECK(active_.size() + 1 < kMaxLaunchSeats, "more launches are active than have seats");
  Cycle start = next_start_[place.gpu];
  if (!active_.empty()) {
    if (!level_) {
      run_to(earliest_level(gpu));
    }
    start = std::max(start, gpu.core_clock().edge_at_or_after(*level_));
  }
  Launch& launch = gpu.admit(kernel);
  launch.order = place.order;
  try {
    if (hooks.hot_spots != nullptr) {
      const std::size_t writers = windows_.run_on_threads(kernel) ? gpu.sm_count() : 0;
      launch.hot_spots = std::make_unique<HotSpotParts>(*hooks.hot_spots, writers);
    }
    auto entry = std::make_unique<Entry>();
    entry->id = id;
    entry->gpu = place.gpu;
    entry->run = std::make_unique<LaunchRun>(gpu, launch, hooks, start, options_.max_cycles);
    if (shown) {
      entry->timeline = std::make_unique<TimelineWatch>(gpu, launch.seat, hooks.timeline, start);
    }
    entry->ticks_before = system_.ticks();
    entry->cycles_before = system_.component_cycles();
    active_.push_back(std::move(entry));
    set_windows();
  } catch (...) {
    gpu.leave(launch.seat);
    std::erase_if(active_, [id](const auto& other) { return other->id == id; });
    throw;
  }
  gpu.begin(launch, start);
  fetched_stats_ = nullptr;  // the seat may be the same
}

Machine::Impl::Entry& Machine::Impl::entry_of(std::uint64_t id) {
  const auto found = std::ranges::find_if(active_, [id](const auto& entry) { return entry->id == id; });
  SIM_CHECK(found != active_.end(), "no launch of this number is active");
  return **found;
}

LaunchResult Machine::Impl::wait(std::uint64_t id) {
  Entry& entry = entry_of(id);
  LaunchRun& run = *entry.run;
  while (!run.is_over()) {
    step(kNeverFs);
  }
  if (run.has_ended() && is_alone(entry)) {
    drain(entry);
  }
  if (run.source().concurrency() == KernelSource::Concurrency::kExchanged) {
    run.source().end_exchange(run.gpu().core_clock().edge_at_or_after(system_.time()));
  }
  if (entry.timeline != nullptr) {
    entry.timeline->close();
  }
  if (run.launch().hot_spots != nullptr) {
    run.launch().hot_spots->add_up();
  }
  LaunchResult result = run.result();
  const LaunchHooks& hooks = run.hooks();
  if (hooks.sample && hooks.sample_interval != kNever) {
    hooks.sample(result.elapsed_cycles, true);
  }
  result.component_ticks = system_.ticks() - entry.ticks_before;
  result.component_cycles = system_.component_cycles() - entry.cycles_before;
  fetched_ = id;
  fetched_stats_ = &run.gpu().stats(run.seat());
  if (run.has_ended()) {
    run.gpu().leave(run.seat());
  }
  std::erase_if(active_, [id](const auto& other) { return other->id == id; });
  set_windows();
  return result;
}

StatGroup& Machine::Impl::stats(std::uint64_t id) {
  for (const auto& entry : active_) {
    if (entry->id == id) {
      return entry->run->gpu().stats(entry->run->seat());
    }
  }
  SIM_CHECK(id == fetched_ && fetched_stats_ != nullptr, "the statistics of this launch are not kept any more");
  return *fetched_stats_;
}

// --- the machine ---

Machine::Machine(const GpuConfig& config, const MachineOptions& options)
    : Machine(std::vector<GpuConfig>{config}, options) {}
Machine::Machine(const std::vector<GpuConfig>& configs, const MachineOptions& options)
    : configs_(configs),
      options_(options),
      pool_(options.threads),
      impl_(std::make_unique<Impl>(configs_, options_, pool_)) {
  for (const GpuConfig& gpu : configs_) {
    set_aside_.push_back(gpu.memory.l2.persistence.first_sixteenths);
  }
}
Machine::~Machine() = default;

StatGroup& Machine::stats() {
  return impl_->gpu(0).stats(0);
}

double Machine::now_ns() const {
  return static_cast<double>(impl_->now().fs) / kFsPerNs;
}

StatGroup& Machine::stats(LaunchId launch) {
  return impl_->stats(static_cast<std::uint64_t>(launch));
}

void Machine::set_aside(std::uint32_t gpu, std::uint32_t sixteenths) {
  set_aside_[gpu] = sixteenths;
  impl_->gpu(gpu).set_aside(sixteenths);
}

void Machine::end_persistence(std::uint32_t gpu) {
  impl_->gpu(gpu).end_persistence();
}

void Machine::renew() {
  if (is_initial_ || !options_.flush_before_launch || impl_->has_launches()) {
    return;
  }
  impl_.reset();  // two machines would need twice the memory
  impl_ = std::make_unique<Impl>(configs_, options_, pool_);
  for (std::uint32_t gpu = 0; gpu < configs_.size(); ++gpu) {
    impl_->gpu(gpu).set_aside(set_aside_[gpu]);
  }
  is_initial_ = true;
}

void Machine::skip_launch(Cycle elapsed_cycles) {
  SIM_CHECK(options_.flush_before_launch, "a launch is skipped, but later ones depend on its effects");
  cycles_before_ += elapsed_cycles + 1;
}

void Machine::copy_to_device(const CopyToDevice& copy, std::uint32_t gpu) {
  impl_->gpu(gpu).write_from_host(copy.destination, copy.bytes);
}

void Machine::evict_l2() {
  for (std::uint32_t gpu = 0; gpu < configs_.size(); ++gpu) {
    impl_->gpu(gpu).evict_l2();
  }
}

void Machine::require_possible(const KernelLaunch& launch, std::uint32_t gpu) const {
  impl_->gpu(gpu).require_possible(launch);
}

Machine::LaunchId Machine::submit(KernelSource& kernel, const LaunchHooks& hooks, std::uint32_t gpu,
                                  const GridOrder& order) {
  renew();
  is_initial_ = false;
  impl_->submit(++submitted_, kernel, hooks, {gpu, order});
  return LaunchId{submitted_};
}

LaunchResult Machine::wait(LaunchId launch) {
  LaunchResult result = impl_->wait(static_cast<std::uint64_t>(launch));
  result.start_cycle += cycles_before_;
  if (options_.flush_before_launch && !impl_->has_launches()) {
    cycles_before_ += result.elapsed_cycles + 1;
  }
  return result;
}

LaunchResult Machine::run(KernelSource& kernel, const LaunchHooks& hooks, std::uint32_t gpu) {
  return wait(submit(kernel, hooks, gpu));
}

}  // namespace warpsim
