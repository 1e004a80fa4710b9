// What kernels report while a device runs, and the kernels that depend on it.
#include <algorithm>

#include "base/check.h"
#include "device/device_run.h"

namespace warpsim {

// A kernel that may launch others keeps the places for them: dependent kernels begin when it is over. So they do where
// one grid at a time is resident.
void DeviceRun::note(const Machine::Event& event) {
  if (event.kind == Machine::Event::Kind::kOver) {
    end_kernel(event.launch);
    return;
  }
  std::uint64_t number = 0;
  Active& active = running(event.launch, number);
  const bool triggered = event.kind == Machine::Event::Kind::kTriggered;
  const GpuConfig& config = config_of(active.work);
  const bool possible = config.specifications.resident_grids > 1 && !active.work.launches &&
                        (!triggered || config.device_queues.programmatic_launches);
  EarlyTime& time = triggered ? active.state->triggered : active.state->begun;
  const double at_ns = event.at_ns + machine_ns_;
  time = {possible, at_ns, at_ns + machine_.notice_ns()};
}

DeviceRun::Active& DeviceRun::running(Machine::LaunchId id, std::uint64_t& number) {
  const auto found = std::ranges::find_if(active_, [id](const auto& entry) {
    const Active& active = entry.second;
    return active.work.kind == WorkKind::kKernel && active.state->started && !active.vacated && active.id == id;
  });
  SIM_CHECK(found != active_.end(), "a launch reports that was not started");
  number = found->first;
  return found->second;
}

// Kernels that began before this was over.
void DeviceRun::end_dependences(const WorkHandle& work) {
  for (const DependentLaunches::Change& change : dependents_.end(work)) {
    Active& active = active_.at(change.number);
    if (change.waits_end && !active.vacated) {
      const double after_ns = std::max(config_of(active.work).device_queues.programmatic_wait_ns, machine_.notice_ns());
      machine_.end_grid_waits(active.id, now_ns_ + after_ns - machine_ns_);
    }
    if (change.is_free) {
      active.free_ns = now_ns_;
      complete(change.number);
    }
  }
}

}  // namespace warpsim
