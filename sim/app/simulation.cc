#include "app/simulation.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "app/launch_record.h"
#include "base/error.h"
#include "core/launch_queue.h"
#include "core/occupancy.h"
#include "frontend/lowered_kernel.h"

namespace warpsim {

namespace {

class Simulation {
 public:
  Simulation(const GpuConfig& config, const GpuOptions& options, const SimulationHooks& hooks)
      : config_(config), hooks_(hooks), gpu_(config, options), queue_(config.launch_queue) {}

  void copy(const CopyToDevice& copy) { gpu_.copy_to_device(copy); }

  // True if the launch ended; false if it reached the cycle limit.
  bool launch(KernelSource& kernel) {
    const std::uint32_t index = kernel.launch().launch_index;
    const auto began = std::chrono::steady_clock::now();
    const LaunchResult result =
        gpu_.run(kernel, [this, index](const LaunchProgress& progress) { hooks_.progress(index, progress); });
    LaunchRecord record = make_launch_record(kernel.launch(), result, config_);
    record.attributes["queue_end_ns"] = queue_.submit(result.duration_ns);
    record.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    hooks_.launch_done(record, gpu_.stats());
    waits_given_up_ += result.waits_given_up;
    return result.status == LaunchResult::Status::kComplete;
  }

  std::uint64_t waits_given_up() const { return waits_given_up_; }

 private:
  const GpuConfig& config_;
  const SimulationHooks& hooks_;
  Gpu gpu_;
  LaunchQueue queue_;  // as if the host submitted all launches one behind another
  std::uint64_t waits_given_up_ = 0;
};

// The registers a thread that a compiler for this GPU could have used at most: so many that one block fits.
std::uint32_t registers_that_fit(const OccupancyConfig& limits, const KernelLaunch& launch) {
  const std::uint32_t most = std::min(launch.registers_per_thread, limits.registers_per_thread);
  for (std::uint32_t registers = most; registers > 0; --registers) {
    const BlockNeeds needs{
        .threads = launch.threads_per_block(), .registers_per_thread = registers, .shared_bytes = launch.shared_bytes};
    if (compute_occupancy(limits, needs).blocks_per_sm != 0) {
      return registers;
    }
  }
  return most;  // something else is in the way, which the launch will say
}

// Kernels whose code is of another architecture than the GPU's.
class CodeOfOthers {
 public:
  CodeOfOthers(const GpuConfig& config, bool strict, const std::string& trace)
      : limits_(config.occupancy), target_{architecture_of(config.compute_capability), 0, strict, trace} {}

  std::unique_ptr<KernelSource> adapted(std::unique_ptr<KernelSource> kernel) {
    if (kernel->launch().program->architecture == target_.architecture) {
      return kernel;
    }
    LoweringTarget target = target_;
    target.registers_per_thread = registers_that_fit(limits_, kernel->launch());
    auto lowered = std::make_unique<LoweredKernel>(std::move(kernel), target);
    findings_.push_back(lowered->findings());
    return lowered;
  }
  std::vector<std::string> notes() const { return lowering_notes(findings_); }

 private:
  const OccupancyConfig& limits_;
  LoweringTarget target_;  // registers: by kernel
  std::vector<std::shared_ptr<const LoweringFindings>> findings_;
};

}  // namespace

SimulationResult simulate(Workload& workload, const GpuConfig& config, const SimulationOptions& options,
                          const LaunchSelection& selection, const SimulationHooks& hooks) {
  Simulation simulation(config, options.gpu, hooks);
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
  result.status = limited ? RunStatus::kLimited : RunStatus::kComplete;
  result.notes = workload.notes();
  std::ranges::move(others.notes(), std::back_inserter(result.notes));
  if (simulation.waits_given_up() != 0) {
    result.notes.push_back(
        std::to_string(simulation.waits_given_up()) +
        " waits at barriers in shared memory were ended because nothing could complete the barriers: "
        "what was inferred about them is wrong, and so are the times of these kernels");
  }
  return result;
}

}  // namespace warpsim
