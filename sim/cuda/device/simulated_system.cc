#include "cuda/device/simulated_system.h"

#include "base/error.h"
#include "cuda/device/memory_placement.h"

namespace warpsim::cuda {

namespace {

constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20U;

// With time, and in traces, results do not depend on the number of threads, so that launches which are not profiled
// have a fixed order of accesses as well.
std::uint32_t threads_without_time(const DeviceOptions& options) {
  return options.functional_only && options.trace.empty() ? options.threads : 1;
}

}  // namespace

SimulatedSystem::SimulatedSystem(const std::vector<std::string>& gpus, const DeviceOptions& options)
    : selection_(options.selection), executor_(threads_without_time(options)) {
  for (const std::string& gpu : gpus) {
    gpus_.push_back(describe_gpu(gpu, options.overrides));
    const std::uint64_t bytes = gpus_.back().config.device_memory_mib * kMebibyte;
    memories_.push_back(memories_.empty()
                            ? std::make_unique<DeviceMemory>(bytes, memory_placement(options), memory_begin(options))
                            : std::make_unique<DeviceMemory>(bytes, *memories_.back()));
  }
  memories_.front()->set_quarantine(options.quarantine_bytes.value_or(FreedMemory::kNoLimit));
  manage(options.trace.empty() && !options.functional_only);
  if (!options.trace.empty()) {
    if (size() > 1) {
      throw UsageError("a trace has the launches of one GPU: record it without --gpus");
    }
    recorder_ = std::make_unique<TraceRecorder>(options.trace);
  } else if (!options.functional_only) {
    homes_.set_managed(&managed_->pages());
    machine_ = std::make_unique<TimedMachine>(gpus_, options, &homes_, managed_->memory(), selection_);
  } else if (!options.results.empty()) {
    throw UsageError("without timing there are no statistics to store: leave out --out " + options.results);
  }
  if (machine_ == nullptr) {
    untimed_.emplace(size(), recorder_.get(), executor_);
  }
}

void SimulatedSystem::end() {
  machine_.reset();
  if (untimed_) {
    untimed_->drop();
  }
}

void SimulatedSystem::set_aside_l2(std::uint32_t gpu, std::uint32_t sixteenths) {
  if (machine_ != nullptr) {
    machine_->set_aside_l2(gpu, sixteenths);
  }
}

void SimulatedSystem::end_l2_persistence(std::uint32_t gpu) {
  if (machine_ != nullptr) {
    machine_->end_l2_persistence(gpu);
  }
}

void SimulatedSystem::manage(bool timed) {
  std::vector<const GpuConfig*> configs;
  std::vector<DeviceMemory*> memories;
  for (std::size_t i = 0; i < gpus_.size(); ++i) {
    configs.push_back(&gpus_[i].config);
    memories.push_back(memories_[i].get());
  }
  managed_ = std::make_unique<ManagedSystem>(configs, memories, timed);
  memories_.front()->watch(
      [this](const DeviceMemory::Allocation& allocation, bool exists) { note(allocation, exists); });
}

// With one GPU only the host's memory is not its own.
void SimulatedSystem::note(const DeviceMemory::Allocation& allocation, bool exists) {
  managed_->note(allocation, exists);
  if (allocation.managed) {
    return;
  }
  if (!exists) {
    homes_.remove(allocation.begin, allocation.bytes);
  } else if (allocation.registered) {
    homes_.set(allocation.begin, allocation.bytes, MemoryHomes::kHost);
  } else if (size() > 1) {
    homes_.set(allocation.begin, allocation.bytes, allocation.gpu);
  }
}

void SimulatedSystem::call_begins() {
  if (machine_ != nullptr) {
    managed_->look(*machine_);
  }
}

void SimulatedSystem::call_ends() {
  if (machine_ != nullptr) {
    managed_->call_ends();
  }
}

}  // namespace warpsim::cuda
