#include "cuda/device/timed_machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <iterator>
#include <utility>

#include "base/demangle.h"
#include "base/error.h"
#include "base/program_threads.h"
#include "cuda/device/error_codes.h"
#include "cuda/device/kernel_failure.h"
#include "emulator/execution/fault.h"

namespace warpsim::cuda {

namespace {

// Accesses of one warp that the load/store unit may hold: in its sub-core's queue, waiting for the stage, in the stage.
std::uint32_t accesses_in_flight(const GpuConfig& config) {
  return config.sm.load_store.queue_entries + config.sm.load_store.stage_queue_entries + 1;
}

// Launches that each find empty caches run one after another on each GPU, as those that a profiler measures.
std::vector<GpuConfig> configs_for(const std::vector<GpuDescription>& gpus, const DeviceOptions& options) {
  std::vector<GpuConfig> configs;
  for (const GpuDescription& gpu : gpus) {
    GpuConfig& own = configs.emplace_back(gpu.config);
    own.specifications.resident_grids = options.flush_caches ? 1 : own.specifications.resident_grids;
  }
  return configs;
}

std::vector<const GpuConfig*> pointers_to(const std::vector<GpuConfig>& configs) {
  std::vector<const GpuConfig*> pointers;
  pointers.reserve(configs.size());
  for (const GpuConfig& config : configs) {
    pointers.push_back(&config);
  }
  return pointers;
}

}  // namespace

TimedMachine::TimedMachine(const std::vector<GpuDescription>& gpus, const DeviceOptions& options,
                           const MemoryHomes* homes, ManagedMemory& managed, const LaunchSelection& selection)
    : configs_(configs_for(gpus, options)),
      options_(options),
      gpus_(std::make_unique<Machine>(configs_, MachineOptions{.skip = options.skip,
                                                               .flush_before_launch = options.flush_caches,
                                                               .max_cycles = options.max_cycles.value_or(kNever),
                                                               .threads = options.threads,
                                                               .shuffle = options.shuffle,
                                                               .homes = homes})),
      observer_(std::make_unique<LaunchObserver>(options.details, *gpus_, options.shown)),
      selection_(selection) {
  for (const GpuConfig& config : configs_) {
    others_.emplace_back(config, false, options.run_name, true);
  }
  const auto add_work = [this](const WorkRecord& work) {
    if (results_) {
      results_->add(work);
    }
  };
  run_ = std::make_unique<ObservedRun>(
      *gpus_, pointers_to(configs_), *observer_,
      ObservedRun::Callbacks{.begins = [this](const KernelLaunch& launch) { begins(launch); },
                             .ended = [this](const ObservedRun::Ended& launch) { ended(launch); },
                             .work = add_work,
                             .sampled = options.listener.sampled},
      configs_.front().host_calls.queue_entries);
  run_->device().manage(managed);
  if (!options.results.empty()) {
    results_ = std::make_unique<RunResults>(gpus, options);
  }
}

TimedMachine::~TimedMachine() {
  try {
    store_results();
  } catch (const DatabaseError& error) {
    std::fprintf(stderr, "warpsim: error: %s\n", error.what());
  }
}

void TimedMachine::store_results() {
  if (results_) {
    const std::unique_ptr<RunResults> results = std::move(results_);
    std::vector<std::string> notes;
    for (const CodeOfOthers& others : others_) {
      for (std::string& note : others.notes()) {
        if (std::ranges::find(notes, note) == notes.end()) {
          notes.push_back(std::move(note));
        }
      }
    }
    std::ranges::move(selection_.notes(), std::back_inserter(notes));
    results->add(selection_.kept_ranges());
    results->finish(status_, notes);
  }
}

void TimedMachine::written(Address address, std::uint64_t bytes, std::uint32_t gpu) {
  if (gpus_ != nullptr) {
    gpus_->copy_to_device({address, bytes}, gpu);
  }
}

void TimedMachine::set_aside_l2(std::uint32_t gpu, std::uint32_t sixteenths) {
  attempt([&](DeviceRun& device) {
    device.catch_up();
    gpus_->set_aside(gpu, sixteenths);
  });
}

void TimedMachine::end_l2_persistence(std::uint32_t gpu) {
  attempt([&](DeviceRun& device) {
    device.catch_up();
    gpus_->end_persistence(gpu);
  });
}

// --- failures ---

void TimedMachine::attempt(const Attempt& function) {
  if (run_ == nullptr) {
    return;
  }
  const auto began = std::chrono::steady_clock::now();
  try {
    function(run_->device());
  } catch (const DeadlockError& error) {
    const std::string text = error.what();
    const auto& oldest = pending_.begin()->second;
    Outcome failure{Failure::kTimeout, fmt::format("kernel {}: {}", name_for_message(oldest->work.kernel),
                                                   text.substr(0, text.find("; waiting")))};
    try {
      oldest->watch->end_deadlocked();
    } catch (const KernelFault& fault) {
      failure.message = fault.what();
    }
    fail(std::move(failure));
  } catch (const KernelFault& fault) {
    status_ = fault.kind() == FaultKind::kLimit ? RunStatus::kLimited : status_;
    fail({failure_of(fault.kind()), fault.what()});
  } catch (const ConfigError& error) {
    fail({Failure::kInvalidConfiguration, error.what()});
  } catch (...) {
    fail({Failure::kTrap, "the device has failed"});
    throw;
  }
  busy_ += std::chrono::steady_clock::now() - began;
}

void TimedMachine::attempt_waiting(const Attempt& function) {
  host_waits_ = true;
  attempt(function);
  host_waits_ = false;
}

bool TimedMachine::another_thread_can_go_on() const {
  const std::thread::id own = std::this_thread::get_id();
  return (time_stops_ && time_stops_()) || std::ranges::any_of(host_waits_for_, [own](const auto& wait) {
           return wait.first != own && wait.second.done();
         });
}

void TimedMachine::wait(std::uint32_t gpu, const std::function<bool()>& done) {
  HostWait& own = host_waits_for_[std::this_thread::get_id()];
  own.done = own.done ? own.done : done;
  attempt_waiting([&](DeviceRun& device) {
    device.interrupt_waits(has_several_threads() ? [this] { return another_thread_can_go_on(); }
                                                 : std::function<bool()>());
    device.wait_until(own.done, gpu, own.is_interrupted);
  });
  own.is_interrupted = is_interrupted();
  if (!is_interrupted() && !is_stuck()) {
    host_waits_for_.erase(std::this_thread::get_id());
  }
}

// The machine still holds parts of kernels that did not end.
void TimedMachine::fail(Outcome failure) {
  failure_ = std::move(failure);
  gpus_.reset();
  run_.reset();
  observer_.reset();
  pending_.clear();
  if (status_ == RunStatus::kComplete) {
    status_ = RunStatus::kIncomplete;
  }
}

Outcome TimedMachine::take_failure() {
  return std::exchange(failure_, {});
}

// --- launches ---

WorkHandle TimedMachine::launch(const std::shared_ptr<PendingLaunch>& launch, WorkPlace place) {
  if (run_ == nullptr) {
    throw KernelFault(FaultKind::kTrap, "the device has failed before");
  }
  Work work = work_of(launch);
  work.place = std::move(place);
  work.place.gpu = launch->work.gpu;
  return submit(std::move(work));
}

WorkHandle TimedMachine::launch_from_kernel(const std::shared_ptr<PendingLaunch>& launch,
                                            const TimedChildren::Place& place) {
  return put_from_kernel(work_of(launch), place);
}

WorkHandle TimedMachine::put_from_kernel(Work work, const TimedChildren::Place& place) {
  work.parent = place.parent;
  work.is_tail = place.is_tail;
  work.launched_ns = place.launched_ns;
  work.place.after = place.after;
  return run_->device().launch_from_kernel(std::move(work));
}

void TimedMachine::note_wait(const WorkHandle& grid, const TimedChildren::WarpWait& wait) {
  if (wait.begins) {
    run_->device().begin_launch_wait(grid);
  } else {
    run_->device().end_launch_wait(grid, wait.block, wait.warp);
  }
}

Work TimedMachine::work_of(const std::shared_ptr<PendingLaunch>& launch) {
  const std::uint32_t index = launches_;
  Work work;
  work.kind = WorkKind::kKernel;
  work.state = launch->state;
  work.launches = launch->launches;
  work.cooperative = launch->cooperative;
  work.programmatic = launch->programmatic;
  const std::uint32_t gpu = launch->work.gpu;
  work.place.gpu = gpu;
  work.kernel = others_[gpu].adapted(make_ptx_kernel(launch->work, index, accesses_in_flight(configs_[gpu])));
  gpus_->require_possible(work.kernel->launch(), gpu);
  ++launches_;
  pending_[index] = launch;
  work.effect = [this, index] {
    const std::shared_ptr<PendingLaunch> over = std::move(pending_.extract(index).mapped());
    if (over->over) {
      over->over();
    }
  };
  return work;
}

void TimedMachine::begins(const KernelLaunch& launch) {
  PendingLaunch& pending = *pending_.at(launch.launch_index);
  pending.notes.emplace(LaunchNotes::Clock::now());
  pending.clock_zero_ns = time_of(0, launch.gpu);
  if (pending.begins) {
    pending.begins();
  }
}

void TimedMachine::ended(const ObservedRun::Ended& launch) {
  const PendingLaunch& pending = *pending_.at(launch.kernel.launch().launch_index);
  LaunchRecord record = launch.record;
  record.host_seconds = std::chrono::duration<double>(std::exchange(busy_, {})).count();
  if (results_) {
    results_->add(record, launch.stats, launch.details);
    results_->add(record.launch_index, pending.ranges);
  }
  if (options_.listener.ended) {
    options_.listener.ended(record, launch.stats);
  }
  if (pending.ends) {
    pending.ends();
  }
  if (launch.result.status == LaunchResult::Status::kCycleLimit) {
    throw KernelFault(FaultKind::kLimit, fmt::format("kernel {} did not end within {} cycles (--max-cycles){}",
                                                     name_for_message(pending.work.kernel),
                                                     launch.result.elapsed_cycles, pending.watch->whereabouts()));
  }
}

bool TimedMachine::is_alone() const {
  return host_waits_ && run_ != nullptr && run_->device().active() == 1 && threads_of_program() == 1;
}

WorkHandle TimedMachine::submit(Work work) {
  if (options_.checks.races && work.passes && !work.passes()) {
    throw CallError(kNotSupported,
                    "a stream waits for a value that was not written before: the search for races does "
                    "all work when it is requested");
  }
  WorkHandle state;
  attempt([&](DeviceRun& device) { state = device.submit(std::move(work)); });
  return state;
}

void TimedMachine::finish() {
  attempt_waiting([](DeviceRun& device) { device.finish(); });
}

}  // namespace warpsim::cuda
