#include "core/machine/launch_observer.h"

#include <utility>

namespace warpsim {

LaunchObserver::LaunchObserver(const DetailOptions& options, Machine& gpu, ShownLaunch shown)
    : options_(options), gpu_(gpu), shown_(std::move(shown)) {}

bool LaunchObserver::is_shown(const KernelLaunch& launch) const {
  return shown_.request.timeline != nullptr && shown_.launch.value_or(launch.launch_index) == launch.launch_index;
}

std::unique_ptr<ObservedLaunch> LaunchObserver::observe(const KernelLaunch& launch) {
  const bool shown = is_shown(launch);
  if (shown) {
    shown_launch_ = launch.launch_index;
  }
  return std::make_unique<ObservedLaunch>(options_, launch,
                                          shown ? std::exchange(shown_.request, {}) : TimelineRequest{});
}

void LaunchObserver::ended(const KernelLaunch& launch) {
  if (shown_launch_ == launch.launch_index && shown_.taken) {
    shown_.taken(launch);
  }
}

LaunchResult LaunchObserver::run(KernelSource& kernel, const std::function<void(const LaunchProgress&)>& progress,
                                 const std::function<void(Cycle cycle, bool last)>& sampled) {
  latest_ = observe(kernel.launch());
  gpu_.renew();
  latest_->begin(gpu_.stats());
  LaunchResult result = gpu_.run(kernel, latest_->hooks(progress, sampled));
  ended(kernel.launch());
  return result;
}

}  // namespace warpsim
