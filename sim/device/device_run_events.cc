// What kernels report while a device runs, and the kernels that depend on it.
#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/check.h"
#include "base/error.h"
#include "device/device_run.h"

namespace warpsim {

// A kernel that may launch others keeps the places for them: dependent kernels begin when it is over. So they do where
// one grid at a time is resident.
void DeviceRun::note(const Machine::Event& event) {
  if (event.kind == Machine::Event::Kind::kOver) {
    end_kernel(event.launch);
    return;
  }
  if (event.kind == Machine::Event::Kind::kFaults) {
    take_faults(event.gpu);
    return;
  }
  std::uint64_t number = 0;
  Active& active = running(event.launch, number);
  if (active.grid != nullptr) {
    return;
  }
  const bool triggered = event.kind == Machine::Event::Kind::kTriggered;
  const GpuConfig& config = config_of(active.work);
  const bool possible = config.specifications.resident_grids > 1 && !active.work.launches &&
                        (!triggered || config.device_queues.programmatic_launches);
  EarlyTime& time = triggered ? active.state->triggered : active.state->begun;
  const double at_ns = event.at_ns + machine_ns_;
  time = {possible, at_ns, at_ns + machine_.notice_ns()};
}

void DeviceRun::take_faults(std::uint32_t gpu) {
  SIM_CHECK(managed_ != nullptr, "pages fault that nobody manages");
  std::vector<FaultService::Fault> faults;
  for (const Machine::Fault& fault : machine_.take_faults(gpu)) {
    faults.push_back({fault.page, fault.at_ns + machine_ns_, fault.writes});
  }
  managed_->add_faults(gpu, faults);
}

// The drivers do what is due now.
void DeviceRun::serve_faults() {
  while (managed_ != nullptr) {
    const std::optional<double> next_ns = managed_->next_time();
    if (!next_ns || *next_ns > now_ns_) {
      return;
    }
    for (std::uint32_t gpu = 0; gpu < configs_.size(); ++gpu) {
      take_faults(gpu);
    }
    for (const FaultBatch& batch : managed_->advance(now_ns_)) {
      machine_.end_faults(batch.gpu, now_ns_ - machine_ns_);
      if (hooks_.work) {
        WorkRecord record;
        record.number = ++added_;
        record.kind = "page faults";
        record.device = batch.gpu;
        record.bytes = batch.bytes_from_others + batch.bytes_new;
        record.submitted_ns = batch.start_ns;
        record.start_ns = batch.start_ns;
        record.end_ns = batch.end_ns;
        hooks_.work(record);
      }
    }
  }
}

DeviceRun::Active& DeviceRun::running(Machine::LaunchId id, std::uint64_t& number) {
  const auto found = std::ranges::find_if(active_, [id](const auto& entry) {
    const Active& active = entry.second;
    const bool on_machine = active.grid != nullptr || active.work.kind == WorkKind::kKernel;
    return on_machine && active.state->started && !active.vacated && active.id == id;
  });
  SIM_CHECK(found != active_.end(), "a launch reports that was not started");
  number = found->first;
  return found->second;
}

// --- copies between the host and a device, and between GPUs, beside kernels ---

// What is left of it is requested of the memory of GPUs that execute kernels.
void DeviceRun::feed_copy(std::uint64_t number, const Active& active) {
  const Work& work = active.work;
  if (work.range.bytes() == 0 || !machine_.keeps_caches()) {
    return;
  }
  if (work.kind == WorkKind::kToDevice || work.kind == WorkKind::kToHost) {
    feed_copy(number, active, work.place.gpu, work.kind == WorkKind::kToDevice);
  } else if (work.kind == WorkKind::kToPeer) {
    feed_copy(number, active, work.peer.from, false);
    feed_copy(number, active, work.peer.to, true);
  }
}

void DeviceRun::feed_copy(std::uint64_t number, const Active& active, std::uint32_t gpu, bool writes) {
  const Work& work = active.work;
  if (work.kind == WorkKind::kToPeer && queues_.resident(gpu) == 0) {
    return;
  }
  const auto left = engines_.progress(number, work, now_ns_);
  if (!left) {
    return;
  }
  EngineCopy copy;
  copy.number = number;
  copy.address = writes ? work.range.target : work.range.source;
  copy.width = work.range.width;
  copy.rows = work.range.rows;
  copy.pitch = writes ? work.range.target_pitch : work.range.source_pitch;
  copy.done = work.range.bytes() - std::min(work.range.bytes(), static_cast<std::uint64_t>(left->bytes_left));
  copy.writes = writes;
  copy.gb_per_s = left->gb_per_s;
  machine_.copy_beside(gpu, copy, now_ns_ + left->latency_ns - machine_ns_);
}

// A kernel starts.
void DeviceRun::feed_copies(std::uint32_t gpu) {
  for (const auto& [number, active] : active_) {
    const Work& work = active.work;
    const bool concerned =
        work.kind == WorkKind::kToPeer ? work.peer.from == gpu || work.peer.to == gpu : work.place.gpu == gpu;
    if (concerned && active.state->started) {
      feed_copy(number, active);
    }
  }
}

// Copies, or kernels beside them, have started or ended.
void DeviceRun::share_links() {
  if (machine_is_idle() || !machine_.keeps_caches()) {
    return;
  }
  for (std::uint32_t gpu = 0; gpu < configs_.size(); ++gpu) {
    if (const LinkShares shares = engines_.link_shares(gpu); shares != shares_[gpu]) {
      shares_[gpu] = shares;
      machine_.share_links(gpu, shares, now_ns_ - machine_ns_);
    }
  }
}

// --- copies within a device and fills as grids ---

// Null: it does not use SMs. Where one grid at a time is resident, nothing runs beside a kernel.
std::unique_ptr<CopyGrid> DeviceRun::grid_of(const Work& work, std::uint64_t first) const {
  const GpuConfig& config = config_of(work);
  const bool uses_sms = work.kind == WorkKind::kInDevice || work.kind == WorkKind::kFill;
  if (!uses_sms || work.range.bytes() == 0 || !machine_.keeps_caches() || config.specifications.resident_grids <= 1) {
    return nullptr;
  }
  return CopyGrid::make(
      work.range, first, config.copies,
      {.gpu = work.place.gpu, .architecture = architecture_of(config.compute_capability), .stream = work.place.stream});
}

void DeviceRun::run_grid(Active& active, std::unique_ptr<CopyGrid> grid) {
  active.grid = std::move(grid);
  active.grid_since_ns = machine_.now_ns() + machine_ns_;
  active.id =
      machine_.submit(*active.grid, {}, active.work.place.gpu, GridOrder{.priority = active.work.place.priority});
  ++grids_;
}

// A kernel starts: what is left of the copies that run becomes grids beside it.
void DeviceRun::move_copies(std::uint32_t gpu) {
  for (auto& [number, active] : active_) {
    const bool copies = active.work.kind == WorkKind::kInDevice || active.work.kind == WorkKind::kFill;
    if (!copies || active.work.place.gpu != gpu || active.grid != nullptr || !active.state->started) {
      continue;
    }
    const std::optional<double> end_ns = engines_.take_back(number);
    if (!end_ns) {
      continue;
    }
    const double done = (now_ns_ - active.state->start_ns) / (*end_ns - active.state->start_ns);
    const auto first = static_cast<std::uint64_t>(done * static_cast<double>(active.work.bytes));
    if (std::unique_ptr<CopyGrid> grid = grid_of(active.work, first)) {
      run_grid(active, std::move(grid));
    } else {
      engines_.put_back(number, *end_ns);
    }
  }
}

void DeviceRun::end_grid(std::uint64_t number, Active& active) {
  const double begun_ns = active.grid_since_ns;
  const LaunchResult result = machine_.wait(active.id);
  --grids_;
  now_ns_ = std::max(now_ns_, begun_ns + result.duration_ns);
  if (result.status == LaunchResult::Status::kCycleLimit) {
    limited_ = true;
    throw ConfigError(fmt::format("a copy within the device did not end within {} cycles", result.elapsed_cycles));
  }
  end(number, now_ns_);
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

// --- kernels that wait for what they have launched ---

DeviceRun::Active& DeviceRun::active_of(const WorkHandle& kernel, std::uint64_t* number) {
  const auto found =
      std::ranges::find_if(active_, [&kernel](const auto& entry) { return entry.second.state == kernel; });
  SIM_CHECK(found != active_.end(), "a kernel that is over calls the device");
  if (number != nullptr) {
    *number = found->first;
  }
  return found->second;
}

void DeviceRun::begin_launch_wait(const WorkHandle& kernel) {
  Active& active = active_of(kernel);
  if (active.waits++ == 0) {
    queues_.begin_wait(active.work.place.gpu);
  }
}

void DeviceRun::end_launch_wait(const WorkHandle& kernel, std::uint64_t block, std::uint32_t warp) {
  Active& active = active_of(kernel);
  if (--active.waits == 0) {
    queues_.end_wait(active.work.place.gpu);
  }
  machine_.end_launch_wait(active.id, block, warp, now_ns_ + machine_.notice_ns() - machine_ns_);
}

// The shortest time from a call of a kernel to the start of what it launches.
double DeviceRun::launch_delay_ns() const {
  double least_ns = std::numeric_limits<double>::infinity();
  for (const GpuConfig* const config : configs_) {
    const DeviceQueuesConfig& times = config->device_queues;
    least_ns = std::min({least_ns, times.device_launch_ns, times.graph_launch_start_ns});
  }
  return least_ns;
}

}  // namespace warpsim
