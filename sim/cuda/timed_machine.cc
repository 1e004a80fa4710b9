#include "cuda/timed_machine.h"

#include <fmt/format.h>

#include <chrono>
#include <cstdio>
#include <utility>

#include "base/error.h"
#include "core/machine/launch_record.h"
#include "emulator/execution/fault.h"
#include "emulator/execution/launch_watch.h"

namespace warpsim::cuda {

namespace {

// Accesses of one warp that the load/store unit may hold: in its sub-core's queue, waiting for the stage, in the stage.
std::uint32_t accesses_in_flight(const GpuConfig& config) {
  return config.sm.load_store.queue_entries + config.sm.load_store.stage_queue_entries + 1;
}

std::string whereabouts_of(const KernelWork& work) {
  return work.context.watch == nullptr ? "" : work.context.watch->whereabouts();
}

}  // namespace

TimedMachine::TimedMachine(const std::string& gpu_file, const ConfigTree& tree, const GpuConfig& config,
                           const DeviceOptions& options)
    : config_(config),
      options_(options),
      gpu_(std::make_unique<Machine>(config, MachineOptions{.skip = options.skip,
                                                            .flush_before_launch = options.flush_caches,
                                                            .max_cycles = options.max_cycles.value_or(kNever),
                                                            .threads = options.threads,
                                                            .shuffle = options.shuffle})),
      observer_(options.details, *gpu_, options.shown),
      queue_(config.launch_queue),
      others_(config, false, options.run_name, true) {
  if (!options.results.empty()) {
    results_ = std::make_unique<RunResults>(gpu_file, tree, config, options);
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
    results->finish(status_, others_.notes());
  }
}

void TimedMachine::written(Address address, std::uint64_t bytes) {
  if (gpu_ != nullptr) {
    gpu_->copy_to_device({address, bytes});
  }
}

void TimedMachine::run(const KernelWork& work) {
  if (gpu_ == nullptr) {
    throw KernelFault(FaultKind::kTrap, "the device has failed before");
  }
  const std::unique_ptr<KernelSource> kernel =
      others_.adapted(make_ptx_kernel(work, launches_++, accesses_in_flight(config_)));
  // The machine still holds parts of the kernel that did not end.
  try {
    const LaunchResult result = simulate(*kernel);
    if (result.status == LaunchResult::Status::kCycleLimit) {
      throw KernelFault(FaultKind::kLimit, fmt::format("kernel {} did not end within {} cycles (--max-cycles){}",
                                                       work.kernel, result.elapsed_cycles, whereabouts_of(work)));
    }
  } catch (const ConfigError&) {
    throw;  // it has not begun
  } catch (const DeadlockError& error) {
    fail();
    if (work.context.watch != nullptr) {
      work.context.watch->end_deadlocked();
    }
    const std::string text = error.what();
    throw KernelFault(FaultKind::kDeadlock,
                      fmt::format("kernel {}: {}", work.kernel, text.substr(0, text.find("; waiting"))));
  } catch (const KernelFault& fault) {
    fail();
    status_ = fault.kind() == FaultKind::kLimit ? RunStatus::kLimited : status_;
    throw;
  } catch (...) {
    fail();
    throw;
  }
}

LaunchResult TimedMachine::simulate(KernelSource& kernel) {
  const auto began = std::chrono::steady_clock::now();
  LaunchResult result = observer_.run(kernel);
  LaunchRecord record = make_launch_record(kernel.launch(), result, config_);
  record.attributes["queue_end_ns"] = queue_.submit(result.duration_ns);
  record.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
  if (results_) {
    results_->add(record, gpu_->stats(), observer_.details());
  }
  return result;
}

void TimedMachine::fail() {
  gpu_.reset();
  if (status_ == RunStatus::kComplete) {
    status_ = RunStatus::kIncomplete;
  }
}

}  // namespace warpsim::cuda
