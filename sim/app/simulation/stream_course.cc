#include "app/simulation/stream_course.h"

#include "core/machine/launch_record.h"

namespace warpsim {

StreamCourse::StreamCourse(const GpuConfig& config, const SimulationOptions& options, const SimulationHooks& hooks)
    : config_(config),
      hooks_(hooks),
      timeline_(options.timeline),
      gpu_(config, options.gpu),
      observer_(options.details, gpu_, timeline_.shown(config.name)),
      device_(gpu_, config,
              {.begin =
                   [this](KernelSource& kernel) {
                     const std::uint32_t index = kernel.launch().launch_index;
                     std::unique_ptr<ObservedLaunch>& observed = observed_[index];
                     observed = observer_.observe(kernel.launch());
                     return observed->hooks(
                         [this, index](const LaunchProgress& progress) { hooks_.progress(index, progress); });
                   },
               .submitted = [this](KernelSource& kernel,
                                   StatGroup& stats) { observed_.at(kernel.launch().launch_index)->begin(stats); },
               .end = [this](KernelSource& kernel, const DeviceLaunch& done,
                             StatGroup& stats) { end(kernel, done, stats); }}) {}

bool StreamCourse::launch(std::unique_ptr<KernelSource> kernel, const StoredLaunch* stored, bool /*inferred*/) {
  stored_[kernel->launch().launch_index] = stored;
  device_.launch(std::move(kernel));
  return !device_.is_limited();
}

bool StreamCourse::finish() {
  device_.finish();
  return !device_.is_limited();
}

void StreamCourse::end(const KernelSource& kernel, const DeviceLaunch& done, const StatGroup& stats) {
  const std::uint32_t index = kernel.launch().launch_index;
  waits_given_up_ += done.result.waits_given_up;
  observer_.ended(kernel.launch());
  const std::unique_ptr<ObservedLaunch> observed = std::move(observed_.extract(index).mapped());
  const StoredLaunch* const stored = stored_.extract(index).mapped();
  if (stored != nullptr) {
    require_same_cycles(*stored, done.result);
    return;
  }
  LaunchRecord record = make_launch_record(kernel.launch(), done.result, config_);
  record.attributes["queue_submit_ns"] = done.submitted_ns;
  record.attributes["queue_start_ns"] = done.start_ns;
  record.attributes["queue_end_ns"] = done.end_ns;
  record.attributes["launches_beside"] = static_cast<double>(done.beside);
  hooks_.launch_done(record, stats, observed->details());
}

}  // namespace warpsim
