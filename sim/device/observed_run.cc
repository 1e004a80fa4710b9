#include "device/observed_run.h"

#include <utility>

namespace warpsim {

ObservedRun::ObservedRun(Machine& machine, std::vector<const GpuConfig*> configs, LaunchObserver& observer,
                         Callbacks callbacks, std::size_t most_waiting)
    : configs_(std::move(configs)),
      observer_(observer),
      callbacks_(std::move(callbacks)),
      device_(
          machine, configs_,
          {.begin = [this](KernelSource& kernel) { return begin(kernel); },
           .submitted =
               [this](KernelSource& kernel, StatGroup& stats) {
                 Observed& observed = observed_.at(kernel.launch().launch_index);
                 observed.stats = &stats;
                 observed.launch->begin(stats);
               },
           .end = [this](KernelSource& kernel, const EndedLaunch& done, StatGroup& stats) { end(kernel, done, stats); },
           .work = callbacks_.work},
          most_waiting) {}

LaunchHooks ObservedRun::begin(KernelSource& kernel) {
  const std::uint32_t index = kernel.launch().launch_index;
  if (callbacks_.begins) {
    callbacks_.begins(kernel.launch());
  }
  Observed& observed = observed_[index];
  observed.launch = observer_.observe(kernel.launch());
  std::function<void(const LaunchProgress&)> progress;
  if (callbacks_.progress) {
    progress = [this, index](const LaunchProgress& now) { callbacks_.progress(index, now); };
  }
  std::function<void(Cycle, bool)> sampled;
  if (callbacks_.sampled) {
    sampled = [this, &observed, &kernel](Cycle cycle, bool /*last*/) {
      callbacks_.sampled(kernel.launch(), cycle, *observed.stats);
    };
  }
  return observed.launch->hooks(std::move(progress), std::move(sampled));
}

void ObservedRun::end(KernelSource& kernel, const EndedLaunch& done, const StatGroup& stats) {
  observer_.ended(kernel.launch());
  const Observed observed = std::move(observed_.extract(kernel.launch().launch_index).mapped());
  LaunchRecord record = make_launch_record(kernel.launch(), done.result, *configs_[kernel.launch().gpu]);
  record.attributes["queue_submit_ns"] = done.submitted_ns;
  record.attributes["queue_start_ns"] = done.start_ns;
  record.attributes["queue_end_ns"] = done.end_ns;
  record.attributes["launches_beside"] = static_cast<double>(done.beside);
  callbacks_.ended({kernel, done.result, record, stats, observed.launch->details()});
}

}  // namespace warpsim
