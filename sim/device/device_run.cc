#include "device/device_run.h"

#include <algorithm>
#include <limits>
#include <utility>

#include "base/check.h"

namespace warpsim {

namespace {

constexpr double kNeverNs = std::numeric_limits<double>::infinity();
constexpr double kLongestStepNs = 1e9;  // of the machine's time, which is an integer
// Launches that are opened before they can start: the files of a trace stay open. The host's queue is longer.
constexpr std::size_t kMostWaiting = 128;

}  // namespace

DeviceRun::DeviceRun(Machine& machine, const GpuConfig& config, Hooks hooks)
    : machine_(machine),
      host_(config.launch_queue),
      hooks_(std::move(hooks)),
      queues_({config.specifications.resident_grids, config.specifications.hardware_queues}) {}

void DeviceRun::launch(std::unique_ptr<KernelSource> kernel) {
  SIM_CHECK(!limited_, "a launch after one that reached the limit of cycles");
  host_ns_ += host_.submit_ns;
  const std::uint64_t number = ++added_;
  queues_.add(number, kernel->launch().stream, host_ns_);
  Resident& entry = launches_[number];
  entry.kernel = std::move(kernel);
  entry.submitted_ns = host_ns_;
  if (run_to(host_ns_, kMostWaiting)) {
    host_ns_ = now_ns_;
  }
}

void DeviceRun::copy(const CopyToDevice& copy) {
  finish();
  machine_.copy_to_device(copy);
  now_ns_ = std::max(now_ns_, host_ns_) + host_.copy_latency_ns + static_cast<double>(copy.bytes) / host_.copy_gb_per_s;
  host_ns_ = now_ns_;
}

void DeviceRun::finish() {
  run_to(kNeverNs, 0);
}

// Launches start at this time, too. Later, until no more launches wait than `most_waiting`: then it returns true.
bool DeviceRun::run_to(double until_ns, std::size_t most_waiting) {
  bool is_later = false;
  while (!limited_) {
    while (const std::optional<std::uint64_t> number = queues_.ready(now_ns_)) {
      start(*number);
    }
    const bool waits = launches_.size() - queues_.resident() > most_waiting;
    const double stop_ns = waits ? kNeverNs : until_ns;
    const double next_ns = std::min(stop_ns, queues_.next_submission(now_ns_).value_or(kNeverNs));
    if (next_ns <= now_ns_ || (queues_.resident() == 0 && next_ns == kNeverNs)) {
      return is_later;
    }
    is_later = is_later || waits;
    if (queues_.resident() == 0) {
      now_ns_ = next_ns;
      continue;
    }
    // A launch that is over may end the wait of others before `next_ns`.
    const bool has_next = next_ns < kNeverNs;
    const double step_ns = has_next ? next_ns - machine_ns_ : machine_.now_ns() + kLongestStepNs;
    if (const std::optional<Machine::LaunchId> over = machine_.run_until(step_ns)) {
      end(*over);
    } else if (has_next) {
      now_ns_ = next_ns;
    }
  }
  return is_later;
}

void DeviceRun::start(std::uint64_t number) {
  Resident& entry = launches_.at(number);
  const LaunchHooks hooks = hooks_.begin ? hooks_.begin(*entry.kernel) : LaunchHooks{};
  if (queues_.resident() == 0) {
    machine_.renew();  // if it is to be in its initial state
    machine_ns_ = now_ns_ - machine_.now_ns();
  }
  entry.start_ns = machine_.now_ns() + machine_ns_;
  entry.id = machine_.submit(*entry.kernel, hooks);
  entry.started = true;
  entry.beside = queues_.resident();
  queues_.start(number, now_ns_);
  for (auto& [other, resident] : launches_) {
    resident.beside += resident.started && other != number ? 1 : 0;
  }
  if (hooks_.submitted) {
    hooks_.submitted(*entry.kernel, machine_.stats(entry.id));
  }
}

void DeviceRun::end(Machine::LaunchId id) {
  const auto found = std::ranges::find_if(
      launches_, [id](const auto& entry) { return entry.second.started && entry.second.id == id; });
  SIM_CHECK(found != launches_.end(), "a launch ends that was not started");
  Resident entry = std::move(found->second);
  DeviceLaunch done;
  done.result = machine_.wait(id);
  done.submitted_ns = entry.submitted_ns;
  done.start_ns = entry.start_ns;
  done.end_ns = entry.start_ns + done.result.duration_ns;
  done.beside = entry.beside;
  now_ns_ = std::max(now_ns_, done.end_ns);
  limited_ = done.result.status == LaunchResult::Status::kCycleLimit;
  queues_.end(found->first);
  launches_.erase(found);
  hooks_.end(*entry.kernel, done, machine_.stats(id));
}

}  // namespace warpsim
