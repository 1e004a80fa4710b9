#include "app/simulation/simulation.h"

#include <algorithm>
#include <chrono>
#include <iterator>

#include "app/simulation/launch_course.h"
#include "app/simulation/stream_course.h"
#include "app/simulation/timeline_file.h"
#include "base/error.h"
#include "core/launch/launch_queue.h"
#include "core/machine/launch_observer.h"
#include "core/machine/launch_record.h"
#include "frontend/lowering/code_of_others.h"
#include "frontend/lowering/lowered_kernel.h"
#include "frontend/workload/block_trace.h"

namespace warpsim {

namespace {

// Lowering of code of another architecture is counted when its blocks are submitted.
void hand_out(KernelSource& kernel) {
  const std::uint64_t blocks = kernel.launch().grid.count();
  for (std::uint64_t index = 0; index < blocks; ++index) {
    const std::unique_ptr<BlockSource> block = kernel.start_block(index, 0);
    for (std::uint32_t warp = 0; warp < block->warp_count(); ++warp) {
      WarpStream stream;
      stream.warp = warp;
      while (!stream.finished) {
        block->refill(stream, 0);
        stream.next = stream.end;
      }
    }
  }
}

bool is_inferred(const KernelSource& kernel) {
  const auto* const recorded = dynamic_cast<const TraceKernelSource*>(&kernel);
  return recorded != nullptr && recorded->async_findings() != nullptr;
}

// One launch after another.
class SerialCourse final : public LaunchCourse {
 public:
  SerialCourse(const GpuConfig& config, const SimulationOptions& options, const SimulationHooks& hooks)
      : config_(config),
        options_(options),
        hooks_(hooks),
        timeline_(options.timeline),
        gpu_(config, options.gpu),
        observer_(options.details, gpu_, timeline_.shown(config.name)),
        queue_(config.launch_queue, config.copies) {}

  void copy(const CopyToDevice& copy) override { gpu_.copy_to_device(copy); }

  bool launch(std::unique_ptr<KernelSource> kernel, const StoredLaunch* stored, bool inferred) override {
    return stored != nullptr ? launch_stored(*kernel, *stored, inferred) : launch(*kernel);
  }

  std::uint64_t waits_given_up() const override { return waits_given_up_; }
  void require_timeline() const override { timeline_.require_written(); }

 private:
  // True if the launch ended; false if it reached the cycle limit.
  bool launch(KernelSource& kernel) {
    const auto began = std::chrono::steady_clock::now();
    const LaunchResult result = run(kernel);
    LaunchRecord record = make_launch_record(kernel.launch(), result, config_);
    record.attributes["queue_end_ns"] = queue_.submit(result.duration_ns);
    record.host_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    hooks_.launch_done(record, gpu_.stats(), observer_.details());
    return result.status == LaunchResult::Status::kComplete;
  }

  // The same for a launch that is already stored.
  bool launch_stored(KernelSource& kernel, const StoredLaunch& stored, bool inferred) {
    queue_.submit(stored.duration_ns);
    if (!options_.gpu.flush_before_launch || inferred || is_shown(kernel)) {
      require_same_cycles(stored, run(kernel));
    } else {
      gpu_.skip_launch(stored.elapsed_cycles);
      waits_given_up_ += stored.waits_given_up;
      if (dynamic_cast<const LoweredKernel*>(&kernel) != nullptr) {
        hand_out(kernel);
      }
    }
    return !stored.limited;
  }

  LaunchResult run(KernelSource& kernel) {
    const std::uint32_t index = kernel.launch().launch_index;
    is_first_ = false;
    std::function<void(Cycle, bool)> sampled;
    if (hooks_.sampled) {
      sampled = [this, &kernel](Cycle cycle, bool last) { hooks_.sampled(kernel.launch(), cycle, last, gpu_.stats()); };
    }
    LaunchResult result = observer_.run(
        kernel, [this, index](const LaunchProgress& progress) { hooks_.progress(index, progress); }, sampled);
    waits_given_up_ += result.waits_given_up;
    return result;
  }

  bool is_shown(const KernelSource& kernel) const {
    const TimelineOptions& timeline = options_.timeline;
    return !timeline.file.empty() && (timeline.launch ? *timeline.launch == kernel.launch().launch_index : is_first_);
  }

  const GpuConfig& config_;
  const SimulationOptions& options_;
  const SimulationHooks& hooks_;
  TimelineFile timeline_;  // outlives the GPU
  Machine gpu_;
  LaunchObserver observer_;
  LaunchQueue queue_;     // as if the host submitted all launches one after another
  bool is_first_ = true;  // no launch has been simulated yet
  std::uint64_t waits_given_up_ = 0;
};

std::unique_ptr<LaunchCourse> make_course(const GpuConfig& config, const SimulationOptions& options,
                                          const SimulationHooks& hooks) {
  if (options.recorded_streams) {
    return std::make_unique<StreamCourse>(config, options, hooks);
  }
  return std::make_unique<SerialCourse>(config, options, hooks);
}

}  // namespace

void require_same_cycles(const StoredLaunch& stored, const LaunchResult& result) {
  if (result.elapsed_cycles != stored.elapsed_cycles) {
    throw UserError("launch " + std::to_string(stored.launch_index) + " takes " +
                    std::to_string(result.elapsed_cycles) + " cycles, but " + std::to_string(stored.elapsed_cycles) +
                    " are stored: the run cannot be continued; give --replace to start again");
  }
}

SimulationResult simulate(Workload& workload, const GpuConfig& config, const SimulationOptions& options,
                          const LaunchSelection& selection, const SimulationHooks& hooks) {
  const std::unique_ptr<LaunchCourse> course = make_course(config, options, hooks);
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
      course->copy(*copy);
      continue;
    }
    std::unique_ptr<KernelSource> kernel = std::get<std::unique_ptr<KernelSource>>(std::move(*command));
    const std::uint32_t index = kernel->launch().launch_index;
    if (selection.contains(index)) {
      const bool inferred = is_inferred(*kernel);
      kernel = others.adapted(std::move(kernel));
      const auto stored = std::ranges::lower_bound(options.stored, index, {}, &StoredLaunch::launch_index);
      const bool is_stored = stored != options.stored.end() && stored->launch_index == index;
      limited = !course->launch(std::move(kernel), is_stored ? &*stored : nullptr, inferred);
    }
    ++launches;
  }
  limited = limited || !course->finish();
  if (!limited && !selection.all() && selection.last() >= launches) {
    throw UsageError("--launches " + selection.text() + ": the trace " + workload.name() + " has only " +
                     std::to_string(launches) + " launches, counted from 0");
  }
  course->require_timeline();
  result.works = course->take_works();
  result.status = limited ? RunStatus::kLimited : RunStatus::kComplete;
  result.notes = workload.notes();
  std::ranges::move(others.notes(), std::back_inserter(result.notes));
  if (course->waits_given_up() != 0) {
    result.notes.push_back(std::to_string(course->waits_given_up()) +
                           " waits at barriers in shared memory were released because nothing could complete the "
                           "barriers: the inference about them is wrong, and so are the times of these kernels");
  }
  return result;
}

}  // namespace warpsim
