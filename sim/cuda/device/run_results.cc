#include "cuda/device/run_results.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <ctime>

namespace warpsim::cuda {

RunRecord run_record(const std::vector<GpuDescription>& gpus, const DeviceOptions& options) {
  const auto& [gpu_file, tree, config] = gpus.front();
  RunRecord record;
  record.name = options.run_name;
  record.gpu = config.name;
  record.config_file = gpu_file;
  record.config_hash = fmt::format("{:016x}", tree.hash());
  record.trace = options.run_name;
  record.cache_control = options.flush_caches ? "all" : "none";
  record.max_cycles = options.max_cycles;
  record.settings = detail_settings(options.details);
  record.config = tree.values();
  for (auto gpu = gpus.begin() + 1; gpu != gpus.end(); ++gpu) {
    record.further_devices.push_back(
        {gpu->config.name, gpu->file, fmt::format("{:016x}", gpu->tree.hash()), gpu->tree.values()});
  }
  record.command = options.command;
  record.started = fmt::format("{:%Y-%m-%dT%H:%M:%SZ}", fmt::gmtime(std::time(nullptr)));
  return record;
}

RunResults::RunResults(const std::vector<GpuDescription>& gpus, const DeviceOptions& options)
    : writer_(std::make_unique<ResultsWriter>(options.results)) {
  if (options.begun_run.empty()) {
    run_id_ = writer_->begin_runs({run_record(gpus, options)}, options.replace).front();
    return;
  }
  run_id_ = writer_->take_or_begin_run(run_token(options.begun_run), run_record(gpus, options));
}

RunResults::~RunResults() {
  if (!creator_.is_this()) {
    // The database belongs to the parent of this forked process. The writer stays reachable, so that tools do not
    // report a leak.
    [[maybe_unused]] static const ResultsWriter* volatile left_to_parent = nullptr;
    left_to_parent = writer_.release();
  }
}

void RunResults::add(const LaunchRecord& launch, const StatGroup& stats, const LaunchDetails& details) {
  if (creator_.is_this()) {
    host_seconds_ += launch.host_seconds;
    writer_->add_launch(run_id_, launch, stats, details);
  }
}

void RunResults::add(std::uint32_t launch_index, const std::vector<std::uint64_t>& ranges) {
  for (const std::uint64_t range : ranges) {
    ranges_.launches.emplace_back(range, launch_index);
  }
}

void RunResults::finish(RunStatus status, const std::vector<std::string>& notes) {
  if (creator_.is_this()) {
    writer_->add_work(run_id_, works_);
    writer_->add_ranges(run_id_, ranges_);
    writer_->finish_run(run_id_, status, notes, host_seconds_);
  }
}

}  // namespace warpsim::cuda
