#include "app/simulation.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "app/timeline_file.h"
#include "base/error.h"
#include "core/launch_observer.h"
#include "core/launch_queue.h"
#include "core/launch_record.h"
#include "frontend/code_of_others.h"

namespace warpsim {

namespace {

class Simulation {
 public:
  Simulation(const GpuConfig& config, const SimulationOptions& options, const SimulationHooks& hooks)
      : config_(config),
        hooks_(hooks),
        timeline_(options.timeline),
        gpu_(config, options.gpu),
        observer_(options.details, gpu_, timeline_.shown(config.name)),
        queue_(config.launch_queue) {}

  void copy(const CopyToDevice& copy) { gpu_.copy_to_device(copy); }

  // True if the launch ended; false if it reached the cycle limit.
  bool launch(KernelSource& kernel) {
    const std::uint32_t index = kernel.launch().launch_index;
    const auto began = std::chrono::steady_clock::now();
    const LaunchResult result =
        observer_.run(kernel, [this, index](const LaunchProgress& progress) { hooks_.progress(index, progress); });
    LaunchRecord record = make_launch_record(kernel.launch(), result, config_);
    record.attributes["queue_end_ns"] = queue_.submit(result.duration_ns);
    record.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    hooks_.launch_done(record, gpu_.stats(), observer_.details());
    waits_given_up_ += result.waits_given_up;
    return result.status == LaunchResult::Status::kComplete;
  }

  std::uint64_t waits_given_up() const { return waits_given_up_; }
  void require_timeline() const { timeline_.require_written(); }

 private:
  const GpuConfig& config_;
  const SimulationHooks& hooks_;
  TimelineFile timeline_;  // outlives the GPU
  Gpu gpu_;
  LaunchObserver observer_;
  LaunchQueue queue_;  // as if the host submitted all launches one behind another
  std::uint64_t waits_given_up_ = 0;
};

}  // namespace

SimulationResult simulate(Workload& workload, const GpuConfig& config, const SimulationOptions& options,
                          const LaunchSelection& selection, const SimulationHooks& hooks) {
  Simulation simulation(config, options, hooks);
  CodeOfOthers others(config, options.strict, workload.name());
  SimulationResult result;
  std::uint32_t launches = 0;
  bool limited = false;
  while (!limited && !selection.beyond(launches)) {
    if (hooks.cancelled()) {
      return result;
    }
    std::optional<Command> command = workload.next();
    if (!command) {
      break;
    }
    if (const auto* copy = std::get_if<CopyToDevice>(&*command)) {
      simulation.copy(*copy);
      continue;
    }
    std::unique_ptr<KernelSource> kernel = std::get<std::unique_ptr<KernelSource>>(std::move(*command));
    if (selection.contains(kernel->launch().launch_index)) {
      limited = !simulation.launch(*others.adapted(std::move(kernel)));
    }
    ++launches;
  }
  if (!limited && !selection.all() && selection.last() >= launches) {
    throw UsageError("--launches " + selection.text() + ": the trace " + workload.name() + " has only " +
                     std::to_string(launches) + " launches, counted from 0");
  }
  simulation.require_timeline();
  result.status = limited ? RunStatus::kLimited : RunStatus::kComplete;
  result.notes = workload.notes();
  std::ranges::move(others.notes(), std::back_inserter(result.notes));
  if (simulation.waits_given_up() != 0) {
    result.notes.push_back(std::to_string(simulation.waits_given_up()) +
                           " waits at barriers in shared memory were released because nothing could complete the "
                           "barriers: the inference about them is wrong, and so are the times of these kernels");
  }
  return result;
}

}  // namespace warpsim
