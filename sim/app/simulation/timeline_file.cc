#include "app/simulation/timeline_file.h"

#include "base/demangle.h"
#include "base/error.h"
#include "report/perfetto_file.h"

namespace warpsim {

ShownLaunch TimelineFile::shown(const std::string& gpu) {
  if (options_.file.empty()) {
    return {};
  }
  ShownLaunch shown;
  shown.request = {&timeline_,      options_.from,      options_.to,         options_.sms,
                   options_.blocks, options_.sub_cores, options_.warp_slots, options_.channels};
  shown.launch = options_.launch;
  shown.taken = [this, gpu](const KernelLaunch& launch) {
    const std::string title =
        "launch " + std::to_string(launch.launch_index) + ", " + demangle(launch.kernel) + ", on " + gpu;
    write_perfetto(options_.file, timeline_, {title, static_cast<double>(options_.from)});
    written_ = true;
  };
  return shown;
}

void TimelineFile::require_written() const {
  if (!options_.file.empty() && !written_) {
    throw UsageError("--timeline-launch " + std::to_string(options_.launch.value_or(0)) +
                     ": no such launch was simulated");
  }
}

}  // namespace warpsim
