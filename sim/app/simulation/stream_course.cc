#include "app/simulation/stream_course.h"

namespace warpsim {

namespace {

// Launches that are opened before they can start: the files of a trace stay open. The host's queue is longer.
constexpr std::size_t kMostWaiting = 128;

}  // namespace

StreamCourse::StreamCourse(const GpuConfig& config, const SimulationOptions& options, const SimulationHooks& hooks)
    : hooks_(hooks),
      timeline_(options.timeline),
      gpu_(config, options.gpu),
      observer_(options.details, gpu_, timeline_.shown(config.name)) {
  run_ = std::make_unique<ObservedRun>(
      gpu_, std::vector{&config}, observer_,
      ObservedRun::Callbacks{.progress = hooks.progress,
                             .ended = [this](const ObservedRun::Ended& launch) { end(launch); },
                             .work = [this](const WorkRecord& work) { works_.push_back(work); }},
      kMostWaiting);
}

void StreamCourse::copy(const CopyToDevice& copy) {
  DeviceRun& device = run_->device();
  device.finish();
  if (device.is_limited()) {
    return;
  }
  Work work;
  work.kind = WorkKind::kToDevice;
  work.bytes = copy.bytes;
  work.effect = [this, copy] { gpu_.copy_to_device(copy); };
  device.wait(device.submit(std::move(work)));
}

bool StreamCourse::launch(std::unique_ptr<KernelSource> kernel, const StoredLaunch* stored, bool /*inferred*/) {
  stored_[kernel->launch().launch_index] = stored;
  Work work;
  work.kind = WorkKind::kKernel;
  work.place.stream = kernel->launch().stream;
  work.kernel = std::move(kernel);
  run_->device().submit(std::move(work));
  return !run_->device().is_limited();
}

bool StreamCourse::finish() {
  run_->device().finish();
  return !run_->device().is_limited();
}

void StreamCourse::end(const ObservedRun::Ended& launch) {
  waits_given_up_ += launch.result.waits_given_up;
  const StoredLaunch* const stored = stored_.extract(launch.kernel.launch().launch_index).mapped();
  if (stored != nullptr) {
    require_same_cycles(*stored, launch.result);
    return;
  }
  hooks_.launch_done(launch.record, launch.stats, launch.details);
}

}  // namespace warpsim
